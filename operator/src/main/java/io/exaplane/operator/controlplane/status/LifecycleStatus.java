// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.operator.controlplane.condition.AvailableCondition;
import io.exaplane.operator.controlplane.condition.DeletingCondition;
import io.exaplane.operator.controlplane.condition.ProgressingCondition;
import io.exaplane.operator.controlplane.hosted.EndpointProbe;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.RefusedWrites;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A control plane's status while nothing new is known of it but one thing: it is paused, it is
 * being removed, or the last look failed. All else stays as it was.
 *
 * @param status the whole status
 * @param changes the conditions that changed
 */
public record LifecycleStatus(ControlPlaneStatus status, List<Condition> changes) {

  /**
   * The last look failed and is tried again. Whether the API answers is known all the same.
   *
   * @param probe what the endpoint answered, if it was asked
   */
  public static LifecycleStatus failed(
      ControlPlane controlPlane,
      Refusal refusal,
      Optional<EndpointProbe.Result> probe,
      Clock clock) {
    return of(
        controlPlane,
        clock,
        conditions -> {
          RefusedWrites.report(
              conditions,
              ConditionType.ReconciliationActive,
              controlPlane.getMetadata().getGeneration(),
              List.of(refusal));
          probe
              .filter(result -> !result.answers())
              .ifPresent(
                  result ->
                      conditions.set(
                          ConditionType.Available,
                          AvailableCondition.unreached(
                              result,
                              conditions.wasMet(
                                  ConditionType.Available, AvailableCondition.LOSSES))));
        });
  }

  /** The operator has seen it; all else waits in a queue. */
  public static LifecycleStatus accepted(ControlPlane controlPlane, Clock clock) {
    return of(
        controlPlane,
        clock,
        conditions ->
            conditions
                .set(ConditionType.Available, AvailableCondition.accepted())
                .set(ConditionType.Progressing, ProgressingCondition.accepted()));
  }

  /** The control plane is being removed. */
  public static LifecycleStatus removing(
      ControlPlane controlPlane, List<String> left, Clock clock) {
    return of(
        controlPlane,
        clock,
        conditions -> conditions.set(ConditionType.Deleting, DeletingCondition.waiting(left)));
  }

  /**
   * The control plane is being removed, and tasks still move resources between stores that are
   * kept.
   *
   * @param tasks their names
   */
  public static LifecycleStatus moving(ControlPlane controlPlane, List<String> tasks, Clock clock) {
    return of(
        controlPlane,
        clock,
        conditions -> conditions.set(ConditionType.Deleting, DeletingCondition.moving(tasks)));
  }

  /** The control plane is being removed, and somebody refuses a part of that. */
  public static LifecycleStatus removing(ControlPlane controlPlane, Refusal refusal, Clock clock) {
    return of(
        controlPlane,
        clock,
        conditions -> conditions.set(ConditionType.Deleting, DeletingCondition.refused(refusal)));
  }

  private static LifecycleStatus of(
      ControlPlane controlPlane, Clock clock, Consumer<ConditionSet> change) {
    ControlPlaneStatus before = controlPlane.getStatus();
    ConditionSet conditions =
        new ConditionSet(
            before == null ? null : before.conditions(),
            controlPlane.getMetadata().getGeneration(),
            clock);
    change.accept(conditions);
    conditions.limitPatience(
        ConditionSet::since,
        _ -> "see 'kubectl describe' of these objects for finalizers and Events");
    for (ConditionType each : ConditionType.values()) {
      if (conditions.current(each).isEmpty()) {
        conditions.keep(each);
      }
    }
    ToolConditions.derive(conditions);
    ControlPlaneStatus status =
        before == null
            ? new ControlPlaneStatus(
                controlPlane.getMetadata().getGeneration(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                conditions.build())
            : new ControlPlaneStatus(
                    before.observedGeneration(),
                    before.version(),
                    before.endpoint(),
                    before.service(),
                    before.kubeconfigSecretRef(),
                    before.apiServer(),
                    before.controllerManager(),
                    before.scheduler(),
                    before.stores(),
                    before.certificates(),
                    before.sizing(),
                    before.bundle(),
                    conditions.build())
                .withRestart(before.restart())
                .withGuard(before.guard())
                .withRollout(before.rollout())
                .withTurn(before.turn())
                .withRoutes(before.routes())
                .withNodes(before.nodes())
                .withDefinitions(before.definitions())
                .withAddons(before.addons())
                .withRotation(before.rotation());
    return new LifecycleStatus(status, conditions.changes());
  }
}
