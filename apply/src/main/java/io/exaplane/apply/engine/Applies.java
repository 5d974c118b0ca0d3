// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Cause;
import io.exaplane.apply.entry.Ends;
import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.Observe;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.entry.OwnedHash;
import io.exaplane.apply.entry.Presence;
import io.exaplane.apply.port.FieldManager;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ResourceType;

/**
 * Decides for each object whether an apply is due, and sends it. An apply is due only when the
 * manifest changed since the last one, or the object differs from what that one left. Single
 * writer. Longer than others: each decision needs the same few fields of an entry, and their order
 * is the rule.
 */
final class Applies {
  /**
   * Between two applies of one object: the server notes the time of our fields by the second, and
   * their hash must differ after each apply that changed them.
   */
  static final long APART_MS = 1_001;

  private final State state;
  private final Kinds kinds;
  private final Lists lists;
  private final Refusals refusals;
  private final Definitions definitions;

  Applies(State state, Kinds kinds, Lists lists, Definitions definitions) {
    this.state = state;
    this.kinds = kinds;
    this.lists = lists;
    this.definitions = definitions;
    refusals = new Refusals(state, kinds);
  }

  Refusals refusals() {
    return refusals;
  }

  /** Decides; false when the pace is the only obstacle. */
  boolean decide(Entry entry) {
    if (entry.ticket != 0 || entry.manifest == null) {
      return true;
    }
    Source source = state.sources.get(entry.source);
    Kind kind = state.kind(entry.key);
    if (!source.assigned || !source.loaded || kind == null) {
      return true;
    }
    if (entry.unordered) {
      settle(entry);
      return true;
    }
    ResourceType type = kinds.type(entry.manifest.gvk());
    if (type == null) {
      return unserved(entry, source, kind);
    }
    if (!kind.synced) {
      if (!kind.refused.isEmpty()) {
        refusals.stands(entry, source, kind.refused);
        settle(entry);
      }
      return true;
    }
    if (entry.presence == Presence.DELETING) {
      lists.follow(kind, false);
      return waits(
          entry, "it is being deleted; delete its finalizers if this persists for 5 minutes");
    }
    if (entry.presence == Presence.PRESENT
        && !entry.partOf.isEmpty()
        && state.owner(entry.partOf) == null) {
      return taken(entry, source);
    }
    Cause cause = cause(entry, source);
    if (cause == null) {
      return good(entry);
    }
    return due(entry, source, kind, type, cause);
  }

  /** Why an apply is due; null when it is not. */
  private static Cause cause(Entry entry, Source source) {
    if (entry.unsure) {
      return Cause.UNSURE;
    }
    if (entry.appliedManifest == 0) {
      return Cause.FIRST;
    }
    if (entry.appliedManifest != entry.manifest.hash() || entry.appliedSource != source.index) {
      return Cause.MANIFEST;
    }
    if (entry.presence != Presence.PRESENT) {
      return Ends.isOver(entry) ? null : Cause.GONE;
    }
    return entry.drifted() || !entry.partOf.equals(source.set.id()) ? Cause.DRIFT : null;
  }

  private boolean due(Entry entry, Source source, Kind kind, ResourceType type, Cause cause) {
    if (entry.yieldedTo != 0
        && entry.presence == Presence.PRESENT
        && entry.yieldedTo == entry.seenOthers) {
      return true;
    }
    if (!source.savedKinds.contains(kind.groupKind) || source.open < entry.rank) {
      return true;
    }
    if (blocked(entry)) {
      return true;
    }
    long at = Math.max(entry.notBeforeMs, kind.heldUntilMs);
    if (cause == Cause.DRIFT || cause == Cause.GONE) {
      long repair = state.fights.notBefore(entry, state.now);
      if (repair > state.now) {
        contested(entry, cause);
      }
      at = Math.max(at, repair);
    }
    if (entry.appliedAtMs != 0) {
      at = Math.max(at, entry.appliedAtMs + APART_MS);
    }
    if (at > state.now) {
      state.wake(entry, at);
      return true;
    }
    if (!state.pace.free(state.now)) {
      return false;
    }
    if (Definitions.is(entry) && !definitions.admit(entry)) {
      return true;
    }
    send(entry, source, kind, type, cause);
    return true;
  }

  /** A repair that waits is none: until then, the object is not as its manifest says. */
  private void contested(Entry entry, Cause cause) {
    String fight = state.fights.words(entry, state.now);
    entry.outcome = Outcome.WAITING;
    String once = cause == Cause.GONE ? "somebody deleted it" : "somebody changed it";
    entry.words = fight.isEmpty() ? once + " again; the next repair comes in a moment" : fight;
  }

