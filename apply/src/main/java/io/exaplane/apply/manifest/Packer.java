// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Packs the bodies of manifests, one by one, since an apply needs one of them. The first megabyte
 * of a reading stays as it is: small sources gain nothing. One thread; {@link #close} frees the
 * memory of the library.
 */
final class Packer implements AutoCloseable {
  /** Bytes of bodies of a reading that are never packed. */
  static final int PLAIN = 1 << 20;

  /** Bytes of a body that is worth it: shorter ones have few words twice. */
  private static final int LEAST = 200;

  private byte[] out = {};
  private Deflater deflater;
  private long seen;

  /** Counts a body that is kept as an earlier reading left it. */
  void passed(int bodyBytes) {
    seen += bodyBytes;
  }

  /** The same array, or a shorter one. */
  byte[] packed(byte[] body) {
    seen += body.length;
    if (seen <= PLAIN || body.length < LEAST) {
      return body;
    }
    if (deflater == null) {
      deflater = new Deflater(Deflater.BEST_SPEED, true);
    }
    if (out.length < body.length) {
      out = new byte[2 * body.length];
    }
    deflater.reset();
    deflater.setInput(body);
    deflater.finish();
    int length = deflater.deflate(out, 0, body.length - 1);
    return deflater.finished() ? Arrays.copyOf(out, length) : body;
  }

  /** What {@link #packed} made shorter. */
  static byte[] unpacked(byte[] packed, int length) {
    byte[] body = new byte[length];
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(packed);
      for (int at = 0; at < length; ) {
        int more = inflater.inflate(body, at, length - at);
        if (more == 0) {
          throw new IllegalStateException("a body ends after " + at + " of " + length + " bytes");
        }
        at += more;
      }
      return body;
    } catch (DataFormatException e) {
      throw new IllegalStateException("a body in memory can't be unpacked", e);
    } finally {
      inflater.end();
    }
  }

  @Override
  public void close() {
    if (deflater != null) {
      deflater.end();
    }
  }
}
