// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import io.exaplane.operator.outcome.Refusal;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Writes that somebody takes back each time: an autoscaler, a policy that mutates, a tool that owns
 * manifests. Two writers that answer each other write without end. After a few rounds the operator
 * writes once a minute, and says so. Thread-safe.
 */
final class ContestedWrites {
  /** So many writes of the same values in a row are a fight. */
  static final int ROUNDS = 5;

  /** Of a write that comes later than that after the last one, a new count begins. */
  static final Duration ROW = Duration.ofMinutes(5);

  static final Duration REST = Duration.ofMinutes(1);
  private static final int MOST = 10_000;

  /** The operator applies under the names of its reconcilers. */
  private static final Set<String> OWN = Set.of("controlplane", "storeshard", "schedulerpool");

  private final Map<String, Writes> writes = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  ContestedWrites(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Writes in a row.
   *
   * @param wanted hash of what was written each time
   */
  private record Writes(int wanted, int rounds, long lastNs) {
    boolean isContested() {
      return rounds >= ROUNDS;
    }
  }

  /**
   * Why an object is left as it is for now, although it is not as wanted; nothing if it may be
   * written.
   */
  Optional<Refusal> rests(HasMetadata there, HasMetadata wanted) {
    Writes known = writes.get(there.getMetadata().getUid());
    return known != null
            && known.isContested()
            && nanoTime.getAsLong() - known.lastNs() < REST.toNanos()
            && known.wanted() == hash(wanted)
        ? Optional.of(told(there))
        : Optional.empty();
  }

  /**
   * Counts a write.
   *
   * @param before what it changed
   * @return who takes it back each time; nothing while it is none of many
   */
  Optional<Refusal> note(HasMetadata before, HasMetadata wanted) {
    long now = nanoTime.getAsLong();
    int hash = hash(wanted);
    if (writes.size() >= MOST) {
      writes.clear();
    }
    Writes next =
        writes.compute(
            before.getMetadata().getUid(),
            (_, known) ->
                known != null && known.wanted() == hash && now - known.lastNs() < ROW.toNanos()
                    ? new Writes(hash, Math.min(known.rounds() + 1, ROUNDS), now)
                    : new Writes(hash, 1, now));
    return next.isContested() ? Optional.of(told(before)) : Optional.empty();
  }

  private static int hash(HasMetadata wanted) {
    return AnsweredWrites.text(wanted).hashCode();
  }

  private static Refusal told(HasMetadata there) {
    return new Refusal(
        "%s %s".formatted(there.getKind(), there.getMetadata().getName()),
        "keep the operator's values in",
        other(there).map("Field manager "::concat).orElse("Another writer"),
        "%d writes in a row were taken back, so the operator writes once a minute"
            .formatted(ROUNDS),
        "Stop the autoscaler, policy or tool that writes this object, or set the value in the spec.",
        false);
  }

  /** Who changed the object last, beside the operator and those who write statuses. */
  private static Optional<String> other(HasMetadata there) {
    return there.getMetadata().getManagedFields().stream()
        .filter(entry -> !"status".equals(entry.getSubresource()))
        .filter(entry -> entry.getManager() != null && !isOwn(entry))
        .max(Comparator.comparing(entry -> String.valueOf(entry.getTime())))
        .map(ManagedFieldsEntry::getManager);
  }

  private static boolean isOwn(ManagedFieldsEntry entry) {
    return "Apply".equals(entry.getOperation()) && OWN.contains(entry.getManager());
  }
}
