// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import io.exaplane.api.duration.Durations;
import io.exaplane.api.v1alpha1.ControlPlaneRolloutSpec;
import io.exaplane.api.v1alpha1.OnStall;
import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.SettleSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * {@code spec.rollout} with defaults filled in, and the gates that a person opened. Immutable.
 *
 * @param maxSurge most new pods beside the old ones
 * @param maxUnavailable most pods that may be missing
 * @param minReady for how long a new pod has to be ready
 * @param requestP99 most that the 99th percentile of requests may take
 * @param inflightPercent most requests at work, of those that a server takes at once
 * @param relistsPerSecond most LISTs a second
 * @param progressDeadline time within which each pod has to settle
 * @param rollsBack whether a rollout that exceeds that time is rolled back
 * @param override the annotation's value as it is, or null
 * @param open the gates that it names
 * @param unknown the names in it that no gate has
 * @param hurried whether pods have to be replaced before their certificates expire: then only
 *     stores and the deadline hold
 */
public record RolloutPolicy(
    int maxSurge,
    int maxUnavailable,
    Duration minReady,
    Duration requestP99,
    int inflightPercent,
    int relistsPerSecond,
    Duration progressDeadline,
    boolean rollsBack,
    String override,
    Set<RolloutGate> open,
    List<String> unknown,
    boolean hurried) {
  private static final ControlPlaneRolloutSpec NONE =
      new ControlPlaneRolloutSpec(null, null, null, null, null, null, null);
  private static final Set<RolloutGate> STRICT =
      EnumSet.of(RolloutGate.StoresServe, RolloutGate.ProgressDeadline);
  private static final SettleSpec NO_SETTLE = new SettleSpec(null, null, null);

  /**
   * Of a spec, which may be null.
   *
   * @param override value of the annotation exaplane.io/rollout-override, or null
   */
  public static RolloutPolicy of(ControlPlaneRolloutSpec spec, String override) {
    ControlPlaneRolloutSpec rollout = Objects.requireNonNullElse(spec, NONE);
    SettleSpec settle = Objects.requireNonNullElse(rollout.settle(), NO_SETTLE);
    List<String> names = override == null ? List.of() : names(override).toList();
    EnumSet<RolloutGate> open = EnumSet.noneOf(RolloutGate.class);
    Arrays.stream(RolloutGate.values())
        .filter(gate -> names.contains(gate.name()))
        .forEach(open::add);
    return new RolloutPolicy(
        Objects.requireNonNullElse(rollout.maxSurge(), 1),
        Objects.requireNonNullElse(rollout.maxUnavailable(), 0),
        Duration.ofSeconds(Objects.requireNonNullElse(rollout.minReadySeconds(), 10)),
        Durations.parse(settle.requestP99(), Duration.ofSeconds(1)),
        Objects.requireNonNullElse(settle.inflightPercent(), 70),
        Objects.requireNonNullElse(settle.relistsPerSecond(), 10),
        Durations.parse(rollout.progressDeadline(), Duration.ofMinutes(30)),
        rollout.onStall() == OnStall.Rollback,
        names.isEmpty() ? null : override,
        open,
        names.stream()
            .filter(
                name ->
                    Arrays.stream(RolloutGate.values()).noneMatch(gate -> gate.name().equals(name)))
            .toList(),
        false);
  }

  /** The same of a control plane whose certificates may leave no time. */
  public RolloutPolicy hurried(boolean hurries) {
    return new RolloutPolicy(
        maxSurge,
        maxUnavailable,
        minReady,
        requestP99,
        inflightPercent,
        relistsPerSecond,
        progressDeadline,
        rollsBack,
        override,
        open,
        unknown,
        hurries);
  }

  /**
   * Whether a component gets its last settled template instead of the one that is wanted: its
   * rollout stopped, and nobody wants another template since.
   *
   * @param told of the rollout, or null
   */
  public boolean rejects(RolloutStatus told, String component, String template) {
    return isStopped(told, component, template)
        && (rollsBack || told.rolledBackTo() != null)
        && (told.fromReplicas() == null || told.rolledBackTo() != null)
        && !isOpen(RolloutGate.ProgressDeadline);
  }

  /**
   * Whether a person wants a template tried again that was rolled back.
   *
   * @param told of the rollout, or null
   */
  public boolean triesAgain(RolloutStatus told, String component, String template) {
    return isStopped(told, component, template)
        && told.rolledBackTo() != null
        && isOpen(RolloutGate.ProgressDeadline);
  }

  /**
   * Whether a person lets a rollout go on that stopped.
   *
   * @param told of all rollouts
   */
  public boolean resumes(Told told) {
    return told.stalled().findFirst().isPresent() && isOpen(RolloutGate.ProgressDeadline);
  }

  private static boolean isStopped(RolloutStatus told, String component, String template) {
    return told != null
        && told.stalledAt() != null
        && told.component().equals(component)
        && template.equals(told.template());
  }

  /** Most pods of so many that may be missing: one is always there. */
  int unavailable(int replicas) {
    return Math.min(maxUnavailable, Math.max(0, replicas - 1));
  }

  /** Most new pods beside so many old ones: never all of them at once, and one if none may miss. */
  int surge(int replicas) {
    int least = unavailable(replicas) == 0 ? 1 : 0;
    return Math.max(least, Math.min(maxSurge, Math.max(1, replicas - 1)));
  }

  /** Whether a gate holds nothing now. */
  boolean isOpen(RolloutGate gate) {
    return open.contains(gate) || hurried && !STRICT.contains(gate);
  }

  private static Stream<String> names(String override) {
    return Arrays.stream(override.split(",")).map(String::strip).filter(name -> !name.isEmpty());
  }
}
