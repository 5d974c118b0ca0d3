// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What kube-apiservers tell of LISTs at /metrics while a storm goes on, every two seconds; the
 * settle gate of the operator reads the same. Any thread.
 */
final class StormLoad implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /**
   * One server in some seconds.
   *
   * @param listsPerSecond LISTs, and watches that began with all objects, whose answers ended
   * @param inflight requests at work, at most
   */
  record Look(int server, double atSeconds, double listsPerSecond, double inflight) {}

  private record Sample(long nanos, double lists) {}

  private final List<Look> looks = new ArrayList<>();
  private final List<KeptServer> servers;
  private final Sample[] before;
  private final long start = System.nanoTime();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread reader;

  StormLoad(List<KeptServer> servers) {
    this.servers = servers;
    this.before = new Sample[servers.size()];
    this.reader = Thread.ofPlatform().start(this::read);
  }

  private void read() {
    try {
      do {
        for (int i = 0; i < servers.size(); i++) {
          if (servers.get(i).isReady()) {
            look(i);
          }
        }
      } while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(int server) throws InterruptedException {
    URI page = servers.get(server).page("/metrics");
    double lists = 0;
    double inflight = 0;
    try {
      for (String line : (Iterable<String>) Http.get(page).body().lines()::iterator) {
        if (line.startsWith("apiserver_request_total{") && line.contains("verb=\"LIST\"")
            || line.startsWith("apiserver_watch_list_duration_seconds_count{")) {
          lists += value(line);
        } else if (line.startsWith("apiserver_current_inflight_requests{")) {
          inflight += value(line);
        }
      }
    } catch (IOException e) {
      return;
    }
    long now = System.nanoTime();
    // A new process counts from zero, and nobody has asked it before it was ready.
    Sample last = before[server] == null ? new Sample(now - PAUSE.toNanos(), 0) : before[server];
    before[server] = new Sample(now, lists);
    if (lists >= last.lists) {
      synchronized (looks) {
        looks.add(
            new Look(
                server,
                (now - start) / 1e9,
                (lists - last.lists) / ((now - last.nanos) / 1e9),
                inflight));
      }
    }
  }

  private static double value(String line) {
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }

  List<Look> looks() {
    synchronized (looks) {
      return List.copyOf(looks);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    Await.end(reader);
  }
}
