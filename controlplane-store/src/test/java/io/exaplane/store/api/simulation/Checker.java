// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Says whether what clients saw could have been etcd. Revisions order everything that was written;
 * so it is enough to go over them once, and to look whether each answer is that of its revision and
 * not older than what anybody knew when the request was sent (linearizability), and whether each
 * watch saw the changes of its keys, each once, in order, revision by revision.
 */
final class Checker {
  private final boolean mixed;
  private final Windows windows;
  private final Scarcity scarcity;
  private final Freezes freezes;
  private final List<Epoch> epochs = new ArrayList<>();

  /**
   * @param mixed whether only keys outside /a/ and /b/ survive a restart
   */
  Checker(boolean mixed, Windows windows, Scarcity scarcity, Freezes freezes) {
    this.freezes = freezes;
    this.scarcity = scarcity;
    this.mixed = mixed;
    this.windows = windows;
  }

  void begin(Epoch epoch) {
    epochs.add(epoch);
  }

  /**
   * What is wrong, or null.
   *
   * @param end everything, when all was done
   * @param expired everything, when every lease should have ended
   */
  String check(Answer end, Answer expired) {
    try {
      States before = null;
      List<States> all = new ArrayList<>();
      for (Epoch epoch : epochs) {
        if (before != null) {
          checkRestart(before, epoch);
        }
        before = new States(epoch, scarcity.isThere());
        all.add(before);
        checkOps(before, epoch);
        freezes.check(before);
        for (Follower follower : epoch.followers()) {
          FollowerCheck check = new FollowerCheck(before, epoch, mixed, windows, scarcity);
          if (follower.isHeir) {
            check.checkHeir(follower, all, epochs.subList(0, all.size()));
          } else {
            check.check(follower);
          }
        }
      }
      require(
          end.kvs.equals(List.copyOf(before.at(end.revision).values())),
          "the end shows %s and not %s",
          end.kvs,
          before.at(end.revision).values());
      require(
          expired.kvs.stream().noneMatch(kv -> kv.lease() != 0),
          "keys outlive their leases: %s",
          expired.kvs);
      return null;
    } catch (Wrong e) {
      return e.getMessage();
    }
  }

  /** A finding. */
  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Wrong(String message) {
      super(message, null, false, false);
    }
  }

  static void require(boolean holds, String message, Object... values) {
    if (!holds) {
      throw new Wrong(message.formatted(values));
    }
  }

  /** Every state of an epoch, from what the watch of everything saw. */
  static final class States {
    private final TreeMap<Long, NavigableMap<String, Kv>> states = new TreeMap<>();
    final TreeMap<Long, List<Answer.Event>> changes = new TreeMap<>();
    final long newest;

    /**
     * @param maySkip whether there may be revisions without a change
     */
    States(Epoch epoch, boolean maySkip) {
      for (Answer.Watch response : epoch.god().log) {
        require(!response.canceled(), "the watch of everything was cancelled: %s", response);
        for (Answer.Event event : response.events()) {
          changes.computeIfAbsent(event.now().mod(), _ -> new ArrayList<>()).add(event);
        }
      }
      NavigableMap<String, Kv> state = new TreeMap<>(epoch.keys());
      states.put(epoch.base(), state);
      long revision = epoch.base();
      for (var change : changes.entrySet()) {
        if (maySkip && change.getKey() == revision + 2) {
          states.put(++revision, state);
        }
        require(
            change.getKey() == revision + 1, "revision %d follows %d", change.getKey(), revision);
        revision++;
        NavigableMap<String, Kv> next = new TreeMap<>(state);
        for (Answer.Event event : change.getValue()) {
          apply(next, state, event);
        }
        states.put(revision, next);
        state = next;
      }
      newest = revision;
      if (maySkip) {
        states.put(revision + 1, state);
      }
    }

    private static void apply(
        NavigableMap<String, Kv> next, NavigableMap<String, Kv> before, Answer.Event event) {
      Kv now = event.now();
      Kv was = before.get(now.key());
      require(Objects.equals(event.before(), was), "%s has another before than %s", event, was);
      if (event.isDelete()) {
        require(next.remove(now.key()) != null, "%s deletes nothing", event);
      } else {
        Kv known = next.put(now.key(), now);
        boolean follows =
            known == null
                ? now.create() == now.mod() && now.version() == 1
                : now.create() == known.create() && now.version() == known.version() + 1;
        require(follows, "%s does not follow %s", event, known);
      }
    }

    NavigableMap<String, Kv> at(long revision) {
      NavigableMap<String, Kv> state = states.get(revision);
      require(state != null, "revision %d is shown and was never reached", revision);
      return state;
    }
  }

  /** What is durable is there, and every revision that was shown lies below the new ones. */
  private void checkRestart(States before, Epoch after) {
    require(
        after.base() > before.newest + 1,
        "revisions go on from %d, and %d was shown",
        after.base(),
        before.newest);
    Map<String, Kv> shown = before.at(before.newest);
    Epoch ended = epochs.get(epochs.indexOf(after) - 1);
    for (int number = 2; number < 9; number += 3) {
      String key = "/c/" + number;
      Kv now = after.keys().get(key);
      boolean same = Objects.equals(now, shown.get(key));
      require(
          same
              || ended.ops().stream().anyMatch(op -> !op.isDone() && mayHaveCaused(op, key, now))
              || now == null && shown.get(key).lease() != 0,
          "%s is %s after the restart and was %s",
          key,
          now,
          shown.get(key));
    }
  }

  /** Whether an unanswered request explains a key. */
  private static boolean mayHaveCaused(Op op, String key, Kv now) {
    if (now != null) {
      return op.keys.contains(key) && op.value.equals(now.value());
    }
    boolean putWithLease = op.lease != 0 && op.keys.contains(key); // which has ended since
    return putWithLease || op.kind == Op.Kind.DELETE || op.kind == Op.Kind.REVOKE;
  }

  private void checkOps(States states, Epoch epoch) {
    Map<Long, Op> owners = new HashMap<>();
    OpCheck check = new OpCheck(states, epoch, windows, scarcity, freezes);
    for (Op op : epoch.ops()) {
      try {
        check.check(op).ifPresent(revision -> own(owners, revision, op));
      } catch (Wrong e) {
        throw new Wrong("%s: %s".formatted(op, e.getMessage()));
      }
    }
    for (var change : states.changes.entrySet()) {
      if (!owners.containsKey(change.getKey())) {
        check.requireExplained(change.getKey(), change.getValue());
      }
    }
  }

  private static void own(Map<Long, Op> owners, long revision, Op op) {
    Op other = owners.putIfAbsent(revision, op);
    // The answer of a lease's end has the newest revision, whoever made it.
    require(
        other == null || other.kind == Op.Kind.REVOKE || op.kind == Op.Kind.REVOKE,
        "revision %d is given to %s and to %s",
        revision,
        other,
        op);
  }
}
