// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases may have a shorter history than the rest; who asks for more is told, as by compaction. */
class HistoryWindowProcessTest {
  private static final String LEASE = "/registry/leases/kube-node-lease/a";
  private static final String POD = "/registry/pods/a";
  private static final String WINDOW = "--prefix-history=/registry/leases/=1s";
  private static final String COMPACTED =
      "OUT_OF_RANGE: etcdserver: mvcc: required revision has been compacted";

  @TempDir Path folder;

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static long put(ServerProcess store, String key) {
    return KVGrpc.newBlockingStub(store.channel())
        .put(PutRequest.newBuilder().setKey(bytes(key)).setValue(bytes("v")).build())
        .getHeader()
        .getRevision();
  }

  private static RangeResponse get(ServerProcess store, String key, String end, long revision) {
    return KVGrpc.newBlockingStub(store.channel())
        .range(
            RangeRequest.newBuilder()
                .setKey(bytes(key))
                .setRangeEnd(bytes(end))
                .setRevision(revision)
                .build());
  }

  /** Until the revision is older than the window. */
  private static void awaitCompacted(ServerProcess store, long revision) {
    long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (System.nanoTime() < deadline) {
      try {
        get(store, LEASE, "", revision);
        put(store, LEASE);
      } catch (StatusRuntimeException e) {
        assertThat(e).hasMessage(COMPACTED);
        return;
      }
    }
    throw new AssertionError("revision %d of a Lease is still there".formatted(revision));
  }

  /** The first response that says more than that the watch is there. */
  private static WatchResponse watch(ServerProcess store, String key, long from) throws Exception {
    try (WatchProbe watch =
        new WatchProbe(
            store.channel(),
            WatchCreateRequest.newBuilder().setKey(bytes(key)).setStartRevision(from))) {
      return watch.next();
    }
  }

  @Test
  void olderVersionsOfLeasesAreGoneThoseOfPodsAreThereAlsoAfterAKill() throws Exception {
    long pod;
    long lease;
    try (ServerProcess store = ServerProcess.store(folder.resolve("store"), WINDOW)) {
      pod = put(store, POD);
      lease = put(store, LEASE);
      awaitCompacted(store, lease);
      put(store, POD);
      check(store, pod, lease);
      store.kill();
    }
    try (ServerProcess store = ServerProcess.store(folder.resolve("store"), WINDOW)) {
      put(store, LEASE);
      awaitCompacted(store, lease);
      check(store, pod, lease);
    }
  }

  @Test
  void aWatchMayStartAtTheNewestRevisionOfAStoreThatIsIdle() throws Exception {
    try (ServerProcess store = ServerProcess.store(folder.resolve("idle"), WINDOW)) {
      long before = put(store, LEASE);
      long newest = put(store, LEASE);
      long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
      assertThatThrownBy(
              () -> {
                while (System.nanoTime() < deadline) {
                  get(store, LEASE, "", before);
                }
              })
          .hasMessage(COMPACTED);
      try (WatchProbe watch =
          new WatchProbe(
              store.channel(),
              WatchCreateRequest.newBuilder()
                  .setKey(bytes(LEASE))
                  .setStartRevision(newest)
                  .setPrevKv(true))) {
        assertThat(watch.next().getEvents(0).getPrevKv().getModRevision()).isEqualTo(before);
      }
    }
  }

  private static void check(ServerProcess store, long pod, long lease) throws Exception {
    assertThat(get(store, POD, "", pod).getKvs(0).getVersion()).isOne();
    assertThat(get(store, LEASE, "", 0).getKvsCount()).isOne();
    assertThat(get(store, "/registry/", "/registry0", 0).getCount()).isEqualTo(2);
    assertThatThrownBy(() -> get(store, "/registry/", "/registry0", pod)).hasMessage(COMPACTED);

    WatchResponse ofPods = watch(store, POD, pod);
    assertThat(ofPods.getEventsCount()).isEqualTo(2);
    WatchResponse ofLeases = watch(store, LEASE, lease);
    assertThat(ofLeases.getCanceled()).isTrue();
    assertThat(ofLeases.getCompactRevision()).isGreaterThan(lease);
    long listed = get(store, LEASE, "", 0).getHeader().getRevision();
    put(store, LEASE);
    assertThat(watch(store, LEASE, listed + 1).getEventsCount()).isOne();
  }
}
