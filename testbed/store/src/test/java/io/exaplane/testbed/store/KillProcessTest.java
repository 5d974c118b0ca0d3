// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.exaplane.testbed.machine.Await;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process is killed under load again and again. What was acknowledged is there; every revision
 * stands for one change, none is left out; watchers that go on where they were miss nothing.
 */
class KillProcessTest {
  private static final int WRITERS = 16;
  private static final int EACH_TIME = 10;
  private static final long DEADLINE_S = 300;

  @TempDir Path folder;

  private record Change(String key, String value) {
    static Change of(KeyValue kv) {
      return new Change(kv.getKey().toStringUtf8(), kv.getValue().toStringUtf8());
    }
  }

  /** By revision, what a writer was told that it wrote. */
  private final Map<Long, Change> acknowledged = new ConcurrentHashMap<>();

  /** By revision, what the watcher saw; it fails when it sees something twice. */
  private final Map<Long, Change> seen = new ConcurrentHashMap<>();

  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
  private final int[] counters = new int[WRITERS];

  @Test
  void fiveTimes() throws Exception {
    killAgainAndAgain(5);
  }

  @Test
  @Tag("long")
  void fiftyTimes() throws Exception {
    killAgainAndAgain(50);
  }

  private void killAgainAndAgain(int times) throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    try (ServerProcess store = ServerProcess.store(folder.resolve("store"), "--durability=fsync")) {
      for (int i = 0; i < times; i++) {
        if (i > 0) {
          store.start();
        }
        checkKeys(store);
        // The time is chosen, not waited for: it is the fault that is injected.
        workUntilKilled(store, random.nextInt(100, 1500));
      }
      store.start();
      long newest = checkKeys(store).getHeader().getRevision();
      seeUpTo(store, newest);
    }
    assertThat(wrong).isEmpty();
    assertThat(acknowledged)
        .as("writes that were acknowledged")
        .hasSizeGreaterThan(times * EACH_TIME);
    long newest = seen.keySet().stream().mapToLong(r -> r).max().orElseThrow();
    for (long revision = 2; revision <= newest; revision++) {
      assertThat(seen).as("revision without a change").containsKey(revision);
    }
    assertThat(seen).containsAllEntriesOf(acknowledged);
  }

  private void workUntilKilled(ServerProcess store, int afterMs) throws Exception {
    ManagedChannel channel = store.newChannel();
    try {
      watchOn(channel, new CountDownLatch(1), Long.MAX_VALUE);
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(Thread.ofVirtual().start(() -> write(channel, writer)));
      }
      // A busy machine may take seconds for the first write.
      int before = acknowledged.size();
      Await.until(
          Duration.ofSeconds(DEADLINE_S),
          "some writes are acknowledged",
          () -> acknowledged.size() > before + EACH_TIME,
          () -> acknowledged.size() - before + " writes; " + store.log());
      TimeUnit.MILLISECONDS.sleep(afterMs);
      store.kill();
      for (Thread writer : writers) {
        writer.join();
      }
    } finally {
      channel.shutdownNow();
      assertThat(channel.awaitTermination(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Writes one number after the other until the store is gone. */
  private void write(ManagedChannel channel, int writer) {
    KVGrpc.KVBlockingStub kv =
        KVGrpc.newBlockingStub(channel).withDeadlineAfter(DEADLINE_S, TimeUnit.SECONDS);
    ByteString key = ByteString.copyFromUtf8("/registry/leases/node-" + writer);
    try {
      while (true) {
        String value = "%d %s".formatted(++counters[writer], "x".repeat(counters[writer] % 700));
        long revision =
            kv.put(
                    PutRequest.newBuilder()
                        .setKey(key)
                        .setValue(ByteString.copyFromUtf8(value))
                        .build())
                .getHeader()
                .getRevision();
        if (acknowledged.put(revision, new Change(key.toStringUtf8(), value)) != null) {
          wrong.add("revision %d was given twice".formatted(revision));
        }
      }
    } catch (StatusRuntimeException e) {
      // It was killed: this write may have been done or not.
    }
  }

  /** Watches from behind the newest event that was seen. */
  private void watchOn(ManagedChannel channel, CountDownLatch done, long upTo) {
    long from = seen.keySet().stream().mapToLong(r -> r).max().orElse(1) + 1;
    StreamObserver<WatchRequest> requests =
        WatchGrpc.newStub(channel)
            .watch(
                new StreamObserver<>() {
                  private long last = from - 1;

                  @Override
                  public void onNext(WatchResponse response) {
                    if (response.getCanceled()) {
                      wrong.add("the watch from %d was cancelled".formatted(from));
                    }
                    for (Event event : response.getEventsList()) {
                      see(event.getKv());
                    }
                    if (response.getHeader().getRevision() >= upTo && last >= upTo) {
                      done.countDown();
                    }
                  }

                  private void see(KeyValue kv) {
                    Change before = seen.put(kv.getModRevision(), Change.of(kv));
                    if (kv.getModRevision() <= last || before != null) {
                      wrong.add("revision %d came after %d".formatted(kv.getModRevision(), last));
                    }
                    last = kv.getModRevision();
                  }

                  @Override
                  public void onError(Throwable e) {}

                  @Override
                  public void onCompleted() {}
                });
    ByteString all = ByteString.copyFrom(new byte[1]);
    WatchCreateRequest create =
        WatchCreateRequest.newBuilder().setKey(all).setRangeEnd(all).setStartRevision(from).build();
    requests.onNext(WatchRequest.newBuilder().setCreateRequest(create).build());
  }

  private void seeUpTo(ServerProcess store, long newest) throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    if (!seen.containsKey(newest)) {
      watchOn(store.channel(), done, newest);
      assertThat(done.await(DEADLINE_S, TimeUnit.SECONDS)).as("saw up to %d", newest).isTrue();
    }
  }

  /** Every key has the newest acknowledged value or one that was under way when it ended. */
  private RangeResponse checkKeys(ServerProcess store) {
    ManagedChannel channel = store.newChannel();
    try {
      ByteString all = ByteString.copyFrom(new byte[1]);
      RangeResponse response =
          KVGrpc.newBlockingStub(channel)
              .range(RangeRequest.newBuilder().setKey(all).setRangeEnd(all).build());
      Map<String, Long> revisions = new HashMap<>();
      for (KeyValue kv : response.getKvsList()) {
        revisions.put(kv.getKey().toStringUtf8(), kv.getModRevision());
        assertThat(acknowledged.getOrDefault(kv.getModRevision(), Change.of(kv)))
            .isEqualTo(Change.of(kv));
      }
      acknowledged.forEach(
          (revision, change) ->
              assertThat(revisions.get(change.key())).isGreaterThanOrEqualTo(revision));
      return response;
    } finally {
      channel.shutdownNow();
    }
  }
}
