// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.RecvByteBufAllocator;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation") // netty's own way to make a handle
class ShortTurnsTest {
  private static final long TURN_NANOS = 50_000;

  private long now = Long.MAX_VALUE - 5; // as nanoTime may be
  private final RecvByteBufAllocator.Handle turns =
      new ShortTurns(TURN_NANOS, () -> now).newHandle();

  /** Turns in which the client always has more to say, each byte of which takes its time. */
  private void serve(int count, long nanosPerByte) {
    for (int i = 0; i < count; i++) {
      turns.reset(null);
      int bytes = turns.guess();
      turns.attemptedBytesRead(bytes);
      turns.lastBytesRead(bytes);
      now += bytes * nanosPerByte;
      turns.readComplete();
    }
  }

  @Test
  void ofWhatIsCheapMuchIsReadATurn() {
    serve(20, 0);
    assertThat(turns.guess()).isGreaterThanOrEqualTo(32 << 10);
  }

  @Test
  void ofWhatIsDearAsMuchIsReadAsFitsIntoATurn() {
    serve(20, 0);
    serve(50, 50);
    assertThat(turns.guess()).isBetween(900, 1000);
  }

  @Test
  void aRequestOfUsualSizeIsReadWhateverItCosts() {
    serve(50, 100_000);
    assertThat(turns.guess()).isEqualTo(512);
  }

  @Test
  void whoHasBecomeCheapIsReadFasterAgain() {
    serve(50, 1000);
    serve(50, 1);
    assertThat(turns.guess()).isGreaterThanOrEqualTo(32 << 10);
  }
}
