// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.entry.Cause;

/** What the engine did so far, in numbers. A copy is handed out; the engine alone writes. */
public final class Counters {
  final long[] applies = new long[Cause.values().length];
  long avoided;
  long needless;
  long refused;
  long conflicts;
  long contested;
  long deletions;
  long lists;
  long watches;
  long events;
  long discoveries;
  long saves;
  long throttled;
  long bytes;

  Counters copy() {
    Counters copy = new Counters();
    System.arraycopy(applies, 0, copy.applies, 0, applies.length);
    copy.avoided = avoided;
    copy.needless = needless;
    copy.refused = refused;
    copy.conflicts = conflicts;
    copy.contested = contested;
    copy.deletions = deletions;
    copy.lists = lists;
    copy.watches = watches;
    copy.events = events;
    copy.discoveries = discoveries;
    copy.saves = saves;
    copy.throttled = throttled;
    copy.bytes = bytes;
    return copy;
  }

  /**
   * Applies that the server did.
   *
   * @param cause why
   * @return number
   */
  public long applies(Cause cause) {
    return applies[cause.ordinal()];
  }

  /**
   * Applies that the server did, for whatever reason.
   *
   * @return number
   */
  public long applies() {
    long sum = 0;
    for (long one : applies) {
      sum += one;
    }
    return sum;
  }

  /**
   * Applies that were not sent since nothing had changed; each would also have called every
   * admission webhook that matches.
   *
   * @return number
   */
  public long avoided() {
    return avoided;
  }

  /**
   * Applies after which the object was as before.
   *
   * @return number
   */
  public long needless() {
    return needless;
  }

  /**
   * Applies that the server refused.
   *
   * @return number, without those of {@link #conflicts} and {@link #throttled}
   */
  public long refused() {
    return refused;
  }

  /**
   * Applies that the server refused since others own fields.
   *
   * @return number
   */
  public long conflicts() {
    return conflicts;
  }

  /**
   * Repairs of objects that others change or delete again and again: the third one within ten
   * minutes, and each later one.
   *
   * @return number; they are among those of {@link #applies()}
   */
  public long contested() {
    return contested;
  }

  /**
   * Deletions that the server did.
   *
   * @return number
   */
  public long deletions() {
    return deletions;
  }

  /**
   * Pages of lists that were asked for.
   *
   * @return number
   */
  public long lists() {
    return lists;
  }

  /**
   * Watches that were asked for.
   *
   * @return number
   */
  public long watches() {
    return watches;
  }

  /**
   * Events that watches delivered.
   *
   * @return number
   */
  public long events() {
    return events;
  }

  /**
   * Times that the server was asked what it serves.
   *
   * @return number
   */
  public long discoveries() {
    return discoveries;
  }

  /**
   * Times that an inventory was written.
   *
   * @return number
   */
  public long saves() {
    return saves;
  }

  /**
   * Answers 429 and 503, and requests without an answer.
   *
   * @return number
   */
  public long throttled() {
    return throttled;
  }

  /**
   * The part of the looks at objects that needed no request, since an earlier moment.
   *
   * <p>A look is an event of a watch that somebody else caused: a status, a field of another
   * manager, a change or deletion of what we own. It is a hit if the hashes of the object's entry
   * show that the object is as its manifest says, so that nothing is sent. It is a miss if an apply
   * follows. The event that an apply of ours causes is neither.
   *
   * @param before a copy of that moment, of the same engine
   * @return 0 to 1; 1 if there was no look and no apply
   */
  public double hitRatio(Counters before) {
    long misses = applies() - before.applies();
    long looks = events - before.events - misses;
    return misses == 0 ? 1 : looks <= misses ? 0 : 1 - (double) misses / looks;
  }

  /**
   * Bytes of lists and watches.
   *
   * @return number
   */
  public long bytes() {
    return bytes;
  }
}
