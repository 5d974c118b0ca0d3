// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store with 512 MiB that holds as much as it takes with that: requests of any kind whose answers
 * may be as large as the store, eight at a time, some of which nobody reads. It lives, within its
 * memory, and a client of short requests is served. {@code -Dseed=N} repeats one run.
 */
class MemoryProcessTest {
  private static final long MEMORY_BYTES = 512L << 20;

  /** What a store takes that has so much memory: app.Space. */
  private static final long LIMIT_BYTES = 80L << 20;

  private static final int AT_ONCE = 8;
  private static final int SMALL_KEYS = 40_000;
  private static final int MEDIUM_KEYS = 5_000;
  private static final int PUTS_A_TXN = 128;

  /** Answers that a store may give to what it has no room for, or knows no more. */
  private static final Set<Status.Code> EXPECTED =
      EnumSet.of(
          Status.Code.OK,
          Status.Code.RESOURCE_EXHAUSTED,
          Status.Code.OUT_OF_RANGE,
          Status.Code.CANCELLED);

  @TempDir Path folder;

  @Test
  void largeRequestsTakeNeitherTheStoreNorItsMemory() throws Exception {
    run(200, 1);
  }

  @Test
  @Tag("long")
  void evenManyOfThem() throws Exception {
    run(4_000, 2);
  }

  private void run(int requests, long usualSeed) throws Exception {
    long seed = Long.getLong("seed", usualSeed);
    System.out.println("seed " + seed);
    try (ServerProcess store =
        ServerProcess.storeWith(
            "-XX:MaxRAM=" + MEMORY_BYTES,
            folder.resolve("store"),
            "--quota-backend-bytes=" + LIMIT_BYTES)) {
      long pid = store.pid();
      fill(store, new Random(seed));
      long[] before = ShortRequests.serve(store, 2);
      AtomicBoolean done = new AtomicBoolean();
      CompletableFuture<long[]> others = others(store, done);
      Map<String, Map<Status.Code, Integer>> answers = send(store, requests, seed);
      done.set(true);
      System.out.printf(
          "%s%nanother client's p99: %.2f ms before, %.2f ms meanwhile; %d MiB resident at most%n",
          answers,
          ShortRequests.p99Nanos(before) / 1e6,
          ShortRequests.p99Nanos(others.get(10, TimeUnit.MINUTES)) / 1e6,
          mostResidentBytes(store) >> 20);
      assertThat(store.pid()).isEqualTo(pid);
      assertThat(store.isAlive()).isTrue();
      assertThat(mostResidentBytes(store)).isLessThan(MEMORY_BYTES);
      assertThat(store.log()).doesNotContain("\tat ").doesNotContain("OutOfMemory");
      assertThat(answers.values())
          .as("some are answered")
          .anySatisfy(codes -> assertThat(codes).containsKey(Status.Code.OK));
      store.kill();
      store.start();
      assertThat(ShortRequests.serve(store, 1)).isNotEmpty();
      assertThat(mostResidentBytes(store)).isLessThan(MEMORY_BYTES);
    }
  }

  /** Short requests, until it is done. */
  private static CompletableFuture<long[]> others(ServerProcess store, AtomicBoolean done) {
    return CompletableFuture.supplyAsync(
        () -> {
          long[] all = {};
          while (!done.get()) {
            all =
                Stream.of(all, ShortRequests.serve(store, 1))
                    .flatMapToLong(java.util.Arrays::stream)
                    .toArray();
          }
          return all;
        },
        task -> Thread.ofPlatform().start(task));
  }

