// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardCommandTest {
  private static final Instant NOW = Instant.now();
  private static final String OLD = NOW.minus(Duration.ofHours(2)).toString();
  private static final String NEW = NOW.minus(Duration.ofMinutes(2)).toString();
  private static final String LIST =
      """
      {"kind":"ControlPlaneList","apiVersion":"exaplane.io/v1alpha1","items":[
       {"metadata":{"name":"demo"},"status":{"guard":{"frozen":true,"decisions":[
         {"at":"%s","act":"WouldFreeze","reason":"LeasesMissed","message":"61 of 100 nodes did not renew."},
         {"at":"%s","act":"Froze","reason":"EndpointUnreachable","message":"The API does not answer."}]}}},
       {"metadata":{"name":"other"},"status":{}},
       {"metadata":{"name":"young"}}]}
      """
          .formatted(OLD, NEW);

  @TempDir private Path folder;
  private HttpServer server;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean isList =
              exchange
                  .getRequestURI()
                  .getPath()
                  .equals("/apis/exaplane.io/v1alpha1/namespaces/ns/controlplanes");
          boolean isEmpty = exchange.getRequestURI().getPath().contains("/namespaces/empty/");
          String answer = isList ? LIST : isEmpty ? "{\"items\":[]}" : "{}";
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(isList || isEmpty ? 200 : 404, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private int run(String... words) throws IOException {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            {"apiVersion":"v1","kind":"Config","current-context":"c",
             "clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:%d"}}],
             "users":[{"name":"u","user":{"token":"t"}}],
             "contexts":[{"name":"c","context":{"cluster":"c","user":"u","namespace":"ns"}},
              {"name":"e","context":{"cluster":"c","user":"u","namespace":"empty"}}]}
            """
                .formatted(server.getAddress().getPort()));
    String[] all = new String[words.length + 2];
    all[0] = "guard";
    all[1] = "--kubeconfig=" + kubeconfig;
    System.arraycopy(words, 0, all, 2, words.length);
    return Exactl.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
  }

  @Test
  void theDecisionsOfTheLastHourAreListed() throws IOException {
    assertThat(run("-n", "ns")).isZero();
    assertThat(out.toString())
        .contains("TIME", "demo", "Froze", "EndpointUnreachable", "The API does not answer.")
        .doesNotContain("WouldFreeze");
  }

  /** As all commands of the plugin. */
  @Test
  void theNamespaceIsThatOfTheContext() throws IOException {
    assertThat(run()).as("%s", err).isZero();
    assertThat(out.toString()).contains("demo", "Froze");
  }

  /** It said that there were no decisions, as of control planes that are well. */
  @Test
  void aNamespaceWithoutControlPlanesIsSaid() throws IOException {
    assertThat(run("--context=e")).isEqualTo(Exactl.FAILED);
    assertThat(err.toString())
        .contains("namespace empty has no ControlPlane; list them with 'kubectl get cpl -A'");
  }

  @Test
  void anEarlierOneIsListedIfItIsAskedFor() throws IOException {
    assertThat(run("demo", "-n", "ns", "--last=24h", "-o=json")).isZero();
    assertThat(out.toString())
        .contains("\"act\" : \"WouldFreeze\"", "61 of 100")
        .contains("\"act\" : \"Froze\"");
  }

  @Test
  void noneIsSaidToBeNone() throws IOException {
    assertThat(run("other", "-n", "ns")).isZero();
    assertThat(out.toString()).contains("no decisions in the last 1h");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "-1h", "1", "x", ""})
  void aTimeThatIsNoneIsRefused(String last) throws IOException {
    assertThat(run("-n", "ns", "--last=" + last)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains("last: '" + last + "' must be a duration");
  }

  @Test
  void aControlPlaneThatDoesNotExistIsNamed() throws IOException {
    assertThat(run("missing", "-n", "ns")).isEqualTo(Exactl.FAILED);
    assertThat(err.toString()).contains("there is no ControlPlane missing");
  }

  @Test
  void aClusterWithoutControlPlanesIsNamed() throws IOException {
    assertThat(run("-n", "elsewhere")).isEqualTo(Exactl.FAILED);
    assertThat(err.toString()).contains("check --kubeconfig");
  }
}
