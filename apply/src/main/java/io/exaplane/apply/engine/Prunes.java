// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.entry.Presence;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.order.Phase;
import io.exaplane.apply.port.DeleteRequest;
import io.exaplane.apply.port.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Deletes what a source no longer has: only what carries the label of its set at the version that
 * is deleted, and was applied by us; only after everything that the source has was applied; the
 * phases of kinds backwards. Single writer.
 */
final class Prunes {
  private static final int SKIPPED_AFTER = 3;

  private final State state;
  private final Kinds kinds;
  private final Lists lists;
  private final Removals removals;
  private final Set<Entry> told = new HashSet<>();
  private final Set<String> toldKinds = new HashSet<>();

  Prunes(State state, Kinds kinds, Lists lists) {
    this.state = state;
    this.kinds = kinds;
    this.lists = lists;
    removals = new Removals(state, kinds);
  }

  /** Sends the deletions that are due. */
  void run() {
    state.sources.forEach(this::tellOfUnserved);
    state.sources.forEach(removals::follow);
    if (state.orphans.isEmpty()) {
      return;
    }
    Phase latest = null;
    List<Entry> due = new ArrayList<>();
    Map<Source, Boolean> may = new HashMap<>();
    for (Entry one : state.orphans) {
      Source source = state.owner(one.partOf);
      if (!may.computeIfAbsent(source, this::mayPrune) || keeps(one, source)) {
        continue;
      }
      Phase phase = phase(one);
      if (one.failures < SKIPPED_AFTER) {
        latest = latest == null || phase.compareTo(latest) > 0 ? phase : latest;
      }
      due.add(one);
    }
    for (Entry one : due) {
      boolean turn = one.failures >= SKIPPED_AFTER || phase(one) == latest;
      if (!turn || one.ticket != 0) {
        continue;
      }
      Kind kind = state.kind(one.key);
      long held = Math.max(state.pace.heldUntilMs(), kind == null ? 0 : kind.heldUntilMs);
      long at = Math.max(one.notBeforeMs, held);
      if (at > state.now) {
        state.poke(at);
      } else if (state.pace.free(state.now) && !stillWanted(one)) {
        send(one);
      }
    }
  }

  /**
   * Whether the object is one that a manifest names in another API group: servers show some objects
   * in two groups. Then the former name alone is forgotten.
   */
  private boolean stillWanted(Entry orphan) {
    for (Kind kind : state.kinds.values()) {
      if (kind.type == null) {
        continue;
      }
      Entry other =
          state.entries.get(
              new ObjectKey(
                  kind.type.gvk().group(),
                  kind.type.gvk().kind(),
                  orphan.key.namespace(),
                  orphan.key.name()));
      if (other != null && other.manifest != null && other.uid.equals(orphan.uid)) {
        state.tell(
            Notice.Kind.KEPT,
            state.owner(orphan.partOf),
            orphan,
            orphan.key + " is the same object as " + other.key + ", which a manifest names");
        orphan.pruned = true;
        state.forgetRecord(orphan);
        state.classify(orphan);
        return true;
      }
    }
    return false;
  }

  /** Once for each kind of the inventory that the server does not serve: a notice, no error. */
  private void tellOfUnserved(Source source) {
    boolean looks =
        state.options.prune()
            && kinds.known()
            && source.loaded
            && source.settled()
            && source.wanted.complete();
    if (!looks) {
      return;
    }
    for (String one : source.savedKinds) {
      Kind kind = state.kinds.get(one);
      boolean unserved = kind != null && kind.type == null && !source.neededKinds.contains(one);
      if (unserved && toldKinds.add(source.index + " " + one)) {
        state.tell(
            Notice.Kind.KEPT,
            source,
            null,
            "objects of kind "
                + one
                + " are not deleted, since the server does not serve their kind now; if its API"
                + " server or its definition comes back, prune again");
      }
    }
  }

  /** Whether nothing of a source is left to prune; all kinds of the inventory must be known. */
  boolean done(Source source) {
    if (unknown(source).anyMatch(kind -> kind.refused.isEmpty()) || source.left > 0) {
      return false;
    }
    boolean may = !state.orphans.isEmpty() && mayPrune(source);
    for (Entry one : state.orphans) {
      if (may
          && state.owner(one.partOf) == source
          && !removals.kept(one)
          && one.failures < SKIPPED_AFTER) {
        return false;
      }
    }
    return true;
  }

