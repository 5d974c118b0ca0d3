// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Commands that measure at a running kube-apiserver: what is refused before anything is sent. */
class MeasureCommandsTest {
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          crds measure --count=0              | count: '0' must lie between 1 and 20000
          crds measure --rate=fast            | rate: 'fast' must be advised, unlimited or a number
          crds measure --rate=-1              | rate: '-1' must be
          crds measure --rate=5d              | rate: '5d' must be advised, unlimited or a number
          crds measure --limiter=300          | limiter: '300' must be BURST/QPS
          lists bench --runs=0                | runs: '0' must lie between 1 and 100,000
          lists bench --kubeconfig=/no/such   | kubeconfig: '/no/such' cannot be read
          """)
  void badInputIsRefusedByName(String command, String message) {
    assertThat(run(command.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void aServerThatDoesNotAnswerIsSaid() throws Exception {
    Path kubeconfig = kubeconfig("{\"token\":\"t\"}");
    assertThat(run("lists", "bench", "--kubeconfig=" + kubeconfig)).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("error: https://127.0.0.1:1/version: no answer: ")
        .containsPattern("no answer: (?!null)\\w+");
  }

  @Test
  void aKubeconfigWithoutCredentialsIsSaid() throws Exception {
    Path kubeconfig = kubeconfig("{}");
    assertThat(run("crds", "measure", "--kubeconfig=" + kubeconfig)).isEqualTo(2);
    assertThat(err.toString()).contains("contains no credentials", "kubectl auth whoami");
  }

  /** Of a server where nobody listens. */
  private Path kubeconfig(String credentials) throws Exception {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        {"apiVersion":"v1","kind":"Config","current-context":"c",
         "clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:1"}}],
         "users":[{"name":"u","user":%s}],
         "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}]}
        """
            .formatted(credentials));
  }

  private int run(String... arguments) {
    CommandLine commandLine = Exactl.commandLine();
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
