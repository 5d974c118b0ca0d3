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
    assertThat(err.toString()).contains("audit-log: '/nowhere' does not exist");
    assertThat(run("--audit-log", log("audit.log", 1, "a/1").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("is needed for the number of objects");
    assertThat(run("--metrics", metrics, "--kubernetes-version=1.12")).isEqualTo(2);
    Path other = Files.writeString(folder.resolve("other"), "go_goroutines 7\n");
    assertThat(run("--metrics", other.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("other' contains no count of objects");
    Path inventory = folder.resolve("inventory.yaml");
    Files.writeString(inventory, "pods: {objects: many}");
    assertThat(run("--inventory", inventory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("inventory.pods.objects: '\"many\"' must be a number");
  }

  @Test
  void aLogWithoutARequestIsAnErrorThatShowsWhatIsThere() throws Exception {
    Path file = folder.resolve("apiserver.log");
    for (String content :
        new String[] {"", "I1122 10:00:00 trace.go:236] List\n", "{\"a\":1}\n{}\n"}) {
      Files.writeString(file, content);
      assertThat(run("--metrics", metrics, "--audit-log", file.toString())).isEqualTo(2);
      assertThat(out.toString()).isEmpty();
    }
    assertThat(err.toString())
        .contains("apiserver.log' is empty; pass the file of kube-apiserver's --audit-log-path")
        .contains("1 other lines or documents; the first is 'I1122 10:00:00 trace.go")
        .contains("2 other lines or documents; the first is '{\"a\":1}'");
    Path received = log("received.log", 3, "a/1");
    Files.writeString(
        received, Files.readString(received).replace("ResponseComplete", "RequestReceived"));
    assertThat(run("--metrics", metrics, "--audit-log", received.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains("contains 3 events, but none of a completed request")
        .contains("remove ResponseComplete from omitStages");
    assertThat(run("--metrics", metrics, "--audit-log", folder.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("is a folder; name the files in the folder");
    Files.write(file, new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0});
    assertThat(run("--metrics", metrics, "--audit-log", file.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains("is compressed with zstd; only gzip, tar and zip are supported; run 'zstd -d ")
        .contains("apiserver.log'");
  }

  @Test
  void aFileCountsOnceAlsoBehindALinkAndABinaryOneIsNotPrinted() throws Exception {
    Path log = log("audit.log", 3, "a/1");
    Path link = Files.createSymbolicLink(folder.resolve("link.log"), log);
    assertThat(run("--metrics", metrics, "--audit-log", log.toString(), link.toString())).isZero();
    assertThat(out.toString()).startsWith("3 requests ");
    assertThat(err.toString()).contains("link.log' is the same file as");
    err.getBuffer().setLength(0);
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0x81, 2, (byte) 0xfe});
    assertThat(run("--metrics", metrics, "--audit-log", binary.toString())).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains("the first is 'binary'");
  }

  @Test
  void whatIsNotRecognisedIsCountedAndShownBesideTheResult() throws Exception {
    Path log = log("audit.log", 2, "a/1");
    Files.writeString(log, Files.readString(log) + "hello\nworld\n");
    assertThat(run("--metrics", metrics, "--audit-log", log.toString())).isZero();
    assertThat(out.toString())
        .contains("2 lines or documents contain no audit event and were ignored, such as 'hello'");
    out.getBuffer().setLength(0);
    run("--metrics", metrics, "--audit-log", log.toString(), "-o", "json");
    JsonNode document = new JsonMapper().readTree(out.toString());
    assertThat(document.get("brokenLines").asInt()).isEqualTo(2);
    assertThat(document.get("brokenExample").asText()).isEqualTo("hello");
  }

  /** A shell names the newest first, and the rotated ones behind it. */
  @Test
  void rotatedFilesAreReadInTheOrderOfTheirRequests() throws Exception {
    Path first = log("audit-2026.log", 6, "poller/v1");
    Path second = folder.resolve("audit.log");
    String whole = Files.readString(first);
    int middle = whole.length() / 2 + 17;
    Files.writeString(first, whole.substring(0, middle));
    Files.writeString(second, whole.substring(middle));
    for (String[] order :
        new String[][] {{"audit-2026.log", "audit.log"}, {"audit.log", "audit-2026.log"}}) {
      out.getBuffer().setLength(0);
      assertThat(
              run(
                  "--metrics",
                  metrics,
                  "--audit-log",
                  folder.resolve(order[0]).toString(),
                  folder.resolve(order[1]).toString()))
          .isZero();
      assertThat(out.toString()).contains("6 requests of 1 clients in 50 s").contains("Polling");
    }
    assertThat(
            run(
                "--metrics",
                metrics,
                "--audit-log",
                first.toString(),
                log("none", 0, "x").toString()))
        .isZero();
    assertThat(err.toString()).contains("none' contains no completed request");
  }

  @Test
  void theMetricsSayTheVersion() throws Exception {
    Path log = log("audit.log", 6, "poller/v1");
    Path page = folder.resolve("with-version");
    for (String version : new String[] {"v1.30.14-eks-1", "v1.33.2+rke2r1", "1.36.3-gke.1"}) {
      Files.writeString(
          page,
          Files.readString(Path.of(metrics))
              + "kubernetes_build_info{git_version=\"%s\",minor=\"30+\"} 1\n".formatted(version));
      out.getBuffer().setLength(0);
      assertThat(run("--metrics", page.toString(), "--audit-log", log.toString())).isZero();
      assertThat(out.toString()).contains("Kubernetes " + version.replaceAll("^v|[-+].*", ""));
      assertThat(out.toString().contains("StoreReads")).isEqualTo(version.startsWith("v1.30"));
      assertThat(out.toString().contains("1.33.2 has a bug that 1.33.3 fixed: the store, not the"))
          .isEqualTo(version.startsWith("v1.33"));
    }
    assertThat(err.toString()).isEmpty();
    run("--metrics", page.toString(), "--audit-log", log.toString(), "--kubernetes-version=1.35");
    assertThat(err.toString())
        .contains("'1.35' differs from the version in the metrics, 1.36.3-gke.1");
    out.getBuffer().setLength(0);
    run("--metrics", metrics, "--audit-log", log.toString());
    assertThat(out.toString()).contains("Kubernetes 1.37 (assumed;");
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
