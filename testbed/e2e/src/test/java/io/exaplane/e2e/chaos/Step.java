// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e.chaos;

import static io.exaplane.api.v1alpha1.ConditionType.APIServerAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.Available;
import static io.exaplane.api.v1alpha1.ConditionType.CertificatesValid;
import static io.exaplane.api.v1alpha1.ConditionType.ControllerManagerAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.Degraded;
import static io.exaplane.api.v1alpha1.ConditionType.EndpointReady;
import static io.exaplane.api.v1alpha1.ConditionType.NodeEvictionsAllowed;
import static io.exaplane.api.v1alpha1.ConditionType.OperatorUpdatePending;
import static io.exaplane.api.v1alpha1.ConditionType.Progressing;
import static io.exaplane.api.v1alpha1.ConditionType.RotationComplete;
import static io.exaplane.api.v1alpha1.ConditionType.SchedulerAvailable;
import static io.exaplane.api.v1alpha1.ConditionType.SizingValid;
import static io.exaplane.api.v1alpha1.ConditionType.Stalled;
import static io.exaplane.api.v1alpha1.ConditionType.StoresReady;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What is done to a control plane with two apiservers, one of each other component, a store on a
 * volume and one in memory. For each: the conditions that must turn, and those that may; any other
 * condition that turns bad is a fault.
 */
public enum Step {
  /** For a moment, a Deployment tells of a lost pod as of one that it replaces. */
  KILL_API_SERVER(List.of(degraded(Reason.PartlyAvailable)), Set.of(Progressing)),
  KILL_CONTROLLER_MANAGER(
      List.of(off(ControllerManagerAvailable, Reason.Unavailable)), Set.of(Degraded, Progressing)),
  KILL_SCHEDULER(
      List.of(off(SchedulerAvailable, Reason.Unavailable)), Set.of(Degraded, Progressing)),
  /** Away for seconds: an operator that asks the API then may look again when all is over. */
  KILL_STORE(List.of(), Parts.OF_THE_API),
  KILL_EVENTS_STORE(
      List.of(off(StoresReady, Reason.StoreUnavailable), degraded(Reason.StoreUnavailable)),
      Set.of()),
  /** The process stops until the conditions tell it. */
  PAUSE_STORE(
      List.of(
          off(StoresReady, Reason.StoreUnavailable),
          off(Available, Reason.StoreUnavailable, Reason.Unavailable)),
      Parts.OF_THE_API),
  PAUSE_EVENTS_STORE(
      List.of(off(StoresReady, Reason.StoreUnavailable), degraded(Reason.StoreUnavailable)),
      Set.of()),
  /** The volume has no room until the conditions tell it; its store's pod is not ready then. */
  FILL_DISK(
      List.of(
          off(StoresReady, Reason.StoreUnavailable),
          off(Available, Reason.StoreUnavailable, Reason.Unavailable, Reason.JournalStalled)),
      Parts.OF_THE_API),
  /** A Secret with leaf certificates, which are issued anew. */
  RENEW_CERTIFICATES(List.of(), Set.of()),
  DELETE_CONFIG_MAP(List.of(), Set.of()),
  DELETE_BUDGET(List.of(), Set.of()),
  DELETE_SERVICE(List.of(), Parts.OF_THE_API),
  DELETE_API_SERVERS(
      List.of(off(APIServerAvailable, Reason.Creating, Reason.Unavailable, Reason.Starting)),
      Parts.OF_THE_API),
  DELETE_CONTROLLER_MANAGER(
      List.of(
          off(ControllerManagerAvailable, Reason.Creating, Reason.Unavailable, Reason.Starting)),
      Set.of(Degraded, Progressing)),
  /** Its StatefulSet; for the conditions as above. */
  DELETE_STORE(List.of(), Parts.OF_THE_API),
  /** The API refuses. */
  DELETE_SHARD(List.of(), Set.of()),
  /** Until the conditions tell it; then the Secret comes from the backup. */
  LOSE_KEYS(
      List.of(off(CertificatesValid, Reason.CASecretMissing)),
      Set.of(Degraded, Progressing, Stalled)),
  /** One apiserver more, and one less. */
  SCALE(List.of(on(Progressing, Reason.RollingOut)), Set.of(Degraded)),
  PATCH_SCHEDULER(
      List.of(on(Progressing, Reason.RollingOut)), Set.of(Degraded, SchedulerAvailable)),
  /** While a change is carried out; each control plane is without an operator meanwhile. */
  RESTART_OPERATOR(
      List.of(on(Progressing, Reason.RollingOut)),
      Set.of(Degraded, SchedulerAvailable),
      Kind.OF_ALL),
  /**
   * An operator of another bundle takes the place of the present one while a change is carried out.
   * It shows its own bundle, replaces nothing for that, and goes on with the change. When the
   * conditions have told it, the former operator comes back.
   */
  UPGRADE_OPERATOR(
      List.of(
          on(Progressing, Reason.RollingOut),
          on(OperatorUpdatePending, Reason.OperatorUpdatePending)),
      Set.of(Degraded, SchedulerAvailable),
      Kind.OF_ALL),
  /** Of {@code maxNodes}: told at once, carried out after half a minute. */
  GROW(
      List.of(on(SizingValid, Reason.ChangeDelayed), on(SizingValid, Reason.Overridden)),
      Set.of(Degraded, Progressing, ControllerManagerAvailable, SchedulerAvailable),
      Kind.ONCE),
  /** Until its node is not ready; the control plane has nothing to say of a single one. */
  CUT_HOST(List.of(), Set.of(), Kind.SLOW),
  PATCH_API_SERVERS(List.of(on(Progressing, Reason.RollingOut)), Set.of(Degraded), Kind.SLOW),
  UPGRADE(
      List.of(on(Progressing, Reason.Upgrading)),
      Set.of(Degraded, ControllerManagerAvailable, SchedulerAvailable),
      Kind.SLOW_ONCE),
  /** The CA and the key of tokens. */
  ROTATE_KEYS(
      List.of(
          off(RotationComplete, Reason.RotationPreparing),
          new Turn(
              RotationComplete,
              Condition.FALSE,
              EnumSet.of(Reason.RotationCompleting),
              Duration.ofMinutes(30))),
      Set.of(Degraded, Progressing, ControllerManagerAvailable, SchedulerAvailable),
      Kind.SLOW),
  /**
   * Leases, to another store by a task and back. The first move replaces kube-apiservers, for them
   * to reach the Leases by a Service, and no other does.
   */
  MOVE_LEASES(
      List.of(
          new Turn(
              Progressing, Condition.TRUE, EnumSet.of(Reason.RollingOut), Duration.ofMinutes(8))),
      Set.of(Degraded),
      Kind.SLOW_ONCE);

