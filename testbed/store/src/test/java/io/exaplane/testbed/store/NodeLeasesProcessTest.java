// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store with node Leases and Events in memory, as the operator makes it: renewals write no byte
 * to any file, and a killed store goes on with all that is no Lease or Event. Who watches those
 * reads them anew; who watches anything else goes on.
 */
class NodeLeasesProcessTest {
  private static final String LEASES = "/registry/leases/kube-node-lease/";
  private static final String EVENTS = "/registry/events/";
  private static final String PODS = "/registry/pods/";
  private static final int RENEWALS = 2_000;
  private static final long DEADLINE_S = 120;

  @TempDir Path folder;

  @Test
  void renewalsWriteNothingAndARestartLosesOnlyThem() throws Exception {
    Path data = folder.resolve("store");
    String[] flags = {
      "--prefix-durability=" + LEASES + "=memory", "--prefix-durability=" + EVENTS + "=memory"
    };
    try (ServerProcess store = ServerProcess.store(data, flags)) {
      long pod = put(store, PODS + "default/a");
      Map<String, Long> before = files(data);
      for (int i = 0; i < RENEWALS; i++) {
        put(store, LEASES + "node-" + i % 50);
      }
      long seen = put(store, EVENTS + "default/a.1");
      assertThat(files(data)).isEqualTo(before);
      assertThat(seen).isEqualTo(pod + RENEWALS + 1);
      assertThat(ages(store)).contains("\"keys\":50,\"restoredKeys\":0,");

      store.kill();
      store.start();
      assertThat(keys(store, LEASES)).isZero();
      assertThat(keys(store, EVENTS)).isZero();
      assertThat(keys(store, PODS)).isEqualTo(1);
      for (String gone : new String[] {LEASES, "/registry/leases/", EVENTS}) {
        WatchResponse refused = watch(store, gone, seen + 1).next();
        assertThat(refused.getCanceled()).as(gone).isTrue();
        assertThat(refused.getCompactRevision()).as(gone).isGreaterThan(seen + 1);
      }
      // From before the restart on, as an apiserver's cache of Pods does.
      Watch pods = watch(store, PODS, pod + 1);
      long after = put(store, PODS + "default/a");
      assertThat(after).isGreaterThan(seen + 1);
      WatchResponse event = pods.next();
      assertThat(event.getCanceled()).isFalse();
      assertThat(event.getEvents(0).getKv().getVersion()).isEqualTo(2);
      // A kubelet writes its Lease anew.
      put(store, LEASES + "node-1");
      assertThat(keys(store, LEASES)).isEqualTo(1);
      assertThat(ages(store)).contains("\"keys\":1,\"restoredKeys\":0,\"writes\":1,");
    }
  }

  /** How many Leases were not renewed for half a minute, as an operator asks. */
  private static String ages(ServerProcess store) throws Exception {
    URI page = URI.create("http://%s/ages?prefix=%s&ms=30000".formatted(store.target(), LEASES));
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      return answer.body();
    }
  }

  /** What every file holds. */
  private static Map<String, Long> files(Path data) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        CRC32C sum = new CRC32C();
        sum.update(ByteBuffer.wrap(Files.readAllBytes(file)));
        sums.put(data.relativize(file).toString(), sum.getValue());
      }
    }
    return sums;
  }

  private static long put(ServerProcess store, String key) {
    return KVGrpc.newBlockingStub(store.channel())
        .put(
            PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .setValue(ByteString.copyFromUtf8("x".repeat(500)))
                .build())
        .getHeader()
        .getRevision();
  }

  private static long keys(ServerProcess store, String prefix) {
    return KVGrpc.newBlockingStub(store.channel())
        .range(
            RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(prefix))
                .setRangeEnd(end(prefix))
                .setCountOnly(true)
                .build())
        .getCount();
  }

  private static ByteString end(String prefix) {
    return ByteString.copyFromUtf8(prefix.substring(0, prefix.length() - 1) + "0");
  }

  private record Watch(BlockingQueue<WatchResponse> responses) {
    WatchResponse next() throws InterruptedException {
      WatchResponse response = responses.poll(DEADLINE_S, TimeUnit.SECONDS);
      assertThat(response).as("an answer").isNotNull();
      return response;
    }
  }

  /** A watch that was created. */
  private static Watch watch(ServerProcess store, String prefix, long from) throws Exception {
    Watch watch = new Watch(new LinkedBlockingQueue<>());
    StreamObserver<WatchRequest> requests =
        WatchGrpc.newStub(store.channel())
            .watch(
                new StreamObserver<>() {
                  @Override
                  public void onNext(WatchResponse response) {
                    watch.responses.add(response);
                  }

                  @Override
                  public void onError(Throwable e) {}

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(
        WatchRequest.newBuilder()
            .setCreateRequest(
                WatchCreateRequest.newBuilder()
                    .setKey(ByteString.copyFromUtf8(prefix))
                    .setRangeEnd(end(prefix))
                    .setStartRevision(from))
            .build());
    assertThat(watch.next().getCreated()).isTrue();
    return watch;
  }
}
