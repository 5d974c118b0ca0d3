// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.memory;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;

/**
 * Where versions of keys are kept: records appended to segments, which are given back when nothing
 * in them is needed any more. Counts what is dead; who is dead, others know.
 *
 * <p>Records of a group, which become old together, have segments of their own. Two of a group are
 * open at a time: one for new versions, one for old ones that were moved out of nearly empty
 * segments. Written by the one writer; records are read by any thread.
 */
public final class RecordLog {
  private static final int NONE = -1;

  private final Region region;
  private final MemorySegment memory;
  private final EpochReclaimer reclaimer;
  private final long[] ends;
  private final long[] liveBytes;
  private final long[] newestRevisions;
  private final IntArrayList closed = new IntArrayList();
  private final byte[] groups;
  private final boolean[] packed;
  private final int[] open;
  private final int[] openForMoved;
  private long recordBytes;

  /**
   * @param groups how many there are, at most 127
   */
  public RecordLog(Region region, EpochReclaimer reclaimer, int groups) {
    this.groups = new byte[region.segments()];
    this.packed = new boolean[region.segments()];
    this.open = new int[groups];
    this.openForMoved = new int[groups];
    Arrays.fill(open, NONE);
    Arrays.fill(openForMoved, NONE);
    this.region = region;
    this.memory = region.memory();
    this.reclaimer = reclaimer;
    this.ends = new long[region.segments()];
    this.liveBytes = new long[region.segments()];
    this.newestRevisions = new long[region.segments()];
  }

  public MemorySegment memory() {
    return memory;
  }

  /** Bytes of all records that somebody may still need. */
  public long recordBytes() {
    return recordBytes;
  }

  /** Size of the largest record: it lies in one segment, and the first one has less room. */
  public long mostRecordBytes() {
    return region.segmentBytes() - Records.ALIGNMENT;
  }

  /** Bytes of memory that are taken, in whole segments. */
  public long takenBytes() {
    return region.inUse() * region.segmentBytes();
  }

  /**
   * Appends a version that was put.
   *
   * @return its address
   * @throws IllegalArgumentException if it is larger than {@link #mostRecordBytes()}; nothing has
   *     changed then
   */
  public long appendPut(
      int group,
      int slot,
      long previous,
      int sub,
      byte[] key,
      int keyOffset,
      int keyBytes,
      long createRevision,
      long modRevision,
      long version,
      byte[] value,
      int valueOffset,
      int valueBytes,
      long lease) {
    int bytes =
        KeyValues.encodedLength(keyBytes, createRevision, modRevision, version, valueBytes, lease);
    long record = allocate(group, Records.sizeOf(bytes), modRevision);
    Records.writeHeader(memory, record, bytes, slot, modRevision, sub, keyBytes, false, previous);
    KeyValues.encode(
        memory,
        Records.keyValue(record),
        key,
        keyOffset,
        keyBytes,
        createRevision,
        modRevision,
        version,
        value,
        valueOffset,
        valueBytes,
        lease);
    return record;
  }

  /** Appends a version that says that the key of {@code previous} was deleted. */
  public long appendTombstone(
      int group, int slot, long previous, int sub, byte[] key, long modRevision) {
    int bytes = KeyValues.encodedLength(key.length, 0, modRevision, 0, 0, 0);
    long record = allocate(group, Records.sizeOf(bytes), modRevision);
    Records.writeHeader(memory, record, bytes, slot, modRevision, sub, key.length, true, previous);
    KeyValues.encode(
        memory, Records.keyValue(record), key, 0, key.length, 0, modRevision, 0, key, 0, 0, 0);
    return record;
  }

  private long allocate(int group, int size, long modRevision) {
    if (size > mostRecordBytes()) {
      throw new IllegalArgumentException(
          "a record of %d bytes is larger than %d".formatted(size, mostRecordBytes()));
    }
    if (!fits(open[group], size)) {
      open[group] = replace(open[group], group);
    }
    return allocateIn(open[group], size, modRevision);
  }

  private boolean fits(int segment, int size) {
    return segment != NONE
        && ends[segment] + size <= region.startOf(segment) + region.segmentBytes();
  }