  private static final class Parts {
    /** On a machine that computes much else. */
    static final Duration SOON = Duration.ofMinutes(4);

    /** What may turn when the store or all apiservers are away for a moment. */
    static final Set<ConditionType> OF_THE_API =
        Set.of(
            Available,
            StoresReady,
            APIServerAvailable,
            ControllerManagerAvailable,
            SchedulerAvailable,
            EndpointReady,
            NodeEvictionsAllowed,
            Degraded,
            Progressing);
  }

  private enum Kind {
    QUICK,
    OF_ALL,
    ONCE,
    SLOW,
    SLOW_ONCE
  }

  private final List<Turn> must;
  private final Set<ConditionType> may;
  private final Kind kind;

  Step(List<Turn> must, Set<ConditionType> may) {
    this(must, may, Kind.QUICK);
  }

  Step(List<Turn> must, Set<ConditionType> may, Kind kind) {
    this.must = must;
    this.may = may;
    this.kind = kind;
  }

  /** The conditions that must turn. */
  public List<Turn> must() {
    return must;
  }

  /** Whether a condition may be bad meanwhile. */
  public boolean allows(ConditionType type) {
    return may.contains(type) || must.stream().anyMatch(turn -> turn.type() == type);
  }

  /** Whether it takes minutes. */
  public boolean isSlow() {
    return kind == Kind.SLOW || kind == Kind.SLOW_ONCE;
  }

  /** Whether other control planes notice it, so that it has no place beside other tests. */
  public boolean isOfAll() {
    return kind == Kind.OF_ALL;
  }

  /** Whether it can be done to a control plane only once. */
  public boolean isOnce() {
    return kind == Kind.ONCE || kind == Kind.SLOW_ONCE;
  }

  private static Turn degraded(Reason reason) {
    return on(Degraded, reason);
  }

  private static Turn on(ConditionType type, Reason reason) {
    return new Turn(type, Condition.TRUE, EnumSet.of(reason), Parts.SOON);
  }

  private static Turn off(ConditionType type, Reason first, Reason... others) {
    return new Turn(type, Condition.FALSE, EnumSet.of(first, others), Parts.SOON);
  }
}
