// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.api.v1alpha1.GuardAct;
import io.exaplane.api.v1alpha1.GuardMode;
import io.exaplane.api.v1alpha1.GuardStatus;
import io.exaplane.api.v1alpha1.GuardStatus.Decision;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.guard.GuardLook;
import io.exaplane.operator.guard.GuardPolicy;
import io.exaplane.operator.guard.GuardState;
import io.exaplane.operator.guard.LeaseLook;
import io.exaplane.operator.hosted.NodeFreeze;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * One control plane's guard between two looks. Immutable.
 *
 * @param state what was decided
 * @param actual what there is in the hosted cluster
 * @param countsLeases whether the last look that asked for them had numbers of Leases
 * @param refusal why it is not as decided; "" if it is
 * @param status what is to be remembered
 */
record GuardRun(
    GuardState state,
    NodeFreeze.State actual,
    boolean countsLeases,
    String refusal,
    GuardStatus status) {
  /** As many as a person reads; they are in the ControlPlane's status. */
  private static final int MOST_DECISIONS = 32;

  private static final String BEFORE = "An earlier operator decided so.";

  /**
   * Goes on from what an operator before left: the objects count, and the status explains them.
   *
   * @param reached whether the published endpoint answered the operator before
   */
  static GuardRun begin(
      GuardStatus status, NodeFreeze.State actual, GuardMode mode, boolean reached) {
    boolean isFrozen =
        mode == GuardMode.Enforce
            ? actual == NodeFreeze.State.FROZEN
            : status != null && Boolean.TRUE.equals(status.frozen());
    if (!isFrozen) {
      return new GuardRun(GuardState.quiet(reached), actual, true, "", status);
    }
    Decision last = last(status);
    return new GuardRun(
        GuardState.frozenBefore(
            last == null ? Reason.LeasesMissed : Reason.valueOf(last.reason()),
            last == null ? BEFORE : last.message(),
            status == null ? 0 : or(status.aliveNodes()),
            status == null ? 0 : or(status.deadNodes())),
        actual,
        true,
        "",
        status);
  }

  private static Decision last(GuardStatus status) {
    return status == null || status.decisions() == null || status.decisions().isEmpty()
        ? null
        : status.decisions().getLast();
  }

  private static long or(Long value) {
    return value == null ? 0 : value;
  }

  /** After one more look. A guard that is off thaws at once, and looks no more. */
  GuardRun next(GuardLook look, GuardPolicy policy, GuardMode mode) {
    GuardState next = mode == GuardMode.Off ? state.off() : state.next(look, policy);
    LeaseLook.Kind kind = look.leases().kind();
    boolean isAsked = look.inside() && kind != LeaseLook.Kind.NOT_ASKED;
    boolean counts = isAsked ? kind != LeaseLook.Kind.NOT_COUNTED : countsLeases;
    boolean isDecision = next.frozen() != state.frozen();
    return new GuardRun(
        next, actual, counts, refusal, isDecision ? decided(next, look, mode) : status);
  }

  private GuardStatus decided(GuardState next, GuardLook look, GuardMode mode) {
    List<Decision> decisions = new ArrayList<>();
    if (status != null && status.decisions() != null) {
      decisions.addAll(status.decisions());
    }
    decisions.add(
        new Decision(
            look.at().truncatedTo(ChronoUnit.SECONDS).toString(),
            GuardAct.of(
                next.frozen(), mode == GuardMode.Enforce || actual == NodeFreeze.State.FROZEN),
            next.cause().name(),
            next.numbers()));
    int first = Math.max(0, decisions.size() - MOST_DECISIONS);
    return new GuardStatus(
        next.frozen(),
        next.frozen() ? next.aliveNodes() : null,
        next.frozen() ? next.deadNodes() : null,
        List.copyOf(decisions.subList(first, decisions.size())));
  }

  /** After something was done, or refused. */
  GuardRun with(NodeFreeze.State now, String why) {
    return new GuardRun(state, now, countsLeases, why, status);
  }

  /** Whether there is nothing to end. */
  boolean isIdle() {
    return !state.frozen() && actual == NodeFreeze.State.NONE;
  }

  /** What is told; the same from look to look as long as nothing is decided. */
  GuardVerdict verdict(GuardMode mode) {
    return new GuardVerdict(
        mode,
        state.frozen(),
        state.frozen() ? state.cause() : null,
        state.frozen() ? state.numbers() : "",
        countsLeases,
        refusal,
        status);
  }
}
