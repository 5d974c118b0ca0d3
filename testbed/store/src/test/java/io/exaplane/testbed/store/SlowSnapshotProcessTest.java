// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.SnapshotRequest;
import io.etcd.jetcd.api.SnapshotResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that reads a snapshot at half of what a full store asks for gets all of it while there
 * is room, beside writes (7., line 21). The store looks at the pace after a minute.
 */
@Tag("long")
@Timeout(300)
class SlowSnapshotProcessTest {
  private static final int MIB = 1 << 20;
  private static final int STORE_MIB = 48;
  private static final int VALUE_BYTES = 256 << 10;
  private static final long A_RESPONSE_MS = 500;
  private static final long AT_LEAST_S = 65;
  private static final int HASH_BYTES = 32;

  @TempDir Path folder;

  @Test
  void aSlowClientGetsTheWholeSnapshot() throws Exception {
    try (ServerProcess store = ServerProcess.store(folder.resolve("store"))) {
      Random random = new Random(1);
      for (int i = 0; i < STORE_MIB * MIB / VALUE_BYTES; i++) {
        put(store, "/" + i, random);
      }
      long start = System.nanoTime();
      SlowClient client = new SlowClient(store.channel());
      try (ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor()) {
        pace.scheduleAtFixedRate(client::readOne, 0, A_RESPONSE_MS, TimeUnit.MILLISECONDS);
        pace.scheduleAtFixedRate(
            () -> put(store, "/beside", random), 0, A_RESPONSE_MS, TimeUnit.MILLISECONDS);
        Status status = client.end.get(240, TimeUnit.SECONDS);
        assertThat(status.isOk()).as(status.toString()).isTrue();
        pace.shutdownNow();
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      byte[] file = client.content.toByteArray();
      assertThat(seconds).as("long enough for the pace to count").isGreaterThan(AT_LEAST_S);
      assertThat(file.length / seconds).as("bytes a second").isBetween(64L << 10, (long) MIB);
      assertThat(file.length).isGreaterThan(STORE_MIB * MIB);
      int hashed = file.length - HASH_BYTES;
      assertThat(MessageDigest.getInstance("SHA-256").digest(Arrays.copyOf(file, hashed)))
          .isEqualTo(Arrays.copyOfRange(file, hashed, file.length));
    }
  }

  private static void put(ServerProcess store, String key, Random random) {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    KVGrpc.newBlockingStub(store.channel())
        .put(
            PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .setValue(ByteString.copyFrom(value))
                .build());
  }

  /** Takes parts of a response when the test says so. */
  private static final class SlowClient extends ClientCall.Listener<SnapshotResponse> {
    private final ClientCall<SnapshotRequest, SnapshotResponse> call;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final CompletableFuture<Status> end = new CompletableFuture<>();

    SlowClient(ManagedChannel channel) {
      call = channel.newCall(MaintenanceGrpc.getSnapshotMethod(), CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.sendMessage(SnapshotRequest.getDefaultInstance());
      call.halfClose();
    }

    void readOne() {
      call.request(1);
    }

    @Override
    public void onMessage(SnapshotResponse response) {
      content.writeBytes(response.getBlob().toByteArray());
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }
  }
}
