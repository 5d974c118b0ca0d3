// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import io.exaplane.operator.outcome.NeedsPersonException;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Objects that somebody deletes each time: a GitOps tool that prunes, a policy that cleans up.
 * Their UIDs are others each time, so they are known by their owner and name. After a few rounds
 * the operator makes them once a minute, and says so. Thread-safe.
 */
final class ContestedCreations {
  private static final int MOST = 10_000;

  private final Map<String, Made> all = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  ContestedCreations(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Creations in a row.
   *
   * @param wanted hash of what was made each time
   * @param uid of the last one: one that was there is no creation
   */
  private record Made(int wanted, int rounds, long lastNs, String uid) {
    boolean isContested() {
      return rounds >= ContestedWrites.ROUNDS;
    }
  }

  /**
   * Makes an object, and tells of it if it is one of many.
   *
   * @throws NeedsPersonException if it is not made for now
   */
  <R extends HasMetadata> R make(
      R wanted, HasMetadata owner, Outcomes outcomes, UnaryOperator<R> create) {
    String key = key(wanted, owner);
    int hash = AnsweredWrites.text(wanted).hashCode();
    Made known = all.get(key);
    if (known != null
        && known.isContested()
        && known.wanted() == hash
        && nanoTime.getAsLong() - known.lastNs() < ContestedWrites.REST.toNanos()) {
      throw deleted(wanted);
    }
    R made = create.apply(wanted);
    if (note(key, hash, made.getMetadata().getUid()).isContested()) {
      outcomes.told(Refusals.of(deleted(wanted)));
    }
    return made;
  }

  /** The operator deletes it itself. */
  void forget(HasMetadata object, HasMetadata owner) {
    all.remove(key(object, owner));
  }

  private Made note(String key, int hash, String uid) {
    long now = nanoTime.getAsLong();
    if (all.size() >= MOST) {
      all.clear();
    }
    return all.compute(
        key,
        (_, known) -> {
          if (known == null
              || known.wanted() != hash
              || now - known.lastNs() >= ContestedWrites.ROW.toNanos()) {
            return new Made(hash, 1, now, uid);
          }
          return Objects.equals(known.uid(), uid)
              ? known
              : new Made(hash, Math.min(known.rounds() + 1, ContestedWrites.ROUNDS), now, uid);
        });
  }

  private static String key(HasMetadata object, HasMetadata owner) {
    return owner.getMetadata().getUid() + "/" + object.getMetadata().getName();
  }

  private static NeedsPersonException deleted(HasMetadata wanted) {
    return new NeedsPersonException(
        "somebody deleted %s %s %d times in a row, so the operator makes it once a minute"
            .formatted(
                wanted.getKind(), wanted.getMetadata().getName(), ContestedWrites.ROUNDS - 1),
        "Stop the tool or policy that deletes it; the audit log of the management cluster names it.");
  }
}
