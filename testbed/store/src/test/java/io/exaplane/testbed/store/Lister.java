// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Reads all keys in one answer, over and over, as fast as it comes, looks at none of it and says
 * how many bytes each answer had.
 */
final class Lister {
  private static final int WINDOW_BYTES = Integer.MAX_VALUE;
  private static final int FIRST_WINDOW_BYTES = 65_535;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final byte[] EVERYTHING = {0, 0, 0, 0, 6, 0x0a, 1, 0, 0x12, 1, 0};

  private Lister() {}

  /** Lists until it is ended: a port, a number of clients. */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  list(port);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  private static void list(int port) throws IOException {
    try (RawConnection connection =
        new RawConnection("127.0.0.3", port, RawConnection.PREFACE_BYTES)) {
      connection.frame(
          RawConnection.SETTINGS,
          0,
          0,
          ByteBuffer.allocate(6)
              .putShort((short) INITIAL_WINDOW_SIZE)
              .putInt(WINDOW_BYTES)
              .array());
      widen(connection, WINDOW_BYTES - FIRST_WINDOW_BYTES);
      DataInputStream in = new DataInputStream(connection.in());
      for (int stream = 1; ; stream += 2) {
        connection.headers(stream, "/etcdserverpb.KV/Range", false);
        connection.frame(RawConnection.DATA, RawConnection.END_STREAM, stream, EVERYTHING);
        int bytes = skipAnswer(in);
        System.out.println(bytes);
        widen(connection, bytes);
      }
    }
  }

  /** Skips frames to the end of an answer and returns the bytes of data. */
  private static int skipAnswer(DataInputStream in) throws IOException {
    int bytes = 0;
    while (true) {
      int lengthAndType = in.readInt();
      int flags = in.readUnsignedByte();
      in.readInt();
      int length = lengthAndType >>> 8;
      int type = lengthAndType & 0xff;
      in.skipNBytes(length);
      if (type == RawConnection.DATA) {
        bytes += length;
      }
      if (type <= RawConnection.HEADERS && (flags & RawConnection.END_STREAM) != 0) {
        return bytes;
      }
    }
  }

  private static void widen(RawConnection connection, int bytes) throws IOException {
    connection.frame(
        RawConnection.WINDOW_UPDATE, 0, 0, ByteBuffer.allocate(4).putInt(bytes).array());
  }
}
