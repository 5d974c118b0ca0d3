// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script of pools whose hosts ask a DHCPv6 server, and that of the others. */
class RequestedScriptTest {
  /** Hetzner's limit; others but AWS take more. */
  private static final int USER_DATA_BYTES = 32 * 1024;

  private static final HostNetwork FULL =
      new HostNetwork(
          "StaticPrefix",
          "",
          "",
          "None",
          "None",
          "enp0s31f6",
          "PointToPoint",
          OptionalInt.of(1420),
          "2001:db8:64:ff9b::/96",
          List.of("2001:db8:1:53::64", "2001:db8:1:53::65"),
          true,
          List.of(22, 80, 443, 4240, 9100),
          List.of(8472, 51871));

  private static final HostNetwork REQUESTED = FULL.asking(new HostNetwork.Requested(64, true));

  private static String script(HostNetwork network) {
    byte[] noise = new byte[420];
    new Random(1).nextBytes(noise);
    String ca =
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(noise)
            + "\n-----END CERTIFICATE-----\n";
    return JoinScript.render(
        new JoinInput(
                "https://[2001:db8::1]:6443",
                ca,
                "abcdef.0123456789abcdef",
                Instant.ofEpochSecond(1_800_000_000),
                "edge",
                "1.37.2",
                "{\"maxPods\": 200}",
                Map.of("example.org/site", "north", "a", "b"),
                List.of(new JoinInput.Taint("example.org/new", "north", "NoSchedule")),
                "2001:db8:96::a",
                "cluster.local",
                OptionalInt.of(80),
                List.of("2001:db8:1::/48", "2001:db8:2::/48"))
            .with(network));
  }

  @Test
  void theScriptSaysWhatIsAskedFor() {
    assertThat(script(REQUESTED))
        .contains("\nSOURCE='RequestedPrefix'\nDELEGATED_FILE='/run/exaplane/requested'\n")
        .contains("\nREQUESTED_LENGTH='64'\nHOST_ADDRESS='FromPrefix'\n");
    assertThat(script(FULL.asking(new HostNetwork.Requested(60, false))))
        .contains("\nREQUESTED_LENGTH='60'\nHOST_ADDRESS='Own'\n");
    assertThat(script(FULL)).contains("\nDELEGATED_FILE=''\n").doesNotContain("\nHOST_ADDRESS=");
  }

  @Test
  void userDataAreShortEnough() throws Exception {
    String compact = JoinScript.compact(script(REQUESTED));
    assertThat(CloudInit.render(script(REQUESTED))).hasSizeLessThan(USER_DATA_BYTES);
    assertThat(compact)
        .contains("exec dhcpcd -6 -B", "ra_honor_pio_pflag", "addrgenmode")
        .as("the provider routes what it delegates")
        .doesNotContain("nd-neighbor-solicit @th", "X-aws-ec2", "type unreachable");
    assertShellTakes(compact);
  }

  /** Nothing is left of the client, and nothing that would call it. */
  @ParameterizedTest
  @ValueSource(strings = {"StaticPrefix", "HostPrefix", "DelegatedPrefix"})
  void userDataOfOtherSourcesHaveNoClient(String source) throws Exception {
    String script = script(FULL).replace("SOURCE='StaticPrefix'", "SOURCE='" + source + "'");
    String compact = JoinScript.compact(script);
    assertThat(compact)
        .contains("nd-neighbor-solicit @th")
        .doesNotContain("dhcpcd", "HOST_ADDRESS")
        .doesNotContain("check_client", "start_client", "undo_client", "client_end", "own_of_")
        .doesNotContain("requested_");
    assertShellTakes(compact);
  }

  @Test
  void whoAsksSaysForWhat() {
    assertThatThrownBy(
            () ->
                new HostNetwork(
                    "RequestedPrefix",
                    "",
                    "",
                    "None",
                    "None",
                    "",
                    "Bridge",
                    OptionalInt.empty(),
                    "",
                    List.of(),
                    false,
                    List.of(),
                    List.of(),
                    Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("requested Optional.empty belongs to the source RequestedPrefix")
        .hasMessageContaining("set both or neither");
  }

  private static void assertShellTakes(String script) throws IOException, InterruptedException {
    Process shell = new ProcessBuilder("sh", "-n").redirectErrorStream(true).start();
    try (OutputStream in = shell.getOutputStream()) {
      in.write(script.getBytes(StandardCharsets.UTF_8));
    }
    String says = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(says).isZero();
  }
}
