// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.entry.Presence;
import io.exaplane.apply.pace.DefinitionPace;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.ServerLoad;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Lets definitions through as fast as the server digests them. Those that must wait are kept here,
 * so that other objects go on. While some wait, the server is asked how busy it is: at most once a
 * second, and for a twentieth of the time at most. Single writer.
 */
final class Definitions {
  private static final long LOOK_MS = 1_000;
  private static final long LOOK_AT_MOST_MS = 60_000;
  private static final long LOOK_AGAIN_MS = 5_000;
  private static final int LOOK_SHARE = 20;

  /** What is not established by then, is not waited for any more. */
  private static final long GIVEN_UP_MS = 30_000;

  private final State state;
  private final Lists lists;
  private final DefinitionPace pace = new DefinitionPace();
  private final Map<Entry, Long> underWay = new LinkedHashMap<>();
  private final Set<Entry> waiting = new LinkedHashSet<>();
  private Consumer<Entry> settle = any -> {};
  private boolean looking;
  private long nextLookMs;
  private long progressMs;
  private boolean gaveUp;

  /** Since when establishment is seen when it happens; 0 for not yet. */
  private long watchedMs;

  Definitions(State state, Lists lists) {
    this.state = state;
    this.lists = lists;
  }

  /** What makes later ranks go on without an object. */
  void whenSettled(Consumer<Entry> what) {
    settle = what;
  }

  static boolean is(Entry entry) {
    return entry.key.kind().equals("CustomResourceDefinition")
        && entry.key.group().equals("apiextensions.k8s.io");
  }

  /** Whether a definition may be sent now; otherwise it comes again by itself. */
  boolean admit(Entry entry) {
    if (pace.free(underWay.size(), adds(entry), state.now)) {
      waiting.remove(entry);
      return true;
    }
    if (waiting.isEmpty()) {
      progressMs = state.now;
      gaveUp = false;
    }
    if (watchedMs == 0) {
      watchedMs = state.now;
    }
    waiting.add(entry);
    entry.outcome = Outcome.WAITING;
    entry.words = words();
    lists.follow(state.kind(entry.key), true);
    return false;
  }

  private String words() {
    String why = pace.words();
    return "it waits until the server has digested other definitions"
        + (why.isEmpty() ? "" : ": " + why);
  }

  void sent(Entry entry) {
    underWay.put(entry, state.now);
    progressMs = state.now;
    gaveUp = false;
  }

  void applied(long latencyMs) {
    pace.applied(latencyMs, state.now);
  }

  void overloaded(long retryAfterMs) {
    pace.overloaded(retryAfterMs, state.now);
  }

  void looked(Event.Looked event) {
    looking = false;
    long least = gaveUp ? LOOK_AT_MOST_MS : LOOK_MS;
    nextLookMs = state.now + Math.clamp(LOOK_SHARE * event.latencyMs(), least, LOOK_AT_MOST_MS);
    pace.looked(event.load(), state.now);
  }

  /** The server does not say how busy it is: answers and their times must do. */
  void notLooked(Failure failure) {
    looking = false;
    if (failure.code() == 0 || failure.code() == 429 || failure.code() == 503) {
      nextLookMs = state.now + Math.max(LOOK_AGAIN_MS, failure.retryAfterMs());
      pace.overloaded(failure.retryAfterMs(), state.now);
    } else {
      nextLookMs = state.now + LOOK_AT_MOST_MS;
      pace.looked(ServerLoad.UNKNOWN, state.now);
    }
  }

  /** Sees what became of those under way, and lets others go in their place. */
  void release() {
    finish();
    waiting.removeIf(entry -> entry.manifest == null);
    int count = underWay.size();
    Iterator<Entry> all = waiting.iterator();
    while (all.hasNext() && pace.free(count, false, state.now)) {
      Entry entry = all.next();
      if (pace.free(count, adds(entry), state.now)) {
        count++;
        all.remove();
        state.enqueue(entry);
      }
    }
  }

  /** One that exists takes little more when it changes; full memory does not hold it up. */
  private static boolean adds(Entry entry) {
    return entry.presence != Presence.PRESENT;
  }

  /** After all that could go: when to look at those that wait again. */
  void hold() {
    if (waiting.isEmpty()) {
      return;
    }
    look();
    if (pace.heldUntilMs() > state.now) {
      state.poke(pace.heldUntilMs());
    }
    giveUp();
  }

  private void finish() {
    Iterator<Map.Entry<Entry, Long>> all = underWay.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Entry, Long> one = all.next();
      Entry entry = one.getKey();
      long since = one.getValue();
      boolean applied =
          entry.manifest != null && entry.appliedManifest == entry.manifest.hash() && !entry.unsure;
      if (entry.ticket != 0) {
        continue;
      }
      if (!applied || entry.presence != Presence.PRESENT || entry.health == Health.FAILED) {
        all.remove();
      } else if (entry.health == Health.CURRENT || state.now - since >= GIVEN_UP_MS) {
        if (watchedMs != 0) {
          pace.established(state.now - Math.max(since, watchedMs), state.now);
        }
        all.remove();
      } else if (!waiting.isEmpty()) {
        state.poke(since + GIVEN_UP_MS);
      }
    }
  }

  private void look() {
    if (looking) {
      return;
    }
    if (state.now >= nextLookMs) {
      looking = true;
      state.out.add(new Action.Look());
    } else {
      state.poke(nextLookMs);
    }
  }

  /** Nothing went for a long time: sources go on without those that wait. */
  private void giveUp() {
    long until = progressMs + state.options.waitMs();
    if (state.now < until) {
      state.poke(until);
      return;
    }
    if (!gaveUp) {
      gaveUp = true;
      for (Entry one : waiting) {
        one.words = words();
        settle.accept(one);
      }
      state.poke(state.now);
    }
  }
}
