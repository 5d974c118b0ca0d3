// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A control plane's store that is filled until it refuses, then half emptied, and that nobody
 * compacts: leaders keep their Leases, room comes back, memory is enough.
 */
class FullStoreProcessTest {
  private static final long MEMORY_BYTES = 512L << 20;

  /** What a store takes that has so much memory: app.Space. */
  private static final long LIMIT_BYTES = 80L << 20;

  private static final int LARGE = 900_000;
  private static final int SMALL = 20_000;
  private static final int LEASES = 20;

  /** Renewals a second, at most. */
  private static final int PACE = 20;

  /**
   * Room that was freed is usable within so long. Renewals are the clock: where others have the
   * machine's processors, they are slower, too.
   */
  private static final int SOON_SECONDS = 10;

  /** Until then the test waits for room, to say what was missing. */
  private static final long ROOM_SECONDS = 120;

  /** Space that was there for so long is told anew when it is exceeded. */
  private static final long QUIET_S = 10;

  /** Compactions of so long are told once. */
  private static final long BURST_S = 60;

  private static final String CONFIG_MAPS = "/registry/configmaps/default/";
  private static final String WIDGETS = "/registry/example.com/widgets/default/";

  /** Objects with a finalizer, and what kube-apiserver adds when one is deleted. */
  private static final int FINALIZED = 20;

  private static final String DELETION =
      "\"deletionGracePeriodSeconds\":0,\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",";

  private final Random random = new Random(1);

  @TempDir Path folder;

