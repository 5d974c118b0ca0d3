// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.Arrays;

/**
 * What one instance of a client asked of one selection of objects: does it poll, does it list anew
 * although it watches, and when did it begin? Bounded, however often it asks.
 */
final class Asked {
  private static final int REPEATS = 5;
  private static final int REGULAR_REPEATS = 3;
  private static final double REGULAR = 0.35;

  private static final double OFTEN_SECONDS = 60;

  /** Whoever asks less often than this does not poll, whatever it reads. */
  private static final double SELDOM_SECONDS = 900;

  /** What is asked less often is worth a word if it costs as much as so many objects a second. */
  private static final double OBJECTS_A_SECOND = 20;

  /** A client's restarts are few; what polls has more, and is told apart by it. */
  private static final int MOST_BEGINNINGS = 16;

  private static final double MICROS = 1e6;
  private final String address;
  private final Repeats polls = new Repeats();
  private final Repeats asks = new Repeats();
  private final Repeats relists = new Repeats();
  private long[] beginnings = {};
  private int lists;
  private int listsUnwatched;
  private long lastBeginning;
  private double intervals;
  private double squares;
  private double objects;
  private int pages;
  private int ignoredLimits;
  private boolean everything;
  private boolean watched;

  Asked(String address) {
    this.address = address;
  }

  /** LISTs that read much, one after the other. */
  private static final class Repeats {
    private long firstMicros;
    private long lastMicros;
    private int count;
    private double objects;

    void add(long micros, double read) {
      firstMicros = count == 0 ? micros : Math.min(firstMicros, micros);
      lastMicros = count == 0 ? micros : Math.max(lastMicros, micros);
      count++;
      objects += read;
    }

    void clear() {
      count = 0;
      objects = 0;
    }

    boolean cost() {
      if (count < REPEATS) {
        return false;
      }
      double interval = (lastMicros - firstMicros) / MICROS / (count - 1);
      return interval <= OFTEN_SECONDS
          || interval <= SELDOM_SECONDS && objects / count >= OBJECTS_A_SECOND * interval;
    }
  }

  String address() {
    return address;
  }

  /** A first page, or a LIST without pages, that reads so many objects. */
  void list(long micros, double read, boolean much, boolean all) {
    pages = 0;
    begins(micros);
    listsUnwatched++;
    objects = read;
    everything |= all && much;
    asks.add(micros, read);
    if (much) {
      polls.add(micros, read);
    }
  }

  /** It begins, with a LIST or with a watch that sends everything. */
  void begins(long micros) {
    if (lists++ > 0) {
      double interval = Math.abs(micros - lastBeginning) / MICROS;
      intervals += interval;
      squares += interval * interval;
    }
    lastBeginning = micros;
    if (beginnings.length < MOST_BEGINNINGS) {
      beginnings = Arrays.copyOf(beginnings, beginnings.length + 1);
      beginnings[beginnings.length - 1] = micros;
    }
  }

  /** A watch that sends everything begins. */
  void stream(long micros, double read, boolean much, boolean all) {
    begins(micros);
    everything |= all && much;
    if (much) {
      relists.add(micros, read);
    }
  }

  /** A watch of the same begins: the LIST before it was an informer's. */
  void watch(boolean much) {
    if (listsUnwatched > 0 && much) {
      relists.add(lastBeginning, objects);
    }
    watched = true;
    listsUnwatched = 0;
    polls.clear();
    ignoredLimits = 0;
  }

  /** What the last LIST read. */
  double objects() {
    return objects;
  }

  /** A LIST whose limit the server ignored; client-go's informers begin with one, too. */
  void limitIgnored() {
    ignoredLimits++;
  }

  /** How often the limit was ignored; not for an informer, which wants everything anyway. */
  int ignoredLimits() {
    return ignoredLimits > 1 ? ignoredLimits : 0;
  }

  /** How many pages came before this one. */
  int nextPage() {
    return ++pages;
  }

  /** Again and again, with no watch between, and it costs. */
  boolean polls() {
    return polls.cost();
  }

  /** What it reads by asking again and again with no watch, however little each time. */
  double readByAsking() {
    return watched || asks.count < REPEATS ? 0 : asks.objects;
  }

  /** Again and again although it watches, and it costs. */
  boolean relists() {
    return relists.cost();
  }

  /** Whether it ever watched. */
  boolean watched() {
    return watched;
  }

  /** Whether it read all of a large resource. */
  boolean everything() {
    return everything;
  }

  /**
   * When it began as a program does that was started; never for what asks again by itself: often,
   * or in even steps, with no watch behind.
   */
  long[] starts() {
    boolean repeats = !watched && listsUnwatched == lists;
    boolean regular = lists >= REGULAR_REPEATS && deviation() < REGULAR;
    return repeats && (lists >= REPEATS || regular) ? new long[0] : beginnings;
  }

  /** Of the intervals between beginnings, as a part of their mean. */
  private double deviation() {
    int count = lists - 1;
    double mean = intervals / count;
    return mean <= 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean)) / mean;
  }
}
