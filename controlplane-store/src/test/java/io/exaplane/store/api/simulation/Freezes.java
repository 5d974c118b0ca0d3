// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static io.exaplane.store.api.simulation.Checker.require;

import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.move.Move;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Writes below /b/ that a simulated store refuses for a while, as before a Kind leaves it. */
final class Freezes {
  private static final String PREFIX = "/b/";
  private static final String ID = "simulated";
  private static final Follower KEYS = new Follower(PREFIX, "/b0", false, false, 0, 0);
  private static final long NOT_FROZEN = -1;

  /** Revisions above one and up to another in which nobody may have written. */
  private record Span(long above, long to) {}

  private final boolean areThere;
  private final List<Span> spans = new ArrayList<>();
  private CompletableFuture<Long> freezing;
  private CompletableFuture<Void> thawing;

  /** The revision that the store promised; {@link #NOT_FROZEN} if it did not, or not any more. */
  private long frozenAt = NOT_FROZEN;

  Freezes(boolean areThere) {
    this.areThere = areThere;
  }

  boolean areThere() {
    return areThere;
  }

  /** Freezes, or ends that, or looks how it went. */
  void step(SimulatedStore store) {
    look();
    if (freezing != null || thawing != null) {
      return;
    }
    if (frozenAt == NOT_FROZEN) {
      freezing = store.moves().freeze(PREFIX, ID);
    } else {
      spans.add(new Span(frozenAt, store.revision()));
      frozenAt = NOT_FROZEN;
      thawing = store.moves().thaw(PREFIX, ID);
    }
  }

  private void look() {
    if (freezing != null && freezing.isDone()) {
      frozenAt = freezing.isCompletedExceptionally() ? NOT_FROZEN : freezing.join();
      freezing = null;
    }
    if (thawing != null && thawing.isDone()) {
      thawing = null; // one that failed leaves it frozen, and nobody counts on that
    }
  }

  /** The machine stopped, and the store started again. */
  void restarted(SimulatedStore store) {
    look();
    freezing = null;
    thawing = null;
    boolean isKept =
        store
            .moves()
            .states()
            .of(PREFIX)
            .map(Move::revision)
            .filter(r -> r == frozenAt)
            .isPresent();
    if (frozenAt != NOT_FROZEN && !isKept) {
      throw new IllegalStateException("it forgot that %s is frozen".formatted(PREFIX));
    }
  }

  /** Nothing is frozen any more when the store has done what there is to do. */
  void end(SimulatedStore store) {
    look();
    if (frozenAt != NOT_FROZEN) {
      spans.add(new Span(frozenAt, store.revision()));
      frozenAt = NOT_FROZEN;
    }
    store.moves().thaw(PREFIX, ID);
  }

  /** Whether a refusal is right. */
  boolean explain(Op op) {
    boolean writes =
        switch (op.kind) {
          case PUT, CREATE, UPDATE, MULTI -> op.keys.stream().anyMatch(KEYS::wants);
          case DELETE -> KEYS.wants(op.key()) || op.key().compareTo("/b0") < 0 && !op.end.isEmpty();
          default -> false;
        };
    return areThere && writes && op.error == StoreException.MOVING;
  }

  /** Checks that nobody wrote while the store had promised it; leases end all the same. */
  void check(Checker.States states) {
    for (Span span : spans) {
      states
          .changes
          .subMap(span.above, false, span.to, true)
          .forEach(
              (revision, events) ->
                  events.stream()
                      .filter(event -> KEYS.wants(event.now().key()))
                      .forEach(
                          event ->
                              require(
                                  event.isDelete() && event.before().lease() != 0,
                                  "%s is of revision %d, and writes were frozen from %d to %d",
                                  event,
                                  revision,
                                  span.above,
                                  span.to)));
    }
  }
}
