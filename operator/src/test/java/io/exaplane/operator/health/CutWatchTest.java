// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.health.ReadyRule.Informer;
import io.exaplane.operator.health.ReadyRule.Passes;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A real informer, and an API that cuts its watch and takes its time with the next one. */
class CutWatchTest {
  private static final Passes IDLE = new Passes(0, false);

  private static final String BODY =
      "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}";
  private static final String LIST =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
          .formatted(BODY.length(), BODY);
  private static final String UPGRADE =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n";

  private final CountDownLatch cut = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger watches = new AtomicInteger();

  @Test
  void theOperatorIsReadyWhileAWatchIsOpenedAnew() throws Exception {
    try (ServerSocket api = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        KubernetesClient client = client(api.getLocalPort())) {
      Thread.ofVirtual().start(() -> accept(api));
      try (SharedIndexInformer<ConfigMap> informer =
          client.configMaps().inNamespace("ns").inform()) {
        ReadyRule rule = new ReadyRule();
        await("the informer watches", informer::isWatching);
        assertThat(problems(rule, informer, 0)).isEmpty();
        cut.countDown();
        await("the watch is cut, and the next one is not open", () -> !informer.isWatching());
        assertThat(informer.hasSynced()).isTrue();
        assertThat(problems(rule, informer, 1)).as("the watch was open a moment ago").isEmpty();
        assertThat(problems(rule, informer, ReadyRule.WATCH_PATIENCE.toSeconds() + 1))
            .as("the watch stays closed")
            .hasSize(1);
        answer.countDown();
        await("the informer watches again", informer::isWatching);
        assertThat(problems(rule, informer, 1000)).isEmpty();
        assertThat(watches.get()).isGreaterThan(1);
      }
    } finally {
      end.countDown();
    }
  }

  private static KubernetesClient client(int port) {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + port)
                .withRequestRetryBackoffLimit(0)
                .build())
        .build();
  }

  private static List<String> problems(
      ReadyRule rule, SharedIndexInformer<?> informer, long atSeconds) {
    return rule.look(
            true,
            List.of(
                new Informer(
                    "configmaps",
                    informer.isRunning(),
                    informer.hasSynced(),
                    informer.isWatching())),
            IDLE,
            Duration.ofSeconds(atSeconds).toNanos())
        .problems();
  }

  private void accept(ServerSocket api) {
    try {
      while (true) {
        Socket connection = api.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  /**
   * Lists at once; a watch that is open until it is cut, one that is not answered for a while, and
   * then one for good.
   */
  private void serve(Socket connection) {
    try (connection;
        BufferedReader requests =
            new BufferedReader(
                new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
        OutputStream answers = connection.getOutputStream()) {
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        String request = line;
        String key = "";
        while (!(line = requests.readLine()).isEmpty()) {
          if (line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:")) {
            key = line.substring(line.indexOf(':') + 1).strip();
          }
        }
        if (!request.contains("watch=true")) {
          answer(answers, LIST);
          continue;
        }
        boolean first = watches.incrementAndGet() == 1;
        if (!first) {
          answer.await();
        }
        answer(answers, UPGRADE.formatted(accepted(key)));
        (first ? cut : end).await();
        return;
      }
    } catch (IOException e) {
      // The client has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(OutputStream answers, String text) throws IOException {
    answers.write(text.getBytes(StandardCharsets.US_ASCII));
    answers.flush();
  }

  /** RFC 6455, 4.2.2. */
  private static String accepted(String key) {
    try {
      byte[] asked =
          (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(asked));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(String what, BooleanSupplier reached) throws InterruptedException {
    Instant deadline = Instant.now().plusSeconds(60);
    while (!reached.getAsBoolean()) {
      assertThat(Instant.now()).as("until %s", what).isBefore(deadline);
      Thread.sleep(10);
    }
  }
}
