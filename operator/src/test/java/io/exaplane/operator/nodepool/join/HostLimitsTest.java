// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.model.HostLimits;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The join script raises the limits of a host to what the tuning model names. */
class HostLimitsTest {
  private static String resource(String name) throws IOException {
    try (InputStream file = JoinScript.class.getResourceAsStream("/nodepool/join/" + name)) {
      return new String(file.readAllBytes(), UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 110, 250, 1_000})
  void theScriptHasTheModelsNumbers(int pods) throws Exception {
    String script = resource("preflight.sh");
    int begin = script.indexOf("\nlimits() {");
    String function = script.substring(begin, script.indexOf("\n}\n", begin) + 3);
    String program =
        "setting() { [ \"$1\" = maxPods ] && echo \"$2\"; }\nMAX_PODS=%d\n%s\nlimits"
            .formatted(pods, function);
    Process shell = new ProcessBuilder("sh", "-c", program).redirectErrorStream(true).start();
    String said = new String(shell.getInputStream().readAllBytes(), UTF_8);
    assertThat(shell.waitFor()).as(said).isZero();
    assertThat(said)
        .isEqualTo(
            new HostLimits(pods)
                .sysctls().entrySet().stream()
                    .map(each -> each.getKey().replace('.', '/') + " " + each.getValue() + "\n")
                    .collect(Collectors.joining()));
  }

  @Test
  void programsMayOpenAsManyFiles() throws IOException {
    assertThat(resource("write.sh")).contains("\nLimitNOFILE=" + HostLimits.OPEN_FILES + "\n");
  }
}