  /** What a source no longer has, and is still there, or may be. */
  List<Notice> problems(Source source) {
    List<Notice> all = new ArrayList<>();
    unknown(source)
        .filter(kind -> !kind.refused.isEmpty())
        .forEach(
            kind ->
                all.add(
                    new Notice(
                        Notice.Kind.FAILED,
                        source.set.name(),
                        null,
                        null,
                        "nothing of kind "
                            + kind.type.gvk().kind()
                            + " can be deleted: "
                            + kind.refused)));
    all.addAll(removals.problems(source));
    for (Entry one : state.orphans) {
      if (state.owner(one.partOf) == source
          && !removals.kept(one)
          && one.failures >= SKIPPED_AFTER) {
        all.add(
            new Notice(
                Notice.Kind.FAILED, source.set.name(), one.key, null, one.key + ": " + one.words));
      }
    }
    return all;
  }

  /** Kinds of the inventory of which nobody knows yet what is there. */
  private Stream<Kind> unknown(Source source) {
    return !state.options.prune() || !source.wanted.complete()
        ? Stream.empty()
        : source.savedKinds.stream()
            .map(state.kinds::get)
            .filter(kind -> kind != null && kind.type != null && !kind.synced);
  }

  private static Phase phase(Entry entry) {
    return Phase.of(State.groupKind(entry.key));
  }

  private boolean mayPrune(Source source) {
    if (!state.options.prune()
        || !source.settled()
        || !source.wanted.complete()
        || !source.problems.isEmpty()) {
      return false;
    }
    for (List<Entry> rank : source.ranks) {
      for (Entry one : rank) {
        if (one.outcome != Outcome.APPLIED && one.outcome != Outcome.UNCHANGED) {
          return false;
        }
      }
    }
    for (String one : source.savedKinds) {
      Kind kind = state.kinds.get(one);
      if (kind != null && kind.type != null && !kind.synced) {
        return false;
      }
    }
    return true;
  }

  private boolean keeps(Entry entry, Source source) {
    if (!removals.kept(entry)) {
      return false;
    }
    if (told.add(entry)) {
      state.tell(
          Notice.Kind.KEPT,
          source,
          entry,
          entry.seenFields == 0
              ? "it carries the label of the set, but manager '"
                  + state.options.manager()
                  + "' did not apply it; delete the label"
              : "its manifest is gone, but deleting it deletes everything in it; delete it by hand");
    }
    return true;
  }

  private void send(Entry entry) {
    Kind kind = state.kind(entry.key);
    if (kind == null || kind.type == null) {
      return;
    }
    entry.ticket = state.ticket();
    state.inFlight++;
    Source source = state.owner(entry.partOf);
    if (source != null) {
      source.requests++;
    }
    state.pace.sent();
    state.out.add(
        new Action.Delete(
            entry.ticket,
            new DeleteRequest(kind.type, entry.key, entry.uid, entry.resourceVersion)));
  }

  void deleted(Event.Deleted event) {
    Entry entry = state.entries.get(event.key());
    if (entry == null || entry.ticket != event.ticket()) {
      return;
    }
    entry.ticket = 0;
    state.inFlight--;
    Failure failure = event.failure();
    if (failure == null) {
      state.pace.refused();
      state.counters.deletions++;
      Source source = state.owner(entry.partOf);
      state.tell(Notice.Kind.PRUNED, source, entry, "deleted, since its manifest is gone");
      done(entry);
    } else if (failure.code() == 404) {
      state.pace.refused();
      if (entry.manifest == null) {
        done(entry);
      }
    } else {
      failed(entry, failure);
    }
    state.classify(entry);
    state.enqueue(entry);
  }

  private void done(Entry entry) {
    told.remove(entry);
    if (entry.appliedManifest != 0) {
      state.forgetRecord(entry);
    }
    entry.failures = 0;
    entry.notBeforeMs = 0;
    entry.unsure = false;
    if (entry.manifest == null) {
      entry.pruned = true;
    }
    if (entry.presence == Presence.PRESENT) {
      // Until an event says that it is gone; finalizers may hold it.
      entry.presence = Presence.DELETING;
    }
  }

  private void failed(Entry entry, Failure failure) {
    if (failure.code() == 429 || failure.code() == 503 || failure.code() == 0) {
      state.overloaded(entry.key, failure.retryAfterMs());
    } else {
      state.pace.refused();
    }
    Kind kind = state.kind(entry.key);
    if (failure.code() == 409 || failure.code() == 0) {
      lists.refresh(kind);
    }
    entry.failures++;
    entry.notBeforeMs =
        state.now + Math.max(failure.retryAfterMs(), State.backOff(entry.failures, 500, 300_000));
    entry.words =
        "it can't be deleted: the server says "
            + failure.code()
            + " "
            + failure.reason()
            + ": "
            + failure.message();
    if (entry.failures == SKIPPED_AFTER) {
      state.tell(Notice.Kind.FAILED, state.owner(entry.partOf), entry, entry.words);
    }
  }
}
