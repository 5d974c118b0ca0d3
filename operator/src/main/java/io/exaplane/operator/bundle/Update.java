// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.NextPass;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.status.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is told of an owner's pins: the condition OperatorUpdatePending, and what is wrong with the
 * spec. Immutable.
 *
 * @param of whose
 * @param pinned the bundle of the owner's pods
 * @param moves whether the spec asks for that of the running operator
 * @param unsupported whether it asks for one that nobody renders
 * @param recovers whether what was kept is lost
 * @param pending the objects that the running operator would make otherwise
 * @param next the bundle of the pods when this pass is carried out
 * @param unmoved the objects that are not of the running operator's bundle
 */
public record Update(
    Pins.Owner of,
    String pinned,
    boolean moves,
    boolean unsupported,
    boolean recovers,
    List<String> pending,
    String next,
    List<String> unmoved) {

  /** Whether the pods are on their way to another bundle. */
  public boolean isUnderWay() {
    return moves && !unmoved.isEmpty();
  }

  /** Why the spec cannot be carried out. */
  public Optional<Problem> problem() {
    return unsupported
        ? Optional.of(new Problem(Reason.UnsupportedBundle, unsupportedText()))
        : of.window().problem();
  }

  /** How long until a maintenance window opens that has something to do for the owner. */
  public Optional<Duration> untilWindow(Instant now) {
    return untilWindow(now, false);
  }

  /**
   * The same of an owner that also moves objects which have pins of their own.
   *
   * @param others whether such an object waits for the bundle of the running operator; also objects
   *     that would stay the same are of another bundle until they have moved
   */
  public Optional<Duration> untilWindow(Instant now, boolean others) {
    boolean waits = others || !pending.isEmpty() || !unmoved.isEmpty();
    return of.window()
        .opens()
        .filter(_ -> of.movesByItself() && waits)
        .map(opens -> NextPass.after(now, opens));
  }

  private String unsupportedText() {
    return "spec.rollout.bundle %s: this operator renders only %s, and the pods have the bundle %s. Set one of these two bundles, or remove the field."
        .formatted(of.asked(), of.running(), pinned);
  }

  /** How the pods come to the bundle of the running operator: by a window, and by a person. */
  public String toReplace() {
    String by =
        of.window()
            .opens()
            .filter(_ -> of.movesByItself())
            .map(
                opens ->
                    "The operator replaces the pods in the maintenance window of %s. To replace them sooner,"
                        .formatted(opens))
            .orElse("To replace the pods,");
    return "%s set spec.rollout.bundle to %s.".formatted(by, of.running());
  }

  /** How far the pods are on their way. */
  public String step() {
    return "The pods take the bundle %s, stores first. Still to come: %s."
        .formatted(of.running(), String.join(", ", unmoved));
  }

  /** The condition. */
  public Verdict verdict() {
    if (unsupported) {
      return Verdict.yes(Reason.UnsupportedBundle, unsupportedText());
    }
    if (isUnderWay()) {
      return Verdict.yes(Reason.RollingOut, step() + " No action is needed.");
    }
    if (pending.isEmpty()) {
      return Verdict.no(Reason.AsExpected, "Running pods already match this operator's templates.");
    }
    String next =
        "See the difference in the field data.diff of the ConfigMap %s. %s"
            .formatted(of.configMap(), toReplace());
    return recovers
        ? Verdict.yes(
            Reason.BundleRecordDamaged,
            "The ConfigMap %s, which records the pod templates, was missing or damaged. The operator leaves these pods unchanged: %s. %s"
                .formatted(of.configMap(), String.join(", ", pending), next))
        : Verdict.yes(
            Reason.OperatorUpdatePending,
            "This operator would change the pods of %s. They keep the bundle %s until you approve the change. %s"
                .formatted(String.join(", ", pending), pinned, next));
  }
}
