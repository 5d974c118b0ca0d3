// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Every command, every file, everything that can be wrong with them. */
class ErrorsTest {
  private static final String METRICS =
      "apiserver_resource_objects{group=\"\",resource=\"pods\"} 5000\n";
  private static final String EVENT =
      "{\"stage\":\"ResponseComplete\",\"requestURI\":\"/api/v1/pods\",\"verb\":\"list\",\"user\":{\"username\":\"u\"},\"requestReceivedTimestamp\":\"2026-11-22T10:00:00Z\"}\n";
  private static final String CLUSTER =
      "{kind: List, items: [{kind: Node, metadata: {name: n1}, status: {allocatable: {pods: '9'}}}, {kind: Pod, metadata: {name: p}}]}";
  private static final String CONFIG =
      "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration}";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private static Path folder;

  /** FILE stands for the input that is tried, and METRICS and CLUSTER for good ones. */
  private static final Map<String, String> GOOD =
      Map.of(
          "tune -f FILE",
          "nodes: 5000\n",
          "plan -f FILE",
          "nodes: 5000\n",
          "addr plan -f FILE",
          "provider: aws\nnodes: 5000\n",
          "tune --diff FILE",
          "kube-apiserver --max-requests-inflight=400\n",
          "lists --metrics FILE",
          METRICS,
          "lists --inventory FILE",
          "{pods: {objects: 5}}",
          "lists --metrics METRICS --audit-log FILE",
          EVENT,
          "simulate -f FILE",
          CLUSTER,
          "simulate -f CLUSTER --config FILE",
          CONFIG);

