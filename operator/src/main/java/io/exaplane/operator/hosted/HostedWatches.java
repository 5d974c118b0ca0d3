// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.api.v1alpha1.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.FlowSchema;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.PriorityLevelConfiguration;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Watches the operator's objects inside a hosted cluster: what somebody changes or removes, the
 * reconciler puts back. Thread-safe.
 */
public final class HostedWatches implements AutoCloseable {
  private static final List<Class<? extends HasMetadata>> KINDS =
      List.of(
          FlowSchema.class,
          PriorityLevelConfiguration.class,
          ConfigMap.class,
          Role.class,
          RoleBinding.class,
          ClusterRoleBinding.class,
          EndpointSlice.class);

  private final KubernetesClient client;
  private final Runnable changed;
  private final BegunInformers informers = new BegunInformers();

  /** {@code changed} is called by threads of the client. */
  HostedWatches(KubernetesClient client, Runnable changed) {
    this.client = client;
    this.changed = changed;
  }

  /** Starts watching; does nothing when it has. */
  void start() {
    informers.begin(
        KINDS.stream().<Supplier<SharedIndexInformer<?>>>map(kind -> () -> watch(kind)).toList());
  }

  private <T extends HasMetadata> SharedIndexInformer<T> watch(Class<T> kind) {
    return client
        .resources(kind)
        .inAnyNamespace()
        .withLabel(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
        .inform(new Handler<>(), 0);
  }

  @Override
  public void close() {
    informers.close();
  }

  private final class Handler<T extends HasMetadata> implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      // The operator made it, or the next look sees that nobody wants it.
    }

    @Override
    public void onUpdate(T before, T object) {
      if (!Objects.equals(
          before.getMetadata().getResourceVersion(), object.getMetadata().getResourceVersion())) {
        changed.run();
      }
    }

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {
      changed.run();
    }
  }
}
