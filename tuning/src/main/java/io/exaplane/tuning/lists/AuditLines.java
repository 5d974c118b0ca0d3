// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The lines of a log, one in memory at a time, and a document that may go on over the lines behind
 * it as a stream. A line longer than {@link #LONGEST} comes in parts. One thread.
 */
final class AuditLines {
  /** Longer lines are documents that are read part by part, such as an EventList of a day. */
  static final int LONGEST = 1 << 23;

  private static final int BUFFER = 1 << 18;
  private final InputStream in;
  private final byte[] chunk = new byte[BUFFER];
  private int begin;
  private int end;
  private byte[] line = new byte[1 << 13];
  private int length;
  private int handed;
  private boolean goesOn;
  private boolean newline;
  private boolean cut;
  private boolean stopped;
  private long number;

  AuditLines(InputStream in) {
    this.in = in;
  }

  /** Goes to the next line, or to the next part of one that is too long. */
  boolean next() throws IOException {
    length = 0;
    handed = 0;
    newline = false;
    if (!goesOn) {
      number++;
    }
    goesOn = false;
    while (true) {
      if (begin == end && !fill()) {
        return length > 0;
      }
      int stop = begin;
      int most = Math.min(end, begin + LONGEST - length);
      while (stop < most && chunk[stop] != '\n') {
        stop++;
      }
      append(stop - begin);
      begin = stop;
      if (stop < most) {
        begin++;
        newline = true;
        return true;
      }
      if (length >= LONGEST) {
        goesOn = true;
        return true;
      }
    }
  }

  /** What is packed may end before its end; so does a log that was copied while it was written. */
  private boolean fill() throws IOException {
    begin = 0;
    end = 0;
    if (stopped) {
      return false;
    }
    try {
      end = Math.max(0, in.read(chunk, 0, chunk.length));
    } catch (EOFException e) {
      cut = true;
    }
    return end > 0;
  }

  private void append(int count) {
    if (length + count > line.length) {
      line = Arrays.copyOf(line, Math.max(2 * line.length, length + count));
    }
    System.arraycopy(chunk, begin, line, length, count);
    length += count;
  }

  byte[] buffer() {
    return line;
  }

  int length() {
    return length;
  }

  /** Whether the line was read to its end, as those are that have a newline. */
  boolean ended() {
    return newline;
  }

  /** Whether more of the line follows than fits into memory. */
  boolean goesOn() {
    return goesOn;
  }

  /** How many lines were begun. */
  long number() {
    return number;
  }

  /** Whether the packed data broke off. */
  boolean cut() {
    return cut;
  }

  /** Nothing more is wanted. */
  void stop() {
    stopped = true;
    end = 0;
    begin = 0;
  }

  /** Up to where the current line was handed to a document's reader. */
  int handed() {
    return handed;
  }

  /** The bytes from here on, at most those of one line at a time. */
  InputStream documentFrom(int position) {
    handed = position;
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int offset, int count) throws IOException {
        int whole = length + (newline ? 1 : 0);
        if (handed == whole) {
          if (!next()) {
            return -1;
          }
          whole = length + (newline ? 1 : 0);
        }
        if (handed == length) {
          into[offset] = '\n';
          handed++;
          return 1;
        }
        int now = Math.min(count, length - handed);
        System.arraycopy(line, handed, into, offset, now);
        handed += now;
        return now;
      }
    };
  }
}
