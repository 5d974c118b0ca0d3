// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs of people, in every way in which YAML can say the same. */
class InputFileTest {
  @TempDir private static Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nodes: 5000~kubernetes-version: 1.30~",
        "nodes: '5000'~kubernetes-version: '1.30'~",
        "nodes: 5_000~kubernetes-version: v1.30.14-eks-5e0fdde~",
        "nodes: 5e3~kubernetes-version: 1.30~",
        "kubernetes-version: 1.30~nodes: &n 5000~services: *n~",
        "<<: {nodes: 5000}~kubernetes-version: 1.30~",
        "{\"nodes\": 5000, \"kubernetes-version\": \"1.30\"}",
        "# sizes~---~nodes: 5000~kubernetes-version: 1.30~...~",
        "nodes: 5000~kubernetes-version: 1.30~kube-proxy: yes~",
      })
  void theSameIsTheSame(String text) throws Exception {
    String plain = text.replace('~', '\n');
    for (byte[] file :
        List.of(
            plain.getBytes(StandardCharsets.UTF_8),
            ("\uFEFF" + plain).getBytes(StandardCharsets.UTF_8),
            plain.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8),
            plain.getBytes(StandardCharsets.UTF_16LE))) {
      assertThat(run("tune", file)).as(err.toString()).isZero();
      assertThat(out.toString()).startsWith("Kubernetes 1.30, 5,000 nodes");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nodes: 5000~nodes: 6000 | found duplicate key nodes at line: 2",
        "nodes:~nodes: 6000 | found duplicate key nodes at line: 2",
        "<<:~nodes: 5000 | << merges only maps at line: 1",
        "nodes: 5000~---~nodes: 6 | contains 2 documents, but only one is read; remove the others",
        "- nodes: 5 | must contain names with values; write one input on each line",
        "hello | must contain names with values; write one input on each line",
        "# nothing | is empty; write one input on each line",
        "nodes: [ | is not valid YAML or JSON: ",
        "nodes: 5,000 | nodes: '5,000' must be a whole number; write 5000",
        "nodes: *x | alias *x refers to no earlier anchor at line: 1",
        "Nodes: 5000 | 'Nodes' is not a known input; use the names of the options",
      })
  void whatIsWrongIsSaid(String text, String rule) throws Exception {
    assertThat(run("tune", text.replace('~', '\n').getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).startsWith("error: ").contains(rule);
    assertThat(err.toString().lines()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pods: {objects: 1_000, bytes: 4e3}", "a: &a {objects: 1000}~pods: *a"})
  void anInventoryIsYamlToo(String text) throws Exception {
    Path metrics =
        Files.writeString(
            folder.resolve("metrics"),
            "apiserver_resource_objects{group=\"\",resource=\"pods\"} 5\n");
    Path file = Files.writeString(folder.resolve("inventory"), text.replace('~', '\n'));
    assertThat(execute("lists", "--metrics=" + metrics, "--inventory=" + file)).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--nodes=5000 --to=2000 | 0 | warning: nodes: '5000' is not used, since the plan goes from --from to --to",
        "--from=0 | 2 | error: from: '0' must lie between 1 and 1,000,000 nodes",
        "--to=2000000 | 2 | error: to: '2000000' must lie between 1 and 1,000,000 nodes",
        "--to=1e6 | 2 | '1e6' must be a number",
      })
  void whatAPlanCannotUseIsSaid(String options, int code, String words) {
    assertThat(execute(("plan " + options).split(" "))).isEqualTo(code);
    assertThat(err.toString()).contains(words);
    assertThat(err.toString().lines()).hasSize(1);
  }

  /** Ten lines that stand for more values than anybody can walk through. */
  @ParameterizedTest
  @ValueSource(strings = {"tune -f", "plan -f", "addr plan -f", "tune --diff", "simulate -f"})
  void aliasesOfAliasesAreRefused(String command) throws Exception {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9)));
    }
    Path file = Files.writeString(folder.resolve("bomb"), bomb);
    String[] words = (command + " " + file).split(" ");
    assertThat(execute(words)).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString())
        .contains(
            command.endsWith("--diff")
                ? "contains no flag"
                : "aliases stand for more than 10000000");
  }

  private int run(String command, byte[] content) throws Exception {
    return execute(command, "-f", Files.write(folder.resolve("inputs"), content).toString());
  }

  private int execute(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Exactl.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }
}