  static List<String> commands() {
    return GOOD.keySet().stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void readsPlainGzipAndStandardInput(String command) throws IOException {
    byte[] good = GOOD.get(command).getBytes(StandardCharsets.UTF_8);
    String expected = null;
    for (byte[] content : List.of(good, gzip(good))) {
      Path file = Files.write(folder.resolve("input"), content);
      for (String name : List.of(file.toString(), "-")) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(content));
        try {
          assertThat(run(command.replace("FILE", name))).as(err.toString()).isBetween(0, 1);
        } finally {
          System.setIn(before);
        }
        assertThat(err.toString()).doesNotContain("error: ");
        expected = expected == null ? out.toString() : expected;
        assertThat(out.toString()).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void whatIsWrongWithAFileIsOneLine(String command) throws IOException {
    for (Path bad : badFiles()) {
      int code = run(command.replace("FILE", bad.toString()));
      List<String> errors = err.toString().lines().filter(l -> !l.startsWith("warning: ")).toList();
      if (code == Exactl.BAD_INPUT) {
        assertThat(errors).as("%s: %s", command, bad).hasSize(1);
        assertThat(errors.getFirst()).as(command).startsWith("error: ").contains("; ");
        assertThat(errors.getFirst()).as(command).hasSizeLessThan(600);
        assertThat(out.toString()).as("%s: %s", command, bad).isEmpty();
      } else {
        assertThat(code).as("%s: %s: %s", command, bad, err).isBetween(0, 1);
        assertThat(errors).as("%s: %s", command, bad).isEmpty();
      }
    }
  }

  /** A word that the YAML parser would need minutes for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tune -f FILE",
        "plan -f FILE",
        "addr plan -f FILE",
        "tune --diff FILE",
        "lists --inventory FILE"
      })
  void aHugeWordIsRefusedAtOnceAndNotShown(String command) throws IOException {
    Path file = Files.writeString(folder.resolve("huge"), "x".repeat(5 << 20));
    assertThat(run(command.replace("FILE", file.toString()))).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).startsWith("error: ").hasSizeLessThan(600);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "frob",
        "crds",
        "pool",
        "tune --nodez=3",
        "tune --nodes",
        "tune extra",
        "tune --output xml",
        "tune --nodes x",
        "tune --explain",
        "plan --from x",
        "addr",
        "addr plan --nodes x",
        "addr plan extra",
        "lists",
        "lists --audit-log",
        "lists --top x",
        "lists --kubernetes-version nonsense --metrics METRICS",
        "simulate",
        "simulate -f /nowhere/at-all",
        "simulate --verdicts=x -f CLUSTER",
        "simulate --seed x -f CLUSTER",
        "simulate --profile 1.1 -f CLUSTER",
        "simulate --drain nobody -f CLUSTER",
        "simulate -f - --config -",
        "lists --metrics - --inventory -",
        "crds generate --count -1",
        "crds generate --count x",
        "lists bench --kubeconfig /nowhere",
        "pool top --every x",
      })
  void whatIsWrongWithACommandIsOneLineAndUsageIsForWhoAsks(String command) throws IOException {
    assertThat(run(command)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString().lines()).as(err.toString()).hasSize(1);
    assertThat(err.toString()).startsWith("error: ").contains("; ").doesNotContain("Usage");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void whatIsMeantIsGuessedAndWhatThereIsIsNamed() throws IOException {
    run("tune --nodez=3");
    assertThat(err.toString())
        .contains("Unknown option: '--nodez=3'; did you mean --nodes")
        .contains("'exactl tune --help' lists the options");
    run("");
    assertThat(err.toString())
        .contains("exactl needs a command: tune, plan, alerts, dashboards, monitors, lists");
    run("apply -f nowhere --prune");
    assertThat(err.toString())
        .contains("source: '' must be named with --prune", "add --source NAME");
    run("apply -f nowhere --namespace=");
    assertThat(err.toString())
        .contains("namespace: '' must name the namespace of the inventory", "write -n default");
    run("lists --metrics - --inventory -");
    assertThat(err.toString()).contains("the standard input, -, is named 2 times");
    run("tune --help");
    assertThat(out.toString()).startsWith("Usage: exactl tune");
  }

  private static List<Path> badFiles() throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (String text :
        List.of(
            "",
            "\n",
            "null",
            "[]",
            "{}",
            "1",
            "\"a\"",
            "a: [",
            "{\"a\":",
            "hello world",
            "pods: 5",
            "- a\n- b\n",
            "nodes: {a: b}\n",
            "nodes: [1, 2]\n",
            "1: 2\n",
            "? [a]\n: b\n",
            "kind: Pod\n",
            "kind: [a]\nmetadata: 5\n",
            "[".repeat(3000),
            "a: ".repeat(3000),
            "{\"a\":".repeat(3000) + "1" + "}".repeat(3000),
            "&a [*a]",
            "\u0000\u0001",
            "---\n---\n")) {
      contents.add(text.getBytes(StandardCharsets.UTF_8));
    }
    byte[] packed = gzip(METRICS.repeat(50).getBytes(StandardCharsets.UTF_8));
    contents.add(java.util.Arrays.copyOf(packed, packed.length / 2));
    contents.add(java.util.Arrays.copyOf(packed, 5));
    contents.add(new byte[] {(byte) 0xff, (byte) 0xfe, (byte) 0xfd, 0, 1});
    contents.add(new byte[] {'P', 'K', 3, 4, 0, 0});
    List<Path> files = new ArrayList<>(List.of(folder, folder.resolve("nowhere")));
    for (int i = 0; i < contents.size(); i++) {
      files.add(Files.write(folder.resolve("bad" + i), contents.get(i)));
    }
    return files;
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(plain);
    }
    return packed.toByteArray();
  }

  private int run(String command) throws IOException {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    Path metrics = Files.writeString(folder.resolve("metrics"), METRICS);
    Path cluster = Files.writeString(folder.resolve("cluster"), CLUSTER);
    String filled =
        command.replace("METRICS", metrics.toString()).replace("CLUSTER", cluster.toString());
    CommandLine commandLine = Exactl.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(filled.isEmpty() ? new String[0] : filled.split(" "));
  }
}
