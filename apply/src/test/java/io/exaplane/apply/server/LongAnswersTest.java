// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.ResourceType;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever owns the server's objects says how long answers are; the port reads up to a bound. */
@Timeout(60)
class LongAnswersTest {
  private static final ResourceType MAPS =
      new ResourceType(new Gvk("", "v1", "ConfigMap"), "configmaps", true, Set.of("list"));
  private HttpServer server;
  private volatile int fillers;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] filler = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
          String list = "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}";
          try (OutputStream body = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(200, 0);
            for (int at = 0; at < fillers; at++) {
              body.write(filler);
            }
            body.write(list.getBytes(StandardCharsets.US_ASCII));
          } catch (IOException e) {
            // The port hung up, as it is to.
            exchange.close();
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private ServerPort port() {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    return ServerPort.of(new ConfigBuilder(Config.empty()).withMasterUrl(url).build(), "exaplane");
  }

  @Test
  void aLongPageIsReadWhole() throws Exception {
    fillers = 7;
    try (ServerPort port = port()) {
      ListPage page = port.list(MAPS, Content.METADATA, "", 500, "");
      assertThat(page.resourceVersion()).isEqualTo(7);
      assertThat(page.bytes()).isGreaterThan(7 << 20);
    }
  }

  @Test
  void aPageBeyondTheBoundIsRefusedAsTooLargeAndTheNextOneIsRead() throws Exception {
    fillers = 9;
    try (ServerPort port = port()) {
      for (int at = 0; at < 3; at++) {
        ApiException failed =
            catchThrowableOfType(
                ApiException.class, () -> port.list(MAPS, Content.METADATA, "", 500, ""));
        assertThat(failed.failure().reason()).isEqualTo(Failure.TOO_LARGE);
        assertThat(failed.failure().message()).contains("more than 8388608 bytes");
      }
      fillers = 0;
      assertThat(port.list(MAPS, Content.METADATA, "", 125, "").resourceVersion()).isEqualTo(7);
    }
  }
}
