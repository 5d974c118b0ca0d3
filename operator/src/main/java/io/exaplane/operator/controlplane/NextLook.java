// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.bundle.Update;
import io.exaplane.operator.controlplane.check.StorageCheck;
import io.exaplane.operator.controlplane.condition.OperatorUpdatePendingCondition;
import io.exaplane.operator.controlplane.dependent.ControlPlanePins;
import io.exaplane.operator.controlplane.fleet.Turn;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.rollout.RolloutPlan;
import io.exaplane.operator.management.ManagementAddresses;
import io.exaplane.operator.outcome.NextPass;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.rotation.Rotation;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** When a control plane is looked at again although nothing happened. Pure. */
final class NextLook {
  private static final Duration CERTIFICATE_PROBLEM_RECHECK = Duration.ofSeconds(10);

  private static final Duration NEXT_TURN = Duration.ofMillis(1);

  /** Of a move that changes nothing no event tells, nor of a gate that opens with time. */
  private static final Duration NEXT_MOVE = Duration.ofSeconds(2);

  private static final Duration REFUSED_RECHECK = Duration.ofSeconds(30);

  private NextLook() {}

  /**
   * When one is looked at again that has no status yet: at once when its first one is written, and
   * not at once when that was refused.
   *
   * @param nextAttempt when what was refused is to be asked for again
   */
  static Duration first(boolean written, Optional<Duration> nextAttempt) {
    return written ? NEXT_TURN : nextAttempt.orElse(REFUSED_RECHECK);
  }

  /** The soonest of several, if it is sooner than the regular interval, whose place it takes. */
  static Optional<Duration> soonest(Context<ControlPlane> context, List<Optional<Duration>> looks) {
    return looks.stream()
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .filter(left -> NextPass.isSooner(left, context));
  }

  /**
   * When a control plane asks the queue again. A place that could not be written is not in the
   * status, so that the queue would ask for the next look at once, in a loop; what was refused has
   * its own time.
   */
  static Optional<Duration> turn(boolean written, Optional<Turn> turn) {
    return turn.filter(_ -> written).flatMap(Turn::nextLook);
  }

  /**
   * When pods may come further by time alone: gates open with time, and a move that changes nothing
   * has no event. A rollout that stopped waits for a person.
   *
   * @param pins what is applied, and whether pods are on their way to another bundle
   */
  static Optional<Duration> moves(Optional<ControlPlanePins> pins, Optional<RolloutPlan> rollout) {
    return moves(
        pins.filter(any -> !any.waits()).filter(any -> any.update().isUnderWay()).isPresent(),
        rollout.filter(RolloutPlan::moves).isPresent(),
        rollout.filter(RolloutPlan::hasStopped).isPresent());
  }

  static Optional<Duration> moves(boolean bundle, boolean rollout, boolean hasStopped) {
    return rollout || bundle && !hasStopped ? Optional.of(NEXT_MOVE) : Optional.empty();
  }

  /** While objects are written again: of their end, and of trouble, no event tells. */
  static Optional<Duration> rewrite(Observed observed) {
    return observed.pki().rotations().stream().anyMatch(Rotation::rewrites)
        ? Optional.of(NEXT_MOVE)
        : Optional.empty();
  }

  /**
   * When a maintenance window opens that moves pods of the control plane or of its stores: the
   * stores have no windows of their own, and a new operator may change nothing but their pods.
   */
  static Optional<Duration> window(Optional<Update> update, List<StoreShard> shards, Instant now) {
    return update.flatMap(
        known -> known.untilWindow(now, OperatorUpdatePendingCondition.arePending(shards)));
  }

  /** By what was observed, and by what holds the operator up. */
  static Optional<Duration> after(
      Observed observed, Optional<Problem> problem, Optional<Instant> pausedUntil, Instant now) {
    if (observed.pki().problem().isPresent()) {
      // A restored Secret has no owner yet, so no event tells of it.
      return Optional.of(CERTIFICATE_PROBLEM_RECHECK);
    }
    if (pausedUntil.isPresent()) {
      return pausedUntil
          .filter(until -> until.isBefore(Instant.MAX))
          .map(until -> Duration.between(now, until).plusSeconds(1));
    }
    return Stream.concat(
            observed.pki().untilNextRenewal(now).stream(),
            problem
                .map(found -> untilMended(found).stream())
                .orElseGet(() -> untilResized(observed, now)))
        .min(Comparator.naturalOrder());
  }

  /** A StorageClass that is made brings no event, nor does a node that goes. */
  private static Optional<Duration> untilMended(Problem problem) {
    return switch (problem.reason()) {
      case StorageClassMissing -> Optional.of(StorageCheck.AGE.plusSeconds(1));
      // The label brings no event: the operator watches only Secrets that are its own.
      case PullSecretRefused -> Optional.of(CERTIFICATE_PROBLEM_RECHECK);
      case NetworkOverlap -> Optional.of(ManagementAddresses.AGE.plusSeconds(1));
      default -> Optional.empty();
    };
  }

  /** How long until a size that is asked for counts. */
  private static Stream<Duration> untilResized(Observed observed, Instant now) {
    return observed.sized().size().pending().stream()
        .map(change -> Duration.between(now, change.at()).plusMillis(100))
        .map(left -> left.isPositive() ? left : Duration.ofMillis(100));
  }
}
