// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that hangs (7., line 13), and a calendar that somebody sets (7., line 15). */
@Timeout(900)
class FakeMachineProcessTest {
  private static final Duration DEADLINE = Duration.ofMinutes(3);
  private static final long LONG = 4711;
  private static final long LONG_S = 36_000;

  /** What a busy machine may take for the test; a calendar that counted would be years. */
  private static final long SLACK_S = 3_600;

  private static final long SHORT = 4712;
  private static final long SHORT_S = 2;

  @TempDir Path folder;

  private interface Condition {
    boolean holds() throws Exception;
  }

  @Test
  void aDiskThatHangsShowsUntilItAnswers() throws Exception {
    FakeMachine machine = new FakeMachine(folder.resolve("machine"));
    try (ServerProcess store =
        ServerProcess.storeWith(machine.javaFlag(), folder.resolve("store"))) {
      put(store, "/before", 0);
      ListenableFuture<PutResponse> waits;
      try (FakeMachine.Hang _ = machine.hangDisk()) {
        waits = KVGrpc.newFutureStub(store.channel()).put(request("/waits", 0));
        await(() -> page(store, "/readyz").statusCode() == 503);
        assertThat(page(store, "/readyz").body())
            .containsPattern("\\[-\\]linearizable_read failed: DISK HAS NOT ANSWERED FOR [0-9]+ S");
        HttpResponse<String> health = page(store, "/health");
        assertThat(health.statusCode()).isEqualTo(503);
        assertThat(health.body())
            .containsPattern("\"health\":\"false\",\"reason\":\"DISK HAS NOT ANSWERED FOR");
        assertThat(grpcHealth(store)).as("NOT_SERVING").isEqualTo(2);
        assertThat(page(store, "/livez").statusCode()).isEqualTo(200);
        assertThat(page(store, "/health?serializable=true").statusCode()).isEqualTo(200);
        assertThat(isThere(store, "/before")).isTrue();
        assertThat(isThere(store, "/waits")).as("what nobody was told").isFalse();
        double first = diskWaitSeconds(store);
        assertThat(first).isBetween(5.0, DEADLINE.toSeconds() + 5.0);
        await(() -> diskWaitSeconds(store) > first);
        assertThat(waits.isDone()).isFalse();
        await(() -> store.log().contains("has not answered a write for 5 s"));
      }
      waits.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      await(() -> page(store, "/readyz").statusCode() == 200);
      assertThat(page(store, "/health").statusCode()).isEqualTo(200);
      assertThat(grpcHealth(store)).as("SERVING").isEqualTo(1);
      await(() -> diskWaitSeconds(store) < 5);
      assertThat(isThere(store, "/waits")).isTrue();
      await(() -> store.log().contains("answers again"));
    }
  }

  @Test
  void aCalendarThatIsSetChangesNoLease() throws Exception {
    FakeMachine machine = new FakeMachine(folder.resolve("machine"));
    try (ServerProcess store =
        ServerProcess.storeWith(machine.javaFlag(), folder.resolve("store"))) {
      grant(store, LONG, LONG_S);
      put(store, "/long", LONG);
      long least = LONG_S;
      for (int days : new int[] {3650, -3650}) {
        machine.calendarAhead(Duration.ofDays(days));
        await(() -> isOff(store, days));
        long remaining = remainingSeconds(store, LONG);
        assertThat(remaining).as("%d days ahead", days).isBetween(least - SLACK_S, least);
        least = remaining;
        // The time goes on all the same, and ends what is over.
        grant(store, SHORT, SHORT_S);
        put(store, "/short", SHORT);
        await(() -> !isThere(store, "/short"));
        assertThat(isThere(store, "/long")).isTrue();
      }
      store.stop();
      machine.calendarAhead(Duration.ofDays(3650));
      store.start();
      assertThat(remainingSeconds(store, LONG)).isBetween(least - SLACK_S, LONG_S);
      store.kill();
      machine.calendarAhead(Duration.ofDays(-3650));
      store.start();
      assertThat(remainingSeconds(store, LONG)).isBetween(least - SLACK_S, LONG_S);
      assertThat(isThere(store, "/long")).isTrue();
    }
  }

  /**
   * Whether the store's own pages tell that calendar: what is kept of them is half a minute old.
   */
  private static boolean isOff(ServerProcess store, int days) throws Exception {
    Matcher at = Pattern.compile("\"at\":\"([^\"]+)\"").matcher(page(store, "/usage").body());
    assertThat(at.find()).isTrue();
    Duration off = Duration.between(Instant.now(), Instant.parse(at.group(1)));
    return off.minusDays(days).abs().compareTo(Duration.ofMinutes(10)) < 0;
  }

  private static void await(Condition condition) throws Exception {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("within " + DEADLINE).isLessThan(deadline);
      Thread.sleep(100);
    }
  }

  private static HttpResponse<String> page(ServerProcess store, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://%s%s".formatted(store.target(), path)))
            .timeout(DEADLINE)
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, BodyHandlers.ofString());
    }
  }

  /** The number of the status that grpc.health.v1 tells, which is the field 1. */
  private static int grpcHealth(ServerProcess store) {
    return RawCall.answer(store.channel(), "grpc.health.v1.Health/Check")[1];
  }

  private static double diskWaitSeconds(ServerProcess store) throws Exception {
    String name = "exaplane_store_disk_wait_seconds ";
    return page(store, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }

  private static PutRequest request(String key, long lease) {
    ByteString bytes = ByteString.copyFromUtf8(key);
    return PutRequest.newBuilder().setKey(bytes).setValue(bytes).setLease(lease).build();
  }

  private static void put(ServerProcess store, String key, long lease) {
    KVGrpc.newBlockingStub(store.channel()).put(request(key, lease));
  }

  private static boolean isThere(ServerProcess store, String key) {
    RangeRequest range =
        RangeRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8(key))
            .setSerializable(true)
            .build();
    return KVGrpc.newBlockingStub(store.channel()).range(range).getCount() > 0;
  }

  private static void grant(ServerProcess store, long id, long seconds) {
    LeaseGrpc.newBlockingStub(store.channel())
        .leaseGrant(LeaseGrantRequest.newBuilder().setID(id).setTTL(seconds).build());
  }

  private static long remainingSeconds(ServerProcess store, long id) {
    return LeaseGrpc.newBlockingStub(store.channel())
        .leaseTimeToLive(LeaseTimeToLiveRequest.newBuilder().setID(id).build())
        .getTTL();
  }
}
