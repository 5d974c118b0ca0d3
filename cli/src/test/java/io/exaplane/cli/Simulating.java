// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the command on made-up clusters, and reads what it says. */
abstract class Simulating {
  static final String CLUSTER =
      """
      apiVersion: v1
      kind: List
      items:
        - {kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
        - {kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
        - {kind: Node, metadata: {name: n3}, spec: {unschedulable: true}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
        - {kind: Pod, metadata: {name: old, namespace: a}, spec: {nodeName: n1, containers: [{name: c, resources: {requests: {cpu: "3"}}}]}, status: {phase: Running}}
        - {kind: Pod, metadata: {name: one, namespace: a}, spec: {containers: [{name: c, resources: {requests: {cpu: "2"}}}]}}
        - {kind: Pod, metadata: {name: two, namespace: a}, spec: {containers: [{name: c, resources: {requests: {cpu: 500m}}}]}}
        - {kind: Pod, metadata: {name: vip, namespace: a}, spec: {priority: 7, containers: [{name: c, resources: {requests: {cpu: "4"}}}]}}
        - {kind: Unheard, metadata: {name: whatever}}
      """;

  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();
  @TempDir Path folder;

  int run(String cluster, String... options) throws Exception {
    Path file = folder.resolve("cluster.yaml");
    Files.writeString(file, cluster);
    return execute(
        Stream.concat(Stream.of("simulate", "-f", file.toString()), Arrays.stream(options))
            .toArray(String[]::new));
  }

  int execute(String... arguments) {
    CommandLine commandLine = Exactl.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }

  List<JsonNode> lines() throws Exception {
    JsonMapper mapper = new JsonMapper();
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.toString().split("\n")) {
      lines.add(mapper.readTree(line));
    }
    return lines;
  }

  static JsonNode line(List<JsonNode> lines, String pod) {
    return lines.stream().filter(l -> l.get("pod").asText().equals(pod)).findFirst().orElseThrow();
  }
}
