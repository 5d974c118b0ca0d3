// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often a host asks an API that does not answer. */
class HeartbeatLoopTest {
  private static final String BEGIN = "cat <<'PROGRAM'\n";
  private static final String LOOP = "WAIT=5\n";
  private static final int ATTEMPTS = 8;

  /** Seconds between the first attempts of a host, as the program's own text has it. */
  private static List<Integer> pauses(String node) throws IOException, InterruptedException {
    String text;
    try (InputStream file = JoinScript.class.getResourceAsStream("/nodepool/join/heartbeat.sh")) {
      text = new String(file.readAllBytes(), UTF_8);
    }
    String program =
        text.substring(text.indexOf(BEGIN) + BEGIN.length(), text.indexOf("\nPROGRAM\n"));
    assertThat(program).contains("\n" + LOOP);
    String stubs =
        "LEFT=%d\ntell() { return 1; }\nnap() { echo \"$1\"; LEFT=$((LEFT - 1)); [ \"$LEFT\" -gt 0 ] || exit 0; }\n"
            .formatted(ATTEMPTS);
    String tried = program.replace("\n" + LOOP, "\n" + stubs + LOOP);
    Process shell =
        new ProcessBuilder("sh", "-c", tried, "sh", "https://[::1]:1", node, "p", "key", "file")
            .redirectErrorStream(true)
            .start();
    String said = new String(shell.getInputStream().readAllBytes(), UTF_8);
    assertThat(shell.waitFor()).as(said).isZero();
    return said.lines().map(Integer::parseInt).toList();
  }

  @Test
  void hostsThatBootTogetherAskMoreAndMoreSeldomAndApart() throws Exception {
    List<Integer> one = pauses("node-1");
    List<Integer> other = pauses("node-2");
    assertThat(one).hasSize(ATTEMPTS);
    int least = 5;
    for (int pause : one) {
      assertThat(pause).isBetween(least, 2 * least - 1);
      least = Math.min(160, 2 * least);
    }
    assertThat(one).isNotEqualTo(other);
  }
}
