// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.restart.ComponentLook;
import io.exaplane.operator.restart.Dependency;
import io.exaplane.operator.restart.PodLook;
import io.exaplane.operator.restart.RestartLedger;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.restart.RestartPolicy;
import io.exaplane.operator.storeshard.status.ShardStates;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The restarts of a control plane's components. A kube-apiserver ends when it cannot reach one of
 * its stores at its start, the others when they cannot reach the API. Pure.
 */
public final class ComponentRestarts {
  private ComponentRestarts() {}

  /**
   * What is to be done about them.
   *
   * @param mayReplace whether the operator may change anything now
   */
  public static RestartPlan plan(Observed observed, boolean mayReplace, Instant now) {
    ControlPlane controlPlane = observed.controlPlane().asked();
    Map<String, String> annotations = controlPlane.getMetadata().getAnnotations();
    RestartPolicy policy = RestartPolicy.of(controlPlane.getSpec().restart());
    RestartLedger ledger =
        new RestartLedger(
            policy,
            controlPlane.getStatus() == null ? null : controlPlane.getStatus().restart(),
            annotations == null ? null : annotations.get(Names.RELEASE_RESTARTS),
            now);
    return RestartPlan.of(
        policy, controlPlane.getMetadata().getUid(), ledger, looks(observed), mayReplace, now);
  }

  private static List<ComponentLook> looks(Observed observed) {
    Dependency api = api(observed);
    return Stream.of(
            look(
                observed,
                ControlPlaneNames.API_SERVER,
                stores(observed),
                ComponentLook.Turns.ONE_STARTS),
            look(observed, ControlPlaneNames.CONTROLLER_MANAGER, api, ComponentLook.Turns.ANY),
            look(observed, ControlPlaneNames.SCHEDULER, api, ComponentLook.Turns.ANY))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<ComponentLook> look(
      Observed observed, String component, Dependency dependency, ComponentLook.Turns turns) {
    return observed
        .deployment(component)
        .map(
            deployment ->
                new ComponentLook(
                    "kube-" + component,
                    deployment.getSpec().getReplicas(),
                    observed.pods(component).stream().map(PodLook::of).toList(),
                    dependency,
                    turns));
  }

  /** All stores, since a starting kube-apiserver dials even those of Events. */
  private static Dependency stores(Observed observed) {
    int wanted = StorageSpec.stores(observed.controlPlane().spec().storage()).size();
    List<StoreShard> shards = observed.shards();
    return shards.size() == wanted && shards.stream().allMatch(ShardStates::isReady)
        ? shards.stream()
            .flatMap(shard -> ShardStates.condition(shard, StoreCondition.Ready).stream())
            .map(Condition::lastTransitionTime)
            .map(Instant::parse)
            .max(Comparator.naturalOrder())
            .map(Dependency::since)
            .orElse(Dependency.AWAY)
        : Dependency.AWAY;
  }

  private static Dependency api(Observed observed) {
    return observed.pods(ControlPlaneNames.API_SERVER).stream()
        .flatMap(pod -> PodLook.of(pod).readySince().stream())
        .min(Comparator.naturalOrder())
        .map(Dependency::since)
        .orElse(Dependency.AWAY);
  }
}
