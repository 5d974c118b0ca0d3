// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.simulation.SimulatedCall;
import io.exaplane.store.api.slow.SlowRequests;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.wire.GrpcListener;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where the time of slow requests went, by a clock that stands still but where the test says. */
class SlowCallsTest {
  private static final int LOOP = 0;
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final String KEY = "/registry/secrets/bank/vault-token";
  private static final String VALUE = "hunter2";

  private final Random random = new Random(1);
  private final SimulatedStorage storage = new SimulatedStorage(random);
  private final List<byte[]> answers = new ArrayList<>();
  private final List<StoreException> failures = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final SlowRequests slow = new SlowRequests(100 * MS, this::now, lines::add);
  private long now = 1;
  private SimulatedCall call;
  private SimulatedStore store;

  private long now() {
    return now;
  }

  @BeforeEach
  void start() throws Exception {
    store =
        new SimulatedStore(
            storage, KeyClasses.plain(), SpaceLimits.NONE, () -> 1_000_000, random, slow);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private GrpcListener send(String method, ReverseWriter request) {
    call = new SimulatedCall(store.loop(LOOP), answers::add, failures::add);
    GrpcListener listener = store.method(method).open(call, store.lane(LOOP));
    listener.message(request.array(), request.start(), request.length());
    return listener;
  }

  private static void text(ReverseWriter out, int field, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.bytes(field, bytes, 0, bytes.length);
  }

  private static ReverseWriter put(String key, String value) {
    ReverseWriter put = new ReverseWriter();
    text(put, 2, value);
    text(put, 1, key);
    return put;
  }

  private static ReverseWriter range(String key, String end) {
    ReverseWriter range = new ReverseWriter();
    text(range, 2, end);
    text(range, 1, key);
    return range;
  }

  @Test
  void aFastWriteIsNotTold() {
    send("/etcdserverpb.KV/Put", put(KEY, VALUE));
    store.turn();
    store.runToEnd(LOOP);
    assertThat(answers).hasSize(1);
    assertThat(lines).isEmpty();
  }

  @Test
  void aSlowDiskIsTheJournalsPhase() {
    storage.beforeForce(() -> now += 300 * MS);
    send("/etcdserverpb.KV/Put", put(KEY, VALUE));
    store.turn();
    store.runToEnd(LOOP);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .startsWith("slow request: KV/Put took ")
        .contains("kind secrets, prefix /registry/secrets/, keys 1")
        .contains("queue 0 ms, apply 0 ms, journal ")
        .doesNotContain("journal 0 ms")
        .endsWith("send 0 ms, status OK")
        .doesNotContain("bank", "vault", VALUE);
    assertThat(slow.counts().getFirst().phase()).isEqualTo("journal");
  }

  @Test
  void aWriteThatWaitsForTheWriterIsInItsQueue() {
    send("/etcdserverpb.KV/Put", put(KEY, VALUE));
    now += 250 * MS;
    store.turn();
    store.runToEnd(LOOP);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .contains("took 250 ms", "queue 250 ms, apply 0 ms, journal 0 ms, send 0 ms");
  }

  @Test
  void anAnswerThatWaitsForItsLoopIsBeingSent() {
    send("/etcdserverpb.KV/Put", put(KEY, VALUE));
    store.turn();
    now += 400 * MS;
    store.runToEnd(LOOP);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).contains("queue 0 ms", "journal 0 ms, send 400 ms");
  }

  /** Each keep-alive of a stream is a request. */
  @Test
  void aSlowKeepAliveIsTold() {
    ReverseWriter keepAlive = new ReverseWriter();
    keepAlive.number(1, 7);
    send("/etcdserverpb.Lease/LeaseKeepAlive", keepAlive);
    now += 250 * MS;
    store.turn();
    store.runToEnd(LOOP);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .contains("Lease/LeaseKeepAlive took 250 ms: kind none, prefix -", "status OK");
  }

  @Test
  void aReadIsToldByItsCallsTime() {
    send("/etcdserverpb.KV/Put", put(KEY, VALUE));
    store.turn();
    store.runToEnd(LOOP);
    GrpcListener read = send("/etcdserverpb.KV/Range", range(KEY, ""));
    read.ended(99 * MS, 0);
    assertThat(lines).as("a fast one").isEmpty();
    now += 150 * MS;
    read.ended(150 * MS, 0);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .contains("KV/Range took 150 ms: kind secrets, prefix /registry/secrets/, keys 1")
        .contains("apply 150 ms", "send 0 ms, status OK")
        .doesNotContain("vault", VALUE);
  }

  /** Its end may wait until other requests have used what it came in. */
  @Test
  void aRefusedReadIsNotTold() {
    ReverseWriter future = new ReverseWriter();
    future.number(4, 1_000_000);
    text(future, 1, KEY);
    GrpcListener read = send("/etcdserverpb.KV/Range", future);
    assertThat(failures).hasSize(1);
    now += 700 * MS;
    read.ended(700 * MS, 11);
    assertThat(lines).isEmpty();
  }

  /** A client that takes nothing makes its own request slow: the phase says so. */
  @Test
  void aLongReadWaitsForItsClient() {
    for (int i = 0; i < 200; i++) {
      send("/etcdserverpb.KV/Put", put("/registry/pods/a/p%03d".formatted(i), "v".repeat(100)));
      store.turn();
    }
    store.runToEnd(LOOP);
    GrpcListener read = send("/etcdserverpb.KV/Range", range("/registry/pods/", "/registry/pods0"));
    call.writable(false);
    store.runToEnd(LOOP);
    // Another request uses what the loop's short requests share.
    send("/etcdserverpb.KV/Range", range(KEY, ""));
    now += 700 * MS;
    read.ended(700 * MS, 1);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .contains("kind pods, prefix /registry/pods/, keys 200")
        // Its turns took some microseconds.
        .containsPattern("apply 0 ms, journal 0 ms, send (699|700) ms, status Canceled");
    assertThat(slow.counts()).containsExactly(new SlowRequests.Count("Range", "pods", "send", 1));
  }
}
