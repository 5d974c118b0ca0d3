// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.memory.Region;
import java.lang.management.ManagementFactory;

/** How much the store may hold, by what memory there is. */
final class Space {
  /** For code, stacks, buffers of connections. */
  private static final long OTHER_BYTES = 256L << 20;

  /** The cleaner lets segments be empty by up to 30 %, and some are on their way. */
  private static final double FILLED = 0.65;

  /** Of a window: one for new versions, one for moved ones; both may be all but empty. */
  private static final int OPEN_SEGMENTS = 2;

  /**
   * The largest request unless another size is asked for, as etcd's. What values up to it leave
   * empty at the ends of segments is in FILLED.
   */
  static final int USUAL_REQUEST_BYTES = 3 << 19;

  private static final long LEAST_BYTES = 64L << 20;

  /** As much again is for bringing it into order for a backup, and for requests and answers. */
  private static final int HEAP_PARTS = 3;

  private Space() {}

  /**
   * Limits that keep the process, with their reserves, within its memory, be it the machine's or
   * its cgroup's.
   *
   * @param quotaBytes what was asked for, of which the memory may allow less; 0 for as much as
   *     there is
   * @param windows history windows, whose keys have segments of their own
   * @param maxRequestBytes size of the largest values: a segment has no room for another one at its
   *     end
   */
  static SpaceLimits limits(long quotaBytes, int windows, int maxRequestBytes) {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return limits(
        system.getTotalMemorySize(),
        Runtime.getRuntime().maxMemory(),
        quotaBytes,
        windows,
        maxRequestBytes);
  }

  /** Limits by the memory that there is, and how much of it is the heap's. */
  static SpaceLimits limits(
      long memoryBytes, long heapBytes, long quotaBytes, int windows, int maxRequestBytes) {
    long openBytes = (long) windows * OPEN_SEGMENTS << Region.DEFAULT_SEGMENT_SHIFT;
    long freeBytes = memoryBytes - heapBytes - OTHER_BYTES - openBytes;
    long emptyBytes = Math.max(0, maxRequestBytes - USUAL_REQUEST_BYTES);
    double filled = FILLED * (1 - (double) emptyBytes / (1L << Region.DEFAULT_SEGMENT_SHIFT));
    long mostBytes = Math.max(LEAST_BYTES, (long) (freeBytes * filled));
    long mostRecordBytes = SpaceLimits.within(mostBytes, maxRequestBytes);
    if (quotaBytes > mostRecordBytes) {
      System.getLogger(Space.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "--quota-backend-bytes={0,number,#} is more than the memory allows; the store uses {1,number,#}",
              quotaBytes,
              mostRecordBytes);
    }
    long recordBytes = quotaBytes > 0 ? Math.min(quotaBytes, mostRecordBytes) : mostRecordBytes;
    return SpaceLimits.of(
        recordBytes, SpaceLimits.within(heapBytes / HEAP_PARTS, 0), maxRequestBytes);
  }
}
