// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store in memory is killed and its folder is lost, as with a pod on an EmptyDir. Above the bound
 * that somebody kept no revision is used twice, and who goes on where it was is told to read anew:
 * so an informer sees that its objects are gone.
 */
class LostVolumeProcessTest {
  private static final ByteString ALL = ByteString.copyFrom(new byte[1]);
  private static final long FLOOR = 10_000_000;
  private static final long DEADLINE_S = 120;

  @TempDir Path folder;

  @Test
  void revisionsGoOnAndWatchersReadAnew() throws Exception {
    long seen = 0;
    try (ServerProcess store =
        ServerProcess.store(folder.resolve("before"), "--durability=memory")) {
      for (int i = 0; i < 100; i++) {
        seen = put(store, "/registry/pods/" + i);
      }
    }
    try (ServerProcess store =
        ServerProcess.store(
            folder.resolve("after"), "--durability=memory", "--revision-floor=" + FLOOR)) {
      // As an informer: first where it was, then, told that this is gone, everything.
      WatchResponse refused = watch(store, seen + 1);
      assertThat(refused.getCanceled()).isTrue();
      assertThat(refused.getCompactRevision()).isGreaterThan(FLOOR + 1);
      RangeResponse all =
          KVGrpc.newBlockingStub(store.channel())
              .range(RangeRequest.newBuilder().setKey(ALL).setRangeEnd(ALL).build());
      assertThat(all.getKvsList()).isEmpty();
      assertThat(all.getHeader().getRevision()).isGreaterThan(FLOOR);
      assertThat(put(store, "/registry/pods/new")).isEqualTo(all.getHeader().getRevision() + 1);
      // Also one that had seen everything up to the bound.
      assertThat(watch(store, FLOOR + 1).getCanceled()).isTrue();
    }
  }

  private static long put(ServerProcess store, String key) {
    ByteString bytes = ByteString.copyFromUtf8(key);
    return KVGrpc.newBlockingStub(store.channel())
        .put(PutRequest.newBuilder().setKey(bytes).setValue(bytes).build())
        .getHeader()
        .getRevision();
  }

  /** What comes after the answer that a watch was created. */
  private static WatchResponse watch(ServerProcess store, long from) throws Exception {
    BlockingQueue<WatchResponse> responses = new LinkedBlockingQueue<>();
    StreamObserver<WatchRequest> requests =
        WatchGrpc.newStub(store.channel())
            .watch(
                new StreamObserver<>() {
                  @Override
                  public void onNext(WatchResponse response) {
                    responses.add(response);
                  }

                  @Override
                  public void onError(Throwable e) {}

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(
        WatchRequest.newBuilder()
            .setCreateRequest(
                WatchCreateRequest.newBuilder().setKey(ALL).setRangeEnd(ALL).setStartRevision(from))
            .build());
    assertThat(responses.poll(DEADLINE_S, TimeUnit.SECONDS).getCreated()).isTrue();
    WatchResponse next = responses.poll(DEADLINE_S, TimeUnit.SECONDS);
    assertThat(next).as("an answer behind the first").isNotNull();
    return next;
  }
}
