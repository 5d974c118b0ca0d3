// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.agrona.collections.IntArrayList;

/**
 * A reserved range of virtual memory, cut into segments of one size that are taken and given back
 * whole. Reserving costs no memory: a page counts once it was written to, and giving a segment back
 * returns its pages to the system. Linux only.
 *
 * <p>The writer takes and releases segments; any thread may read the bytes.
 */
@SuppressWarnings("restricted") // Calls of the C library: only they reserve without touching.
public final class Region implements AutoCloseable {
  /** 32 MiB: larger than the largest record, and small against the stores that matter. */
  public static final int DEFAULT_SEGMENT_SHIFT = 25;

  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x2 | 0x20 | 0x4000;
  private static final int MADV_DONTNEED = 4;

  /** A write to a new page costs microseconds: with pages of 2 MiB there are few. */
  private static final int MADV_HUGEPAGE = 14;

  private static final long HUGE_PAGE_BYTES = 2L << 20;
  private static final long MAP_FAILED = -1;

  private static final MethodHandle MMAP =
      libc(
          "mmap",
          FunctionDescriptor.of(
              ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MUNMAP =
      libc("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle MADVISE =
      libc("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

  private final MemorySegment mapped;
  private final MemorySegment memory;
  private final int segmentShift;
  private final int segments;
  private final IntArrayList free = new IntArrayList();
  private int untouched;
  private int inUse;

  private Region(MemorySegment mapped, MemorySegment memory, int segmentShift) {
    this.mapped = mapped;
    this.memory = memory;
    this.segmentShift = segmentShift;
    this.segments = (int) (memory.byteSize() >>> segmentShift);
  }

  /**
   * Reserves at least the given number of bytes.
   *
   * @param segmentShift logarithm of the bytes of a segment; a page or more
   * @throws OutOfMemoryError if the system refuses to reserve that much address space
   */
  public static Region reserve(long bytes, int segmentShift) {
    long size = (bytes + (1L << segmentShift) - 1) >>> segmentShift << segmentShift;
    long mappedSize = size + HUGE_PAGE_BYTES;
    try {
      MemorySegment start =
          (MemorySegment)
              MMAP.invokeExact(
                  MemorySegment.NULL,
                  mappedSize,
                  PROT_READ_WRITE,
                  MAP_PRIVATE_ANONYMOUS_NORESERVE,
                  -1,
                  0L);
      if (start.address() == MAP_FAILED) {
        throw new OutOfMemoryError(
            "cannot reserve %d bytes of address space for records: see 'ulimit -v' and vm.overcommit_memory"
                .formatted(size));
      }
      MemorySegment mapped = start.reinterpret(mappedSize);
      long unaligned = start.address() & HUGE_PAGE_BYTES - 1;
      MemorySegment memory = mapped.asSlice((HUGE_PAGE_BYTES - unaligned) % HUGE_PAGE_BYTES, size);
      advise(memory, MADV_HUGEPAGE); // a kernel may have none, and refuse
      return new Region(mapped, memory, segmentShift);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle libc(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  /** All of the memory; a record's address is its offset in here. */
  public MemorySegment memory() {
    return memory;
  }

  public long segmentBytes() {
    return 1L << segmentShift;
  }

  /** Number of segments that the region can hold. */
  public int segments() {
    return segments;
  }

  /** Number of segments that are taken. */
  public int inUse() {
    return inUse;
  }

  /**
   * Takes a segment whose bytes are zero.
   *
   * @throws IllegalStateException if none is left: limits are checked before memory is asked for
   */
  public int take() {
    int segment;
    if (!free.isEmpty()) {
      segment = free.popInt();
    } else if (untouched < segments) {
      segment = untouched++;
    } else {
      throw new IllegalStateException("all %d segments are taken".formatted(segments));
    }
    inUse++;
    return segment;
  }

  /** Gives a segment back, and its memory to the system. Nobody may read it any more. */
  public void release(int segment) {
    if (!advise(memory.asSlice(startOf(segment), segmentBytes()), MADV_DONTNEED)) {
      throw new IllegalStateException("madvise refused to give back a segment");
    }
    free.addInt(segment);
    inUse--;
  }

  /** Tells the kernel something of pages; false if it refused. */
  private static boolean advise(MemorySegment pages, int advice) {
    try {
      return (int) MADVISE.invokeExact(pages, pages.byteSize(), advice) == 0;
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Address of a segment's first byte. */
  public long startOf(int segment) {
    return (long) segment << segmentShift;
  }

  /** The segment that an address lies in. */
  public int segmentOf(long address) {
    return (int) (address >>> segmentShift);
  }

  /** Gives everything back. The memory must not be touched afterwards by any thread. */
  @Override
  public void close() {
    try {
      int result = (int) MUNMAP.invokeExact(mapped, mapped.byteSize());
      if (result != 0) {
        throw new IllegalStateException("munmap refused the region");
      }
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
