// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What 'kubectl cluster-info dump' writes, without the logs of pods that it puts between the lists
 * of objects. Other files come through as they are. One thread.
 */
final class WithoutLogs extends InputStream {
  private static final byte[] START = "==== START logs".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "==== END logs".getBytes(StandardCharsets.US_ASCII);
  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private int begin;
  private int end;
  private boolean lineBegins = true;
  private boolean inLogs;

  WithoutLogs(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int count = 0;
    while (count < length && (count == 0 || end - begin >= START.length)) {
      if (lineBegins && isNext(inLogs ? END : START)) {
        inLogs = !inLogs;
        skipLine();
        continue;
      }
      if (begin == end && !fill(1)) {
        return count == 0 ? -1 : count;
      }
      int stop = begin;
      int most = inLogs ? end : Math.min(end, begin + length - count);
      while (stop < most && buffer[stop] != '\n') {
        stop++;
      }
      lineBegins = stop < most;
      stop += lineBegins ? 1 : 0;
      if (!inLogs) {
        System.arraycopy(buffer, begin, into, offset + count, stop - begin);
        count += stop - begin;
      }
      begin = stop;
    }
    return count;
  }

  /** Leaves the line that is next, except its end. */
  private void skipLine() throws IOException {
    while (begin < end || fill(1)) {
      if (buffer[begin] == '\n') {
        return;
      }
      begin++;
    }
  }

  private boolean isNext(byte[] word) throws IOException {
    return (end - begin >= word.length || fill(word.length))
        && Arrays.equals(buffer, begin, begin + word.length, word, 0, word.length);
  }

  /** Has so many bytes at least; false if there are not as many. */
  private boolean fill(int least) throws IOException {
    System.arraycopy(buffer, begin, buffer, 0, end - begin);
    end -= begin;
    begin = 0;
    while (end < least) {
      int more = in.read(buffer, end, buffer.length - end);
      if (more < 0) {
        return false;
      }
      end += more;
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