  private static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }

  /** Renews Leases one after the other, as kube-apiserver does for leaders and kubelets. */
  private static final class Renewals implements AutoCloseable {
    private final KVGrpc.KVBlockingStub kv;
    private final String prefix;
    private final long[] revisions = new long[LEASES];
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicInteger done = new AtomicInteger();
    private final Thread thread = Thread.ofPlatform().unstarted(this::run);

    Renewals(ServerProcess store, String leader) {
      prefix = "/registry/leases/kube-system/" + leader;
      kv = KVGrpc.newBlockingStub(store.channel());
      for (int i = 0; i < LEASES; i++) {
        renew(i);
      }
      thread.start();
    }

    private void run() {
      try {
        for (int i = 0; !closed.await(1000 / PACE, TimeUnit.MILLISECONDS); i++) {
          renew(i % LEASES);
        }
      } catch (InterruptedException | RuntimeException | AssertionError e) {
        failure.set(e);
      }
    }

    private void renew(int lease) {
      ByteString key = utf8(prefix + lease);
      PutRequest put =
          PutRequest.newBuilder().setKey(key).setValue(ByteString.copyFrom(new byte[600])).build();
      RangeRequest range = RangeRequest.newBuilder().setKey(key).build();
      TxnResponse answer =
          kv.withDeadlineAfter(60, TimeUnit.SECONDS)
              .txn(
                  TxnRequest.newBuilder()
                      .addCompare(
                          Compare.newBuilder()
                              .setTarget(Compare.CompareTarget.MOD)
                              .setKey(key)
                              .setModRevision(revisions[lease]))
                      .addSuccess(RequestOp.newBuilder().setRequestPut(put))
                      .addFailure(RequestOp.newBuilder().setRequestRange(range))
                      .build());
      assertThat(answer.getSucceeded()).isTrue();
      revisions[lease] = answer.getHeader().getRevision();
      done.incrementAndGet();
    }

    int done() {
      return done.get();
    }

    void pause() throws InterruptedException {
      closed.await(1000 / PACE, TimeUnit.MILLISECONDS);
    }

    /** None was refused so far, and some are done from now on. */
    void requireGoingOn() throws InterruptedException {
      int before = done.get();
      long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
      while (done.get() < before + LEASES && thread.isAlive() && System.nanoTime() < deadline) {
        pause();
      }
      assertThat(failure.get()).as("renewal %d", done.get()).isNull();
      assertThat(done.get()).isGreaterThanOrEqualTo(before + LEASES);
    }

    @Override
    public void close() {
      closed.countDown();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean isPut(KVGrpc.KVBlockingStub kv, String key) {
    byte[] value = new byte[LARGE];
    random.nextBytes(value);
    return isPut(kv, key, value);
  }

  private static boolean isPut(KVGrpc.KVBlockingStub kv, String key, byte[] value) {
    try {
      kv.put(
          PutRequest.newBuilder().setKey(utf8(key)).setValue(ByteString.copyFrom(value)).build());
      return true;
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      return false;
    }
  }

  private void awaitPut(KVGrpc.KVBlockingStub kv, String key, Renewals renewals)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ROOM_SECONDS);
    boolean isPut = isPut(kv, key);
    while (!isPut && System.nanoTime() < deadline) {
      renewals.pause();
      isPut = isPut(kv, key);
    }
    assertThat(isPut).as("%s has room within %d seconds", key, ROOM_SECONDS).isTrue();
  }

  private int fill(KVGrpc.KVBlockingStub kv, String prefix) {
    int count = 0;
    while (isPut(kv, prefix + count)) {
      count++;
    }
    return count;
  }

  private static double metric(ServerProcess store, String name) throws Exception {
    URI page = URI.create("http://%s/metrics".formatted(store.target()));
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void aFullStoreKeepsItsLeadersAndItsMemory() throws Exception {
    long began = System.nanoTime();
    try (ServerProcess store =
        ServerProcess.storeWith(
            "-XX:MaxRAM=" + MEMORY_BYTES,
            folder.resolve("store"),
            "--quota-backend-bytes=" + LIMIT_BYTES)) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
      try (Renewals renewals = new Renewals(store, "leader-")) {
        for (int i = 0; i < FINALIZED; i++) {
          assertThat(isPut(kv, WIDGETS + i, finalized(""))).isTrue();
        }
        int filled = fill(kv, CONFIG_MAPS + "a-");
        assertThat(filled).isBetween(85, 95);
        renewals.requireGoingOn();
        assertThat(isPut(kv, CONFIG_MAPS + "b")).as("it is full").isFalse();
        deleteFinalized(kv);

        for (int i = 0; i < filled / 2; i++) {
          kv.deleteRange(
              DeleteRangeRequest.newBuilder().setKey(utf8(CONFIG_MAPS + "a-" + i)).build());
        }
        long start = System.nanoTime();
        int renewed = renewals.done();
        awaitPut(kv, CONFIG_MAPS + "b", renewals);
        int renewedUntilRoom = renewals.done() - renewed;
        System.out.printf(
            "full at %d values, room after %d ms and %d renewals%n",
            filled, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start), renewedUntilRoom);
        assertThat(renewedUntilRoom)
            .as("renewals, of which %d take a second at least, until there is room", PACE)
            .isLessThanOrEqualTo(SOON_SECONDS * PACE);
        // A store that compacts beside writes has the half in parts.
        for (int i = 0; i <= filled / 3; i++) {
          awaitPut(kv, CONFIG_MAPS + "c-" + i, renewals);
        }
        fill(kv, CONFIG_MAPS + "e-");
        renewals.requireGoingOn();
      }
      assertThat(metric(store, "exaplane_store_self_compactions_total")).isPositive();
      requireMemory(store);
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
      assertThat(lines(store, "space is exceeded")).isBetween(1L, 1 + seconds / QUIET_S);
      assertThat(lines(store, "the store compacts by itself")).isBetween(1L, 1 + seconds / BURST_S);
      assertThat(store.log()).doesNotContain("\tat ");

      store.kill();
      store.start();
      fill(kv.withWaitForReady(), CONFIG_MAPS + "d-");
      try (Renewals others = new Renewals(store, "newcomer-")) {
        others.requireGoingOn();
      }
      requireMemory(store);
    }
  }

  private static byte[] finalized(String more) {
    return "{\"metadata\":{%s\"finalizers\":[\"example.com/a\"]},\"spec\":\"%s\"}"
        .formatted(more, "s".repeat(200))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The deletion of an object with a finalizer begins with an update that makes it larger. */
  private static void deleteFinalized(KVGrpc.KVBlockingStub kv) {
    for (int i = 0; i < FINALIZED; i++) {
      byte[] other = finalized("\"uid\":\"%s\",".formatted("u".repeat(80)));
      assertThat(isPut(kv, WIDGETS + i, other)).as("an update that frees nothing").isFalse();
      assertThat(isPut(kv, WIDGETS + i, finalized(DELETION))).as("deletion %d", i).isTrue();
      kv.deleteRange(DeleteRangeRequest.newBuilder().setKey(utf8(WIDGETS + i)).build());
    }
  }

  /** Objects of small fields, which take ten times their bytes in a kube-apiserver. */
  @Test
  void objectsThatNobodyCanLoadAreRefused() throws Exception {
    try (ServerProcess store =
        ServerProcess.storeWith(
            "-XX:MaxRAM=" + MEMORY_BYTES,
            folder.resolve("store"),
            "--quota-load-bytes=" + LIMIT_BYTES)) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
      String widgets = "/registry/example.com/widgets/default/a-";
      int filled = 0;
      try (Renewals renewals = new Renewals(store, "leader-")) {
        while (isPut(kv, widgets + filled, cutUp(LARGE))) {
          filled++;
        }
        assertThat(filled).as("objects of 900 KB").isBetween(7, 9);
        double load = metric(store, "exaplane_store_load_bytes");
        assertThat(load).as("a large one is refused before").isLessThan((double) LIMIT_BYTES);
        int small = 0;
        while (isPut(kv, CONFIG_MAPS + "small-" + small, cutUp(SMALL))) {
          small++;
        }
        assertThat(small).as("objects of 20 KB fill the rest").isBetween(1, 60);
        renewals.requireGoingOn();
        load = metric(store, "exaplane_store_load_bytes");
        assertThat(load).isBetween((double) LIMIT_BYTES, 1.05 * LIMIT_BYTES);
        assertThat(metric(store, "exaplane_store_load_quota_bytes")).isEqualTo(LIMIT_BYTES);
        assertThat(metric(store, "exaplane_store_space_exceeded")).isEqualTo(1);
        assertThat(isPut(kv, CONFIG_MAPS + "b")).as("anything else").isFalse();
        assertThat(isPut(kv, widgets + 0, cutUp(LARGE))).as("the same again").isTrue();
      }
      store.kill();
      store.start();
      assertThat(isPut(kv.withWaitForReady(), widgets + "more", cutUp(LARGE))).isFalse();
      for (int i = 0; i < filled / 2; i++) {
        kv.deleteRange(DeleteRangeRequest.newBuilder().setKey(utf8(widgets + i)).build());
      }
      assertThat(isPut(kv, CONFIG_MAPS + "b")).as("at once").isTrue();
      assertThat(metric(store, "exaplane_store_self_compactions_total")).isZero();
      assertThat(store.log())
          .contains("limits that are reached: the memory in which kube-apiservers load the objects")
          .doesNotContain("\tat ");
    }
  }

  private static byte[] cutUp(int bytes) {
    StringBuilder json = new StringBuilder("{\"items\":[{}");
    for (int i = 0; json.length() < bytes; i++) {
      json.append(",{\"name\":\"item-%d\",\"on\":true,\"port\":%1$d}".formatted(i));
    }
    return json.append("]}").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static long lines(ServerProcess store, String words) throws Exception {
    return store.log().lines().filter(line -> line.contains(words)).count();
  }

  private static void requireMemory(ServerProcess store) {
    System.out.printf("%d MiB resident%n", store.residentBytes() >> 20);
    assertThat(store.residentBytes()).isLessThan(MEMORY_BYTES);
  }
}
