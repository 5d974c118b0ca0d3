// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageAssemblerTest {
  private static final int MAX_BYTES = 1000;

  private final byte[] scratch = new byte[64];
  private final List<byte[]> found = new ArrayList<>();
  private final AtomicLong partialBytes = new AtomicLong();
  private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
  private final MessageAssembler assembler =
      new MessageAssembler(MAX_BYTES, buffers, new PartialBytes(partialBytes, PartialBytes.MOST));

  private void add(ByteBuf data) throws MessageAssembler.RefusedException {
    assembler.add(
        data,
        scratch,
        (array, at, length) -> found.add(Arrays.copyOfRange(array, at, at + length)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void messagesAreTheSameHoweverTheyAreCut(long seed) throws Exception {
    Random random = new Random(seed);
    List<byte[]> sent = new ArrayList<>();
    ByteBuf all = Unpooled.buffer();
    for (int i = 0; i < 200; i++) {
      byte[] message = new byte[random.nextBoolean() ? random.nextInt(20) : random.nextInt(500)];
      random.nextBytes(message);
      sent.add(message);
      all.writeByte(0).writeInt(message.length).writeBytes(message);
    }
    while (all.isReadable()) {
      add(all.readSlice(Math.min(all.readableBytes(), random.nextInt(1, 300))));
    }
    assertThat(found).usingRecursiveComparison().isEqualTo(sent);
    assertThat(partialBytes).hasValue(0);
    assertThat(buffers.metric().usedDirectMemory()).isZero();
  }

  @Test
  void unfinishedMessagesAreBoundedAndLetGo() throws Exception {
    PartialBytes connection = new PartialBytes(partialBytes, PartialBytes.MOST);
    List<MessageAssembler> calls = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                MessageAssembler call = new MessageAssembler(1 << 20, buffers, connection);
                calls.add(call);
                ByteBuf half = Unpooled.buffer().writeByte(0).writeInt(1 << 20).writeZero(1 << 19);
                call.add(half, scratch, (array, at, length) -> {});
              }
            })
        .hasMessageContaining("too many unfinished messages");
    long half = PartialBytes.MOST / 2;
    assertThat(partialBytes.get()).isBetween(half - (1 << 20), half);
    assertThat(new PartialBytes(partialBytes, PartialBytes.MOST).take(1 << 20))
        .as("another one")
        .isTrue();
    partialBytes.addAndGet(-(1 << 20));
    calls.forEach(MessageAssembler::close);
    assertThat(partialBytes).hasValue(0);
    assertThat(buffers.metric().usedDirectMemory()).isZero();
  }

  @Test
  void whenGreedyConnectionsLeftNothingAUsualRequestFindsRoom() {
    for (int i = 0; i < 40; i++) {
      PartialBytes greedy = new PartialBytes(partialBytes, PartialBytes.MOST);
      while (greedy.take(4 << 10)) {
        // as much as it gets
      }
    }
    PartialBytes good = new PartialBytes(partialBytes, PartialBytes.MOST);
    assertThat(good.take(4 << 10)).isTrue();
    assertThat(good.take(60 << 10)).isTrue();
    assertThat(good.take(1)).as("no more than a usual request").isFalse();
    assertThat(partialBytes.get()).isLessThan(PartialBytes.MOST + (32L << 20));
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeItIsTakenIn() {
    ByteBuf data = Unpooled.buffer().writeByte(0).writeInt(MAX_BYTES + 1);
    assertThatThrownBy(() -> add(data))
        .hasMessage("grpc: received message larger than max (1001 vs. 1000)");
  }

  @Test
  void compressionIsRefused() {
    ByteBuf data = Unpooled.buffer().writeByte(1).writeInt(0);
    assertThatThrownBy(() -> add(data)).hasMessageContaining("compressed");
  }
}
