// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;

/** The memory off the heap that buffers of connections may take. Any thread. */
final class BufferMemory {
  /** As the JVM bounds it unless told otherwise: as much as the heap. */
  private static final long MOST_BYTES = Runtime.getRuntime().maxMemory();

  private BufferMemory() {}

  /** Bytes that unfinished messages of all connections may take. */
  static long mostUnfinishedBytes() {
    return Math.min(PartialBytes.MOST, MOST_BYTES / 4);
  }

  /** Whether what is sent has taken half of it. */
  static boolean isScarce(ByteBufAllocator buffers) {
    return buffers instanceof ByteBufAllocatorMetricProvider measured
        && measured.metric().usedDirectMemory() > MOST_BYTES / 2;
  }
}
