// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.View;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.move.Move;
import io.exaplane.store.move.Move.State;
import io.exaplane.store.move.MoveException;
import io.exaplane.store.move.MoveStates;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All that is asked of a store when a Kind moves from it or to it. Futures complete on any thread,
 * and exceptionally with a {@link MoveException}, or a {@code StoreException} of the store as a
 * whole. Every request may be repeated with the same id. Thread-safe; waits for nothing.
 */
public final class StoreMoves {
  /**
   * How far a store's revisions are raised above those of the store that a Kind comes from: more
   * than that store gets on in the time of a move.
   */
  public static final long GAP = 1_000_000_000L;

  /**
   * No store comes so far by its writes, and programs that read JSON with floating-point numbers
   * know each revision up to here. A store at it can't give a Kind away, and no move leads above.
   */
  public static final long MOST_REVISION = 1L << 53;

  /** The largest request that any store may be told to take. */
  public static final int MOST_REQUEST_BYTES = 16 << 20;

  /** The largest body of {@link #take}: a page of any store, whatever requests this one takes. */
  public static final int MOST_BODY_BYTES = MOST_REQUEST_BYTES + (1 << 20);

  /** Keys that are deleted in one revision. */
  private static final int DELETED_AT_ONCE = 1_000;

  private static final byte[] NOTHING = {};

  private final Keyspace keyspace;
  private final MoveWriter writer;
  private final MoveReads reads;
  private final Function<String, CompletableFuture<MoveSum>> sums;

  /** Prefixes of which a request that takes several steps is under way. */
  private final Set<String> busy = ConcurrentHashMap.newKeySet();

  /**
   * @param sums adds up the keys below a prefix
   */
  StoreMoves(
      Keyspace keyspace,
      MoveWriter writer,
      MoveReads reads,
      Function<String, CompletableFuture<MoveSum>> sums) {
    this.keyspace = keyspace;
    this.writer = writer;
    this.reads = reads;
    this.sums = sums;
  }

  /** The newest revision that is shown. */
  public long revision() {
    return keyspace.view().revision();
  }

  /** Where all moves stand, which a restart finds, too. */
  public CompletableFuture<List<Move>> all() {
    return writer.makeSure().thenApply(_ -> writer.states().all());
  }

  /** What writes of keys survive: the rule with the longest prefix first, the last one for all. */
  public List<PrefixRule> rules() {
    return keyspace.space().classes().rules();
  }

  /**
   * The next keys below a prefix at the newest revision.
   *
   * @param after the last key of the page before; empty for the first page
   */
  public CompletableFuture<MovedPage> page(String prefix, byte[] after) {
    return reads.page(prefix, after);
  }

  /**
   * The changes below a prefix after a revision, whole revisions in order.
   *
   * @param waitMs how long to wait for one, if there is none
   */
  public CompletableFuture<MovedPage> changes(String prefix, long after, long waitMs) {
    return reads.changes(prefix, after, waitMs);
  }

  /**
   * Adds up the keys below a prefix, at one revision; ends early if the future is completed by the
   * caller.
   */
  public CompletableFuture<MoveSum> sum(String prefix) {
    return sums.apply(prefix);
  }

  /** Refuses writes from now on; the revision that has all writes that were done before. */
  public CompletableFuture<Long> freeze(String prefix, String id) {
    return writer.freeze(prefix, id);
  }

  /** Takes writes again; the newest revision. */
  public CompletableFuture<Long> thaw(String prefix, String id) {
    return writer.thaw(prefix, id).thenApply(_ -> revision());
  }

  /**
   * Gives the Kind away for good.
   *
   * @param revision that {@link #freeze} told, up to which the other store has all changes
   * @return the newest revision; nobody gets a later one with keys of the Kind
   */
  public CompletableFuture<Long> leave(String prefix, String id, long revision) {
    return writer.leave(prefix, id, revision).thenApply(_ -> revision());
  }

