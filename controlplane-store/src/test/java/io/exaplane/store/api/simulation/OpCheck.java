// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static io.exaplane.store.api.simulation.Checker.require;

import io.exaplane.store.core.error.StoreException;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Whether each answer is that of its revision. */
final class OpCheck {
  private final Checker.States states;
  private final Epoch epoch;
  private final Windows windows;
  private final Scarcity scarcity;
  private final Freezes freezes;

  OpCheck(Checker.States states, Epoch epoch, Windows windows, Scarcity scarcity, Freezes freezes) {
    this.freezes = freezes;
    this.scarcity = scarcity;
    this.windows = windows;
    this.states = states;
    this.epoch = epoch;
  }

  /** Checks one and returns the revision that it made, if it made one. */
  Optional<Long> check(Op op) {
    if (op.error != null) {
      error(op);
      return Optional.empty();
    }
    if (op.answer == null) {
      return Optional.empty();
    }
    require(op.answer.revision >= op.floor, "it does not know revision %d", op.floor);
    return switch (op.kind) {
      case PUT -> wrote(op, true);
      case MULTI -> {
        require(op.answer.succeeded, "it failed without a reason");
        yield wrote(op, true);
      }
      case CREATE -> create(op);
      case UPDATE -> update(op);
      case DELETE -> delete(op);
      case RANGE, STREAM -> {
        range(op);
        yield Optional.empty();
      }
      case REVOKE -> revoke(op);
      default -> {
        states.at(op.answer.revision);
        yield Optional.empty();
      }
    };
  }

  private void error(Op op) {
    if (op.error == StoreException.COMPACTED) {
      boolean asks =
          op.kind == Op.Kind.RANGE || op.kind == Op.Kind.STREAM || op.kind == Op.Kind.COMPACT;
      require(asks, "nothing that it needs can be compacted");
      boolean compacted =
          op.number <= epoch.base()
              || op.kind != Op.Kind.COMPACT
                  && windows.areOver(op.key(), op.end, op.number, op.failedMs)
              || scarcity.explains(
                  op.kind == Op.Kind.COMPACT ? op.number : op.number + 1, op.failedMs, epoch.ops())
              || epoch.ops().stream()
                  .anyMatch(
                      o -> o.kind == Op.Kind.COMPACT && o.error == null && o.number >= op.number);
      require(compacted, "nobody compacted what it asks for");
    } else if (op.error == StoreException.FUTURE_REVISION) {
      require(op.number > op.floor, "revision %d was known", op.number);
    } else if (op.error == StoreException.LEASE_NOT_FOUND) {
      require(op.lease != 0 || op.kind == Op.Kind.REVOKE, "it needs no lease");
    } else if (op.error == StoreException.NO_SPACE) {
      boolean puts = !op.value.isEmpty();
      require(puts && scarcity.isThere(), "space is not short, or it needs none");
    } else if (op.error == StoreException.MOVING) {
      require(freezes.explain(op), "it writes nothing that may be frozen");
    } else {
      require(op.error == StoreException.JOURNAL, "it is refused for no reason");
    }
  }

  private Optional<Long> wrote(Op op, boolean plain) {
    List<Answer.Event> made = states.changes.get(op.answer.revision);
    require(op.answer.revision > op.floor, "its revision was known before");
    require(made != null, "its revision holds nothing");
    require(
        made.stream().map(e -> e.now().key()).toList().equals(op.keys)
            && made.stream()
                .allMatch(
                    e ->
                        !e.isDelete()
                            && e.now().value().equals(op.value)
                            && e.now().lease() == op.lease),
        "its revision holds %s",
        made);
    require(plain || op.answer.succeeded, "it failed and wrote");
    return Optional.of(op.answer.revision);
  }

  private Optional<Long> create(Op op) {
    if (op.answer.succeeded) {
      require(!states.at(op.answer.revision - 1).containsKey(op.key()), "the key was there");
      return wrote(op, false);
    }
    require(states.at(op.answer.revision).containsKey(op.key()), "the key was not there");
    return Optional.empty();
  }

