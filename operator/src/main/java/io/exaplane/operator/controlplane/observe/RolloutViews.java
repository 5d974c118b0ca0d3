// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.observe;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.operator.controlplane.rollout.ComponentView;
import io.exaplane.operator.controlplane.rollout.Hold;
import io.exaplane.operator.controlplane.rollout.RolloutPlan;
import io.exaplane.operator.controlplane.rollout.RolloutPolicy;
import io.exaplane.operator.controlplane.rollout.ServerLoad;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.restart.PodLook;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.status.PodTrouble;
import io.exaplane.operator.storeshard.status.ShardStates;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStrategy;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateDeployment;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What rollouts are decided by, from what was observed. Pure. */
public final class RolloutViews {
  /** On a Deployment: identity of its template. */
  public static final String TEMPLATE = "exaplane.io/template";

  private static final Set<String> ENDED = Set.of("Failed", "Succeeded");

  private RolloutViews() {}

  /** What the spec and the annotation of a control plane say of rollouts. */
  public static RolloutPolicy policy(ControlPlane controlPlane) {
    Map<String, String> annotations = controlPlane.getMetadata().getAnnotations();
    return RolloutPolicy.of(
            controlPlane.getSpec().rollout(),
            annotations == null ? null : annotations.get(Names.ROLLOUT_OVERRIDE))
        .hurried(Observer.replacesForRenewal(controlPlane));
  }

  /** The stores that serve, and have nothing left to do. */
  public static RolloutPlan.Stores stores(Observed observed) {
    return new RolloutPlan.Stores(
        (int)
            observed.shards().stream()
                .filter(shard -> ShardStates.isReady(shard) && StoreTurns.isAtRest(shard))
                .count(),
        StorageSpec.stores(observed.controlPlane().spec().storage()).size());
  }

  /** Identity of a Deployment's template; null if the Deployment tells none. */
  public static String template(Deployment live) {
    Map<String, String> annotations = live.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(TEMPLATE);
  }

  /** Whether all pods of a Deployment are of a template, and none is to be another. */
  public static boolean isOf(Deployment live, String template) {
    return Rollout.isComplete(live) && template.equals(template(live));
  }

  /** Whether pods of the newest template are among those that are there. */
  public static boolean hasNewest(Deployment live) {
    return Rollout.isReplacingPods(live) && Rollout.updated(live) > 0;
  }

  /**
   * A component.
   *
   * @param template identity of the template that is wanted
   * @param isBack whether that is an earlier one
   * @param sets the ReplicaSets of the Deployment, where they have to be known
   * @param loads of servers, by the UIDs of their pods
   */
  public static ComponentView of(
      Observed observed,
      String component,
      String template,
      boolean isBack,
      int replicas,
      List<ReplicaSet> sets,
      Map<String, ServerLoad> loads) {
    List<Pod> pods =
        observed.pods(component).stream()
            .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
            .filter(pod -> pod.getStatus() == null || !ENDED.contains(pod.getStatus().getPhase()))
            .toList();
    return new ComponentView(
        component,
        component.equals(ControlPlaneNames.API_SERVER),
        template,
        isBack,
        replicas,
        observed.deployment(component).map(live -> live(live, pods, sets, loads)));
  }

  private static ComponentView.Live live(
      Deployment live, List<Pod> pods, List<ReplicaSet> sets, Map<String, ServerLoad> loads) {
    Optional<String> revision = Rollout.revision(live);
    Optional<String> hash =
        sets.stream()
            .filter(set -> isOf(set, revision))
            .map(set -> set.getMetadata().getLabels().get(Rollout.TEMPLATE_HASH))
            .filter(Objects::nonNull)
            .findFirst();
    return new ComponentView.Live(
        template(live),
        live.getSpec().getReplicas(),
        hold(live),
        live.getStatus() != null
            && Objects.equals(
                live.getStatus().getObservedGeneration(), live.getMetadata().getGeneration()),
        Rollout.updated(live),
        Rollout.replicas(live),
        Rollout.ready(live),
        live.getStatus() == null ? 0 : Rollout.count(live.getStatus().getAvailableReplicas()),
        pods.stream()
            .filter(
                pod ->
                    hash.isPresent()
                        && hash.get()
                            .equals(pod.getMetadata().getLabels().get(Rollout.TEMPLATE_HASH)))
            .map(pod -> pod(pod, loads))
            .toList(),
        pods.stream()
            .max(Comparator.comparing(pod -> PodLook.of(pod).created()))
            .map(pod -> pod(pod, loads)),
        pods.size() >= Rollout.replicas(live),
        Rollout.refusal(live));
  }

  /** How far a Deployment goes by itself. */
  static Hold hold(Deployment live) {
    return new Hold(
        Boolean.TRUE.equals(live.getSpec().getPaused()),
        Rollout.isHeld(live) ? amount(live, RollingUpdateDeployment::getMaxUnavailable, 0) : null,
        amount(live, RollingUpdateDeployment::getMaxSurge, 1));
  }

  private static int amount(
      Deployment live, Function<RollingUpdateDeployment, IntOrString> field, int otherwise) {
    return Optional.ofNullable(live.getSpec().getStrategy())
        .map(DeploymentStrategy::getRollingUpdate)
        .map(field)
        .map(IntOrString::getIntVal)
        .orElse(otherwise);
  }

  private static boolean isOf(ReplicaSet set, Optional<String> revision) {
    return revision.isPresent()
        && set.getMetadata().getAnnotations() != null
        && revision.get().equals(set.getMetadata().getAnnotations().get(Rollout.REVISION));
  }

  private static ComponentView.PodView pod(Pod pod, Map<String, ServerLoad> loads) {
    PodLook look = PodLook.of(pod);
    return new ComponentView.PodView(
        look.name(),
        look.readySince(),
        Optional.ofNullable(loads.get(look.uid())),
        look.trouble().or(() -> Optional.of(PodTrouble.lookAt(pod))));
  }
}
