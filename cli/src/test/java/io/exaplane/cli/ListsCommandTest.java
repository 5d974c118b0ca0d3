// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ListsCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;
  private String metrics;

  @BeforeEach
  void writeMetrics() throws Exception {
    Path file = folder.resolve("metrics");
    Files.writeString(
        file,
        """
        apiserver_resource_objects{group="",resource="pods"} 5000
        apiserver_resource_size_estimate_bytes{group="",resource="pods"} 2e+07
        apiserver_cache_list_total{group="",index="",resource="pods"} 3
        apiserver_cache_list_fetched_objects_total{group="",index="",resource="pods"} 15000
        apiserver_cache_list_returned_objects_total{group="",index="",resource="pods"} 150
        """);
    metrics = file.toString();
  }

  @Test
  void ranksClientsAndSaysWhatToDo() throws Exception {
    Path plain = log("audit.log", 6, "poller/v1");
    Path gzip = folder.resolve("audit.log.gz");
    try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(gzip))) {
      packed.write(Files.readAllBytes(log("more.log", 1, "once/v1")));
    }
    assertThat(
            run(
                "--metrics",
                metrics,
                "--kubernetes-version=1.36",
                "--audit-log",
                plain.toString(),
                gzip.toString()))
        .isZero();
    assertThat(out.toString())
        .contains("7 requests of 2 clients")
        .containsPattern("85.7 % +u +poller +1 +6 +0 +0 +0 B +30,000")
        .contains("Polling (1): asks for the same objects again and again")
        .contains("fix: use an informer");
    assertThat(out.toString().indexOf(" poller ")).isLessThan(out.toString().indexOf(" once "));
  }

  @Test
  void jsonHasTheSame() throws Exception {
    run(
        "--metrics",
        metrics,
        "-o",
        "json",
        "--audit-log",
        log("audit.log", 6, "poller/v1").toString());
    JsonNode client = new JsonMapper().readTree(out.toString()).get("clients").get(0);
    assertThat(client.get("cacheObjects").asDouble()).isEqualTo(30_000);
    assertThat(client.get("findings").get(0).get("name").asText()).isEqualTo("Polling");
  }

  @Test
  void metricsAloneRankResources() {
    assertThat(run("--metrics", metrics)).isZero();
    assertThat(out.toString()).containsPattern("pods +5,000 +0 +0 +3 +15,000 +150 +100.0");
  }

  @Test
  void badInputIsRefusedByName() throws Exception {
    assertThat(run("--audit-log", "/nowhere", "--metrics", metrics)).isEqualTo(2);
    assertThat(err.toString()).contains("audit-log: '/nowhere' can't be read");
    assertThat(run("--audit-log", log("audit.log", 1, "a/1").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("must say how many objects there are");
    assertThat(run("--metrics", metrics, "--kubernetes-version=1.12")).isEqualTo(2);
    Path inventory = folder.resolve("inventory.yaml");
    Files.writeString(inventory, "pods: {objects: many}");
    assertThat(run("--inventory", inventory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("inventory.pods.objects: '\"many\"' must be a number");
  }

  private Path log(String name, int lists, String program) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < lists; i++) {
      lines.append(
          """
          {"stage":"ResponseComplete","requestURI":"/api/v1/pods","verb":"list","user":{"username":"u"},\
          "sourceIPs":["10.0.0.1"],"userAgent":"%s","objectRef":{"resource":"pods"},"responseStatus":{"code":200},\
          "requestReceivedTimestamp":"2026-11-22T10:00:%02d.000000Z"}
          """
              .formatted(program, 10 * i));
    }
    Path file = folder.resolve(name);
    Files.writeString(file, lines, StandardCharsets.UTF_8);
    return file;
  }

  private int run(String... arguments) {
    CommandLine commandLine = Exactl.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + 1];
    all[0] = "lists";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return commandLine.execute(all);
  }
}
