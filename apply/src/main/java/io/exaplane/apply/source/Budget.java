// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** How many bytes may still be read, from all streams together. One thread. */
final class Budget {
  private long left;

  /** More bytes came than may come. */
  static final class Exceeded extends IOException {
    private static final long serialVersionUID = 1;

    Exceeded() {
      super("more bytes than allowed");
    }
  }

  Budget(long bytes) {
    left = bytes;
  }

  /** As many bytes may be read from now on, whatever was left. */
  void renew(long bytes) {
    left = bytes;
  }

  /** The same stream, which ends with {@link Exceeded} when the budget is spent. */
  InputStream counted(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        int one = super.read();
        take(one < 0 ? 0 : 1);
        return one;
      }

      @Override
      public int read(byte[] into, int at, int length) throws IOException {
        int count = super.read(into, at, length);
        take(Math.max(count, 0));
        return count;
      }

      @Override
      public long skip(long bytes) throws IOException {
        long count = super.skip(bytes);
        take(count);
        return count;
      }

      @Override
      public boolean markSupported() {
        return false;
      }
    };
  }

  private void take(long bytes) throws Exceeded {
    left -= bytes;
    if (left < 0) {
      throw new Exceeded();
    }
  }
}
