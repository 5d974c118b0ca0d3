// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.HashKVRequest;
import io.etcd.jetcd.api.HashKVResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Versions go by their windows while others read, watch and hash: what a reader is shown is whole,
 * what a watch sees has no gap, and the memory that old versions took is taken again.
 */
class HistoryWindowLoadProcessTest {
  private static final int LEASES = 500;
  private static final int VALUE_BYTES = 2_000;
  private static final int MOST_UNANSWERED = 64;

  /** More than twice the longer window. */
  private static final Duration TIME = Duration.ofSeconds(5);

  /** A watch that is further behind could rightly be told that its events are gone. */
  private static final int MOST_UNSEEN = 2_000;

  /** Of each key the newest version and the one before, and something for what has just gone. */
  private static final long MOST_BYTES = 3L * LEASES * VALUE_BYTES;

  private static final ByteString LAST = ByteString.copyFromUtf8("%020d".formatted(Long.MAX_VALUE));

  private final AtomicLong seen = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @TempDir Path folder;

  private static ByteString key(int number) {
    return ByteString.copyFromUtf8("/registry/leases/%s/%04d".formatted(space(number), number));
  }

  private static String space(int number) {
    return number % 2 == 0 ? "kube-node-lease" : "kube-system";
  }

  @Test
  void whatIsShownIsWhole() throws Exception {
    goOnFor(TIME);
  }

  @Test
  @Tag("long")
  void whatIsShownIsWholeForAMinute() throws Exception {
    goOnFor(Duration.ofMinutes(1));
  }

  private void goOnFor(Duration time) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (ServerProcess store =
            ServerProcess.storeForLoad(
                folder.resolve("store"),
                "--durability=memory",
                "--prefix-history=/registry/leases/=2s",
                "--prefix-history=/registry/leases/kube-node-lease/=1s");
        ExecutorService others = Executors.newFixedThreadPool(3)) {
      long first = put(store, 0, 1);
      for (int i = 1; i < LEASES; i++) {
        put(store, i, 1);
      }
      Future<Long> lists = others.submit(() -> repeat(stop, () -> list(store)));
      Future<Long> hashes = others.submit(() -> repeat(stop, () -> hash(store)));
      Future<Long> events = others.submit(() -> watch(store, stop, first + LEASES));
      long puts = renew(store, time);
      stop.set(true);
      put(store, 0, Long.MAX_VALUE);
      assertThat(events.get()).as("events").isEqualTo(puts + 1);
      assertThat(lists.get()).as("lists").isPositive();
      assertThat(hashes.get()).as("hashes").isPositive();
      assertThat(failure.get()).isNull();
      System.out.printf("%d puts, %d lists, %d hashes%n", puts, lists.get(), hashes.get());
      awaitMemory(store);
    }
  }

  /** What is older than the windows goes. */
  private static void awaitMemory(ServerProcess store) {
    long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    long bytes = Long.MAX_VALUE;
    while (bytes > MOST_BYTES && System.nanoTime() < deadline) {
      bytes =
          MaintenanceGrpc.newBlockingStub(store.channel())
              .status(StatusRequest.getDefaultInstance())
              .getDbSizeInUse();
    }
    assertThat(bytes).as("bytes of versions").isLessThanOrEqualTo(MOST_BYTES);
  }

  private static long repeat(AtomicBoolean stop, Callable<Void> read) throws Exception {
    long times = 0;
    while (!stop.get()) {
      read.call();
      times++;
    }
    return times;
  }

  private static PutRequest request(int number, long round) {
    String value = "%020d".formatted(round).repeat(VALUE_BYTES / 20);
    return PutRequest.newBuilder()
        .setKey(key(number))
        .setValue(ByteString.copyFromUtf8(value))
        .build();
  }

  private static long put(ServerProcess store, int number, long round) {
    return KVGrpc.newBlockingStub(store.channel())
        .put(request(number, round))
        .getHeader()
        .getRevision();
  }

  /** Puts all of them over and over, much more than may be kept, and says how many that were. */
  private long renew(ServerProcess store, Duration time) throws InterruptedException {
    KVGrpc.KVStub kv = KVGrpc.newStub(store.channel());
    Semaphore unanswered = new Semaphore(MOST_UNANSWERED);
    long end = System.nanoTime() + time.toNanos();
    long puts = 0;
    while (System.nanoTime() < end || puts * VALUE_BYTES <= 2 * MOST_BYTES) {
      if (puts - seen.get() > MOST_UNSEEN) {
        LockSupport.parkNanos(1_000_000);
        continue;
      }
      unanswered.acquire();
      kv.put(request((int) (puts % LEASES), 2 + puts / LEASES), answer(unanswered));
      puts++;
    }
    unanswered.acquire(MOST_UNANSWERED);
    return puts;
  }

  private StreamObserver<PutResponse> answer(Semaphore unanswered) {
    return new StreamObserver<>() {
      @Override
      public void onNext(PutResponse response) {
        // It was done.
      }

      @Override
      public void onError(Throwable error) {
        failure.set(error);
        unanswered.release();
      }

      @Override
      public void onCompleted() {
        unanswered.release();
      }
    };
  }

  /** Now, in two pages, then once more as it was: it is the same, or too old. */
  private static Void list(ServerProcess store) {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
    RangeRequest.Builder all =
        RangeRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8("/registry/leases/"))
            .setRangeEnd(ByteString.copyFromUtf8("/registry/leases0"));
    RangeResponse now = kv.range(all.build());
    assertThat(now.getCount()).isEqualTo(LEASES);
    assertThat(now.getKvsList())
        .allSatisfy(kv1 -> assertThat(kv1.getValue().size()).isEqualTo(VALUE_BYTES));
    try {
      RangeResponse again = kv.range(all.setRevision(now.getHeader().getRevision()).build());
      assertThat(again.getKvsList()).isEqualTo(now.getKvsList());
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
    }
    return null;
  }

  /** What is hashed is never half gone: twice the same, unless more was compacted in between. */
  private static Void hash(ServerProcess store) {
    MaintenanceGrpc.MaintenanceBlockingStub maintenance =
        MaintenanceGrpc.newBlockingStub(store.channel());
    HashKVResponse one = maintenance.hashKV(HashKVRequest.getDefaultInstance());
    try {
      HashKVResponse two =
          maintenance.hashKV(
              HashKVRequest.newBuilder().setRevision(one.getHeader().getRevision()).build());
      if (two.getCompactRevision() == one.getCompactRevision()) {
        assertThat(two.getHash()).isEqualTo(one.getHash());
      }
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
    }
    return null;
  }

  /** Every event in order, with what was before it; says how many there were. */
  private long watch(ServerProcess store, AtomicBoolean stop, long from) throws Exception {
    Map<ByteString, Long> versions = new HashMap<>();
    try (WatchProbe watch =
        new WatchProbe(
            store.channel(),
            WatchCreateRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8("/registry/leases/"))
                .setRangeEnd(ByteString.copyFromUtf8("/registry/leases0"))
                .setStartRevision(from)
                .setPrevKv(true))) {
      boolean ended = false;
      while (!ended) {
        for (Event event : watch.next().getEventsList()) {
          long before = versions.getOrDefault(event.getKv().getKey(), 1L);
          assertThat(event.getKv().getVersion()).isEqualTo(before + 1);
          assertThat(event.getPrevKv().getVersion()).isEqualTo(before);
          versions.put(event.getKv().getKey(), before + 1);
          seen.incrementAndGet();
          ended |= stop.get() && event.getKv().getValue().startsWith(LAST);
        }
      }
    }
    return seen.get();
  }
}
