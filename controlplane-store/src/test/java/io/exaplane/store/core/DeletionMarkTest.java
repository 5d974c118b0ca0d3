// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.codec.ReverseWriter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a stored object is being deleted, as kube-apiserver writes objects. */
class DeletionMarkTest {
  private static boolean isIn(byte[] value) {
    byte[] around = new byte[value.length + 7];
    System.arraycopy(value, 0, around, 3, value.length);
    return DeletionMark.isIn(around, 3, value.length);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"metadata\":{\"deletionGracePeriodSeconds\":0,\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"}}|true",
        "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/deletionTimestamp\"]}}|false",
        "{\"metadata\":{\"deletionTimestamp\":null}}|false",
        "{\"data\":\"{\\\"deletionTimestamp\\\":\\\"2026\\\"}\"}|false",
        "{\"metadata\":{\"deletionTimestamp\":|false",
        "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"|false",
        "k8s:enc:aescbc:v1:key1:opaque|true",
        "k8s:en|false",
        "k8s|false",
        "some text of another program|false",
      })
  void inText(String value, boolean isIn) {
    assertThat(isIn(value.getBytes(UTF_8))).isEqualTo(isIn);
  }

  /** runtime.Unknown around an object whose metadata has a field 9 or none. */
  private static byte[] protobuf(boolean isBeingDeleted, int valueBytes) {
    ReverseWriter out = new ReverseWriter();
    int unknown = out.length();
    text(out, 2, "v".repeat(valueBytes)); // data, behind the metadata
    int metadata = out.length();
    text(out, 14, "example.com/finalizer");
    text(out, 12, "deletionTimestamp");
    if (isBeingDeleted) {
      int time = out.length();
      out.number(1, 1_767_225_600);
      out.message(9, time);
      out.number(10, 30);
    }
    int created = out.length();
    out.number(1, 1_767_225_000);
    out.message(8, created);
    out.number(7, 3);
    text(out, 1, "name");
    out.message(1, metadata);
    out.message(2, unknown);
    int types = out.length();
    text(out, 2, "ConfigMap");
    text(out, 1, "v1");
    out.message(1, types);
    byte[] message = out.copy();
    byte[] value = new byte[4 + message.length];
    System.arraycopy("k8s".getBytes(UTF_8), 0, value, 0, 3);
    System.arraycopy(message, 0, value, 4, message.length);
    return value;
  }

  private static void text(ReverseWriter out, int field, String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    out.bytes(field, bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 200, 20_000, 900_000})
  void inProtobuf(int valueBytes) {
    assertThat(isIn(protobuf(true, valueBytes))).isTrue();
    assertThat(isIn(protobuf(false, valueBytes))).isFalse();
  }

  @Test
  void aValueThatIsCutOffHasNoneOrHasIt() {
    byte[] whole = protobuf(true, 100);
    for (int length = 0; length < whole.length; length++) {
      DeletionMark.isIn(whole, 0, length); // no end is passed
    }
    assertThat(isIn(new byte[0])).isFalse();
  }

  /** Whatever bytes come have an answer. */
  @Test
  void anyBytesHaveAnAnswer() {
    Random random = new Random(1);
    byte[] whole = protobuf(true, 100);
    for (int i = 0; i < 200_000; i++) {
      byte[] value = whole.clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        value[4 + random.nextInt(value.length - 4)] = (byte) random.nextInt();
      }
      isIn(value);
    }
  }
}
