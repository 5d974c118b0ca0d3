// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.exaplane.testbed.machine.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a store tells of slow requests, when its threshold makes every request slow. */
@Timeout(600)
class SlowRequestsProcessTest {
  private static final int SECRETS = 30;

  /** Ten lines are written in so long. */
  private static final long WINDOW_NS = 10_000_000_000L;

  @TempDir Path folder;

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  @Test
  void theLogAndTheMetricsNameTheKindAndNothingElse() throws Exception {
    long began = System.nanoTime();
    try (ServerProcess store =
        ServerProcess.store(folder.resolve("store"), "--slow-request-threshold=1ns")) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
      for (int i = 0; i < SECRETS; i++) {
        kv.put(
            PutRequest.newBuilder()
                .setKey(bytes("/registry/secrets/bank/vault-" + i))
                .setValue(bytes("hunter2"))
                .build());
      }
      kv.range(
          RangeRequest.newBuilder()
              .setKey(bytes("/registry/secrets/"))
              .setRangeEnd(bytes("/registry/secrets0"))
              .build());
      // A request is counted behind its answer.
      Await.until(
          Duration.ofMinutes(2),
          "all requests are counted",
          () -> slow(metrics(store), "Put") >= SECRETS && slow(metrics(store), "Range") >= 1,
          () -> metrics(store));
      String metrics = metrics(store);
      assertThat(slow(metrics, "Put")).as(metrics).isEqualTo(SECRETS);
      assertThat(slow(metrics, "Range")).as(metrics).isEqualTo(1);
      List<String> lines =
          store.log().lines().filter(line -> line.contains("slow request: ")).toList();
      long windows = 1 + (System.nanoTime() - began) / WINDOW_NS;
      assertThat(lines).hasSizeBetween(10, (int) Math.min(Integer.MAX_VALUE, 10 * windows));
      assertThat(lines.getFirst())
          .contains("KV/Put took ", "kind secrets, prefix /registry/secrets/, keys 1")
          .contains("status OK");
      assertThat(store.log()).doesNotContain("bank", "vault", "hunter2");
    }
  }

  /** Requests of a method and of Secrets, in all phases. */
  private static long slow(String metrics, String method) {
    Matcher series =
        Pattern.compile(
                "^exaplane_store_slow_requests_total\\{grpc_method=\"%s\",kind=\"secrets\",phase=\"\\w+\"} (\\d+)"
                    .formatted(method),
                Pattern.MULTILINE)
            .matcher(metrics);
    return series.results().mapToLong(each -> Long.parseLong(each.group(1))).sum();
  }

  private static String metrics(ServerProcess store) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI page = URI.create("http://%s/metrics".formatted(store.target()));
      return client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString()).body();
    }
  }
}
