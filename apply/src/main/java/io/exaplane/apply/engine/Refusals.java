// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Entry;
import io.exaplane.apply.entry.Outcome;
import io.exaplane.apply.port.Failure;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * What follows from an apply that failed: who waits how long, and what users are told. Single
 * writer.
 */
final class Refusals {
  private static final int TRANSIENT_AT_MOST = 3;
  private static final int INVALID = 422;

  /** What servers forbid of fields that nobody can change while the object exists. */
  private static final List<String> FORBIDDEN =
      List.of("immutable", "updates to ", "may not change fields other than");

  /** How the rule ends that such a field broke. */
  private static final List<String> INVALID_ENDS =
      List.of("immutable", "immutable once set", "may not change once set");

  private static final long FIRST_MS = 1_000;
  private static final long MOST_MS = 300_000;

  private final State state;
  private final Kinds kinds;
  private Consumer<Entry> settle = any -> {};
  private LongConsumer overloaded = any -> {};

  Refusals(State state, Kinds kinds) {
    this.state = state;
    this.kinds = kinds;
  }

  /** What makes later ranks go on without an object. */
  void whenSettled(Consumer<Entry> what) {
    settle = what;
  }

  /** What is told when the server has too much to do: how long it asks us to wait, in ms. */
  void whenOverloaded(LongConsumer what) {
    overloaded = what;
  }

  void failed(Event.NotApplied event) {
    Entry entry = state.entries.get(event.key());
    if (entry == null || entry.ticket != event.ticket()) {
      return;
    }
    Failure failure = event.failure();
    entry.ticket = 0;
    state.inFlight--;
    state.fights.landed(entry, true);
    boolean tooMuch = failure.code() == 429 || failure.code() == 503 || failure.code() == 0;
    if (tooMuch) {
      state.overloaded(entry.key, failure.retryAfterMs());
      overloaded.accept(
          Definitions.is(entry)
              ? failure.retryAfterMs()
              : Math.min(failure.retryAfterMs(), State.MOST_HELD_MS));
    } else {
      state.pace.refused();
    }
    // Of a timeout inside the server nobody knows either whether the write was done.
    if (failure.unknownOutcome() || failure.code() == 504) {
      entry.unsure = true;
      entry.doubt = 0;
    }
    if (entry.manifest == null) {
      state.classify(entry);
      state.enqueue(entry);
      return;
    }
    Source source = state.sources.get(entry.source);
    if (failure.hasCause("FieldManagerConflict")) {
      yielded(entry, source, failure);
    } else {
      refused(entry, source, failure, tooMuch);
    }
  }

  /** Others own fields: nothing is tried until what they own changes, or the manifest. */
  private void yielded(Entry entry, Source source, Failure failure) {
    state.counters.conflicts++;
    StringBuilder words = new StringBuilder();
    for (Failure.Cause one : failure.causes()) {
      if (one.reason().equals("FieldManagerConflict") && words.length() < 400) {
        words.append(words.isEmpty() ? "field " : ", field ").append(one.field());
        words.append(": ").append(one.message());
      }
    }
    words.append("; delete the field from the manifest, or take it with force");
    tell(entry, source, Notice.Kind.YIELDED, Outcome.YIELDED, words.toString());
    entry.yieldedTo = entry.seenOthers;
    later(entry, failure, MOST_MS);
    settle.accept(entry);
  }

  private void refused(Entry entry, Source source, Failure failure, boolean overloaded) {
    if (!overloaded) {
      state.counters.refused++;
    }
    boolean conflict = failure.code() == 409;
    boolean passing =
        overloaded
            || conflict
            || entry.unsure
            || failure.code() >= 500
            || failure.hasCause("NamespaceTerminating");
    if (failure.code() == 404) {
      kinds.askSoon();
    }
    later(entry, failure, MOST_MS);
    if (passing && entry.failures < TRANSIENT_AT_MOST) {
      entry.outcome = Outcome.WAITING;
      entry.words = said(entry, failure);
    } else {
      stands(entry, source, said(entry, failure));
      settle.accept(entry);
    }
  }

  private static String said(Entry entry, Failure failure) {
    String code = failure.code() == 0 ? "no answer" : Integer.toString(failure.code());
    String words = "the server says " + code + " " + failure.reason() + ": " + failure.message();
    boolean fixed =
        failure.code() == INVALID
            && entry.sentVersion != 0
            && failure.causes().stream().anyMatch(Refusals::isUnchangeable);
    return fixed
        ? words + "; put the former value back, or delete the object, which is then created again"
        : words;
  }

  /**
   * Whether a field cannot change while its object exists. The rule stands at the end of a cause:
   * names and values before it may have any words.
   */
  private static boolean isUnchangeable(Failure.Cause cause) {
    return switch (cause.reason()) {
      case "FieldValueForbidden" -> FORBIDDEN.stream().anyMatch(cause.message()::contains);
      case "FieldValueInvalid" -> INVALID_ENDS.stream().anyMatch(cause.message()::endsWith);
      default -> false;
    };
  }

  private void later(Entry entry, Failure failure, long mostMs) {
    entry.failures++;
    entry.notBeforeMs =
        state.now
            + Math.max(failure.retryAfterMs(), State.backOff(entry.failures, FIRST_MS, mostMs));
    state.wake(entry, entry.notBeforeMs);
  }

  /** An object can't be applied as it is; users are told once for each message. */
  void stands(Entry entry, Source source, String words) {
    tell(entry, source, Notice.Kind.FAILED, Outcome.FAILED, words);
  }

  private void tell(Entry entry, Source source, Notice.Kind kind, Outcome outcome, String words) {
    boolean again = entry.outcome == outcome && entry.words.equals(words);
    entry.outcome = outcome;
    entry.words = words;
    if (!again) {
      state.tell(kind, source, entry, words);
    }
  }
}
