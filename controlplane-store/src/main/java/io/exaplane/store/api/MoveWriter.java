// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.Growth;
import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.Recovery;
import io.exaplane.store.core.SpaceAccount;
import io.exaplane.store.core.SpaceScope;
import io.exaplane.store.core.View;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.move.Move;
import io.exaplane.store.move.Move.State;
import io.exaplane.store.move.MoveException;
import io.exaplane.store.move.MoveStates;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.agrona.collections.LongArrayList;

/**
 * What moves change in a store, each by the writer, durable and shown when its future completes.
 * Futures complete on the writer's thread, or on the caller's if it is refused at once: what
 * depends on them must not wait there. They complete exceptionally with a {@link MoveException};
 * nothing was changed then. Repeating a request with the same id is always allowed. Thread-safe.
 */
public final class MoveWriter {
  private static final System.Logger LOG = System.getLogger(MoveWriter.class.getName());

  /** A page of a MiB, whatever the largest request is. */
  static final int LEAST_WRITE_BYTES = 2 << 20;

  private final StoreWriter writer;
  private final MoveStates states;

  /**
   * A change of a key, which passes the gate.
   *
   * @param value null if the key is deleted
   */
  public record Change(byte[] key, byte[] value) {}

  MoveWriter(StoreWriter writer, MoveStates states) {
    this.writer = writer;
    this.states = states;
  }

  /** Where moves stand. */
  public MoveStates states() {
    return states;
  }

  /**
   * Changes where a move stands.
   *
   * @param rule gets the state that there is and says which there shall be, empty for none; called
   *     by the writer's thread, and may throw a {@link MoveException}
   */
  public CompletableFuture<Optional<Move>> change(
      String prefix, UnaryOperator<Optional<Move>> rule) {
    return step(_ -> set(prefix, rule.apply(states.of(prefix))));
  }

  /**
   * Makes what {@link #states} tells durable, if a write failed and left that open. Else it is done
   * at once, and needs no disk.
   */
  public CompletableFuture<Void> makeSure() {
    return states.isUnsure() ? step(_ -> null) : CompletableFuture.completedFuture(null);
  }

  /** Does something by what is durable: every answer counts on what a restart finds. */
  private <T> CompletableFuture<T> step(WriterTasks.Work<T> work) {
    return writer.run(
        applier -> {
          try {
            states.makeSure();
          } catch (IOException e) {
            throw unwritten("the states of moves", e);
          }
          return work.apply(applier);
        });
  }

  private static MoveException unwritten(String what, IOException why) {
    return new MoveException(
        503,
        "%s can't be written: %s; check the disk of the data folder, then ask again"
            .formatted(what, why));
  }

  private Optional<Move> set(String prefix, Optional<Move> to) {
    Optional<Move> from = states.of(prefix);
    try {
      states.set(prefix, to);
    } catch (IOException e) {
      throw unwritten("the state of the move of '%s'".formatted(prefix), e);
    }
    if (!from.equals(to)) {
      LOG.log(
          System.Logger.Level.INFO, "move of {0}: {1}, before {2}", prefix, told(to), told(from));
    }
    return to;
  }

  private static String told(Optional<Move> move) {
    return move.map(
            each -> "%s (%s) at revision %d".formatted(each.state(), each.id(), each.revision()))
        .orElse("none");
  }

  /**
   * From now on writes below a prefix are refused.
   *
   * @return the revision that has every write that was done before; none comes after
   */
  public CompletableFuture<Long> freeze(String prefix, String id) {
    return step(
        applier -> {
          Optional<Move> move = states.of(prefix);
          if (move.isPresent() && move.get().state() != State.Arrived) {
            require(move.get(), id, State.Frozen);
            return move.get().revision();
          }
          long revision = applier.keyspace().revision();
          set(prefix, Optional.of(new Move(prefix, id, State.Frozen, revision)));
          return revision;
        });
  }

  /** Writes below a prefix are served again. */
  public CompletableFuture<Void> thaw(String prefix, String id) {
    return step(
        _ -> {
          Optional<Move> move = states.of(prefix);
          if (move.isPresent() && move.get().state() != State.Arrived) {
            require(move.get(), id, State.Frozen);
            set(prefix, Optional.empty());
          }
          return null;
        });
  }

