// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile clients take neither the process, nor its memory, nor the time of others: a well-behaved
 * client is served all the while. One store withstands all of them, one attack after the other, so
 * that what each leaves behind adds up.
 */
@Timeout(600)
@TestMethodOrder(OrderAnnotation.class)
class HostileClientsProcessTest {
  private static final int KEYS = 10_000;
  private static final int VALUE_BYTES = 4_000;
  private static final long NORMAL_S = 2;

  /** What an attack takes for good grows from its first second on. */
  private static final long SECONDS = 2;

  /** Answers of which the slowest hundredth is judged. */
  private static final int ENOUGH = 1_000;

  /** Until then attackers are restrained, who get only the processors' time that nobody wants. */
  private static final Duration RESTRAINED = Duration.ofMinutes(5);

  private static final long MOST_MORE_BYTES = 256L << 20;
  private static final String GOOD_CLIENT = "127.0.0.1";

  /** Those who send nothing that a client would not. */
  private static final Set<Attack> ONLY_SLOW = Set.of(Attack.SLOW_READERS, Attack.CONNECTIONS);

  private static final Duration RECOVERY = Duration.ofMinutes(5);

  /** The goal is three times the normal; what a test may decide on a shared machine is this. */
  private static final long DEADLINE_MS = 1_000;

  /** Where requests take longer by themselves: how many times longer an attack may make them. */
  private static final long SLOWER = 10;

  private static ServerProcess store;
  private static long[] normal;
  private static long normalBytes;

  /** It takes the store's clock up to 30 s to end its call: the attacks go on meanwhile. */
  private static RawConnection unfinished;

  @BeforeAll
  static void fillAndMeasure(@TempDir Path folder) throws Exception {
    store = ServerProcess.storeForLoad(folder.resolve("store"), "--durability=memory");
    fill(store);
    ShortRequests.serve(store, NORMAL_S); // until it is compiled
    normal = ShortRequests.serve(store, NORMAL_S);
    normalBytes = store.residentBytes();
    unfinished = beginAMessage();
  }

  @AfterAll
  static void stop() throws IOException {
    unfinished.close();
    store.close();
  }

  private static RawConnection beginAMessage() throws IOException {
    RawConnection client =
        new RawConnection("127.0.0.1", store.port(), RawConnection.PREFACE_BYTES);
    client.frame(RawConnection.SETTINGS, 0, 0, new byte[0]);
    client.headers(1, "/etcdserverpb.KV/Put", false);
    byte[] part = new byte[16_000];
    ByteBuffer.wrap(part).put((byte) 0).putInt(100_000);
    client.frame(RawConnection.DATA, 0, 1, part);
    return client;
  }

