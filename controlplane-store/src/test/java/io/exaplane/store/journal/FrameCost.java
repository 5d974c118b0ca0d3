// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * What it costs to seal a frame, before and now, side by side, for DESIGN.md: {@code java -cp … \
 * io.exaplane.store.journal.FrameCost}, no test.
 */
final class FrameCost {
  private static final int ROUNDS = 7;
  private static final long BYTES_A_ROUND = 2L << 30;
  private static final int MOST_ROUNDS = 400_000;

  private FrameCost() {}

  public static void main(String[] arguments) {
    for (int bytes : new int[] {700, 8_000, 64_000, 1_000_000}) {
      System.out.printf("%,9d bytes of text:%s%n", bytes, measured(text(bytes)));
    }
    System.out.printf("%,9d zeroes:%s%n", 64_000, measured(new byte[64_000]));
  }

  private static byte[] text(int bytes) {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    while (text.length() < bytes) {
      text.append("{\"name\":\"node-").append(random.nextInt()).append("\"},");
    }
    return text.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
  }

  private static String measured(byte[] content) {
    LogFrames frames = new LogFrames();
    ByteBuffer buffer = ByteBuffer.allocateDirect(content.length + 256);
    int times = (int) Math.min(MOST_ROUNDS, BYTES_A_ROUND / content.length);
    long bestBefore = Long.MAX_VALUE;
    long bestNow = Long.MAX_VALUE;
    long sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < times; i++) {
        buffer.clear().position(Frames.HEADER_BYTES).put(content);
        Frames.seal(buffer, i);
        sum += buffer.getInt(4);
      }
      bestBefore = Math.min(bestBefore, (System.nanoTime() - start) / times);
      start = System.nanoTime();
      long at = MarkedSegment.START;
      for (int i = 0; i < times; i++) {
        buffer.clear().position(LogFrames.HEADER_BYTES).put(content);
        ByteBuffer sealed = frames.seal(buffer, i, true, 42, at);
        sum += sealed.getInt(4);
        at += sealed.remaining();
      }
      bestNow = Math.min(bestNow, (System.nanoTime() - start) / times);
    }
    return " %,d ns before, %,d ns now (%d)".formatted(bestBefore, bestNow, sum & 1);
  }
}