  private static Map<String, Map<Status.Code, Integer>> send(
      ServerProcess store, int requests, long seed) {
    LargeRequests random = new LargeRequests(seed);
    Random readers = new Random(seed);
    ManagedChannel channel = store.newChannel();
    Map<String, Map<Status.Code, Integer>> answers = new TreeMap<>();
    Deque<DiscardingCall> underWay = new ArrayDeque<>();
    List<DiscardingCall> unread = new ArrayList<>();
    long revision = SMALL_KEYS / PUTS_A_TXN;
    for (int i = 0; i < requests; i++) {
      LargeRequests.Large request = next(random, revision, requests - i);
      boolean isRead = readers.nextInt(8) != 0;
      // What nobody reads takes the window of its connection from all others on it.
      DiscardingCall call =
          new DiscardingCall(
              isRead ? channel : store.newChannel(), request.method(), request.message(), isRead);
      (isRead ? underWay : unread).add(call);
      if (unread.size() > AT_ONCE) {
        unread.removeFirst().leave();
      }
      if (underWay.size() == AT_ONCE) {
        count(answers, underWay.poll());
      }
    }
    underWay.forEach(call -> count(answers, call));
    unread.forEach(DiscardingCall::leave);
    channel.shutdownNow();
    return answers;
  }

  /** Whole prefixes go at the end: before, there is as much as possible to ask for. */
  private static LargeRequests.Large next(LargeRequests random, long revision, int left) {
    return switch (left) {
      case 40 -> LargeRequests.deletion(LargeRequests.MEDIUM);
      case 20 -> LargeRequests.deletion(LargeRequests.SMALL);
      default -> random.next(revision);
    };
  }

  private static void count(Map<String, Map<Status.Code, Integer>> answers, DiscardingCall call) {
    Status status = call.await();
    assertThat(EXPECTED).as("%s: %s", call, status).contains(status.getCode());
    answers
        .computeIfAbsent(call.method(), _ -> new TreeMap<>())
        .merge(status.getCode(), 1, Integer::sum);
  }

  /** As much as it takes: small values, medium ones, large ones until it refuses. */
  private static void fill(ServerProcess store, Random random) {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
    LeaseGrpc.newBlockingStub(store.channel())
        .leaseGrant(LeaseGrantRequest.newBuilder().setID(LargeRequests.LEASE).setTTL(3600).build());
    put(kv, random, LargeRequests.SMALL, SMALL_KEYS, 300);
    put(kv, random, LargeRequests.MEDIUM, MEDIUM_KEYS, 8_000);
    int large = 0;
    try {
      while (true) {
        kv.put(put(random, LargeRequests.LARGE + large, 1_200_000).build());
        large++;
      }
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }
    for (int i = 0; i < 4; i++) { // for what the requests put
      kv.deleteRange(
          DeleteRangeRequest.newBuilder()
              .setKey(LargeRequests.utf8(LargeRequests.LARGE + i))
              .build());
    }
    System.out.printf("%d large values%n", large);
  }

  private static void put(
      KVGrpc.KVBlockingStub kv, Random random, String prefix, int keys, int mostBytes) {
    for (int at = 0; at < keys; at += PUTS_A_TXN) {
      TxnRequest.Builder txn = TxnRequest.newBuilder();
      for (int i = at; i < Math.min(keys, at + PUTS_A_TXN); i++) {
        String key = prefix + Integer.toHexString(i % 16) + i;
        txn.addSuccess(RequestOp.newBuilder().setRequestPut(put(random, key, mostBytes)));
      }
      kv.txn(txn.build());
    }
  }

  private static PutRequest.Builder put(Random random, String key, int mostBytes) {
    byte[] value = new byte[mostBytes / 2 + random.nextInt(mostBytes / 2)];
    random.nextBytes(value);
    return PutRequest.newBuilder()
        .setKey(LargeRequests.utf8(key))
        .setValue(ByteString.copyFrom(value))
        .setLease(key.startsWith(LargeRequests.SMALL) ? LargeRequests.LEASE : 0);
  }

  private static long mostResidentBytes(ServerProcess store) throws IOException {
    try (Stream<String> status = Files.lines(Path.of("/proc/%d/status".formatted(store.pid())))) {
      return status
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElseThrow();
    }
  }
}
