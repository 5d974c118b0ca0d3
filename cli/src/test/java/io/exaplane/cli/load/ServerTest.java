// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.model.InvalidInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
  @TempDir private Path folder;

  /** It would go past the proxy without a word, where somebody may have a server of that name. */
  @Test
  void aLoadDoesNotGoThroughAProxy() throws Exception {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            {"apiVersion":"v1","kind":"Config","current-context":"c",
             "clusters":[{"name":"c","cluster":{"server":"https://192.0.2.1:6443","proxy-url":"http://proxy:3128"}}],
             "users":[{"name":"u","user":{"token":"t"}}],
             "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}]}
            """);
    assertThatThrownBy(() -> Server.of(kubeconfig, null))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("https://192.0.2.1:6443/' is behind the proxy-url of the kubeconfig")
        .hasMessageContaining("without proxy-url");
  }
}
