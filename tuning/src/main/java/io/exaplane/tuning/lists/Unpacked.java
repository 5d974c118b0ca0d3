// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

/**
 * The plain bytes of a file, recognised by how it begins and not by its name: gzip is unpacked, and
 * UTF-16, which PowerShell writes, becomes UTF-8.
 */
public final class Unpacked {
  private static final int BUFFER = 1 << 18;
  private static final int GZIP = 0x1f8b;
  private static final int TAR_MAGIC_AT = 257;
  private static final byte[] TAR = "ustar".getBytes(StandardCharsets.US_ASCII);

  private Unpacked() {}

  /**
   * Of a stream.
   *
   * @throws IOException if it can't be read, or is packed in a way that is not read here
   */
  public static InputStream of(InputStream packed) throws IOException {
    BufferedInputStream in = new BufferedInputStream(packed, BUFFER);
    byte[] start = peek(in, TAR_MAGIC_AT + TAR.length);
    if (begins(start, 0, GZIP >> 8, GZIP & 0xff)) {
      return of(new GZIPInputStream(in, BUFFER));
    }
    refuse(start);
    if (begins(start, 0, 0xff, 0xfe) || begins(start, 0, 0xfe, 0xff)) {
      return utf8(in, StandardCharsets.UTF_16);
    }
    if (begins(start, 0, 0xef, 0xbb, 0xbf)) {
      in.skipNBytes(3);
    }
    return in;
  }

  private static void refuse(byte[] start) throws IOException {
    String form = "";
    if (begins(start, 0, 0x28, 0xb5, 0x2f, 0xfd)) {
      form = "zstd";
    } else if (begins(start, 0, 0xfd, '7', 'z', 'X', 'Z')) {
      form = "xz";
    } else if (begins(start, 0, 'B', 'Z', 'h')) {
      form = "bzip2";
    } else if (begins(start, 0, 'P', 'K', 3, 4)) {
      form = "zip";
    } else if (begins(start, TAR_MAGIC_AT, TAR[0], TAR[1], TAR[2], TAR[3], TAR[4])) {
      form = "tar";
    }
    if (!form.isEmpty()) {
      throw new IOException("is compressed with " + form + "; only gzip is supported");
    }
  }

  private static byte[] peek(BufferedInputStream in, int count) throws IOException {
    in.mark(count);
    byte[] start = in.readNBytes(count);
    in.reset();
    return start;
  }

  private static boolean begins(byte[] start, int at, int... magic) {
    if (start.length < at + magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((start[at + i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  private static InputStream utf8(InputStream in, Charset from) {
    Reader reader = new InputStreamReader(in, from);
    return new InputStream() {
      private final CharBuffer chars = CharBuffer.allocate(BUFFER);
      private ByteBuffer bytes = ByteBuffer.allocate(0);

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        if (!bytes.hasRemaining() && !fill()) {
          return -1;
        }
        int count = Math.min(length, bytes.remaining());
        bytes.get(into, offset, count);
        return count;
      }

      /** Half of a pair waits for the other one. */
      private boolean fill() throws IOException {
        if (reader.read(chars) < 0 && chars.position() == 0) {
          return false;
        }
        chars.flip();
        int end = chars.limit();
        boolean half = end > 1 && Character.isHighSurrogate(chars.get(end - 1));
        chars.limit(half ? end - 1 : end);
        bytes = StandardCharsets.UTF_8.encode(chars);
        chars.limit(end);
        chars.compact();
        return true;
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }
}