  private void send(Entry entry, Source source, Kind kind, ResourceType type, Cause cause) {
    entry.ticket = state.ticket();
    entry.sentCause = cause;
    entry.sentManifest = entry.manifest.hash();
    entry.sentSource = source.index;
    entry.sentVersion = entry.presence == Presence.PRESENT ? entry.resourceVersion : 0;
    entry.waitingSinceMs = 0;
    state.pace.sent();
    if (Definitions.is(entry)) {
      definitions.sent(entry);
    }
    state.inFlight++;
    source.requests++;
    source.sentBytes += entry.manifest.bodyBytes();
    state.out.add(
        new Action.Apply(
            entry.ticket,
            type,
            entry.key,
            entry.manifest,
            source.set,
            state.options.force(),
            kind.content()));
  }

  /** Whether something else must stand first; then that thing's next change decides again. */
  private boolean blocked(Entry entry) {
    for (Entry one : entry.needs) {
      boolean definition = one.key.kind().equals("CustomResourceDefinition");
      if (one.presence != Presence.PRESENT || definition && one.health != Health.CURRENT) {
        behind(entry, one, definition);
        return true;
      }
    }
    for (Entry one : entry.waitsFor) {
      if (Ends.isOver(one)) {
        continue;
      }
      boolean applied =
          one.manifest != null && one.appliedManifest == one.manifest.hash() && one.ticket == 0;
      if (!applied
          || one.presence != Presence.PRESENT
          || one.health != Health.CURRENT && one.health != Health.UNKNOWN) {
        behind(entry, one, true);
        return true;
      }
    }
    return false;
  }

  private void behind(Entry entry, Entry one, boolean health) {
    Kind kind = state.kind(one.key);
    boolean applied =
        one.ticket == 0
            && one.manifest != null
            && one.appliedManifest == one.manifest.hash()
            && one.presence != Presence.ABSENT;
    if (kind != null && applied) {
      lists.follow(kind, health);
    }
    boolean refused =
        Definitions.is(one) && one.presence == Presence.PRESENT && one.health == Health.FAILED;
    String why =
        refused
            ? "the server does not establish it, since another one has its names; see its conditions,"
                + " and choose other names"
            : one.words;
    waits(entry, "it waits for " + one.key + (why.isEmpty() ? "" : ": " + why));
    if (refused) {
      settle(entry);
      return;
    }
    if (one.settled
        && (one.outcome == Outcome.FAILED
            || one.outcome == Outcome.TAKEN
            || one.outcome == Outcome.YIELDED
            || one.outcome == Outcome.WAITING)) {
      settle(entry);
    }
  }

  private boolean unserved(Entry entry, Source source, Kind kind) {
    for (Entry one : entry.needs) {
      if (one.key.kind().equals("CustomResourceDefinition")) {
        if (one.presence == Presence.PRESENT && one.health == Health.CURRENT) {
          kinds.askWithin(State.backOff(++entry.failures, 250, 10_000));
          return waits(entry, "the server does not serve its kind yet");
        }
        behind(entry, one, true);
        return true;
      }
    }
    ResourceType other = kind.type;
    refusals.stands(
        entry,
        source,
        other == null
            ? "kind '"
                + entry.manifest.gvk()
                + "' must be one that the server serves; create its"
                + " definition, or correct apiVersion and kind"
            : "apiVersion: '"
                + entry.manifest.gvk().apiVersion()
                + "' of kind "
                + entry.key.kind()
                + " must be one that the server serves; use '"
                + other.gvk().apiVersion()
                + "'");
    if (state.options.follow()) {
      kinds.askWithin(State.backOff(++entry.failures, 1_000, 60_000));
    }
    settle(entry);
    return true;
  }

  private boolean waits(Entry entry, String words) {
    entry.outcome = Outcome.WAITING;
    entry.words = words;
    if (entry.waitingSinceMs == 0) {
      entry.waitingSinceMs = Math.max(1, state.now);
    }
    long until = entry.waitingSinceMs + state.options.waitMs();
    if (state.now >= until) {
      settle(entry);
    } else if (!entry.settled) {
      state.wake(entry, until);
    }
    return true;
  }

  private boolean taken(Entry entry, Source source) {
    if (entry.outcome != Outcome.TAKEN) {
      entry.outcome = Outcome.TAKEN;
      entry.words =
          "it belongs to set '"
              + entry.partOf
              + "' by its label "
              + Observe.PART_OF
              + "; delete it from one of the two sources";
      state.tell(Notice.Kind.TAKEN, source, entry, entry.words);
    }
    entry.waitingSinceMs = 0;
    settle(entry);
    return true;
  }

