// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the hook of dhcpcd makes of its variables, by a real shell. No route is touched. */
class LeaseHookTest {
  private static final String FOREVER = "4294967295";

  @TempDir Path folder;
  private Path lease;
  private Path hook;

  @BeforeEach
  void write() throws Exception {
    lease = folder.resolve("run/lease");
    hook = folder.resolve("hook");
    String text =
        said(
            Map.of(),
            "sh",
            "-c",
            """
            POOL=edge HOST_ADDRESS=FromPrefix
            uplink() { echo eth0; }
            ip() { echo '2: eth0: veth addrgenmode stable_secret numtxqueues 1'; }
            assignment() { printf "%s='%s'\\n" "$1" "$2"; }
            """
                + JoinScript.part("client.sh")
                + "\nclient_hook '"
                + lease
                + "'");
    Files.writeString(
        hook, text.replaceAll("(?m)^PATH=.*$", "PATH=/usr/bin:/bin\nip() { echo \"ip \\$*\"; }"));
  }

  private static String said(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process shell = builder.start();
    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(said).isZero();
    return said;
  }

  /**
   * Runs the hook.
   *
   * @param prefixes words, each of prefix, length, preferred and valid lifetime
   */
  private String run(String reason, String carrier, String... prefixes) throws Exception {
    Map<String, String> environment =
        new HashMap<>(Map.of("reason", reason, "ifcarrier", carrier, "interface", "eth0"));
    for (int i = 0; i < prefixes.length; i++) {
      String[] words = prefixes[i].split(" ");
      String name = "new_dhcp6_ia_pd1_prefix" + (i + 1);
      environment.put(name, words[0]);
      environment.put(name + "_length", words[1]);
      environment.put(name + "_pltime", words[2]);
      environment.put(name + "_vltime", words[3]);
    }
    return said(environment, "sh", hook.toString());
  }

  @Test
  void aLeaseIsNotedWithARouteAndAnAddress() throws Exception {
    assertThat(run("BOUND6", "up", "2001:db8:1:: 60 " + FOREVER + " " + FOREVER))
        .contains("ip link set dev eth0 addrgenmode stable_secret\n")
        .contains("ip -6 route replace unreachable 2001:db8:1::/60 metric 4097\n")
        .contains("ip -6 address replace 2001:db8:1::1/128 dev eth0 nodad\n");
    assertThat(lease).hasContent("2001:db8:1::/60\n");
  }

  /** A server that renumbers sends the former prefix without a lifetime, or with the rest of it. */
  @Test
  void thePreferredPrefixFollowsTheFormerOne() throws Exception {
    run("BOUND6", "up", "2001:db8:1:: 60 10 20");
    assertThat(run("RENEW6", "up", "2001:db8:1:: 60 0 0", "2001:db8:1:2:3:4:5:0 112 10 20"))
        .contains("ip -6 route delete unreachable 2001:db8:1::/60 metric 4097\n")
        .contains("ip -6 address delete 2001:db8:1::1/128 dev eth0\n")
        .contains("ip -6 address replace 2001:db8:1:2:3:4:5:1/128 dev eth0 nodad\n");
    assertThat(lease).hasContent("2001:db8:1:2:3:4:5:0/112\n");
    run("REBIND6", "up", "2001:db8:1:: 60 0 20", "2001:db8:2:: 60 10 20");
    assertThat(lease).hasContent("2001:db8:2::/60\n");
    run("REBOOT6", "up", "2001:db8:1:: 60 0 20", "2001:db8:2:: 60 0 0");
    assertThat(lease).as("one that is still valid").hasContent("2001:db8:1::/60\n");
  }

  @Test
  void theEndOfALeaseIsAnEmptyFile() throws Exception {
    run("BOUND6", "up", "2001:db8:1:: 60 10 20");
    assertThat(run("EXPIRE6", "down")).doesNotContain("delete");
    assertThat(run("STOP6", "up")).doesNotContain("delete");
    assertThat(run("NOCARRIER", "down")).doesNotContain("delete");
    assertThat(lease).as("a cable that is out").hasContent("2001:db8:1::/60\n");
    assertThat(run("EXPIRE6", "up", "2001:db8:1:: 60 10 20"))
        .contains("ip -6 route delete unreachable 2001:db8:1::/60 metric 4097\n");
    assertThat(lease).isEmptyFile();
    run("BOUND6", "up", "2001:db8:1:: 60 10 20");
    run("RELEASE6", "up");
    assertThat(lease).isEmptyFile();
  }
}
