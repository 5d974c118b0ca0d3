// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.core.KeyRange;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.RangeReader;
import io.exaplane.store.core.RevisionPins;
import io.exaplane.store.core.View;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.core.memory.KeyValues;
import io.exaplane.store.core.memory.Records;
import io.exaplane.store.move.MoveStates;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;

/**
 * Adds up the keys below a prefix and their values, in portions, all at the revision at which that
 * began. The revision stays pinned until this is closed. For one thread.
 */
final class PrefixSum implements AutoCloseable {
  /** What is read before readers' memory may be freed again: a millisecond or less. */
  static final Portion PORTION = new Portion(4096, 1 << 20);

  private final Portion portion;
  private final Keyspace keyspace;
  private final MemorySegment memory;
  private final RevisionPins pins;
  private final RangeReader reader;
  private final MessageDigest digest = sha256();
  private KeyRange range;
  private byte[] read = new byte[4096];
  private int bytes;
  private boolean isPinned;
  private long revision;
  private long keys;

  PrefixSum(Keyspace keyspace, RevisionPins pins, String prefix, Portion portion) {
    this.keyspace = keyspace;
    this.memory = keyspace.memory();
    this.pins = pins;
    this.portion = portion;
    this.reader = new RangeReader(keyspace);
    this.range = MoveStates.keys(prefix);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Goes on by a portion, and says whether that was the last one. */
  boolean goOn(EpochReclaimer.Reader epoch) {
    bytes = 0;
    epoch.enter();
    try {
      View view = keyspace.view();
      if (!isPinned) {
        revision = view.revision();
        pins.pin(revision);
        isPinned = true;
      }
      reader.open(view, range, revision);
      range = readPortion();
    } finally {
      reader.close();
      epoch.leave();
    }
    digest.update(read, 0, bytes); // outside: it takes its time
    return range == null;
  }

  /** What is left to be read; null if nothing is. */
  private KeyRange readPortion() {
    int looked = 0;
    for (long record = reader.next(); record != 0; record = reader.next()) {
      if (looked == portion.keys() || bytes >= portion.bytes()) {
        return KeyRange.of(Records.copyKey(memory, record), range.end());
      }
      looked++;
      keys++;
      add(Records.key(memory, record), Records.keyBytes(memory, record));
      add(KeyValues.value(memory, record), KeyValues.valueBytes(memory, record));
    }
    return null;
  }

  private void add(long address, int length) {
    int end = bytes + Integer.BYTES + length;
    if (end > read.length) {
      read = Arrays.copyOf(read, Math.max(2 * read.length, end));
    }
    ByteBuffer.wrap(read).putInt(bytes, length);
    if (length > 0) {
      MemorySegment.copy(
          memory, ValueLayout.JAVA_BYTE, address, read, bytes + Integer.BYTES, length);
    }
    bytes = end;
  }

  /**
   * Adds up to the end.
   *
   * @param isWanted asked before each portion
   * @throws StoreException if it is not wanted any more
   */
  MoveSum addUp(EpochReclaimer.Reader epoch, BooleanSupplier isWanted) {
    boolean isDone = false;
    while (!isDone) {
      if (!isWanted.getAsBoolean()) {
        throw StoreException.unavailable("no client waits for the sum any more, or the store ends");
      }
      isDone = goOn(epoch);
    }
    return end();
  }

  /** The sum, once: when the last portion was read. */
  MoveSum end() {
    return new MoveSum(revision, keys, HexFormat.of().formatHex(digest.digest()));
  }

  @Override
  public void close() {
    if (isPinned) {
      isPinned = false;
      pins.unpin(revision);
    }
  }
}