  private int replace(int full, int group) {
    if (full != NONE) {
      closed.addInt(full);
    }
    int segment = region.take();
    // Address 0 means that there is none.
    ends[segment] = region.startOf(segment) + (segment == 0 ? Records.ALIGNMENT : 0);
    groups[segment] = (byte) group;
    packed[segment] = false;
    liveBytes[segment] = 0;
    newestRevisions[segment] = 0;
    return segment;
  }

  private long allocateIn(int segment, int size, long modRevision) {
    long record = ends[segment];
    ends[segment] = record + size;
    liveBytes[segment] += size;
    newestRevisions[segment] = Math.max(newestRevisions[segment], modRevision);
    recordBytes += size;
    return record;
  }

  /** Tells that nobody asks for a record any more. Its bytes stay until its segment goes. */
  public void dead(long record) {
    int size = Records.size(memory, record);
    liveBytes[region.segmentOf(record)] -= size;
    recordBytes -= size;
  }

  /**
   * Gives back every closed segment in which nothing is needed, once no reader can be in it.
   *
   * @return how many
   */
  public int releaseEmpty() {
    int released = 0;
    for (int i = closed.size() - 1; i >= 0; i--) {
      int segment = closed.getInt(i);
      if (liveBytes[segment] == 0) {
        closed.fastUnorderedRemove(i);
        reclaimer.afterReaders(() -> region.release(segment));
        released++;
      }
    }
    return released;
  }

  /**
   * Takes out, for its records to be moved, the closed segment with the fewest live bytes, if their
   * share of it is below the given one, and all its records are older than the revision that is
   * given for its group. Of a segment that moved records were packed into, what is empty at the
   * end, because the next one was too large, doesn't count: moving them once more would gain
   * nothing.
   *
   * @return its number, or -1
   */
  public int takeSparsest(double belowShare, long[] olderThan) {
    int best = NONE;
    int bestIndex = NONE;
    long bestLive = Long.MAX_VALUE;
    for (int i = 0; i < closed.size(); i++) {
      int segment = closed.getInt(i);
      if (newestRevisions[segment] < olderThan[groups[segment]]
          && liveBytes[segment] < bestLive
          && liveBytes[segment] < belowShare * usable(segment)) {
        best = segment;
        bestIndex = i;
        bestLive = liveBytes[segment];
      }
    }
    if (best != NONE) {
      closed.fastUnorderedRemove(bestIndex);
    }
    return best;
  }

  private long usable(int segment) {
    return packed[segment] ? end(segment) - first(segment) : region.segmentBytes();
  }

  /** The group whose records a segment has. */
  public int group(int segment) {
    return groups[segment];
  }

  /** Address of the first record of a segment. */
  public long first(int segment) {
    return region.startOf(segment) + (segment == 0 ? Records.ALIGNMENT : 0);
  }

  /** Address behind the last record of a segment. */
  public long end(int segment) {
    return ends[segment];
  }

  /**
   * Copies a live record elsewhere, without a link to what was before it, and counts the old place
   * dead.
   *
   * @return the copy's address
   */
  public long move(long record) {
    int size = Records.size(memory, record);
    int group = groups[region.segmentOf(record)];
    if (!fits(openForMoved[group], size)) {
      openForMoved[group] = replace(openForMoved[group], group);
      packed[openForMoved[group]] = true;
    }
    long copy = allocateIn(openForMoved[group], size, Records.modRevision(memory, record));
    MemorySegment.copy(memory, record, memory, copy, size);
    Records.previous(memory, copy, 0);
    dead(record);
    return copy;
  }

  /** Gives a segment back that was taken out and whose live records were all moved. */
  public void releaseTaken(int segment) {
    if (liveBytes[segment] != 0) {
      throw new IllegalStateException(
          "segment %d still counts %d live bytes".formatted(segment, liveBytes[segment]));
    }
    reclaimer.afterReaders(() -> region.release(segment));
  }

  /** Redirects a record's link to the version before it, which was moved, or is dead: 0. */
  public void relink(long record, long previous) {
    Records.previous(memory, record, previous);
  }
}
