// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/tools.md that need no cluster, from the page. A shell would put names of
 * files in the place of words; here these are files of this test.
 */
class ReadmeCommandsTest {
  private static final Set<String> OURS = Set.of("tune", "plan", "addr", "lists", "simulate");
  private static final Path PAGE = Path.of("../docs/tools.md");

  @TempDir private static Path folder;

  @BeforeAll
  static void filesOfAUser() throws IOException {
    Files.writeString(
        folder.resolve("METRICS"),
        """
        # TYPE apiserver_request_total counter
        apiserver_request_total{code="200",component="apiserver",group="",resource="pods",scope="cluster",verb="LIST",version="v1"} 12
        # TYPE apiserver_resource_objects gauge
        apiserver_resource_objects{group="",resource="pods"} 5000
        """);
    Files.writeString(
        folder.resolve("cluster.json"),
        """
        {"apiVersion":"v1","kind":"List","items":[
         {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"}}},
         {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p1","namespace":"default"},"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}]}
        """);
    try (OutputStream log =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("audit.log.1.gz")))) {
      log.write(
          """
          {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a","stage":"ResponseComplete","requestURI":"/api/v1/pods","verb":"list","user":{"username":"client"},"userAgent":"client/1","objectRef":{"resource":"pods","apiVersion":"v1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-11-28T08:00:00.000000Z","stageTimestamp":"2026-11-28T08:00:01.000000Z"}
          """
              .getBytes(StandardCharsets.UTF_8));
    }
  }

  @TestFactory
  Stream<DynamicTest> eachPasses() throws IOException {
    List<String> commands = commands(Files.readAllLines(PAGE));
    assertThat(commands).extracting(each -> each.split(" ")[1]).containsAll(OURS);
    return commands.stream().map(each -> DynamicTest.dynamicTest(each, () -> passes(each)));
  }

  private static void passes(String command) {
    List<String> words = new ArrayList<>();
    for (String word : command.replaceFirst(" > .*", "").split(" ")) {
      words.add(
          switch (word) {
            case "audit.log*.gz" -> folder.resolve("audit.log.1.gz").toString();
            case "METRICS", "cluster.json" -> folder.resolve(word).toString();
            default -> word;
          });
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] asked = words.subList(1, words.size()).toArray(String[]::new);
    int code = Exactl.run(new PrintWriter(out, true), new PrintWriter(err, true), asked);
    // A plan that does not fit has an exit code of its own; the answer is there.
    int expected = command.contains(" addr plan ") ? Exactl.FAILED : 0;
    assertThat(code).as("%s: %s", command, err).isEqualTo(expected);
    assertThat(out.toString()).isNotBlank();
    assertThat(out.toString().contains("<svg")).isEqualTo(command.contains("svg"));
  }

  /** Without comments. Pure. */
  private static List<String> commands(List<String> page) {
    List<String> commands = new ArrayList<>();
    boolean inside = false;
    for (String line : page) {
      if (line.startsWith("```")) {
        inside = !inside;
      } else if (inside && line.startsWith("./exa ") && OURS.contains(line.split(" ")[1])) {
        commands.add(line.replaceFirst("\\s+#.*", "").strip());
      }
    }
    return commands;
  }
}
