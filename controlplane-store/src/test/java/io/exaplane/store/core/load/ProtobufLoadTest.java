// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What protobuf takes decoded: against fields that were written, and what Go was seen to take. */
class ProtobufLoadTest {
  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final int MOST_DEPTH = 6;
  private static final int USUAL_PER_BYTE = 3;

  /** Writes a message, and counts fields with a length. */
  private static final class Message {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int fields;

    private void varint(long value) {
      long left = value;
      while (left > 127) {
        bytes.write((int) (left & 127 | 128));
        left >>>= 7;
      }
      bytes.write((int) left);
    }

    Message number(int field, long value) {
      varint((long) field << 3);
      varint(value);
      return this;
    }

    Message fixed(int field, int type, int size) {
      varint((long) field << 3 | type);
      bytes.writeBytes(new byte[size]);
      return this;
    }

    Message bytes(int field, byte[] value) {
      varint((long) field << 3 | 2);
      varint(value.length);
      bytes.writeBytes(value);
      fields++;
      return this;
    }

    Message message(int field, Message value) {
      fields += value.fields;
      return bytes(field, value.bytes.toByteArray());
    }

    /** As it is stored, in the message that kube-apiserver puts around each. */
    byte[] stored() {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(MAGIC);
      all.writeBytes(new Message().message(2, this).bytes.toByteArray());
      return all.toByteArray();
    }
  }

  private static int of(byte[] value) {
    return new ValueLoad().of(value, 0, value.length);
  }

  private static byte[] text(int length) {
    return "a-text of some length, ".repeat(1 + length / 23).substring(0, length).getBytes(UTF_8);
  }

  /** Live heap of an item in Go 1.26, of 400,000 that were decoded: see DESIGN.md. */
  @ParameterizedTest
  @CsvSource({
    // items in one object, bytes of key and value, -1 for a list; live heap
    "1000, 4, 0, 86",
    "40000, 4, 0, 70",
    "40000, 12, 12, 98",
    "1000, 40, 60, 194",
    "1000, 1, -1, 16",
    "1000, 30, -1, 48",
  })
  void itemsAreNearWhatWasSeen(int items, int key, int value, int seen) {
    Message object = new Message();
    for (int i = 0; i < items; i++) {
      if (value < 0) {
        object.bytes(1, text(key));
      } else {
        object.message(2, new Message().bytes(1, text(key)).bytes(2, text(value)));
      }
    }
    byte[] stored = object.stored();
    int walked = of(stored);
    double each = (walked > 0 ? walked : 2.5 * stored.length) / items;
    assertThat(each / seen).isBetween(0.75, 1.7);
  }

  /** As a pod, a Lease or a Secret is: two and a half times their bytes are enough. */
  @Test
  void usualObjectsCountByTheirBytes() {
    Message labels = new Message();
    for (int i = 0; i < 20; i++) {
      labels.message(11, new Message().bytes(1, text(22)).bytes(2, text(12)));
    }
    Message meta = new Message().bytes(1, text(20)).bytes(3, text(8)).bytes(5, text(36));
    byte[] managed = "{\"f:metadata\":{\"f:labels\":{}}}".repeat(6).getBytes(UTF_8);
    meta.message(11, labels).message(17, new Message().bytes(1, managed)).number(7, 1);
    assertThat(of(new Message().message(1, meta).stored())).isZero();
    byte[] random = new byte[50_000];
    new Random(1).nextBytes(random);
    assertThat(of(new Message().message(1, meta).bytes(2, random).stored())).isZero();
    assertThat(of(new Message().message(1, meta).bytes(2, text(50_000)).stored())).isZero();
  }

  static LongStream seeds() {
    return Seeds.of(300);
  }

  /** Text has a byte in it that no message has. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void fieldsOfAnyMessageCount(long seed) {
    Message message = any(new Random(seed), 0);
    byte[] stored = message.stored();
    long expected = stored.length + 20L * (message.fields + 1);
    byte[] within = new byte[stored.length + 20];
    System.arraycopy(stored, 0, within, 7, stored.length);
    int walked = new ValueLoad().of(within, 7, stored.length);
    boolean isWalked = stored.length >= ProtobufLoad.LEAST_BYTES;
    assertThat(walked)
        .isEqualTo(
            isWalked && expected > (long) USUAL_PER_BYTE * stored.length ? (int) expected : 0);
  }

  private static Message any(Random random, int depth) {
    Message message = new Message();
    for (int i = random.nextInt(12); i >= 0; i--) {
      int field = 1 + random.nextInt(random.nextBoolean() ? 15 : 3000);
      switch (random.nextInt(depth > MOST_DEPTH ? 5 : 9)) {
        case 0 -> message.number(field, random.nextLong() >>> random.nextInt(64));
        case 1 -> message.fixed(field, 1, Long.BYTES);
        case 2 -> message.fixed(field, 5, Integer.BYTES);
        case 3, 4 -> message.bytes(field, "#".repeat(random.nextInt(9)).getBytes(UTF_8));
        default -> message.message(field, any(random, depth + 1));
      }
    }
    return message;
  }

  /** What is no message counts by its bytes, or by those of its parts that are. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anyBytesHaveALoad(long seed) {
    Random random = new Random(seed);
    byte[] stored = any(random, 0).stored();
    for (int i = random.nextInt(10); i >= 0; i--) {
      stored[4 + random.nextInt(stored.length - 4)] = (byte) random.nextInt();
    }
    assertThat(of(stored)).isBetween(0, ValueLoad.MOST_PER_BYTE * stored.length);
    byte[] cut = java.util.Arrays.copyOf(stored, 4 + random.nextInt(stored.length - 4));
    assertThat(of(cut)).isBetween(0, ValueLoad.MOST_PER_BYTE * cut.length);
  }

  @Test
  void depthTakesNoStack() {
    Message message = new Message();
    for (int i = 0; i < 10_000; i++) {
      message = new Message().message(1, message);
    }
    assertThat(of(message.stored())).isNotNegative();
  }

  @Test
  void onlyWhatBeginsAsKubernetesWritesItIsWalked() {
    byte[] stored = new Message().bytes(1, text(600)).stored();
    assertThat(ValueLoad.isWalked(stored, 0, stored.length)).isTrue();
    assertThat(ValueLoad.isWalked(stored, 0, 400)).as("of a Lease").isFalse();
    stored[3] = ':'; // as k8s:enc:
    assertThat(ValueLoad.isWalked(stored, 0, stored.length)).isFalse();
    assertThat(ValueLoad.isWalked(new byte[] {'k'}, 0, 1)).isFalse();
  }
}
