// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api.slow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowRequestsTest {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private long now = 1;
  private final List<String> lines = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();
  private long laterMs;
  private final SlowRequests slow = new SlowRequests(100 * MS, () -> now, lines::add);

  private static SlowRequest request(String kind, long queueMs, long applyMs, long journalMs) {
    return new SlowRequest(
        "KV/Txn",
        new AskedKeys(kind, "/registry/" + kind + "/", 2),
        2,
        120,
        30,
        queueMs * MS,
        applyMs * MS,
        journalMs * MS,
        0,
        "OK",
        "CN=kube-apiserver from 192.0.2.1");
  }

  private void add(SlowRequest request) {
    slow.add(
        request,
        (ms, task) -> {
          laterMs = ms;
          later.add(task);
        });
  }

  private void passMs(long ms) {
    now += ms * MS;
    List<Runnable> due = List.copyOf(later);
    later.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void aFastRequestIsNeitherToldNorCounted() {
    add(request("pods", 30, 30, 39));
    assertThat(lines).isEmpty();
    assertThat(slow.counts()).isEmpty();
    assertThat(slow.isSlow(100 * MS - 1)).isFalse();
    assertThat(slow.isSlow(100 * MS)).isTrue();
  }

  @Test
  void withoutAThresholdNothingIsSlow() {
    SlowRequests off = new SlowRequests(0, () -> now, lines::add);
    off.add(request("pods", 0, TimeUnit.DAYS.toMillis(1), 0), (_, _) -> {});
    assertThat(lines).isEmpty();
    assertThat(off.counts()).isEmpty();
  }

  @Test
  void aLineNamesMethodKindBytesAndPhases() {
    add(request("pods", 1, 2, 409).sentAfter(3 * MS));
    assertThat(lines)
        .containsExactly(
            "slow request: KV/Txn took 415 ms: kind pods, prefix /registry/pods/, keys 2, request 120"
                + " bytes, answer 30 bytes, queue 1 ms, apply 2 ms, journal 409 ms, send 3 ms, status"
                + " OK, client CN=kube-apiserver from 192.0.2.1");
  }

  @Test
  void countsByMethodKindAndTheLongestPhase() {
    add(request("pods", 0, 1, 300));
    add(request("pods", 0, 1, 200));
    add(request("pods", 0, 300, 200));
    add(request("leases", 300, 0, 200));
    add(request("leases", 0, 0, 0).sentAfter(300 * MS));
    assertThat(slow.counts())
        .containsExactly(
            new SlowRequests.Count("Txn", "leases", "queue", 1),
            new SlowRequests.Count("Txn", "leases", "send", 1),
            new SlowRequests.Count("Txn", "pods", "apply", 1),
            new SlowRequests.Count("Txn", "pods", "journal", 2));
  }

  @Test
  void linesAreBoundedAndASummarySaysWhatIsLeftOut() {
    for (int i = 0; i < 1_000; i++) {
      add(request("pods", 0, 0, 200));
    }
    add(request("leases", 0, 0, 1_500));
    assertThat(lines).hasSize(SlowRequests.MOST_LINES);
    assertThat(later).hasSize(1);
    assertThat(laterMs).isEqualTo(SlowRequests.WINDOW_MS);
    lines.clear();
    passMs(SlowRequests.WINDOW_MS);
    assertThat(lines)
        .containsExactly(
            "991 more slow requests in the last 10 s without a line: 990 KV/Txn of pods (slowest 200"
                + " ms); 1 KV/Txn of leases (slowest 1500 ms); see exaplane_store_slow_requests_total");
    assertThat(slow.counts().stream().mapToLong(SlowRequests.Count::requests).sum())
        .isEqualTo(1_001);
  }

  @Test
  void theNextWindowHasItsOwnLines() {
    for (int i = 0; i < 20; i++) {
      add(request("pods", 0, 0, 200));
    }
    passMs(SlowRequests.WINDOW_MS);
    lines.clear();
    add(request("pods", 0, 0, 200));
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).startsWith("slow request: ");
  }

  /** A client that chooses ever other keys costs bounded memory and lines. */
  @Test
  void kindsAreBounded() {
    for (int i = 0; i < 5_000; i++) {
      add(request("kind%04d".formatted(i), 0, 200, 0));
    }
    assertThat(slow.counts()).hasSizeLessThanOrEqualTo(1_025);
    assertThat(slow.counts())
        .contains(new SlowRequests.Count("Txn", "other", "apply", 5_000 - 1_024));
    lines.clear();
    passMs(SlowRequests.WINDOW_MS);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).contains("others;").hasSizeLessThan(600);
  }
}
