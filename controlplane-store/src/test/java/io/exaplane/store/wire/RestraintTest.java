// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RestraintTest {
  private final Source source = new Source("192.0.2.1", () -> 0);
  private final Restraint restraint = new Restraint(source);
  private final EmbeddedChannel channel = new EmbeddedChannel(restraint);

  private void offendTooOften() {
    for (int i = 0; i <= Source.FORGIVEN; i++) {
      Restraint.of(channel).offend(1);
    }
  }

  private ByteBuf receive() {
    ByteBuf message = Unpooled.copyInt(1);
    channel.writeInbound(message);
    return message;
  }

  @Test
  void aGoodClientIsReadAllTheTime() {
    source.connect();
    receive();
    receive();
    assertThat(channel.config().isAutoRead()).isTrue();
    assertThat(channel.inboundMessages()).hasSize(2);
  }

  @Test
  void aRestrainedOneIsReadOnceAndThenAfterAPause() {
    source.connect();
    channel.freezeTime();
    offendTooOften();
    receive();
    assertThat(channel.inboundMessages()).as("what was read is served").hasSize(1);
    assertThat(channel.config().isAutoRead()).isFalse();
    channel.advanceTimeBy(Source.PAUSE_MS, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.config().isAutoRead()).isTrue();
    receive();
    assertThat(channel.inboundMessages()).hasSize(2);
  }

  @Test
  void whatIsReadSinceTheClientHungUpIsNotServed() {
    source.connect();
    offendTooOften();
    receive();
    ByteBuf last = receive();
    assertThat(channel.inboundMessages()).hasSize(1);
    assertThat(last.refCnt()).isZero();
    assertThat(channel.isOpen()).isFalse();
  }
}