  /**
   * The Kind is another store's from now on. Watches below the prefix have got what there is and
   * ended when the future completes, unless their clients are slow: then they just ended.
   *
   * @param revision of the freeze; with another one it was thawed meanwhile, and is refused
   */
  public CompletableFuture<Void> leave(String prefix, String id, long revision) {
    return this.<Void>step(
            _ -> {
              Move move =
                  states
                      .of(prefix)
                      .orElseThrow(
                          () ->
                              new MoveException(
                                  404,
                                  "prefix '%s' has no move; freeze it first".formatted(prefix)));
              if (move.state() != State.Left || !move.id().equals(id)) {
                require(move, id, State.Frozen);
              }
              requireRevision(move, revision);
              if (move.state() != State.Left) {
                set(prefix, Optional.of(new Move(prefix, id, State.Left, move.revision())));
              }
              return null;
            })
        .thenCompose(_ -> endWatches(prefix));
  }

  private CompletableFuture<Void> endWatches(String prefix) {
    KeyRange keys = MoveStates.keys(prefix);
    return CompletableFuture.allOf(
        writer.lanes().stream()
            .map(lane -> lane.endWatches(keys))
            .toArray(CompletableFuture[]::new));
  }

  private static void requireRevision(Move move, long revision) {
    if (move.revision() != revision) {
      throw new MoveException(
          409,
          "revision: '%s' is %s at revision %d, not %d, so it was written meanwhile; take the changes up to that revision, and compare the sums again"
              .formatted(move.prefix(), move.state(), move.revision(), revision));
    }
  }

  private static void require(Move move, String id, State state) {
    if (move.state() != state || !move.id().equals(id)) {
      throw MoveException.wrongState(move, id, state);
    }
  }

  /**
   * Changes keys, past the gate, as one revision. Of a key that comes several times the last change
   * counts; the deletion of a key that does not exist is none. Keys get no lease.
   *
   * @param prefix that the rule asks about; all keys must be below it
   * @param rule gets the state that there is, and may throw a {@link MoveException}
   * @return the store's revision then; fails with 507 if the store is full, and with 413 if the
   *     changes are larger than a client's request and a page may be
   */
  public CompletableFuture<Long> write(
      String prefix, Consumer<Optional<Move>> rule, List<Change> changes) {
    long bytes = 0;
    int largest = 0;
    Map<ByteBuffer, Change> last = new LinkedHashMap<>();
    for (Change change : changes) {
      last.put(ByteBuffer.wrap(change.key()), change);
      int size = change.key().length + (change.value() == null ? 0 : change.value().length);
      largest = Math.max(largest, size);
      bytes += size;
    }
    if (largest > writer.maxRequestBytes()) {
      return failed(
          413,
          "body: a key has %d bytes with its value, and clients of this store may write %d; raise --max-request-bytes to that of the store that the keys come from"
              .formatted(largest, writer.maxRequestBytes()));
    }
    if (bytes > StoreMoves.MOST_REQUEST_BYTES) {
      return failed(
          413,
          "body: the changes have %d bytes, and a store takes %d at once; begin again with POST /moves/arrive, so that pages have these keys"
              .formatted(bytes, StoreMoves.MOST_REQUEST_BYTES));
    }
    long more = bytes;
    return step(
        applier -> {
          rule.accept(states.of(prefix));
          requireSpace(applier.keyspace(), last, more);
          return apply(applier.keyspace(), last);
        });
  }

  private static <T> CompletableFuture<T> failed(int status, String text) {
    return CompletableFuture.failedFuture(new MoveException(status, text));
  }

