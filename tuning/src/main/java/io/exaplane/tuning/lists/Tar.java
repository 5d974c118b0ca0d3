// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The files in a tar archive, one after the other: of POSIX, with or without pax headers, and of
 * GNU. One thread.
 */
final class Tar {
  static final int MAGIC_AT = 257;
  static final byte[] MAGIC = "ustar".getBytes(StandardCharsets.US_ASCII);

  private static final int BLOCK = 512;
  private static final int SIZE_AT = 124;
  private static final int SIZE_BYTES = 12;
  private static final int TYPE_AT = 156;
  private static final int MOST_PAX_BYTES = 1 << 20;

  private final InputStream in;
  private final byte[] header = new byte[BLOCK];
  private long left;
  private long padding;

  Tar(InputStream in) {
    this.in = in;
  }

  /**
   * Goes to the next file.
   *
   * @return false at the end
   * @throws IOException if the archive breaks off between two files, or is none
   */
  boolean next() throws IOException {
    in.skipNBytes(left + padding);
    long sizeOfPax = -1;
    while (in.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
      long size = sizeOfPax >= 0 ? sizeOfPax : size();
      sizeOfPax = -1;
      left = size;
      padding = (BLOCK - size % BLOCK) % BLOCK;
      switch (header[TYPE_AT]) {
        case '0', 0, '7' -> {
          return true;
        }
        case 'x' -> {
          byte[] pairs = in.readNBytes((int) Math.min(size, MOST_PAX_BYTES));
          left -= pairs.length;
          sizeOfPax = sizeOf(new String(pairs, StandardCharsets.UTF_8));
          in.skipNBytes(left + padding);
        }
        default -> in.skipNBytes(left + padding); // a folder, a link, a long name
      }
    }
    left = 0;
    padding = 0;
    return false;
  }

  /** In octal digits, or in binary if the first bit says so. */
  private long size() throws IOException {
    long size = 0;
    boolean isBinary = header[SIZE_AT] < 0;
    for (int at = SIZE_AT + (isBinary ? 1 : 0); at < SIZE_AT + SIZE_BYTES; at++) {
      int b = header[at] & 0xff;
      if (isBinary) {
        size = size << 8 | b;
      } else if (b >= '0' && b <= '7') {
        size = size << 3 | b - '0';
      } else if (b != ' ' && b != 0) {
        throw new IOException("the tar archive is damaged; create the archive again");
      }
    }
    if (size < 0) {
      throw new IOException("the tar archive is damaged; create the archive again");
    }
    return size;
  }

  private static long sizeOf(String pairs) {
    for (String line : pairs.split("\n")) {
      String pair = line.substring(line.indexOf(' ') + 1);
      if (pair.matches("size=[0-9]{1,18}")) {
        return Long.parseLong(pair.substring(5));
      }
    }
    return -1;
  }

  /** The bytes of the file; breaks off with an EOFException where the archive does. */
  InputStream file() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        if (left == 0 || length == 0) {
          return left == 0 ? -1 : 0;
        }
        int count = in.read(into, offset, (int) Math.min(left, length));
        if (count < 0) {
          left = 0;
          padding = 0;
          throw new EOFException("the tar archive breaks off");
        }
        left -= count;
        return count;
      }
    };
  }
}
