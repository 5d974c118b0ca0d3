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

  /** What follows within that time belongs to one start, or to one look: informers side by side. */
  private static final long OCCASION_MICROS = 30_000_000;

  /** Starts of an informer in a log that nobody is blamed for, and informers of one program. */
  private static final int FEW_STARTS = 3;

  private static final int MOST_INFORMERS = 24;

  private static final double MICROS = 1e6;
  private final String address;
  private final Repeats polls = new Repeats();
  private final Repeats asks = new Repeats();
  private final Repeats relists = new Repeats();
  private long[] beginnings = {};
  private final boolean selects;
  private final String resource;
  private long occasion;
  private double read;
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

  /**
   * Nothing yet.
   *
   * @param selects whether it asks by a selector
   */
  Asked(String address, String resource, boolean selects) {
    this.address = address;
    this.resource = resource;
    this.selects = selects;
  }

  /** LISTs that read much, one after the other. */
  private static final class Repeats {
    private long firstMicros;
    private long lastMicros;
    private long occasionMicros;
    private int count;
    private int occasions;
    private double objects;

    void add(long micros, double read) {
      firstMicros = count == 0 ? micros : Math.min(firstMicros, micros);
      lastMicros = count == 0 ? micros : Math.max(lastMicros, micros);
      if (count == 0 || Math.abs(micros - occasionMicros) >= OCCASION_MICROS) {
        occasions++;
        occasionMicros = micros;
      }
      count++;
      objects += read;
    }

    void clear() {
      count = 0;
      occasions = 0;
      objects = 0;
    }

    /** One by one, unless all were at once. */
    boolean cost() {
      return lastMicros - firstMicros >= OCCASION_MICROS && cost(count);
    }

    /** Those that were at once are one. */
    boolean costByOccasion() {
      return cost(occasions);
    }

    private boolean cost(int times) {
      if (times < REPEATS) {
        return false;
      }
      double interval = (lastMicros - firstMicros) / MICROS / (times - 1);
      return interval <= OFTEN_SECONDS
          || interval <= SELDOM_SECONDS && objects / times >= OBJECTS_A_SECOND * interval;
    }
  }

  String address() {
    return address;
  }

  String resource() {
    return resource;
  }

  /** Whether it asks by a selector and watches nothing. */
  boolean selectsOnly() {
    return selects && !watched;
  }

  /** A page, or a LIST without pages, reads so many objects. */
  void reads(double objectsOfPage) {
    read += objectsOfPage;
  }

  /** What it read in all. */
  double read() {
    return read;
  }

  /** Whether it read no more often than whoever has to know the objects. */
  boolean isBlameless() {
    return watched
        ? beginnings.length <= FEW_STARTS && lists <= MOST_INFORMERS
        : lists < FEW_STARTS;
  }

  /** A first page, or a LIST without pages, that reads so many objects. */
  void list(long micros, double objectsOfList, boolean much, boolean all) {
    pages = 0;
    begins(micros);
    listsUnwatched++;
    objects = objectsOfList;
    everything |= all && much;
    asks.add(micros, objectsOfList);
    if (much) {
      polls.add(micros, objectsOfList);
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
    if (beginnings.length > 0 && Math.abs(micros - occasion) < OCCASION_MICROS) {
      return;
    }
    occasion = micros;
    if (beginnings.length < MOST_BEGINNINGS) {
      beginnings = Arrays.copyOf(beginnings, beginnings.length + 1);
      beginnings[beginnings.length - 1] = micros;
    }
  }

  /** A watch that sends everything begins. */
  void stream(long micros, double objectsOfStream, boolean much, boolean all) {
    begins(micros);
    reads(objectsOfStream);
    everything |= all && much;
    if (much) {
      relists.add(micros, objectsOfStream);
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
    return relists.costByOccasion();
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
   * or in even steps, with no watch behind. A start with many LISTs at once is one.
   */
  long[] starts() {
    boolean repeats = !watched && listsUnwatched == lists;
    boolean regular = lists >= REGULAR_REPEATS && deviation() < REGULAR;
    boolean often = lists >= REPEATS && beginnings.length > 1;
    return repeats && (often || regular) ? new long[0] : beginnings;
  }

  /** Of the intervals between beginnings, as a part of their mean. */
  private double deviation() {
    int count = lists - 1;
    double mean = intervals / count;
    return mean <= 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean)) / mean;
  }
}