  /**
   * Begins to take a Kind in, from its beginning, whatever came before.
   *
   * @param above a revision of the store that has it; this store's goes on far above it
   * @param finished the id of the move by which the Kind left this store, from who saw that another
   *     store finished that move: this store's keys are deleted; empty if it did not leave
   * @return the revision below which everything is compacted now
   */
  public CompletableFuture<Long> arrive(
      String prefix, String id, long above, Optional<String> finished) {
    return alone(
        prefix,
        () ->
            writer
                .change(prefix, before -> Optional.of(arriving(prefix, id, finished, before)))
                .thenCompose(_ -> deleteAll(prefix, is(prefix, id, State.Arriving)))
                .thenCompose(_ -> writer.raise(above + GAP)));
  }

  /** By the writer. */
  private Move arriving(
      String prefix, String id, Optional<String> finished, Optional<Move> before) {
    if (before.isEmpty() && hasKeys(prefix)) {
      throw new MoveException(
          409,
          "prefix: '%s' has keys in this store, which serves them; move the Kind to a store that does not have it"
              .formatted(prefix));
    }
    boolean isTaken =
        before
            .filter(
                move ->
                    switch (move.state()) {
                      case Left -> false;
                      case Arriving -> !move.id().equals(id);
                      case Arrived, Frozen -> true;
                    })
            .isPresent();
    if (isTaken) {
      throw MoveException.wrongState(before.get(), id, State.Left);
    }
    before.filter(Move::mayHaveTheOnlyKeys).ifPresent(left -> requireFinished(left, finished));
    return new Move(prefix, id, State.Arriving, keyspace.revision());
  }

  private boolean hasKeys(String prefix) {
    RangeReader reader = new RangeReader(keyspace);
    View view = keyspace.working();
    KeyRange range = MoveStates.keys(prefix);
    return reader.count(view, range, view.revision()) > 0;
  }

  /**
   * Takes changes in, as one revision.
   *
   * @param body as the pages of the other store have them
   */
  public CompletableFuture<Long> take(String prefix, String id, byte[] body) {
    MoveBody parsed;
    try {
      parsed = MoveBody.parse(prefix, body);
    } catch (MoveException e) {
      return CompletableFuture.failedFuture(e);
    }
    Consumer<Optional<Move>> isArriving = is(prefix, id, State.Arriving);
    return alone(
        prefix,
        () ->
            writer.write(
                prefix,
                move -> {
                  isArriving.accept(move);
                  requireBelow(parsed.newest());
                },
                parsed.changes()));
  }

  /** Clients that know a revision of the other store must be told that this store compacted it. */
  private void requireBelow(long newest) {
    if (newest >= keyspace.compactedRevision()) {
      throw new MoveException(
          409,
          "body: revision %d is not below this store's compacted revision %d, so clients could mistake one for the other; begin again with POST /moves/arrive"
              .formatted(newest, keyspace.compactedRevision()));
    }
  }

  /**
   * Serves the Kind from now on. All that was taken is durable before the state is, also of keys
   * whose writes need not be: a state that survives a loss of power must not outlive its keys.
   *
   * @param keys as the other store counted
   * @param sha256 as the other store added up
   * @param above the other store's revision when it had left: it may have been raised meanwhile,
   *     and then this store is raised first, as by {@link #arrive}
   */
  public CompletableFuture<Long> finish(
      String prefix, String id, long keys, String sha256, long above) {
    if (stateOf(prefix, id) == State.Arrived) {
      return writer.makeSure().thenApply(_ -> revision());
    }
    return alone(
        prefix,
        () ->
            check(prefix, is(prefix, id, State.Arriving))
                .thenCompose(_ -> sum(prefix))
                .thenAccept(sum -> requireSame(keys, sha256, sum))
                .thenCompose(_ -> writer.raiseIfSeen(above, above + GAP))
                .thenCompose(_ -> writer.force())
                .thenCompose(_ -> arrived(prefix, id)));
  }

  private static void requireSame(long keys, String sha256, MoveSum own) {
    if (own.keys() != keys || !own.sha256().equals(sha256)) {
      throw new MoveException(
          409,
          "keys, sha256: %d and %s are the other store's, this store has %d and %s; begin again with POST /moves/arrive"
              .formatted(keys, sha256, own.keys(), own.sha256()));
    }
  }

  private CompletableFuture<Long> arrived(String prefix, String id) {
    return writer
        .change(
            prefix,
            before -> {
              is(prefix, id, State.Arriving).accept(before);
              return Optional.of(new Move(prefix, id, State.Arrived, keyspace.revision()));
            })
        .thenApply(_ -> revision());
  }

