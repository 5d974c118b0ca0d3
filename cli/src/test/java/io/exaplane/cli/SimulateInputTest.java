// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What simulate reads, and what it says of what it cannot. */
class SimulateInputTest extends Simulating {
  @Test
  void readsListsWithoutKindsAndSeveralFiles() throws Exception {
    Path nodes = folder.resolve("nodes.json");
    Files.writeString(
        nodes,
        """
        {"apiVersion":"v1","items":[{"metadata":{"name":"n1"},"status":{"allocatable":{"pods":"1"}}}],
         "kind":"NodeList"}
        """);
    Path pods = folder.resolve("pods.yaml");
    Files.writeString(
        pods,
        """
        kind: Pod
        metadata: {name: p, namespace: a}
        spec: {containers: [{name: c}]}
        ---
        kind: Pod
        metadata: {name: q, namespace: a}
        spec: {containers: [{name: c}]}
        """);
    assertThat(execute("simulate", "-f", nodes.toString(), "-f", pods.toString())).isZero();
    assertThat(line(lines(), "a/p").get("node").asText()).isEqualTo("n1");
    assertThat(line(lines(), "a/q").get("node").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: Pod\\nmetadata: {namespace: a, name: p}\\nspec: {containers: {name: c}}|Pod a/p: spec.containers: {name} is not valid: it has to be a list",
        "kind: Node\\nmetadata: {name: n1}\\nstatus: {allocatable: {cpu: lots}}|status.allocatable.cpu: \"lots\" is not valid: it has to be a quantity",
        "kind: Node\\nmetadata: {name: n1}\\nspec: {unschedulable: 'yes'}|spec.unschedulable: \"yes\" is not valid",
        "kind: Pod\\nmetadata: {generateName: p-}|metadata.name: \"\" is not valid",
        "kind: Pod\\nmetadata: {name: p}\\nspec: {priority: 2147483648}|spec.priority: 2147483648 is not valid",
        "kind: [|is not valid YAML: ",
        "'&a {kind: List, items: [*a]}'|alias *a refers to no earlier anchor at line: 1",
        "just words|contains an entry that is not a Kubernetes object",
      })
  void namesWhatIsWrongWithAnObject(String object, String message) throws Exception {
    assertThat(run(object.replace("\\n", "\n"))).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void readsWhatYamlHas() throws Exception {
    String yaml =
        """
        # Source: chart
        ---
        # nothing
        ---
        apiVersion: v1
        kind: List
        items:
          - &n {kind: Node, metadata: {name: n1, labels: {tier: &t gold}}, status: &s {allocatable: {pods: "9"}}}
          - <<: *n
            metadata: {name: n2, labels: {tier: t}}
          - apiVersion: v1
            kind: NodeList
            items: [{metadata: {name: n3}, status: *s}]
          - {kind: Pod, metadata: {name: p}, spec: {nodeSelector: {tier: *t}}}
        ---
        {kind: Pod, metadata: {name: q}, spec: {nodeSelector: {tier: t}}}
        ---
        """;
    assertThat(run(yaml)).isZero();
    assertThat(line(lines(), "default/p").get("node").asText()).isEqualTo("n1");
    assertThat(line(lines(), "default/p").at("/infeasible/n3/plugin").asText())
        .isEqualTo("NodeAffinity");
    assertThat(line(lines(), "default/q").get("node").asText()).isEqualTo("n2");
    assertThat(err.toString()).isEmpty();
    assertThat(run("kind: Pod\nmetadata: {name: *x}")).isEqualTo(Exactl.BAD_INPUT);
    out.getBuffer().setLength(0);
    assertThat(run("kind: Pod\nmetadata: {name: p, name: q}")).isZero();
    assertThat(line(lines(), "default/q").get("node").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: Widget|the files have 0 nodes and 0 pods on nodes, and ignore: 1 Widget",
        "{kind: List, items: [{metadata: {name: p}}]}|kind: 1 objects have no kind",
        "{kind: Pod, metadata: {name: p}, spec: {priorityClassName: hi}}|spec.priorityClassName: 1 pending",
        "{kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, resources: {limits: {cpu: 1}}}]}}|limits: 1 pending",
        "{kind: Pod, metadata: {name: p}, spec: {initContainers: [{name: c, resources: {requests: {cpu: 1}, limits: {cpu: 1, gpu: 1}}}]}}|limits: 1 pending",
        "{kind: Pod, metadata: {name: p}, spec: {resources: {limits: {memory: 64Gi}}}}|limits: 1 pending",
        "{kind: PodList, metadata: {continue: abc}, items: []}|the server has more objects of "
            + "PodList",
        "{kind: PodDisruptionBudget, metadata: {name: b}, spec: {maxUnavailable: 1}}|PodDisruptionBudget: 1 have no status",
      })
  void warnsOfWhatPeopleMayNotMean(String objects, String warning) throws Exception {
    assertThat(run(objects)).isZero();
    assertThat(err.toString()).contains("warning: ").contains(warning);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{kind: Status, code: 401, message: Unauthorized}|\"Unauthorized\" is not valid: this "
            + "is an error of an API server",
        "{kind: List, items: {a: b}}|List: items: {a} is not valid: the value must be a list",
        "{kind: Table, apiVersion: meta.k8s.io/v1}|kind: \"Table\" is not valid: the objects "
            + "are incomplete",
        "{kind: List, items: [1]}|List: items: 1 is not valid: each must be an object",
        "{kind: Pod, apiVersion: v1beta1, metadata: {name: p}}|apiVersion: \"v1beta1\" is not valid: it has to be v1",
      })
  void refusesWhatIsNoListOfObjects(String objects, String error) throws Exception {
    assertThat(run(objects)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains("cluster.yaml: ").contains(error);
  }

  @Test
  void readsProtobuf() throws Exception {
    byte[] node = {
      'k',
      '8',
      's',
      0,
      10,
      10,
      10,
      2,
      'v',
      '1',
      18,
      4,
      'N',
      'o',
      'd',
      'e', // v1 Node
      18,
      24,
      10,
      4,
      10,
      2,
      'n',
      '1', // metadata.name
      26,
      16,
      18,
      14,
      10,
      4,
      'p',
      'o',
      'd',
      's',
      18,
      6,
      10,
      1,
      '9',
      26,
      1,
      'x' // allocatable
    };
    Path nodes = Files.write(folder.resolve("nodes.pb"), node);
    assertThat(run("{kind: Pod, metadata: {name: p}}", "-f", nodes.toString())).isZero();
    assertThat(line(lines(), "default/p").get("node").asText()).isEqualTo("n1");
    Files.write(nodes, Arrays.copyOf(node, 20));
    assertThat(run("{}", "-f", nodes.toString())).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains("nodes.pb").contains("is damaged");
  }

  @Test
  void takesWhatIsOddButThere() throws Exception {
    String odd =
        """
        kind: List
        items:
          - null
          - {kind: Node, apiVersion: longhorn.io/v1beta2, metadata: {name: n1}}
          - {kind: Node, metadata: {name: n1, creationTimestamp: null}, status: {allocatable: {cpu: 2, memory: "1e999999999", pods: 1.1e2}}}
          - {kind: Pod, metadata: {name: p, namespace: a}, spec: {containers: [{name: c, resources: {requests: {cpu: 0.5}}}]}}
        """;
    assertThat(run(odd)).isZero();
    assertThat(lines().getFirst().get("node").asText()).isEqualTo("n1");
    assertThat(run(odd, "--profile=v1.37.2-eks-1a2b3c")).isZero();
  }

  @Test
  void namesFilesAndVersionsThatAreNot() {
    assertThat(execute("simulate", "-f", "nowhere.json")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(execute("simulate", "-f", "x", "--profile", "1.12")).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains("nowhere.json").contains("one of 1.34, 1.35, 1.36, 1.37");
  }

  /** Of jq's '.items', yq's sequences, and programs that write UTF-16 without its mark. */
  @ParameterizedTest
  @CsvSource({"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-16"})
  void aListWithoutAKindAndAnyEncoding(String charset) throws Exception {
    String json =
        "[{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"},\"status\":{\"allocatable\":{\"pods\":\"9\"}}},\n{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"}}]";
    String yaml =
        "- {kind: Node, metadata: {name: n1}, status: {allocatable: {pods: '9'}}}\n- kind: Pod\n  metadata: {name: p}\n";
    for (String text : List.of(json, " " + json, yaml, "---\n" + yaml)) {
      Path file = folder.resolve("list");
      Files.write(file, text.getBytes(java.nio.charset.Charset.forName(charset)));
      out.getBuffer().setLength(0);
      assertThat(execute("simulate", "-f", file.toString())).as(err.toString()).isZero();
      assertThat(line(lines(), "default/p").get("node").asText()).isEqualTo("n1");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|is empty",
        "# nothing|is empty",
        "'Name: a\nRoles: <none>'|contains no Kubernetes object with a kind",
        "'{\"a\": 1}'|contains no Kubernetes object with a kind",
        "[]|is empty",
        "[1]|contains an entry that is not a Kubernetes object: 1",
      })
  void whatIsNoClusterIsAnError(String text, String rule) throws Exception {
    assertThat(run(text.replace("\\n", "\n"))).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).contains(rule).contains("kubectl get nodes,pods -A -o json");
  }

  @Test
  void aClusterWithoutObjectsIsNoError() throws Exception {
    assertThat(run("{apiVersion: v1, kind: List, items: []}")).isZero();
  }

  @Test
  void whatIsThereTwiceIsSaid() throws Exception {
    run(
        CLUSTER
            + "  - {kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: '1', pods: '9'}}}\n");
    assertThat(err.toString())
        .contains(
            "warning: metadata.name: 1 nodes and pods are more than once in one file, and the last one of each counts; write a file of one moment: Node n1");
    err.getBuffer().setLength(0);
    Path other = Files.writeString(folder.resolve("other.yaml"), CLUSTER);
    run(CLUSTER, "-f", other.toString(), "--drain=n1");
    assertThat(err.toString()).doesNotContain("more than once");
  }

  /** Of 'kubectl cluster-info dump': lists of each namespace, then the logs of its pods. */
  @Test
  void logsInADumpAreNoObjects() throws Exception {
    String nodes =
        "{\n \"kind\": \"NodeList\",\n \"items\": [{\"metadata\": {\"name\": \"n1\"}, \"status\": {\"allocatable\": {\"pods\": \"9\"}}}]\n}\n";
    String log =
        "==== START logs for container c of pod a/p ====\n%s\n==== END logs for container c of pod a/p ====\n";
    String pods = "{\"kind\": \"PodList\", \"items\": [{\"metadata\": {\"name\": \"%s\"}}]}\n";
    for (String text :
        List.of(
            "words {\n[\n ==== END logs",
            "",
            "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"x\"}}",
            "x".repeat(200_000) + "\n".repeat(3))) {
      out.getBuffer().setLength(0);
      String dump =
          nodes
              + log.formatted(text)
              + pods.formatted("p")
              + log.formatted(text).repeat(2)
              + pods.formatted("q")
              + log.formatted(text);
      assertThat(run(dump)).as(err.toString()).isZero();
      assertThat(lines()).hasSize(2);
      assertThat(line(lines(), "default/q").get("node").asText()).isEqualTo("n1");
    }
    assertThat(run(nodes + "==== words\n")).isEqualTo(Exactl.BAD_INPUT);
  }
}