  private Optional<Long> update(Op op) {
    if (op.answer.succeeded) {
      Kv before = states.at(op.answer.revision - 1).get(op.key());
      require(before != null && before.mod() == op.number, "the key was %s", before);
      return wrote(op, false);
    }
    Kv now = states.at(op.answer.revision).get(op.key());
    require(now == null || now.mod() != op.number, "the key was as expected");
    require(
        op.answer.inner.getFirst().kvs.equals(now == null ? List.of() : List.of(now)),
        "it shows %s and not %s",
        op.answer.inner.getFirst().kvs,
        now);
    return Optional.empty();
  }

  private Optional<Long> delete(Op op) {
    if (op.answer.deleted == 0) {
      require(in(states.at(op.answer.revision), op).isEmpty(), "there was something to delete");
      return Optional.empty();
    }
    List<Answer.Event> made = states.changes.get(op.answer.revision);
    require(made != null, "its revision holds nothing");
    List<String> keys = List.copyOf(in(states.at(op.answer.revision - 1), op).keySet());
    require(
        made.stream().allMatch(Answer.Event::isDelete)
            && made.stream().map(e -> e.now().key()).toList().equals(keys)
            && keys.size() == op.answer.deleted,
        "its revision holds %s",
        made);
    return Optional.of(op.answer.revision);
  }

  private Optional<Long> revoke(Op op) {
    List<Answer.Event> made = states.changes.get(op.answer.revision);
    boolean ended = made != null && isEndOf(op.lease, op.answer.revision, made);
    return ended ? Optional.of(op.answer.revision) : Optional.empty();
  }

  private static NavigableMap<String, Kv> in(NavigableMap<String, Kv> state, Op op) {
    NavigableMap<String, Kv> found = new TreeMap<>();
    Follower range = new Follower(op.key(), op.end, false, false, 0, 0);
    state.forEach(
        (key, kv) -> {
          if (range.wants(key)) {
            found.put(key, kv);
          }
        });
    return found;
  }

  private void range(Op op) {
    states.at(op.answer.revision);
    long at = op.number == 0 ? op.answer.revision : op.number;
    if (at < epoch.base()) {
      Follower range = new Follower(op.key(), op.end, false, false, 0, 0);
      require(Windows.isDurable(range), "what was lost was shown");
      return;
    }
    List<Kv> all = List.copyOf(in(states.at(at), op).values());
    boolean cut = op.limit > 0 && all.size() > op.limit;
    require(
        op.answer.kvs.equals(cut ? all.subList(0, (int) op.limit) : all),
        "it shows %s and not %s",
        op.answer.kvs,
        all);
    require(op.answer.count == all.size() && op.answer.more == cut, "count or more are wrong");
  }

  /** A revision that no answered request made: an unanswered one's, or the end of a lease. */
  void requireExplained(long revision, List<Answer.Event> made) {
    boolean explained =
        epoch.ops().stream()
                .filter(op -> op.answer == null && op.error != StoreException.MOVING)
                .anyMatch(op -> explains(op, revision, made))
            || made.stream().allMatch(Answer.Event::isDelete)
                && states.at(revision - 1).values().stream()
                    .mapToLong(Kv::lease)
                    .distinct()
                    .anyMatch(lease -> lease != 0 && isEndOf(lease, revision, made));
    require(explained, "revision %d is nobody's: %s", revision, made);
  }

  private boolean explains(Op op, long revision, List<Answer.Event> made) {
    if (op.kind == Op.Kind.DELETE) {
      return made.stream().allMatch(Answer.Event::isDelete)
          && made.stream()
              .map(e -> e.now().key())
              .toList()
              .equals(List.copyOf(in(states.at(revision - 1), op).keySet()));
    }
    return !op.value.isEmpty()
        && made.stream().map(e -> e.now().key()).toList().equals(op.keys)
        && made.stream().allMatch(e -> e.now().value().equals(op.value));
  }

  /** Whether a revision deletes the keys of a lease, all of them and in order. */
  private boolean isEndOf(long lease, long revision, List<Answer.Event> made) {
    List<String> keys =
        states.at(revision - 1).values().stream()
            .filter(kv -> kv.lease() == lease)
            .map(Kv::key)
            .toList();
    return made.stream().allMatch(Answer.Event::isDelete)
        && made.stream().map(e -> e.now().key()).toList().equals(keys);
  }
}
