// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A history that anybody can compute: what each key is at each revision, without asking whoever
 * wrote it. Each revision from 2 on changes one key that changes often and has a history window,
 * and one of many that change seldom. Immutable; by any thread.
 */
final class ScriptedHistory {
  static final String OFTEN = "/registry/pods/";
  static final String SELDOM = "/registry/nodes/";
  static final long FIRST = Keyspace.FIRST_REVISION + 1;
  static final int EVENTS_PER_REVISION = 2;

  private static final int SCATTER = 0x9e3779b1;
  private static final int MOST_VALUE_BYTES = 300;

  final int often;
  final int seldom;
  private final long seed;
  private final byte[][] keys;
  private final Integer[] inOrder;

  /**
   * @param often number of keys that change often
   * @param seldom number of the others
   */
  ScriptedHistory(long seed, int often, int seldom) {
    this.seed = seed;
    this.often = often;
    this.seldom = seldom;
    keys =
        IntStream.range(0, often + seldom)
            .mapToObj(
                id ->
                    "%s%08x"
                        .formatted(id < often ? OFTEN : SELDOM, id * SCATTER)
                        .getBytes(US_ASCII))
            .toArray(byte[][]::new);
    inOrder = IntStream.range(0, keys.length).boxed().toArray(Integer[]::new);
    Arrays.sort(inOrder, Comparator.comparing(id -> keys[id], Arrays::compareUnsigned));
  }

  /** Number of keys. */
  int size() {
    return keys.length;
  }

  byte[] key(int id) {
    return keys[id];
  }

  /** The key that is at a place in the order of keys. */
  int atRank(int rank) {
    return inOrder[rank];
  }

  /** The key that an event of a revision changes: the first one often, the second one seldom. */
  int changed(long revision, int sub) {
    return (int) (sub == 0 ? revision % often : often + revision % seldom);
  }

  private int period(int id) {
    return id < often ? often : seldom;
  }

  /** The newest revision up to the given one that changed a key; 0 if none did. */
  long changeUpTo(int id, long revision) {
    int period = period(id);
    int phase = id < often ? id : id - often;
    long change = revision - Math.floorMod(revision - phase, period);
    return change < FIRST ? 0 : change;
  }

  private long changeBefore(int id, long change) {
    long before = change - period(id);
    return before < FIRST ? 0 : before;
  }

  /** Whether a change of a key deletes it: two of five of those that find it there. */
  boolean deletes(int id, long change) {
    long before = changeBefore(id, change);
    return before != 0 && mix(id, change) % 5 < 2 && !deletes(id, before);
  }

  /** Revision of the version that a key has at a revision; 0 if it does not exist. */
  long version(int id, long revision) {
    long change = changeUpTo(id, revision);
    return change == 0 || deletes(id, change) ? 0 : change;
  }

  /** Revision at which the key of a version was created. */
  long created(int id, long version) {
    long created = version;
    long before = changeBefore(id, created);
    while (before != 0 && !deletes(id, before)) {
      created = before;
      before = changeBefore(id, created);
    }
    return created;
  }

  /** Number of the version, from the creation on. */
  long number(int id, long version) {
    return (version - created(id, version)) / period(id) + 1;
  }

  /** The value of a version: no other has the same. */
  byte[] value(int id, long version) {
    byte[] value = new byte[8 + (int) (mix(id, version) % MOST_VALUE_BYTES)];
    Arrays.fill(value, (byte) (version * 31 + id));
    for (int i = 0; i < 8; i++) {
      value[i] = (byte) (version >>> 8 * i);
    }
    return value;
  }

  private long mix(int id, long revision) {
    long mixed = (seed * 31 + id) * 0x9e3779b97f4a7c15L ^ revision * 0xbf58476d1ce4e5b9L;
    mixed ^= mixed >>> 29;
    mixed *= 0x94d049bb133111ebL;
    return (mixed ^ mixed >>> 32) & Long.MAX_VALUE;
  }
}