  private boolean good(Entry entry) {
    if (entry.outcome != Outcome.APPLIED && entry.outcome != Outcome.UNCHANGED) {
      entry.outcome = Outcome.UNCHANGED;
      state.counters.avoided++;
    }
    entry.words = state.fights.words(entry, state.now);
    entry.failures = 0;
    entry.waitingSinceMs = 0;
    entry.yieldedTo = 0;
    settle(entry);
    return true;
  }

  void settle(Entry entry) {
    if (entry.settled) {
      return;
    }
    entry.settled = true;
    Source source = state.sources.get(entry.source);
    source.remaining[entry.rank]--;
    advance(source);
    state.enqueue(entry.dependents);
  }

  /** Opens the next ranks. */
  void advance(Source source) {
    while (source.open < source.remaining.length && source.remaining[source.open] == 0) {
      source.open++;
      if (source.open < source.remaining.length) {
        source.ranks.get(source.open).forEach(state::enqueue);
      }
    }
  }

  void applied(Event.Applied event) {
    Entry entry = state.entries.get(event.key());
    if (entry == null || entry.ticket != event.ticket()) {
      return;
    }
    Observed object = event.object();
    state.pace.answered(event.latencyMs(), state.now);
    if (Definitions.is(entry)) {
      definitions.applied(event.latencyMs());
    }
    state.inFlight--;
    state.counters.applies[entry.sentCause.ordinal()]++;
    if (entry.sentVersion != 0 && object.resourceVersion() == entry.sentVersion) {
      state.counters.needless++;
    }
    if (entry.appliedSource != entry.sentSource) {
      state.dirty(entry);
    }
    entry.ticket = 0;
    entry.appliedManifest = entry.sentManifest;
    entry.appliedSource = entry.sentSource;
    entry.ownedFields = OwnedHash.fields(object.managers(), state.options.manager());
    entry.ownedValues = object.valuesHash();
    entry.appliedVersion = object.resourceVersion();
    entry.unsure = false;
    entry.doubt = (byte) (entry.sentCause == Cause.UNSURE && entry.doubt == 0 ? 1 : 0);
    entry.failures = 0;
    entry.notBeforeMs = 0;
    entry.appliedAtMs = Math.max(1, state.now);
    entry.yieldedTo = 0;
    entry.outcome = Outcome.APPLIED;
    entry.words = "";
    state.dirty(entry);
    contest(entry, object);
    adopt(entry, object);
    Kind kind = state.kind(entry.key);
    kind.highest = Math.max(kind.highest, object.resourceVersion());
    boolean overtaken = object.resourceVersion() < entry.resourceVersion;
    if (overtaken) {
      entry.doubted();
    }
    state.fights.landed(entry, overtaken);
    lists.seen(kind, object);
    if (entry.manifest != null) {
      state.tell(Notice.Kind.APPLIED, state.sources.get(entry.source), entry, words(entry));
    }
    state.enqueue(entry.dependents);
    state.classify(entry);
    state.enqueue(entry);
  }

  private void contest(Entry entry, Observed object) {
    if (entry.sentCause != Cause.DRIFT && entry.sentCause != Cause.GONE) {
      return;
    }
    entry.words =
        state.fights.repaired(
            entry,
            entry.sentCause == Cause.GONE,
            object.managers(),
            state.options.manager(),
            state.now);
    if (!entry.words.isEmpty()) {
      state.counters.contested++;
      state.tell(Notice.Kind.CONTESTED, state.sources.get(entry.sentSource), entry, entry.words);
    }
  }

  /** Of an object that we just created, nobody else owns a field yet. */
  private void adopt(Entry entry, Observed object) {
    if (entry.sentCause != Cause.FIRST || entry.sentVersion != 0) {
      return;
    }
    for (FieldManager one : object.managers()) {
      if (one.subresource().isEmpty() && !one.isApplyOf(state.options.manager())) {
        state.tell(
            Notice.Kind.ADOPTED,
            state.sources.get(entry.sentSource),
            entry,
            entry.key
                + " existed before: manager "
                + one.manager()
                + " made it, and it belongs to the source now; pruning deletes it whole once its"
                + " manifest is gone");
        return;
      }
    }
  }

  private static String words(Entry entry) {
    return switch (entry.sentCause) {
      case FIRST -> "applied for the first time";
      case MANIFEST -> "applied, since its manifest changed";
      case GONE -> "created again, since it was gone";
      case DRIFT -> "put right, since somebody changed it";
      case UNSURE -> "applied again, since the last request was cut off";
    };
  }
}
