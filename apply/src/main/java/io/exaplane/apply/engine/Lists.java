// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.Presence;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Lists and watches: one of each a kind, over the whole cluster, of members of sets only. A watch
 * goes on where it ended; when the server has forgotten that version, a list is read, at a random
 * moment within {@link Options#relistSpreadMs}. Single writer.
 */
final class Lists {
  private static final int EXPIRED = 410;
  private static final int MISSING = 404;
  private static final int REFUSED_AFTER = 3;
  private static final int SHRINKS = 4;
  private static final Set<Integer> FORBIDDEN = Set.of(401, 403);

  private final State state;
  private Runnable missing = () -> {};
  private Runnable definitionChanged = () -> {};

  Lists(State state) {
    this.state = state;
  }

  /** What to do when an answer says that a kind is not served. */
  void whenMissing(Runnable what) {
    missing = what;
  }

  /** What to do when a definition became established, or went. */
  void whenDefinitionChanges(Runnable what) {
    definitionChanged = what;
  }

  void start(Kind kind) {
    if (kind.type == null) {
      return;
    }
    kind.number++;
    kind.list = kind.number;
    kind.listing = true;
    kind.listQueued = false;
    kind.watching = false;
    kind.listVersion = 0;
    kind.crowded = false;
    kind.hidden = false;
    kind.floor = kind.highest;
    page(kind, "");
  }

  private void page(Kind kind, String next) {
    state.counters.lists++;
    state.out.add(
        new Action.Page(
            kind.groupKind, kind.number, kind.type, kind.content(), pageSize(kind), next));
  }

  private int pageSize(Kind kind) {
    return Math.min(kind.pageSize, state.options.pageSize());
  }

  /** Lists a kind of which objects were left out: now more of them may be of interest. */
  void again(Kind kind) {
    kind.synced = false;
    start(kind);
  }

  void listed(Event.Listed event) {
    Kind kind = state.kinds.get(event.groupKind());
    if (kind == null || kind.number != event.number() || !kind.listing) {
      return;
    }
    ListPage page = event.page();
    state.counters.bytes += page.bytes();
    if (kind.listVersion == 0) {
      kind.listVersion = Math.max(1, page.resourceVersion());
      if (page.resourceVersion() < kind.floor) {
        forgetVersions(kind);
      }
    }
    for (Observed one : page.items()) {
      Entry entry = seen(kind, one);
      if (entry != null) {
        entry.listed = kind.list;
      }
    }
    if (page.next().isEmpty()) {
      finish(kind);
    } else {
      page(kind, page.next());
    }
  }

  /** Versions went back: the store was restored from a backup. What is known is worth nothing. */
  private void forgetVersions(Kind kind) {
    kind.highest = 0;
    for (Entry one : state.entries.values()) {
      if (State.groupKind(one.key).equals(kind.groupKind)) {
        one.resourceVersion = 0;
        one.presence = Presence.UNSEEN;
      }
    }
  }

  private void finish(Kind kind) {
    kind.listing = false;
    kind.failures = 0;
    kind.synced = true;
    kind.refused = "";
    kind.version = kind.listVersion;
    kind.highest = Math.max(kind.highest, kind.listVersion);
    for (Entry one : new ArrayList<>(state.entries.values())) {
      if (State.groupKind(one.key).equals(kind.groupKind)) {
        if (one.listed != kind.list && one.resourceVersion <= kind.listVersion) {
          gone(kind, one, kind.listVersion);
        }
        state.enqueue(one);
      }
    }
    if (kind.followed || state.options.follow()) {
      watch(kind);
    }
  }

  void notListed(Event.NotListed event) {
    Kind kind = state.kinds.get(event.groupKind());
    if (kind == null || kind.number != event.number() || !kind.listing) {
      return;
    }
    kind.listing = false;
    Failure failure = event.failure();
    if (failure.reason().equals(Failure.TOO_LARGE) && pageSize(kind) > 1) {
      kind.pageSize = Math.max(1, pageSize(kind) / SHRINKS);
      later(kind, 200);
      return;
    }
    kind.failures++;
    if (failure.code() == MISSING) {
      missing.run();
    }
    if (kind.failures > 1) {
      state.tell(
          Notice.Kind.UNREACHABLE,
          null,
          null,
          "objects of kind "
              + kind.groupKind
              + " can't be listed: "
              + failure.message()
              + "; check the permissions if this persists for 1 minute");
    }
    unseen(kind, failure);
    if (kind.failures >= REFUSED_AFTER && !kind.synced) {
      kind.refused = "objects of its kind can't be listed: " + failure.message();
      for (Entry one : state.entries.values()) {
        if (State.groupKind(one.key).equals(kind.groupKind)) {
          state.enqueue(one);
        }
      }
    }
    later(kind, Math.max(failure.retryAfterMs(), State.backOff(kind.failures, 200, 30_000)));
  }

  private void later(Kind kind, long ms) {
    if (kind.listQueued) {
      return;
    }
    kind.listQueued = true;
    state.at(
        state.now + ms,
        () -> {
          if (kind.listQueued) {
            start(kind);
          }
        });
  }

  /** A kind whose objects are not watched is looked at again. */
  void refresh(Kind kind) {
    if (!kind.watching && !kind.listing) {
      later(kind, 200);
    }
  }

  /** Something waits for objects of a kind: their changes must be seen. */
  void follow(Kind kind, boolean health) {
    boolean whole = health && !kind.full;
    kind.full |= health;
    kind.followed = true;
    if (kind.type == null || !kind.synced || kind.listing || kind.listQueued) {
      return;
    }
    if (whole) {
      start(kind);
    } else if (!kind.watching) {
      watch(kind);
    }
  }

  private void watch(Kind kind) {
    kind.number++;
    kind.watching = true;
    state.counters.watches++;
    state.out.add(
        new Action.Watch(kind.groupKind, kind.number, kind.type, kind.content(), kind.version));
  }

  void watched(Event.Watched event) {
    Kind kind = state.kinds.get(event.groupKind());
    if (kind == null || kind.number != event.number() || !kind.watching) {
      return;
    }
    kind.failures = 0;
    kind.unseen = "";
    if (event.event() instanceof WatchEvent.Changed one
            && one.object().resourceVersion() <= kind.version
        || event.event() instanceof WatchEvent.Gone gone
            && gone.object().resourceVersion() <= kind.version) {
      // Once more, of an object that may be forgotten since: a watch has an order.
      return;
    }
    switch (event.event()) {
      case WatchEvent.Bookmark mark ->
          kind.version = Math.max(kind.version, mark.resourceVersion());
      case WatchEvent.Changed one -> {
        count(kind, one.object(), one.bytes());
        seen(kind, one.object());
      }
      case WatchEvent.Gone one -> {
        count(kind, one.object(), one.bytes());
        Entry entry = state.entries.get(one.object().key());
        if (entry != null) {
          gone(kind, entry, one.object().resourceVersion());
        }
      }
    }
  }

  private void count(Kind kind, Observed object, long bytes) {
    state.counters.events++;
    state.counters.bytes += bytes;
    kind.version = Math.max(kind.version, object.resourceVersion());
  }

  void watchEnded(Event.WatchEnded event) {
    Kind kind = state.kinds.get(event.groupKind());
    if (kind == null || kind.number != event.number() || !kind.watching) {
      return;
    }
    kind.watching = false;
    Failure failure = event.failure();
    if (failure != null && failure.code() == EXPIRED) {
      later(kind, state.random.nextLong(state.options.relistSpreadMs() + 1));
      return;
    }
    if (failure != null && failure.code() == MISSING) {
      // The definition went, and all objects with it, even if it is back by now.
      missing.run();
      later(kind, 200);
      return;
    }
    kind.failures++;
    unseen(kind, failure);
    int number = kind.number;
    long ms = kind.failures == 1 ? 0 : State.backOff(kind.failures - 1, 100, 30_000);
    state.at(
        state.now + (failure == null ? ms : Math.max(ms, failure.retryAfterMs())),
        () -> {
          if (kind.number == number && kind.type != null && !kind.listing && !kind.listQueued) {
            watch(kind);
          }
        });
  }

  /**
   * Notes that the account may no longer watch or list a kind: from now on, the engine sees no
   * changes of its objects, until somebody grants the verbs again. Does nothing for a server that
   * does not answer, since other problems tell of that.
   */
  private void unseen(Kind kind, Failure failure) {
    boolean isForbidden = failure != null && FORBIDDEN.contains(failure.code());
    if (isForbidden && kind.synced && kind.failures >= REFUSED_AFTER) {
      kind.unseen =
          "changes of objects of kind "
              + kind.groupKind
              + " are not seen: "
              + failure.message()
              + "; grant the verbs list and watch again";
    }
  }

  /** Why changes of a source's objects are not seen any more. */
  List<Notice> problems(Source source) {
    return source.neededKinds.stream()
        .map(state.kinds::get)
        .filter(kind -> kind != null && !kind.unseen.isEmpty())
        .map(kind -> new Notice(Notice.Kind.FAILED, source.set.name(), null, null, kind.unseen))
        .toList();
  }

  /** A kind is not served any more: nothing is known of its objects. */
  void lost(Kind kind) {
    kind.reset();
    kind.listQueued = false;
    for (Entry one : new ArrayList<>(state.entries.values())) {
      if (State.groupKind(one.key).equals(kind.groupKind)) {
        // Perhaps only for a moment, with the objects still there: the next list says.
        one.presence = Presence.UNSEEN;
        one.health = Health.UNKNOWN;
        state.classify(one);
        state.enqueue(one.dependents);
        state.enqueue(one);
      }
    }
  }

  /** Takes in what the server said of an object; returns its entry, null when it is not ours. */
  Entry seen(Kind kind, Observed object) {
    kind.highest = Math.max(kind.highest, object.resourceVersion());
    Entry entry = state.entries.get(object.key());
    if (entry == null) {
      if (object.partOf().isEmpty()) {
        return null;
      }
      entry = state.stranger(object.key());
      if (entry == null) {
        kind.crowded = true;
        kind.hidden |= state.owner(object.partOf()) != null;
        return null;
      }
    }
    Health before = entry.health;
    if (!entry.see(object, state.options.manager())) {
      return entry;
    }
    if (entry.manifest != null && entry.appliedManifest != 0 && entry.drifted()) {
      state.fights.drifted(entry, object.managers());
    }
    if (object.resourceVersion() > entry.appliedVersion) {
      entry.doubted();
    }
    changed(entry, before);
    return entry;
  }

  private void gone(Kind kind, Entry entry, long version) {
    kind.highest = Math.max(kind.highest, version);
    Health before = entry.health;
    if (entry.gone(version)) {
      changed(entry, before);
    }
  }

  private void changed(Entry entry, Health before) {
    boolean definition = entry.key.kind().equals("CustomResourceDefinition");
    if (definition && (entry.health != before || entry.presence != Presence.PRESENT)) {
      definitionChanged.run();
    }
    state.enqueue(entry.dependents);
    state.classify(entry);
    state.enqueue(entry);
  }
}
