// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ExactlTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  @Test
  void theTableNamesEachValueItsDefaultAndItsReason() {
    assertThat(run("tune", "--kubernetes-version", "1.36", "--nodes", "5000")).isZero();
    assertThat(out.toString())
        .contains("Kubernetes 1.36, 5,000 nodes: 3 kube-apiservers")
        .containsPattern("flag +max-requests-inflight +3000 +400 +M +a usual number for this size")
        .contains("GOMEMLIMIT")
        .contains("PriorityLevelConfiguration/exaplane-leases");
  }

  /** design.md §3: other people's scripts read these names. */
  @Test
  void jsonHasTheNamesThatScriptsRead() throws Exception {
    run("tune", "--nodes=100000", "--kubernetes-version=1.36", "-o", "json");
    JsonNode document = new JsonMapper().readTree(out.toString());
    assertThat(document.get("version").asText()).isEqualTo("1.36");
    assertThat(document.get("items"))
        .isNotEmpty()
        .allSatisfy(
            item ->
                assertThat(item.fieldNames())
                    .toIterable()
                    .contains(
                        "component",
                        "kind",
                        "name",
                        "value",
                        "default",
                        "reason",
                        "inputs",
                        "source",
                        "confidence",
                        "risk"));
    assertThat(document.get("items"))
        .extracting(item -> item.get("kind").asText())
        .containsOnly("flag", "gate", "env", "apf", "resource", "config", "host");
    assertThat(document.get("warnings")).isNotEmpty();
  }

  @Test
  void yamlSaysTheSameAsJson() throws Exception {
    run("tune", "--nodes=100000", "-o", "json");
    JsonNode json = new JsonMapper().readTree(out.toString());
    out.getBuffer().setLength(0);
    run("tune", "--nodes=100000", "-o", "yaml");
    assertThat(new YAMLMapper().readTree(out.toString())).hasToString(json.toString());
  }

  @Test
  void explainsOneValue() {
    run(
        "tune",
        "--nodes=5000",
        "--kubernetes-version=1.36",
        "--explain",
        "--max-requests-inflight");
    assertThat(out.toString())
        .contains("flag max-requests-inflight of kube-apiserver")
        .containsPattern("default +400")
        .containsPattern("input +nodes = 5,000")
        .containsPattern("source +.*config.go")
        .contains("kube-apiserver flag, 1.30 to 1.37: default 400");
  }

  @Test
  void explainsWhatItLeavesAlone() {
    run("tune", "--nodes=5000", "--explain", "BtreeWatchCache");
    assertThat(out.toString())
        .contains("BtreeWatchCache: the model keeps the default")
        .contains("kube-apiserver gate, 1.33 to 1.36: GA, on, locked");
    assertThat(run("tune", "--explain", "disable-compression-for-client-ips")).isEqualTo(2);
    assertThat(err.toString())
        .contains("is not a flag, gate or field of any version from 1.30 to 1.37");
  }

  @Test
  void comparesWithARunningComponent() throws Exception {
    Path running = folder.resolve("cmdline");
    Files.writeString(running, "kube-apiserver\0--max-requests-inflight=400\0--insecure-port=0\0");
    assertThat(
            run("tune", "--nodes=5000", "--kubernetes-version=1.36", "--diff", running.toString()))
        .isEqualTo(1);
    assertThat(out.toString())
        .contains("error: kube-apiserver 1.36 does not start with 1 of these values")
        .containsPattern("error: unknown +insecure-port +0")
        .containsPattern("change +max-requests-inflight +400 +3000")
        .containsPattern("add +goaway-chance");
    out.getBuffer().setLength(0);
    Path pod =
        Files.writeString(
            folder.resolve("pod.yaml"),
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: cp}
            spec:
              containers:
                - name: kube-scheduler
                  command: [kube-scheduler, --v=2]
                - name: kube-apiserver
                  env: [{name: GOGC, value: "100"}]
                  command:
                    - kube-apiserver
                    - --max-requests-inflight=3000
            """);
    assertThat(run("tune", "--nodes=5000", "--kubernetes-version=1.36", "--diff", pod.toString()))
        .isEqualTo(1);
    assertThat(out.toString())
        .contains("kube-apiserver of 1.36, container kube-apiserver of Pod cp")
        .contains("the file also contains kube-scheduler (container kube-scheduler of Pod cp)")
        .containsPattern("fine +max-requests-inflight +3000 +3000 +equals the advice")
        .containsPattern("env.GOGC +100");
    out.getBuffer().setLength(0);
    run("tune", "--nodes=5000", "--diff", pod.toString(), "--component=kube-scheduler", "-o=json");
    JsonNode document = new JsonMapper().readTree(out.toString());
    assertThat(document.get("component").asText()).isEqualTo("kube-scheduler");
    assertThat(document.get("others")).hasSize(1);
    assertThat(document.get("startsNot").asBoolean()).isFalse();
    String server = "command: [kube-apiserver, --max-requests-inflight=3000]";
    for (String text :
        List.of(
            "kind: ConfigMap\n"
                + "data:\n"
                + "  pod.yaml: |\n"
                + "    kind: Pod\n"
                + "    spec:\n"
                + "      containers:\n"
                + "      - name: a\n"
                + "        "
                + server,
            "{\"kind\":\"PodList\",\"items\":[{\"spec\":{\"containers\":[{\"name\":\"a\",\"command\":[\"kube-apiserver\",\"--max-requests-inflight=3000\"]}]}}]}\n"
                + "==== START logs for container a ====\n"
                + "I1 FLAG: x\n",
            ("- {kind: Pod, spec: {containers: [{name: b, args: [--x="
                        + "y".repeat(900)
                        + "]}]}}\n")
                    .repeat(4_000)
                + "- {kind: Pod, spec: {containers: [{name: a, "
                + server
                + "}]}}\n")) {
      out.getBuffer().setLength(0);
      Files.writeString(pod, text);
      run("tune", "--nodes=5000", "--kubernetes-version=1.36", "--diff", pod.toString());
      assertThat(out.toString())
          .contains("container a of Pod")
          .containsPattern("fine +max-requests-inflight +3000 +3000 +equals the advice");
    }
    assertThat(out.toString().lines().findFirst().orElseThrow()).hasSizeLessThan(600);
    assertThat(run("tune", "--diff", running.toString(), "--component", "etcd")).isEqualTo(2);
    assertThat(err.toString()).contains("component: 'etcd' has no known flags");
  }

  @Test
  void aShapeMayComeFromAFileAndOptionsWin() throws Exception {
    Path shape = folder.resolve("shape.yaml");
    Files.writeString(
        shape, "nodes: 60000\nkubernetes-version: \"1.35\"\nagents: [monitoring/telemetry]\n");
    assertThat(run("tune", "-f", shape.toString(), "--nodes=70000")).isZero();
    assertThat(out.toString())
        .contains("Kubernetes 1.35, 70,000 nodes")
        .contains("FlowSchema/exaplane-agents");
    Files.writeString(shape, "nodez: 1\n");
    assertThat(run("tune", "-f", shape.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("file: 'nodez' is not a known input");
  }

  /** In YAML and JSON 1.30 is a number, and 1.3 is the same one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes-version: 1.30        | 1.30",
        "kubernetes-version: '1.30'      | 1.30",
        "{\"kubernetes-version\": 1.30}   | 1.30",
        "kubernetes-version: v1.34.1-eks-a1b2c3 | 1.34",
        "kubernetes-version: 1.36+        | 1.36",
      })
  void versionsInFilesAreReadAsTheyAreWritten(String content, String version) throws Exception {
    Path shape = Files.writeString(folder.resolve("shape.yaml"), content);
    assertThat(run("tune", "-f", shape.toString())).as(err.toString()).isZero();
    assertThat(out.toString()).startsWith("Kubernetes " + version + ",");
  }

  @Test
  void whatAPatchFixedIsToldWithItsNumber() {
    run("tune", "--kubernetes-version=v1.34.1-eks-a1b2c3");
    assertThat(out.toString())
        .contains("FixedAsyncApiCalls: kube-scheduler of 1.34.1 has a bug that 1.34.2 fixed")
        .contains("next: install 1.34.2 or later")
        .doesNotContain("FixedEventSizes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--kubernetes-version=1.3      | write that, and quote it in YAML",
        "--kubernetes-version=1.5      | flags and gates of other versions are unknown",
        "--kubernetes-version=4.18.3   | an OpenShift 4.18.3 has Kubernetes 1.31",
        "--kubernetes-version=1.99     | kubernetes-version: '1.99' must lie between 1.30 and 1.37",
        "--nodes=-3                    | nodes: '-3' must lie between 1 and 1,000,000",
        "--pod-cidrs=10.0.0.1/8        | pod-cidrs: '10.0.0.1/8' has bits set behind its prefix",
        "--file=/nowhere/shape.yaml    | file: '/nowhere/shape.yaml' does not exist",
        "--output=xml                  | Invalid value for option '--output'",
      })
  void badInputIsRefusedByName(String option, String message) {
    assertThat(run("tune", option)).isEqualTo(2);
    assertThat(err.toString()).contains(message);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void plansGrowthAsTableAndPicture() throws Exception {
    assertThat(run("plan", "--from=1000", "--to=1000000", "--kubernetes-version=1.36")).isZero();
    assertThat(out.toString())
        .containsPattern("5,000 +3 +")
        .contains("As given, on servers of 128 cores, 512 GiB, 25 Gbit/s:")
        .contains("SliceWritesExceedSeats")
        .containsPattern("1,000,000 nodes: .* breaks first: .* of .* times")
        .contains("kube-proxy: true → false. Let no node watch")
        .containsPattern("memory of a kube-apiserver: 2.* TiB of 486 GiB → 486 GiB of 486 GiB")
        .containsPattern("Try it: exactl tune .*--nodes=1000000 .*--kube-proxy=false")
        .doesNotContain("Warnings that remain");
    out.getBuffer().setLength(0);
    run("plan", "-o", "svg", "--from=500000");
    assertThat(out.toString()).startsWith("<svg").endsWith("</svg>\n");
    out.getBuffer().setLength(0);
    run("plan", "-o", "json", "--from=10", "--to=20");
    JsonNode json = new JsonMapper().readTree(out.toString());
    assertThat(json.get("steps")).hasSize(2);
    assertThat(json.get("paths").get(1).get("fits").asBoolean()).isTrue();
    assertThat(run("plan", "--from=20", "--to=10")).isEqualTo(2);
    err.getBuffer().setLength(0);
    assertThat(run("plan", "--servers=large")).isEqualTo(2);
    assertThat(err.toString())
        .contains("servers: 'large' must be cores, memory and network of one server")
        .contains("128c,512GiB,25Gbit");
  }

  @Test
  void helpStatesEveryInputsDefault() {
    run("tune", "--help");
    assertThat(out.toString())
        .contains("--nodes")
        .contains("(default: 1000)")
        .contains("--pod-churn-per-second");
  }

  private int run(String... arguments) {
    CommandLine commandLine = Exactl.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }

  /** To read the options of all commands takes as long as a command does. */
  @ParameterizedTest
  @CsvSource({
    "status, 1",
    "pool, 1",
    "completion, 29",
    "man, 29",
    "nothing, 29",
    "--help, 29",
    "--version, 0"
  })
  void onlyTheNamedCommandIsBuilt(String word, int commands) {
    CommandLine built = Exactl.commandLine(new String[] {word, "other"});
    assertThat(built.getSubcommands()).hasSize(commands);
  }

  @Test
  void aCommandHasTheNameOfItsClass() {
    Exactl.commandLine()
        .getSubcommands()
        .forEach((name, command) -> assertThat(command.getCommandName()).isEqualTo(name));
  }
}