  private static void requireSpace(Keyspace keyspace, Map<ByteBuffer, Change> changes, long bytes) {
    SpaceScope records = keyspace.space().scopes().getFirst();
    // A store that is not full is passed by one request, and only its own are within the reserve.
    if (bytes > LEAST_WRITE_BYTES && records.used() > records.limitBytes() - bytes) {
      throw full();
    }
    long mostLoad =
        changes.values().stream()
            .filter(change -> change.value() != null)
            .mapToLong(change -> SpaceAccount.mostLoad(change.key().length, change.value().length))
            .sum();
    if (!keyspace.space().isAnyFullWith(mostLoad)) {
      return;
    }
    Growth growth = keyspace.space().growth();
    growth.begin();
    PutRequest put = new PutRequest();
    for (Change change : changes.values()) {
      if (change.value() != null) {
        put.key.set(change.key());
        put.value.set(change.value());
        growth.put(put);
      } else if (newest(keyspace, change) != 0) {
        growth.delete(newest(keyspace, change));
      }
    }
    if (!growth.fits()) {
      throw full();
    }
  }

  private static MoveException full() {
    return new MoveException(
        507,
        "body: the store is full and takes no more keys; raise --quota-backend-bytes, --quota-load-bytes or the store's memory, or delete objects, then ask again");
  }

  private static long newest(Keyspace keyspace, Change change) {
    return keyspace.newest(change.key(), 0, change.key().length);
  }

  private static long apply(Keyspace keyspace, Map<ByteBuffer, Change> changes) {
    for (Change change : changes.values()) {
      byte[] key = change.key();
      byte[] value = change.value();
      if (value != null) {
        keyspace.put(key, 0, key.length, value, 0, value.length, 0);
      } else if (newest(keyspace, change) != 0) {
        keyspace.delete(newest(keyspace, change));
      }
    }
    return keyspace.commit();
  }

  /**
   * Deletes the next keys below a prefix, past the gate, as one revision.
   *
   * @param after the last key that was deleted before, so that nobody walks over what it leaves;
   *     empty for the first time
   * @param rule gets the state that there is, and may throw a {@link MoveException}
   * @param most keys to delete
   * @return the last key that was deleted; empty if there were fewer than asked for
   */
  public CompletableFuture<Optional<byte[]>> deleteNext(
      String prefix, byte[] after, Consumer<Optional<Move>> rule, int most) {
    KeyRange keys = MovePrefix.after(prefix, after);
    return step(
        applier -> {
          rule.accept(states.of(prefix));
          Keyspace keyspace = applier.keyspace();
          LongArrayList found = new LongArrayList();
          RangeReader reader = new RangeReader(keyspace);
          View view = keyspace.working();
          reader.open(view, keys, view.revision());
          long record = reader.next();
          while (record != 0 && found.size() < most) {
            found.addLong(record);
            record = reader.next();
          }
          reader.close();
          Optional<byte[]> last =
              found.size() < most
                  ? Optional.empty()
                  : Optional.of(Records.copyKey(keyspace.memory(), found.getLong(most - 1)));
          found.forEachOrderedLong(keyspace::delete);
          keyspace.commit();
          return last;
        });
  }

  /**
   * Raises the store's revision, if it is lower, and compacts there: every revision that anybody
   * has seen is told to be compacted.
   *
   * @return the store's revision then
   */
  public CompletableFuture<Long> raise(long atLeast) {
    if (atLeast > StoreMoves.MOST_REVISION) {
      return CompletableFuture.failedFuture(
          new MoveException(
              400,
              "above: revision %d would be beyond %d, from which no store could give the Kind away again; keep the Kind where it is"
                  .formatted(atLeast, StoreMoves.MOST_REVISION)));
    }
    return step(applier -> raised(applier, atLeast));
  }

  /** Makes durable what was written, whatever the durability of its keys, but keys in memory. */
  public CompletableFuture<Void> force() {
    return writer.force();
  }

  private static long raised(Applier applier, long atLeast) {
    new Recovery(applier.keyspace()).revision(atLeast);
    if (applier.keyspace().compactedRevision() < applier.keyspace().revision()) {
      applier.compact(applier.keyspace().revision());
    }
    return applier.keyspace().revision();
  }

  /**
   * The same, unless every revision up to one that somebody has seen is told to be compacted
   * already.
   */
  public CompletableFuture<Long> raiseIfSeen(long seen, long atLeast) {
    return step(
        applier ->
            applier.keyspace().compactedRevision() > seen
                ? applier.keyspace().revision()
                : raised(applier, atLeast));
  }
}