  /** All, or that of {@code -Dattack}. */
  static Stream<Attack> attacks() {
    String only = System.getProperty("attack");
    return Arrays.stream(Attack.values()).filter(each -> only == null || each.name().equals(only));
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void goOnWithoutHarm(Attack attack) throws Exception {
    withstand(attack, Long.getLong("attackSeconds", SECONDS));
  }

  /** Half an hour in all. */
  @ParameterizedTest
  @MethodSource("attacks")
  @Tag("long")
  void goOnForLong(Attack attack) throws Exception {
    withstand(attack, 260);
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void aMessageThatIsNeverFinishedIsNotKept() throws Exception {
    DataInputStream in = new DataInputStream(unfinished.in());
    boolean ended = false;
    while (!ended) {
      byte[] frame = new byte[9];
      in.readFully(frame);
      ByteBuffer header = ByteBuffer.wrap(frame);
      in.skipNBytes(header.getInt(0) >>> 8);
      boolean endsStream = (frame[4] & RawConnection.END_STREAM) != 0;
      ended = frame[3] == RawConnection.HEADERS && endsStream && header.getInt(5) == 1;
    }
  }

  private static void withstand(Attack attack, long seconds) throws Exception {
    long seed = Long.getLong("seed", 1);
    long bytesBefore = store.residentBytes();
    long[] attacked;
    long most;
    try (IdleProcess attackers = IdleProcess.start(Attack.class, attack, store.port(), seed);
        MostResident resident = new MostResident(store)) {
      attacked = ShortRequests.serve(store, seconds, ENOUGH);
      awaitRestraint(attack);
      most = resident.bytes();
      attackers.assertAlive();
    }
    System.out.printf(
        "%s seed %d: p99 %d -> %d µs, requests/s %d -> %d, resident %d -> %d MiB%n",
        attack,
        seed,
        ShortRequests.p99Nanos(normal) / 1000,
        ShortRequests.p99Nanos(attacked) / 1000,
        normal.length / NORMAL_S,
        attacked.length / seconds,
        bytesBefore >> 20,
        most >> 20);
    assertThat(store.isAlive()).as("the store runs").isTrue();
    long deadline = Duration.ofMillis(DEADLINE_MS).toNanos();
    if (ShortRequests.p99Nanos(attacked) >= deadline) {
      // Others may have the machine: then requests wait as long without an attack.
      deadline = SLOWER * ShortRequests.p99Nanos(ShortRequests.serve(store, NORMAL_S));
    }
    assertThat(ShortRequests.p99Nanos(attacked)).isLessThan(deadline);
    assertThat(most - bytesBefore).as("memory that it takes").isLessThan(MOST_MORE_BYTES);
    awaitMemory();
    assertThat(store.log()).as("who is restrained").doesNotContain(GOOD_CLIENT + " sends");
    assertThat(isRestrained(attack)).as("the attackers are").isEqualTo(!ONLY_SLOW.contains(attack));
  }

  private static boolean isRestrained(Attack attack) throws IOException {
    return store.log().contains(attack.from() + " sends");
  }

  private static void awaitRestraint(Attack attack) throws IOException {
    long deadline = System.nanoTime() + RESTRAINED.toNanos();
    while (!ONLY_SLOW.contains(attack) && !isRestrained(attack) && System.nanoTime() < deadline) {
      ShortRequests.serve(store, 1);
    }
  }

  /** What attacks took comes back; the heap by the collections that go on by themselves. */
  private static void awaitMemory() throws Exception {
    long deadline = System.nanoTime() + RECOVERY.toNanos();
    long now = store.residentBytes();
    while (now - normalBytes > MOST_MORE_BYTES / 2 && System.nanoTime() < deadline) {
      ShortRequests.serve(store, 1);
      now = store.residentBytes();
    }
    assertThat(now - normalBytes).as("memory afterwards").isLessThan(MOST_MORE_BYTES / 2);
  }

  private static void fill(ServerProcess store) {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
    for (int i = 0; i < KEYS; i++) {
      kv.put(
          PutRequest.newBuilder()
              .setKey(ByteString.copyFromUtf8("/registry/pods/" + i))
              .setValue(ByteString.copyFrom(new byte[VALUE_BYTES]))
              .build());
    }
    ByteString all = ByteString.copyFrom(new byte[1]);
    assertThat(
            kv.range(RangeRequest.newBuilder().setKey(all).setRangeEnd(all).build()).getKvsList())
        .as("a large answer in pieces")
        .hasSize(KEYS)
        .allMatch(each -> each.getValue().size() == VALUE_BYTES);
  }

  /** Looks at the process's memory ten times a second, until it is stopped. */
  private static final class MostResident implements AutoCloseable {
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Future<?> looks;
    private volatile long most;

    MostResident(ServerProcess store) {
      looks =
          clock.scheduleAtFixedRate(
              () -> most = Math.max(most, store.residentBytes()), 0, 100, TimeUnit.MILLISECONDS);
    }

    /** The most that was seen so far. */
    long bytes() {
      assertThat(looks.isDone()).as("a look failed").isFalse();
      return most;
    }

    @Override
    public void close() {
      clock.shutdownNow();
    }
  }
}
