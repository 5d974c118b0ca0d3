// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of a million nodes on one machine: its objects are there, its nodes renew their Leases,
 * and what the store takes stays the same; killed, it serves again within a minute.
 */
@Tag("long")
@Timeout(3600)
class ScaleProcessTest {
  private static final int OBJECTS = Integer.getInteger("scaleObjects", 1_000_000);
  private static final int MINUTES = Integer.getInteger("scaleMinutes", 10);
  private static final int STEADY_MINUTE = 3;
  private static final int UPDATES_PER_S = 10_000;
  private static final int TICKS_PER_S = 100;
  private static final int BATCH_BYTES = 500_000;
  private static final int MOST_UNANSWERED = 64;
  private static final int MOST_UNANSWERED_UPDATES = 20_000;
  private static final double MOST_GROWTH = 1.05;

  /** A kind of objects, and about what one takes in Kubernetes' protobuf. */
  private enum Kind {
    LEASES("/registry/leases/kube-node-lease/", 600),
    NODES("/registry/minions/", 8_000),
    PODS("/registry/pods/default/", 4_000);

    private final String prefix;
    private final int valueBytes;

    Kind(String prefix, int valueBytes) {
      this.prefix = prefix;
      this.valueBytes = valueBytes;
    }

    ByteString key(int number) {
      return ByteString.copyFromUtf8("%sobject-%07d".formatted(prefix, number));
    }
  }

  private final Random random = new Random(1);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicLong newest = new AtomicLong();

  @TempDir Path folder;

  @Test
  void aMillionNodesRenewTheirLeases() throws Exception {
    assertThat(MINUTES).as("-DscaleMinutes").isGreaterThan(STEADY_MINUTE);
    try (ServerProcess store =
        ServerProcess.storeWith("-XX:MaxRAMPercentage=10", folder.resolve("store"))) {
      long emptyBytes = store.residentBytes();
      long began = System.nanoTime();
      for (Kind kind : Kind.values()) {
        fill(store, kind);
      }
      System.out.printf(
          "%d objects in %d s: %d MiB resident (%d empty), %d MiB of records%n",
          3L * OBJECTS,
          secondsSince(began),
          store.residentBytes() >> 20,
          emptyBytes >> 20,
          records(store) >> 20);
      List<Long> resident = renew(store);
      assertThat(resident.getLast())
          .as("resident bytes at the end of each minute: %s", resident)
          .isLessThan((long) (resident.get(STEADY_MINUTE - 1) * MOST_GROWTH));
      store.kill();
      began = System.nanoTime();
      store.start();
      System.out.printf("serves again %d s after kill -9%n", secondsSince(began));
      check(store);
    }
  }

  private static long secondsSince(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos).toSeconds();
  }

  private static long records(ServerProcess store) {
    return MaintenanceGrpc.newBlockingStub(store.channel())
        .status(StatusRequest.getDefaultInstance())
        .getDbSize();
  }

  private ByteString value(int bytes) {
    byte[] value = new byte[bytes];
    random.nextBytes(value);
    return ByteString.copyFrom(value);
  }

  private void fill(ServerProcess store, Kind kind) throws Exception {
    KVGrpc.KVStub kv = KVGrpc.newStub(store.channel());
    Semaphore unanswered = new Semaphore(MOST_UNANSWERED);
    int batch = Math.min(BATCH_BYTES / kind.valueBytes, 100);
    for (int i = 0; i < OBJECTS; i += batch) {
      TxnRequest.Builder puts = TxnRequest.newBuilder();
      for (int each = i; each < Math.min(i + batch, OBJECTS); each++) {
        puts.addSuccessBuilder()
            .getRequestPutBuilder()
            .setKey(kind.key(each))
            .setValue(value(kind.valueBytes));
      }
      unanswered.acquire();
      kv.txn(
          puts.build(), new Answers<>(unanswered, (TxnResponse a) -> a.getHeader().getRevision()));
    }
    awaitAnswers(unanswered, MOST_UNANSWERED);
  }

  private void awaitAnswers(Semaphore unanswered, int all) throws InterruptedException {
    assertThat(unanswered.tryAcquire(all, 5, TimeUnit.MINUTES)).as("all is answered").isTrue();
    assertThat(failure).hasNullValue();
  }

  /** Nodes renew their Leases, and what is old is compacted; resident bytes, minute by minute. */
  private List<Long> renew(ServerProcess store) throws Exception {
    List<Long> resident = new ArrayList<>();
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
    ManagedChannel channel = store.newChannel();
    try {
      KVGrpc.KVStub leases = KVGrpc.newStub(channel);
      int next = 0;
      for (int minute = 1; minute <= MINUTES; minute++) {
        long began = System.nanoTime();
        next = renewForAMinute(leases, next);
        kv.compact(CompactionRequest.newBuilder().setRevision(newest.get()).build());
        resident.add(store.residentBytes());
        System.out.printf(
            "minute %d: %d updates/s, %d MiB resident, %d MiB of records%n",
            minute,
            60 * UPDATES_PER_S / Math.max(1, secondsSince(began)),
            resident.getLast() >> 20,
            records(store) >> 20);
      }
    } finally {
      channel.shutdownNow();
    }
    return resident;
  }

  private int renewForAMinute(KVGrpc.KVStub leases, int first) throws Exception {
    Semaphore unanswered = new Semaphore(MOST_UNANSWERED_UPDATES);
    ByteString value = value(Kind.LEASES.valueBytes);
    int next = first;
    long due = System.nanoTime();
    for (int tick = 0; tick < 60 * TICKS_PER_S; tick++) {
      for (int i = 0; i < UPDATES_PER_S / TICKS_PER_S; i++) {
        unanswered.acquire();
        leases.put(
            PutRequest.newBuilder().setKey(Kind.LEASES.key(next)).setValue(value).build(),
            new Answers<>(unanswered, (PutResponse a) -> a.getHeader().getRevision()));
        next = (next + 1) % OBJECTS;
      }
      due += TimeUnit.SECONDS.toNanos(1) / TICKS_PER_S;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
    }
    awaitAnswers(unanswered, MOST_UNANSWERED_UPDATES);
    return next;
  }

  private void check(ServerProcess store) {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
    for (Kind kind : Kind.values()) {
      RangeRequest count =
          RangeRequest.newBuilder()
              .setKey(kind.key(0))
              .setRangeEnd(kind.key(OBJECTS))
              .setCountOnly(true)
              .build();
      assertThat(kv.range(count).getCount()).as(kind.name()).isEqualTo(OBJECTS);
      assertThat(kv.range(count).getHeader().getRevision()).isEqualTo(newest.get());
    }
  }

  /** Gives back a permit for each answer. */
  private final class Answers<A> implements StreamObserver<A> {
    private final Semaphore unanswered;
    private final ToLongFunction<A> revision;

    Answers(Semaphore unanswered, ToLongFunction<A> revision) {
      this.unanswered = unanswered;
      this.revision = revision;
    }

    @Override
    public void onNext(A answer) {
      newest.accumulateAndGet(revision.applyAsLong(answer), Math::max);
    }

    @Override
    public void onError(Throwable error) {
      failure.compareAndSet(null, error);
      unanswered.release();
    }

    @Override
    public void onCompleted() {
      unanswered.release();
    }
  }
}
