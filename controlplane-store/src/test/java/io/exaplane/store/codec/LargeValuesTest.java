// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.load.KnownLoads;
import io.exaplane.store.core.load.ValueLoad;
import io.exaplane.store.core.request.Operation;
import io.exaplane.store.core.request.PutRequest;
import io.exaplane.store.core.request.Slice;
import io.exaplane.store.core.request.TxnRequest;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a request puts is found where the writer will look for it. */
class LargeValuesTest {
  private static final byte[] JSON = json(3000);

  private final LargeValues values = new LargeValues();
  private final KnownLoads known = new KnownLoads();
  private final ReverseWriter out = new ReverseWriter();

  private static byte[] json(int bytes) {
    StringBuilder text = new StringBuilder("{\"l\":[1");
    while (text.length() < bytes) {
      text.append(",{\"a\":\"b\"}");
    }
    return text.append("]}").toString().getBytes(UTF_8);
  }

  private void put(byte[] value) {
    out.number(3, 7);
    out.bytes(2, value, 0, value.length);
    out.bytes(1, "/registry/a/b".getBytes(UTF_8), 0, 13);
  }

  private byte[] find(byte[] request) {
    known.clear();
    values.find(request, 0, request.length, known);
    return request;
  }

  private void requireKnown(Slice value) {
    assertThat(known.of(value.offset(), value.length()))
        .isEqualTo(new ValueLoad().of(value.array(), value.offset(), value.length()));
  }

  @Test
  void thatOfAPut() {
    put(JSON);
    byte[] request = find(out.copy());
    PutRequest put = new PutRequest();
    RequestCodec.put(new ProtoReader().open(request, 0, request.length), put);
    requireKnown(put.value);
    assertThat(known.size()).isOne();
  }

  /** As kube-apiserver updates, with two operations more. */
  @Test
  void thatOfATxn() {
    for (int i = 0; i < 3; i++) {
      int mark = out.length();
      put(i == 1 ? new byte[5000] : JSON);
      out.message(2, mark); // request_put
      out.message(2, mark); // success
    }
    byte[] request = find(out.copy());
    TxnRequest txn = new TxnRequest();
    RequestCodec.txn(new ProtoReader().open(request, 0, request.length), txn);
    assertThat(txn.success.size()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      Operation operation = txn.success.get(i);
      assertThat(operation.kind).isEqualTo(Operation.Kind.PUT);
      if (i != 1) {
        requireKnown(operation.put.value);
      }
    }
    assertThat(known.size()).isEqualTo(2);
  }

  /** The writer need not walk again over what counts by its bytes. */
  @Test
  void protobufIsKnownToo() {
    byte[] value = new byte[3000];
    System.arraycopy("k8s".getBytes(UTF_8), 0, value, 0, 3);
    put(value);
    byte[] request = find(out.copy());
    PutRequest put = new PutRequest();
    RequestCodec.put(new ProtoReader().open(request, 0, request.length), put);
    assertThat(known.of(put.value.offset(), put.value.length())).isZero();
    assertThat(known.of(put.value.offset() + 1, put.value.length())).isEqualTo(KnownLoads.UNKNOWN);
  }

  @Test
  void smallOnesAreTheWriters() {
    put(json(100));
    find(out.copy());
    assertThat(known.size()).isZero();
  }

  static LongStream seeds() {
    return Seeds.of(500);
  }

  /** What is no request ends the search, and no more. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anyBytesAreLookedAt(long seed) {
    Random random = new Random(seed);
    put(JSON);
    byte[] request = out.copy();
    for (int i = random.nextInt(20); i >= 0; i--) {
      request[random.nextInt(random.nextBoolean() ? 40 : request.length)] = (byte) random.nextInt();
    }
    find(request);
    find(java.util.Arrays.copyOf(request, random.nextInt(request.length)));
    assertThat(known.size()).isLessThan(3);
  }
}
