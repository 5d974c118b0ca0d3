// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the option --dry-run says that the script would do. */
class DryRunTest {
  private static final String FUNCTION = "files_of_a_join() {\n";
  private static final String END = "\n}\n";

  /** Of a host that needs nothing for its network, and has no systemd. */
  private static final String STUBS =
      "needs_network() { false; }\nbridged() { :; }\nsysctls() { :; }\nsystemd_runs() { false; }\n"
          + "containerd_answers() { :; }\nsay() { echo \"$1\"; }\n"
          + "NEIGHBORS= FIREWALL= INTERFACE= PREFIX= CNI_FOLDER=/c RUN=/r LOGS=/l CONTAINERD_FILE=/t\n";

  private static List<String> said(String variables) throws IOException, InterruptedException {
    String text;
    try (InputStream file = JoinScript.class.getResourceAsStream("/nodepool/join/main.sh")) {
      text = new String(file.readAllBytes(), UTF_8);
    }
    int from = text.indexOf(FUNCTION);
    String function = text.substring(from, text.indexOf(END, from) + END.length());
    Process shell =
        new ProcessBuilder("sh", "-c", STUBS + function + variables + "\nfiles_of_a_join\n")
            .redirectErrorStream(true)
            .start();
    String said = new String(shell.getInputStream().readAllBytes(), UTF_8);
    assertThat(shell.waitFor()).as(said).isZero();
    return said.lines().toList();
  }

  @Test
  void theEndOfAllPodsComesFirst() throws Exception {
    List<String> all = said("READDRESS=yes");
    assertThat(all.getFirst()).isEqualTo("end   all pods of this host");
    assertThat(all.subList(1, all.size())).isEqualTo(said("READDRESS="));
  }

  /** containerd that runs must read the file that the script writes. */
  @Test
  void containerdWithoutAConfigurationGetsOne() throws Exception {
    assertThat(said("")).noneMatch(line -> line.contains("containerd"));
    assertThat(said("CONTAINERD_MISSING=yes"))
        .contains("write /t")
        .doesNotContain("start containerd again");
    assertThat(said("systemd_runs() { :; }\nCONTAINERD_MISSING=yes"))
        .contains("write /t", "start containerd again");
  }
}