  /**
   * Gives up taking a Kind in. A client that is still connected here must not find an empty Kind:
   * so the Kind has left, until it arrives again.
   */
  public CompletableFuture<Long> abandon(String prefix, String id) {
    boolean isAbandoned =
        writer
            .states()
            .of(prefix)
            .filter(new Move(prefix, id, State.Left, Move.ABANDONED)::equals)
            .isPresent();
    if (isAbandoned) {
      return CompletableFuture.completedFuture(revision());
    }
    Consumer<Optional<Move>> isArriving = is(prefix, id, State.Arriving);
    return alone(
        prefix,
        () ->
            deleteAll(prefix, isArriving)
                .thenCompose(
                    _ ->
                        writer.change(
                            prefix,
                            before -> {
                              isArriving.accept(before);
                              return Optional.of(new Move(prefix, id, State.Left, Move.ABANDONED));
                            }))
                .thenApply(_ -> revision()));
  }

  /**
   * Deletes the keys of a Kind that left, which another store serves.
   *
   * @param finished the id again, from who saw that another store finished the move
   */
  public CompletableFuture<Long> clear(String prefix, String id, Optional<String> finished) {
    Consumer<Optional<Move>> hasLeft = is(prefix, id, State.Left);
    Consumer<Optional<Move>> rule =
        found -> {
          hasLeft.accept(found);
          found.filter(Move::mayHaveTheOnlyKeys).ifPresent(left -> requireFinished(left, finished));
        };
    return alone(prefix, () -> deleteAll(prefix, rule).thenApply(_ -> revision()));
  }

  /** Until the other store has finished, this one may have the only keys. */
  private static void requireFinished(Move left, Optional<String> finished) {
    if (finished.filter(left.id()::equals).isEmpty()) {
      throw new MoveException(
          409,
          "finished: '%s' is not '%s', the move by which '%s' left, so the keys here may be the only ones; see at GET /moves of the other store that this move is Arrived there, then ask with finished=%s"
              .formatted(finished.orElse(""), left.id(), left.prefix(), left.id()));
    }
  }

  private State stateOf(String prefix, String id) {
    return writer
        .states()
        .of(prefix)
        .filter(move -> move.id().equals(id))
        .map(Move::state)
        .orElse(null);
  }

  private CompletableFuture<Void> check(String prefix, Consumer<Optional<Move>> rule) {
    return writer.write(prefix, rule, List.of()).thenApply(_ -> null);
  }

  private CompletableFuture<Void> deleteAll(String prefix, Consumer<Optional<Move>> rule) {
    CompletableFuture<Void> all = new CompletableFuture<>();
    deleteNext(prefix, NOTHING, rule, all);
    return all;
  }

  private void deleteNext(
      String prefix, byte[] after, Consumer<Optional<Move>> rule, CompletableFuture<Void> all) {
    writer
        .deleteNext(prefix, after, rule, DELETED_AT_ONCE)
        .whenComplete(
            (last, failure) -> {
              if (failure != null) {
                all.completeExceptionally(failure);
              } else if (last.isEmpty()) {
                all.complete(null);
              } else {
                deleteNext(prefix, last.get(), rule, all);
              }
            });
  }

  /** Two requests of several steps for one Kind would mix; a client repeats the one it gave up. */
  private <T> CompletableFuture<T> alone(String prefix, Supplier<CompletableFuture<T>> steps) {
    if (!busy.add(prefix)) {
      return CompletableFuture.failedFuture(
          new MoveException(
              429,
              "prefix: another request changes '%s' now; ask again in a second".formatted(prefix)));
    }
    return steps.get().whenComplete((_, _) -> busy.remove(prefix));
  }

  /** The rule that a move stands so. */
  private static Consumer<Optional<Move>> is(String prefix, String id, State state) {
    return found -> {
      if (found.isEmpty()) {
        throw new MoveException(
            404,
            "prefix: '%s' has no move in this store; check GET /moves, and begin with POST /moves/arrive or /moves/freeze"
                .formatted(prefix));
      }
      if (found.get().state() != state || !found.get().id().equals(id)) {
        throw MoveException.wrongState(found.get(), id, state);
      }
    };
  }
}
