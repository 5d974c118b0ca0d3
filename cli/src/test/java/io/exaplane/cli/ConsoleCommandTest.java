// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleCommandTest {
  @TempDir private Path folder;
  private PlaneApi api;

  @BeforeEach
  void start() throws Exception {
    api = new PlaneApi(folder);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void withoutAPodTheNextActionIsNamed() throws Exception {
    api.with(
        """
        kind: Pod
        metadata: {name: exaplane-operator-0, labels: {app.kubernetes.io/name: exaplane-operator}}
        status: {conditions: [{type: Ready, status: "False"}]}
        """);
    assertThat(api.run("console", "-n", "ns")).isEqualTo(Exactl.FAILED);
    assertThat(api.err.toString())
        .contains("no pod of the operator is ready in namespace ns", "--namespace");
  }

  @Test
  void aWrongPortIsRefused() {
    assertThat(api.run("console", "--port", "65536")).isEqualTo(2);
    assertThat(api.err.toString()).contains("port: ", "'65536' must be from 0 to 65535");
  }

  @Test
  void aTokenFileThatDoesNotExistIsNamed() {
    assertThat(api.run("console", "--token-file", "/does/not/exist")).isEqualTo(2);
    assertThat(api.err.toString()).contains("token-file: ", "/does/not/exist");
  }
}
