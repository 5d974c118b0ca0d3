// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Counts how many keys below the prefixes of rules were written when, to a second and for the last
 * half hour. Nothing is kept for each key: the revision of a key's newest version says in which
 * second it was written, since the revision at the start of each second is known. A write costs a
 * search among 2,048 numbers, and a question the sum of as many, whatever the number of keys. Each
 * prefix takes 8 KiB.
 *
 * <p>Keys that exist when the first second begins were restored: their age counts from then.
 * Changed and read by the writer.
 */
public final class WriteAges {
  /** The longest age that can be asked for, in milliseconds. */
  public static final long LONGEST_MS = 1_800_000;

  private static final int STEPS = 2_048;
  private static final long STEP_MS = 1_000;
  private static final long RESTORED = -1;
  private static final long EARLIER = -2;

  /**
   * What is known of the keys below a prefix.
   *
   * @param keys that exist
   * @param restoredKeys of them those that were not written since counting began
   * @param writes of keys since counting began, also of keys that were deleted since
   * @param countingMs how long it has been counted; no key is older
   * @param unwritten for each age that was asked for, in that order
   */
  public record Answer(
      String prefix,
      long keys,
      long restoredKeys,
      long writes,
      long countingMs,
      List<Unwritten> unwritten) {}

  /** Keys that were not written for so long; one may be missing for a second. */
  public record Unwritten(long ms, long keys) {}

  /** The keys to which one rule applies. */
  final class Counts {
    private final String prefix;
    private final int[] bySecond = new int[STEPS];
    private long earlier;
    private long restored;
    private long keys;
    private long writes;

    private Counts(String prefix) {
      this.prefix = prefix;
    }

    private void add(long step, int change) {
      keys += change;
      if (step == RESTORED) {
        restored += change;
      } else if (step == EARLIER) {
        earlier += change;
      } else {
        bySecond[index(step)] += change;
      }
    }

    private void forget(long step) {
      earlier += bySecond[index(step)];
      bySecond[index(step)] = 0;
    }
  }

  private final List<Counts> all = new ArrayList<>();
  private final long[] startRevision = new long[STEPS];
  private final long[] startMs = new long[STEPS];
  private long first;
  private long next;
  private long sinceMs;
  private long restoredUpTo;

  /** The counts of a rule; null for the rule of all keys, which nobody asks about. */
  Counts of(PrefixRule rule) {
    if (rule.prefix().isEmpty()) {
      return null;
    }
    return all.stream()
        .filter(each -> each.prefix.equals(rule.prefix()))
        .findFirst()
        .orElseGet(
            () -> {
              Counts added = new Counts(rule.prefix());
              all.add(added);
              return added;
            });
  }

  /**
   * Tells the time; to be called often, between two revisions.
   *
   * @param nowMs never less than before
   * @param revision the newest
   */
  public void tick(long nowMs, long revision) {
    if (next == 0) {
      sinceMs = nowMs;
      restoredUpTo = revision;
    } else if (nowMs - startMs[index(next - 1)] < STEP_MS) {
      return;
    }
    if (next - first == STEPS) {
      for (Counts each : all) {
        each.forget(first);
      }
      first++;
    }
    startMs[index(next)] = nowMs;
    startRevision[index(next)] = revision;
    next++;
  }

  /** A key got a version at a revision; {@code replaced} is that of the live one before, or 0. */
  void put(Counts counts, long revision, long replaced) {
    if (replaced != 0) {
      counts.add(step(replaced), -1);
    }
    long step = step(revision);
    counts.add(step, 1);
    counts.writes += step == RESTORED ? 0 : 1;
  }

  /** A key was deleted whose newest version was of a revision. */
  void deleted(Counts counts, long revision) {
    counts.add(step(revision), -1);
  }

  /** The second in which a revision came: the last one that began below it. */
  private long step(long revision) {
    if (next == 0 || revision <= restoredUpTo) {
      return RESTORED;
    }
    if (revision <= startRevision[index(first)]) {
      return EARLIER;
    }
    long low = first;
    long high = next - 1;
    while (low < high) {
      long middle = (low + high + 1) >>> 1;
      if (startRevision[index(middle)] < revision) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /**
   * How old the keys below a prefix are.
   *
   * @param prefix that of a rule
   * @param agesMs from 1 to {@link #LONGEST_MS}
   * @return nothing if no rule has that prefix
   */
  public Optional<Answer> answer(String prefix, long[] agesMs, long nowMs) {
    if (all.stream().noneMatch(each -> each.prefix.equals(prefix))) {
      return Optional.empty();
    }
    List<Counts> below = all.stream().filter(each -> each.prefix.startsWith(prefix)).toList();
    return Optional.of(
        new Answer(
            prefix,
            below.stream().mapToLong(each -> each.keys).sum(),
            below.stream().mapToLong(each -> each.restored).sum(),
            below.stream().mapToLong(each -> each.writes).sum(),
            next == 0 ? 0 : nowMs - sinceMs,
            Arrays.stream(agesMs)
                .mapToObj(age -> new Unwritten(age, unwritten(below, nowMs - age)))
                .toList()));
  }

  /** All prefixes, with the same ages for each. */
  public List<Answer> answers(long[] agesMs, long nowMs) {
    return all.stream().map(each -> answer(each.prefix, agesMs, nowMs).orElseThrow()).toList();
  }

  /** Keys that were written in seconds that had ended at a time. */
  private long unwritten(List<Counts> below, long endMs) {
    long keys = 0;
    for (Counts each : below) {
      keys += next > 0 && sinceMs <= endMs ? each.restored : 0;
      keys += first > 0 && startMs[index(first)] <= endMs ? each.earlier : 0;
      for (long step = first; step < next - 1 && startMs[index(step + 1)] <= endMs; step++) {
        keys += each.bySecond[index(step)];
      }
    }
    return keys;
  }

  private static int index(long step) {
    return (int) (step & (STEPS - 1));
  }
}
