// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A socket of a service manager, as systemd gives one to its services in NOTIFY_SOCKET: of
 * datagrams, which Java itself does not have for files. By calls of the C library, on Linux. For
 * one thread.
 */
@SuppressWarnings("restricted")
final class NotifySocket implements AutoCloseable {
  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final short POLLIN = 1;
  private static final int ADDRESS_BYTES = 110;
  private static final int MOST_BYTES = 4096;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private final Arena arena = Arena.ofConfined();
  private final int socket;

  /** Listens at a path where nothing is yet. */
  NotifySocket(Path path) throws IOException {
    byte[] name = path.toString().getBytes(US_ASCII);
    MemorySegment address = arena.allocate(ADDRESS_BYTES);
    address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
    MemorySegment.copy(name, 0, address, ValueLayout.JAVA_BYTE, Short.BYTES, name.length);
    socket =
        (int) call("socket", FunctionDescriptor.of(INT, INT, INT, INT), AF_UNIX, SOCK_DGRAM, 0);
    call(
        "bind",
        FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, INT),
        socket,
        address,
        Short.BYTES + name.length + 1);
  }

  /** What comes next, which is waited for. */
  String next(Duration patience) throws IOException {
    MemorySegment poll = arena.allocate(Integer.BYTES + 2 * Short.BYTES, Integer.BYTES);
    poll.set(INT, 0, socket);
    poll.set(ValueLayout.JAVA_SHORT, Integer.BYTES, POLLIN);
    int ready =
        (int)
            call(
                "poll",
                FunctionDescriptor.of(INT, ValueLayout.ADDRESS, LONG, INT),
                poll,
                1L,
                (int) patience.toMillis());
    if (ready == 0) {
      throw new IOException("nothing was told within " + patience);
    }
    MemorySegment bytes = arena.allocate(MOST_BYTES);
    long length =
        (long)
            call(
                "recv",
                FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG, INT),
                socket,
                bytes,
                (long) MOST_BYTES,
                0);
    return new String(bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), US_ASCII);
  }

  private static Object call(String name, FunctionDescriptor types, Object... arguments)
      throws IOException {
    Linker linker = Linker.nativeLinker();
    MethodHandle function =
        linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), types);
    Object result;
    try {
      result = function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException(name, e);
    }
    if (((Number) result).longValue() < 0) {
      throw new IOException(name + " failed");
    }
    return result;
  }

  @Override
  public void close() throws IOException {
    call("close", FunctionDescriptor.of(INT, INT), socket);
    arena.close();
  }
}
