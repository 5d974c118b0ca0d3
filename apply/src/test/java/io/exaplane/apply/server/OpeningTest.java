// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.ResourceType;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that begin together make one connection, and a first one that fails stops no other. */
@Timeout(60)
class OpeningTest {
  private static final ResourceType MAPS =
      new ResourceType(new Gvk("", "v1", "ConfigMap"), "configmaps", true, Set.of("list"));
  private static final int REQUESTS = 6;

  @Test
  void theFirstRequestGoesAlone() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger besideTheFirst = new AtomicInteger(-1);
    List<Thread> senders = new ArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      server.setExecutor(threads);
      server.createContext(
          "/",
          exchange -> {
            if (begun.incrementAndGet() == 1) {
              while (!senders.stream().allMatch(OpeningTest::waits)) {
                Thread.onSpinWait();
              }
              besideTheFirst.set(begun.get() - 1);
            }
            byte[] list =
                "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}"
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, list.length);
            exchange.getResponseBody().write(list);
            exchange.close();
          });
      try (ServerPort port = port(server)) {
        List<Future<?>> done = new ArrayList<>();
        for (int at = 0; at < REQUESTS; at++) {
          FutureTask<Object> one =
              new FutureTask<>(() -> port.list(MAPS, Content.METADATA, "", 500, ""));
          done.add(one);
          senders.add(Thread.ofPlatform().unstarted(one));
        }
        server.start();
        senders.forEach(Thread::start);
        for (Future<?> one : done) {
          one.get(30, TimeUnit.SECONDS);
        }
      } finally {
        server.stop(0);
      }
    }
    assertThat(besideTheFirst).hasValue(0);
    assertThat(begun).hasValue(REQUESTS);
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        || thread.getState() == Thread.State.WAITING;
  }

  private static ServerPort port(HttpServer server) {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    return ServerPort.of(new ConfigBuilder(Config.empty()).withMasterUrl(url).build(), "exaplane");
  }

  @Test
  void aFirstRequestThatFailsStopsNoOther() throws Exception {
    Opening opening = new Opening();
    opening.enter();
    Thread second =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    opening.enter();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    opening.leave();
    second.join(TimeUnit.SECONDS.toMillis(30));
    assertThat(second.isAlive()).isFalse();
    opening.enter();
  }
}
