// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import io.exaplane.store.core.execute.RandomRequests;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.Life.Seen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * What a store wrote in a seeded life: batches of several sizes, among them values of zeroes and
 * values that look like the log's frames.
 */
final class WrittenHistory {
  private static final int KEYS = 8;
  private static final int MOST_VALUE_BYTES = 2_500;

  private final Random random;
  private final Supplier<KeyClasses> classes;
  private final RandomRequests requests;

  /** The disk as it is after the last batch. */
  final SimulatedStorage disk;

  /** The disk as it was before the last batch. */
  SimulatedStorage before;

  /** The store after each batch, the empty one first. */
  final List<Seen> acknowledged = new ArrayList<>();

  WrittenHistory(long seed, Supplier<KeyClasses> classes) {
    this.random = new Random(seed);
    this.classes = classes;
    this.requests = new RandomRequests(random, 5);
    this.disk = new SimulatedStorage(random);
  }

  /**
   * Lives.
   *
   * @param stopsWell whether the store is stopped; else it is killed
   */
  WrittenHistory write(int batches, boolean stopsWell) throws IOException {
    try (Life store = new Life(disk, classes.get(), 0)) {
      acknowledged.add(store.seen());
      for (int i = 0; i < batches; i++) {
        before = disk.copy();
        batch(store);
        store.journal.commit();
        store.keyspace.publish();
        acknowledged.add(store.seen());
        if (store.journal.wantsSnapshot() && i < batches - 1) {
          store.journal.planSnapshot().run();
        }
      }
      if (stopsWell) {
        store.journal.close();
      }
    }
    return this;
  }

  /** What everybody was told. */
  Seen last() {
    return acknowledged.getLast();
  }

  /** What everybody had been told before the last batch. */
  Seen lastButOne() {
    return acknowledged.get(acknowledged.size() - 2);
  }

  /** Name of the segment that was written last, which was there before the last batch. */
  String lastSegment() throws IOException {
    return LogReader.segments(before).getLast();
  }

  private void batch(Life store) {
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      if (random.nextInt(4) == 0) {
        store.txn(requests, 0);
      } else {
        put(store, value());
      }
    }
    long old = store.keyspace.revision() - random.nextInt(4);
    if (random.nextInt(4) == 0 && old > store.keyspace.compactedRevision()) {
      store.keyspace.compact(old);
    }
    put(store, value()); // no batch is empty
  }

  private void put(Life store, byte[] value) {
    byte[] key = "/key/%d".formatted(random.nextInt(KEYS)).getBytes(StandardCharsets.UTF_8);
    store.keyspace.put(key, 0, key.length, value, 0, value.length, 0);
    store.keyspace.commit();
    store.journal.collect();
  }

  private byte[] value() {
    byte[] value = new byte[random.nextInt(random.nextBoolean() ? 100 : MOST_VALUE_BYTES)];
    switch (random.nextInt(4)) {
      case 0 -> {} // zeroes
      case 1 -> {
        if (value.length > 0) {
          value[random.nextInt(value.length)] = 1;
        }
      }
      case 2 -> imitate(value);
      default -> random.nextBytes(value);
    }
    return value;
  }

  /** Copies what is in the log, from the beginning of some frame's header on. */
  private void imitate(byte[] value) {
    List<String> segments = disk.list().stream().filter(Segment::isSegment).toList();
    if (!segments.isEmpty()) {
      byte[] log = disk.bytes(segments.getLast());
      int from = LogFrames.ALIGNMENT * random.nextInt(log.length / LogFrames.ALIGNMENT);
      System.arraycopy(log, from, value, 0, Math.min(value.length, log.length - from));
    }
  }
}
