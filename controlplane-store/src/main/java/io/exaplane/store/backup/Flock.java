// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.Closeable;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A shared lock on a file by flock(2). Another process, maybe in another container, that locks the
 * file as bbolt locks the file that it writes, waits until this one is closed. Java's own locks are
 * of another kind, and /proc/locks leaves out processes of other namespaces. Linux only. For one
 * thread.
 */
@SuppressWarnings("restricted") // Calls of the C library: Java has no flock.
final class Flock implements Closeable {
  private static final int READ_ONLY_CLOSE_ON_EXEC = 0x80000;
  private static final int SHARED_AT_ONCE = 1 | 4;
  private static final int WOULD_BLOCK = 11;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERROR =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle OPEN =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("open"),
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle FLOCK =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("flock"),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT),
          ERRNO);

  private int descriptor;

  private Flock(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Locks a file against who writes it. Where the file can't be opened, or its file system has no
   * such locks, nothing is locked.
   *
   * @return nothing if another process writes the file
   */
  static Optional<Flock> shared(Path file) {
    try (Arena arena = Arena.ofConfined()) {
      int descriptor =
          (int) OPEN.invokeExact(arena.allocateFrom(file.toString()), READ_ONLY_CLOSE_ON_EXEC);
      if (descriptor < 0) {
        return Optional.of(new Flock(descriptor));
      }
      MemorySegment state = arena.allocate(STATE);
      int refused = (int) FLOCK.invokeExact(state, descriptor, SHARED_AT_ONCE);
      boolean isHeld = refused != 0 && (int) ERROR.get(state, 0L) == WOULD_BLOCK;
      Flock lock = new Flock(descriptor);
      if (isHeld) {
        lock.close();
        return Optional.empty();
      }
      return Optional.of(lock);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Gives up the lock; once more, nothing happens. */
  @Override
  public void close() {
    if (descriptor < 0) {
      return;
    }
    try {
      int _ = (int) CLOSE.invokeExact(descriptor);
      descriptor = -1;
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
