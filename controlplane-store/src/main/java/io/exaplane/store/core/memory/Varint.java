// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Protobuf's variable-length integers, in off-heap memory. */
public final class Varint {
  private Varint() {}

  /** Bytes that the value takes; ten for a negative one. */
  public static int length(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** Writes the value and returns the address behind it. */
  static long write(MemorySegment memory, long at, long value) {
    long rest = value;
    long address = at;
    while ((rest & ~0x7fL) != 0) {
      memory.set(ValueLayout.JAVA_BYTE, address++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    memory.set(ValueLayout.JAVA_BYTE, address++, (byte) rest);
    return address;
  }

  /** Reads the value that starts at the address. */
  static long read(MemorySegment memory, long at) {
    long value = 0;
    long address = at;
    for (int shift = 0; ; shift += 7) {
      byte part = memory.get(ValueLayout.JAVA_BYTE, address++);
      value |= (part & 0x7fL) << shift;
      if (part >= 0) {
        return value;
      }
    }
  }
}
