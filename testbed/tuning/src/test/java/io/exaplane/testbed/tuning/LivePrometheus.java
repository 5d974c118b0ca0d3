// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.exaplane.tuning.monitors.Monitors;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A real Prometheus with the configuration that users get. */
final class LivePrometheus implements AutoCloseable {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final JsonMapper JSON = new JsonMapper();

  private final Server server;

  private LivePrometheus(Server server) {
    this.server = server;
  }

  /**
   * Starts it.
   *
   * @param scrapes as 'exactl monitors' prints them; only the way to the API is added
   * @param rules as 'exactl alerts' prints them
   */
  static LivePrometheus start(Path folder, String scrapes, String rules, URI api, String token)
      throws Exception {
    ObjectNode configuration = (ObjectNode) YAML.readTree(scrapes);
    configuration.putObject("global").put("evaluation_interval", "1s");
    configuration.putArray("rule_files").add("rules.yaml");
    Files.writeString(folder.resolve("rules.yaml"), rules);
    for (JsonNode job : configuration.path("scrape_configs")) {
      ObjectNode discovery = (ObjectNode) job.at("/kubernetes_sd_configs/0");
      discovery.put("api_server", api.toString());
      discovery.putObject("authorization").put("credentials", token);
      discovery.putObject("tls_config").put("insecure_skip_verify", true);
      if (job.has("authorization")) {
        ObjectNode authorization = (ObjectNode) job.path("authorization");
        String file = authorization.path("credentials_file").asText();
        Path mounted = folder.resolve(file.substring(Monitors.TOKENS.length()));
        Files.writeString(mounted, token);
        authorization.put("credentials_file", mounted.toString());
      }
    }
    Path file = folder.resolve("prometheus.yaml");
    Files.writeString(file, YAML.writeValueAsString(configuration));
    String address = "127.0.0.1:" + Machine.freePort();
    List<String> command =
        List.of(
            Machine.environment("EXA_PROMETHEUS"),
            "--config.file=" + file,
            "--storage.tsdb.path=" + folder.resolve("series"),
            "--web.listen-address=" + address,
            "--log.level=warn");
    return new LivePrometheus(
        Server.start(
            command,
            Map.of(),
            URI.create("http://" + address + "/-/ready"),
            folder.resolve("prometheus.log")));
  }

  /** Whether a query has a number as an answer now. */
  boolean answers(String promql) throws IOException, InterruptedException {
    for (JsonNode series : query(promql).path("result")) {
      if (!series.at("/value/1").asText().equals("NaN")) {
        return true;
      }
    }
    return false;
  }

  /** The answer to a query. */
  JsonNode query(String promql) throws IOException, InterruptedException {
    return ask("/api/v1/query?query=" + encoded(promql));
  }

  /** Series that a selector finds. */
  JsonNode series(String selector) throws IOException, InterruptedException {
    return ask("/api/v1/series?match%5B%5D=" + encoded(selector));
  }

  /** The data of an answer of its API. */
  JsonNode ask(String path) throws IOException, InterruptedException {
    JsonNode answer = JSON.readTree(Http.get(server.page().resolve(path)).body());
    if (!answer.path("status").asText().equals("success")) {
      throw new AssertionError(path + ": " + answer);
    }
    return answer.path("data");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.close();
  }
}
