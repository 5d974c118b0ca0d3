// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.simulation;

import static io.exaplane.store.api.simulation.Checker.require;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Whether a watch saw the changes of its keys: each once, in order, revision by revision. */
final class FollowerCheck {
  private final Checker.States states;
  private final Epoch epoch;
  private final boolean losesSome;
  private final Windows windows;
  private final Scarcity scarcity;

  /**
   * @param losesSome whether a restart may have ended the epoch, with all before it compacted
   */
  FollowerCheck(
      Checker.States states, Epoch epoch, boolean losesSome, Windows windows, Scarcity scarcity) {
    this.scarcity = scarcity;
    this.windows = windows;
    this.losesSome = losesSome;
    this.states = states;
    this.epoch = epoch;
  }

  void check(Follower follower) {
    List<Answer.Event> expected = new ArrayList<>();
    boolean known = follower.from > 0 && (follower.from > epoch.base() || epoch.base() == 1);
    if (known) {
      for (var change : states.changes.tailMap(follower.from, true).values()) {
        change.stream().filter(e -> follower.wants(e.now().key())).forEach(expected::add);
      }
    }
    int at = 0;
    boolean canceled = false;
    for (Answer.Watch response : follower.log) {
      require(!canceled, "a watch that was cancelled goes on: %s", response);
      if (response.canceled()) {
        canceled = true;
        requireCompacted(follower, response);
      } else if (!response.created() && known) {
        at = events(follower, response, expected, at);
      }
    }
    // What was still going on has everything when all is settled.
    boolean isLast = !canceled && !follower.log.isEmpty() && known && follower.seen > 0;
    require(
        !isLast || at == expected.size() || canEndEarly(follower),
        "a watch has not seen %s",
        at < expected.size() ? expected.get(at) : "");
  }

  /**
   * Checks one that goes on over a restart, of keys that lose nothing: it is not told to read anew,
   * and misses nothing of any epoch.
   *
   * @param all states of all epochs so far
   * @param epochs so far
   */
  void checkHeir(Follower follower, List<Checker.States> all, List<Epoch> epochs) {
    List<Answer.Event> expected = new ArrayList<>();
    for (Checker.States each : all) {
      for (var change : each.changes.tailMap(follower.from, true).values()) {
        change.stream().filter(e -> follower.wants(e.now().key())).forEach(expected::add);
      }
    }
    int at = 0;
    for (Answer.Watch response : follower.log) {
      if (response.canceled()) {
        requireAskedFor(follower, response, epochs);
      } else if (!response.created()) {
        List<Answer.Event> known =
            response.events().stream().filter(e -> isOfAnEpoch(e, all, epochs)).toList();
        boolean isProgress = response.events().isEmpty();
        if (isProgress || !known.isEmpty()) {
          at = events(follower, with(response, known), expected, at);
        }
      }
    }
  }

  /** What was written when the machine stopped, and never acknowledged, is of no epoch. */
  private static boolean isOfAnEpoch(
      Answer.Event event, List<Checker.States> all, List<Epoch> epochs) {
    for (int i = 0; i < epochs.size(); i++) {
      if (event.now().mod() > epochs.get(i).base() && event.now().mod() <= all.get(i).newest) {
        return true;
      }
    }
    return false;
  }

  private static Answer.Watch with(Answer.Watch response, List<Answer.Event> events) {
    return new Answer.Watch(
        response.revision(), response.id(), false, false, 0, response.fragment(), events);
  }

  private void requireAskedFor(Follower follower, Answer.Watch response, List<Epoch> epochs) {
    long compacted = response.compactRevision();
    require(
        compacted == 0
            || windows.areOver(follower.start, follower.end, compacted - 1, follower.canceledMs)
            || epochs.stream()
                .anyMatch(
                    each ->
                        scarcity.explains(compacted, follower.canceledMs, each.ops())
                            || each.ops().stream()
                                .anyMatch(
                                    op -> op.kind == Op.Kind.COMPACT && op.number == compacted)),
        "a restart compacted %d of keys that lost nothing",
        compacted);
  }

  /** In an epoch that ended with a crash, watches did not get to its end. */
  private boolean canEndEarly(Follower follower) {
    return follower.seen < states.newest;
  }

  private int events(
      Follower follower, Answer.Watch response, List<Answer.Event> expected, int from) {
    int at = from;
    for (Answer.Event event : response.events()) {
      require(at < expected.size(), "a watch sees %s after the last", event);
      Answer.Event next = expected.get(at++);
      require(
          event.isDelete() == next.isDelete() && event.now().equals(next.now()),
          "a watch sees %s and not %s",
          event,
          next);
      Kv before = follower.prevKv ? next.before() : null;
      require(Objects.equals(event.before(), before), "a watch sees %s without %s", event, before);
    }
    boolean splits =
        at > 0
            && at < expected.size()
            && !response.events().isEmpty()
            && expected.get(at).now().mod() == expected.get(at - 1).now().mod();
    require(
        !splits || response.fragment() || follower.fragment, "a revision is split: %s", response);
    require(
        at == expected.size()
            || response.fragment()
            || expected.get(at).now().mod() > progress(response),
        "progress to %d comes before %s",
        response.revision(),
        at < expected.size() ? expected.get(at) : "");
    return at;
  }

  /** Up to where a response says that everything was shown. */
  private static long progress(Answer.Watch response) {
    return response.events().isEmpty()
        ? response.revision()
        : response.events().getLast().now().mod();
  }

  private void requireCompacted(Follower follower, Answer.Watch response) {
    require(
        response.compactRevision() == 0
            || response.compactRevision() <= epoch.base()
            || windows.areOver(
                    follower.start,
                    follower.end,
                    response.compactRevision() - 1,
                    follower.canceledMs)
                && follower.resumeFrom() < response.compactRevision()
            || scarcity.explains(response.compactRevision(), follower.canceledMs, epoch.ops())
                && follower.resumeFrom() <= response.compactRevision()
            || losesSome && response.compactRevision() > states.newest + 1
            || epoch.ops().stream()
                .anyMatch(
                    op -> op.kind == Op.Kind.COMPACT && op.number == response.compactRevision()),
        "nobody compacted %d",
        response.compactRevision());
  }
}
