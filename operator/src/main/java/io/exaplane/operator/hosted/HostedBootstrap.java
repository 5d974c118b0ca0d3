// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusal;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.FlowSchema;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.PriorityLevelConfiguration;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Keeps the operator's objects inside a hosted cluster as they should be. What is right already is
 * only read. Stateless.
 */
public final class HostedBootstrap {
  private static final Logger LOG = Logger.getLogger(HostedBootstrap.class);
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
  private static final String OURS = "exaplane-";
  private static final String FIELD_MANAGER = "exaplane-operator";

  private HostedBootstrap() {}

  /**
   * What came of it.
   *
   * @param refusals of the others
   * @param done the objects that are as they should be
   */
  public record Ensured(List<Refusal> refusals, List<HasMetadata> done) {}

  /**
   * Starts approving kubelets, brings the objects up to date, removes flow schemas and priority
   * levels of ours that are no longer wanted, and watches them. A webhook of the hosted cluster may
   * refuse one; nodes must be able to join all the same.
   *
   * @param managesFlowControl whether flow schemas and priority levels are ours to remove
   * @return what came of it
   */
  public static Ensured ensure(
      HostedCluster cluster, List<HasMetadata> objects, boolean managesFlowControl) {
    KubernetesClient client = cluster.client();
    cluster.startApprover();
    Outcomes outcomes = new Outcomes();
    List<HasMetadata> done = new ArrayList<>();
    for (HasMetadata desired : objects) {
      outcomes.attempt(
          () -> {
            apply(client, desired);
            done.add(desired);
          });
    }
    if (managesFlowControl) {
      outcomes.attempt(() -> removeOthers(client, objects));
    }
    cluster.startWatches();
    return new Ensured(outcomes.refusals(), List.copyOf(done));
  }

  /** Writes an object of the operator's, unless it is there as it should be. */
  public static void apply(KubernetesClient client, HasMetadata desired) {
    HasMetadata existing = client.resource(desired).get();
    if (!isAsDesired(desired, existing)) {
      if (desired instanceof ClusterRoleBinding wanted
          && existing instanceof ClusterRoleBinding found
          && !wanted.getRoleRef().equals(found.getRoleRef())) {
        // The role of a binding is immutable.
        client.resource(found).delete();
      }
      client.resource(desired).fieldManager(FIELD_MANAGER).forceConflicts().serverSideApply();
      LOG.infof("applied %s inside the hosted cluster", name(desired));
    }
  }

  /** Schemas before the levels that they lead to. */
  private static void removeOthers(KubernetesClient client, List<HasMetadata> objects) {
    Set<String> wanted = objects.stream().map(HostedBootstrap::name).collect(Collectors.toSet());
    List<HasMetadata> ours = new ArrayList<>();
    ours.addAll(
        client
            .resources(FlowSchema.class)
            .withLabel(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
            .list()
            .getItems());
    ours.addAll(
        client
            .resources(PriorityLevelConfiguration.class)
            .withLabel(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
            .list()
            .getItems());
    for (HasMetadata object : ours) {
      boolean named = object.getMetadata().getName().startsWith(OURS);
      if (named && !wanted.contains(name(object))) {
        client.resource(object).delete();
        LOG.infof("removed %s from the hosted cluster", name(object));
      }
    }
  }

  private static String name(HasMetadata object) {
    return object.getKind() + "/" + object.getMetadata().getName();
  }

  private static boolean isAsDesired(HasMetadata desired, HasMetadata existing) {
    if (existing == null) {
      return false;
    }
    // Others may add labels and fields, but for those of the Service's slice, which lead traffic.
    boolean labels =
        !(desired instanceof EndpointSlice)
            || Objects.equals(
                desired.getMetadata().getLabels(), existing.getMetadata().getLabels());
    return labels
        && contains(
            SERIALIZATION.convertValue(existing, JsonNode.class),
            SERIALIZATION.convertValue(desired, JsonNode.class));
  }

  /** Whether all that is wanted is there; lists have to be the same but for fields of theirs. */
  public static boolean contains(JsonNode existing, JsonNode desired) {
    if (existing == null) {
      return false;
    }
    if (desired.isObject()) {
      return desired.properties().stream()
          .allMatch(field -> contains(existing.get(field.getKey()), field.getValue()));
    }
    if (desired.isArray()) {
      if (existing.size() != desired.size()) {
        return false;
      }
      for (int i = 0; i < desired.size(); i++) {
        if (!contains(existing.get(i), desired.get(i))) {
          return false;
        }
      }
      return true;
    }
    return existing.equals(desired);
  }
}
