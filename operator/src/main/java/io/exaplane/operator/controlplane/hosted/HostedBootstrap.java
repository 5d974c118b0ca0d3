// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;

/**
 * Keeps the operator's objects inside a hosted cluster as they should be. What is right already is
 * only read. Stateless.
 */
public final class HostedBootstrap {
  private static final String FIELD_MANAGER = "exaplane-operator";

  private HostedBootstrap() {}

  /** Brings the objects up to date and starts approving kubelets; throws when the API refuses. */
  public static void ensure(HostedCluster cluster, Endpoint endpoint) {
    KubernetesClient client = cluster.client();
    for (HasMetadata desired : HostedObjects.of(endpoint)) {
      HasMetadata existing = client.resource(desired).get();
      if (!isAsDesired(desired, existing)) {
        client.resource(desired).fieldManager(FIELD_MANAGER).forceConflicts().serverSideApply();
      }
    }
    cluster.startApprover();
  }

  private static boolean isAsDesired(HasMetadata desired, HasMetadata existing) {
    return switch (desired) {
      case ClusterRoleBinding d when existing instanceof ClusterRoleBinding e ->
          d.getRoleRef().equals(e.getRoleRef()) && d.getSubjects().equals(e.getSubjects());
      case EndpointSlice d when existing instanceof EndpointSlice e ->
          d.getMetadata()
                  .getLabels()
                  .entrySet()
                  .equals(
                      e.getMetadata().getLabels() == null
                          ? null
                          : e.getMetadata().getLabels().entrySet())
              && addresses(d).equals(addresses(e))
              && Objects.equals(
                  d.getPorts().getFirst().getPort(),
                  e.getPorts().isEmpty() ? null : e.getPorts().getFirst().getPort());
      case Endpoints d when existing instanceof Endpoints e ->
          d.getSubsets().equals(e.getSubsets());
      default -> false;
    };
  }

  private static java.util.List<String> addresses(EndpointSlice slice) {
    return slice.getEndpoints() == null
        ? java.util.List.of()
        : slice.getEndpoints().stream().flatMap(e -> e.getAddresses().stream()).toList();
  }
}
