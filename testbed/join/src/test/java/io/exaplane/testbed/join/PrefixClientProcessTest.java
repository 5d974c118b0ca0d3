// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.exaplane.operator.nodepool.join.JoinInput;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.testbed.machine.Await;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script's functions about DHCPv6, on a host with a real dhcpcd: what is asked, kept, lost and
 * given back. There is no cluster.
 */
@Tag("networks")
class PrefixClientProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String FIRST = "fd00:e:150::/60";
  private static final String SECOND = "fd00:e:160::/60";
  private static final int LONG = 3_600;

  /** What functions of a join need of those before them. */
  private static final String PRELUDE =
      """
      MODE=join PREFIX='' PREFIX_FOUND='' READDRESS='' NODE=exj-p ADDRESS=none
      WORK=$(mktemp -d)
      trap 'rm -rf "$WORK"' EXIT
      """;

  /** As a join does, without a cluster. */
  private static final String KEEP =
      PRELUDE + "check_client\nfind_prefix\nown_of_prefix\nbegin\nstart_client\n";

  private static final String GIVE_BACK =
      PRELUDE + "undo_client\nrm -rf \"$STATE\" /run/exaplane /var/log/exaplane\n";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static Net net;
  private static PrefixServer server;
  private static Host host;
  private static int scripts;

  @BeforeAll
  static void start() throws Exception {
    net = Net.make();
    server = PrefixServer.start();
    host = Host.make("p", 15, folder);
  }

  @AfterAll
  static void end() throws Exception {
    if (host != null) {
      host.close();
    }
    if (server != null) {
      server.close();
    }
    if (net != null) {
      net.close();
    }
  }

  @BeforeEach
  void delegate() {
    server.delegate(new PrefixServer.Lease(FIRST, LONG, 2 * LONG));
  }

  /** The functions of the script of a pool, and lines behind them. */
  private static Shell.Result run(boolean ownAddress, String lines) throws IOException {
    JoinInput plain =
        new JoinInput(
            "https://[%s]:6443".formatted(Net.API),
            "none",
            "abcdef.0123456789abcdef",
            Instant.EPOCH,
            "edge",
            "1.37.0",
            "{}",
            Map.of(),
            List.of(),
            Cluster.DNS,
            "cluster.local",
            OptionalInt.of(64),
            List.of(Net.POOL));
    String script = JoinScript.render(Inputs.requested(plain, 60, ownAddress));
    String functions = script.substring(0, script.indexOf("\n# --- Main.\n"));
    return host.script(
        Files.writeString(
            folder.resolve("lines-%d.sh".formatted(++scripts)), functions + "\n" + lines));
  }

  private static String must(boolean ownAddress, String lines) throws IOException {
    Shell.Result run = run(ownAddress, lines);
    assertThat(run.exit()).as(run.text()).isZero();
    return run.text();
  }

  private static String lease() throws IOException {
    return host.inside("sh", "-c", "cat /run/exaplane/requested 2>&1 || true");
  }

  private static String routes() throws IOException {
    return host.inside("ip", "-6", "route");
  }

  /** Waits until the client has noted this. */
  private static void await(String what, String text) throws Exception {
    Await.until(PATIENCE, what, () -> lease().equals(text), PrefixClientProcessTest::log);
  }

  /** Helpers of dhcpcd end a moment after dhcpcd. */
  private static void awaitTraces(String before) throws Exception {
    Await.until(PATIENCE, "no traces", () -> host.traces().equals(before), () -> host.traces());
  }

  private static String log() throws IOException {
    return lease() + host.inside("sh", "-c", "cat /var/log/exaplane/client.log 2>&1 || true");
  }

  @Test
  void whatTheServerDelegatesIsFoundAndNothingStays() throws Exception {
    String before = host.traces();
    int asked = server.asked(PrefixServer.REQUEST);
    String text = must(true, PRELUDE + "MODE=preflight\ncheck_client\nfind_prefix\nclient_end\n");
    assertThat(text)
        .contains("ok    client      the server on eth0 delegates " + FIRST)
        .contains("ok    prefix      fd00:e:150:1::/64");
    assertThat(server.asked(PrefixServer.REQUEST)).isGreaterThan(asked);
    awaitTraces(before);
  }

  @Test
  void anotherClientIsNamed() throws Exception {
    String text =
        must(
            false,
            PRELUDE
                + """
                socat -u UDP6-RECV:546 OPEN:/dev/null >/dev/null 2>&1 &
                other=$!
                until grep -q ':0222 ' /proc/net/udp6; do kill -0 $other || exit 9; sleep 0.1; done
                check_client
                kill $other
                """);
    assertThat(text)
        .contains("FAIL  client      another DHCPv6 client listens on UDP port 546.")
        .contains("(exit code 38)");
  }

  @Test
  void aHostWithoutAnInterfaceToAskOnIsNamed() throws Exception {
    assertThat(must(false, PRELUDE + "uplink() { :; }\ncheck_client\n"))
        .contains("no interface to ask on")
        .contains("interfaceName of NodePool edge")
        .contains("(exit code 29)");
    assertThat(must(false, PRELUDE + "have() { false; }\ncheck_client\n"))
        .contains("missing: dhcpcd")
        .contains("(exit code 10)");
  }

  /** A lease that is renewed, changes, ends and begins again, and is given back. */
  @Test
  void theLeaseIsKept() throws Exception {
    String before = host.traces();
    server.delegate(new PrefixServer.Lease(FIRST, 2, LONG));
    try {
      assertThat(must(false, KEEP)).contains("ok    prefix      fd00:e:150::/64");
      assertThat(lease()).isEqualTo(FIRST);
      assertThat(routes()).contains("unreachable " + FIRST);
      assertThat(host.inside("ip", "-d", "link", "show", "dev", "eth0"))
          .as("link-local addresses of the kernel")
          .contains("addrgenmode eui64");
      int renewals = server.asked(PrefixServer.RENEW);
      Await.until(
          PATIENCE,
          "renewals",
          () -> server.asked(PrefixServer.RENEW) > renewals,
          PrefixClientProcessTest::log);
      server.delegate(new PrefixServer.Lease(SECOND, 2, 10));
      await("the other prefix", SECOND);
      assertThat(routes()).contains("unreachable " + SECOND).doesNotContain("unreachable " + FIRST);
      server.silence();
      await("the end of the lease", "");
      assertThat(routes()).doesNotContain("unreachable " + SECOND);
      assertThat(must(false, PRELUDE + "requested_prefixes\n"))
          .isEqualTo("none: the DHCPv6 lease has ended");
      server.delegate(new PrefixServer.Lease(FIRST, LONG, 2 * LONG));
      await("a lease again", FIRST);
      int released = server.asked(PrefixServer.RELEASE);
      must(false, GIVE_BACK);
      Await.until(
          PATIENCE,
          "the release",
          () -> server.asked(PrefixServer.RELEASE) > released,
          PrefixClientProcessTest::log);
    } finally {
      run(false, GIVE_BACK);
    }
    awaitTraces(before);
  }

  /** RFC 9663, and the flag P of RFC 9762. */
  @Test
  void aHostTakesItsAddressFromThePrefix() throws Exception {
    String before = host.traces();
    try {
      assertThat(must(true, KEEP + "echo \"ADDRESS $ADDRESS\"\n"))
          .contains("ok    prefix      fd00:e:150:1::/64")
          .contains("ADDRESS fd00:e:150::1");
      assertThat(host.inside("ip", "-6", "address", "show", "dev", "eth0"))
          .contains("inet6 fd00:e:150::1/128");
      String sysctl = must(true, PRELUDE + "requested_sysctls\n");
      assumeTrue(!sysctl.isEmpty(), "kernels before 6.12 do not know the flag P");
      assertThat(sysctl).isEqualTo("net/ipv6/conf/eth0/ra_honor_pio_pflag 1");
      flagP(sysctl);
    } finally {
      must(true, GIVE_BACK);
    }
    assertThat(host.inside("ip", "-6", "address")).doesNotContain("fd00:e:150::1");
    awaitTraces(before);
  }

  /**
   * Of two advertised networks, the host makes itself an address in that without the flag alone.
   */
  private static void flagP(String sysctl) throws Exception {
    Path script = folder.resolve("advertise.pl");
    try (var text = PrefixClientProcessTest.class.getResourceAsStream("/advertise.pl")) {
      Files.copy(text, script);
    }
    String index = Integer.toString(NetworkInterface.getByName(Net.BRIDGE).getIndex());
    String conf = "/proc/sys/net/ipv6/conf/eth0/";
    String names = "autoconf accept_ra ra_honor_pio_pflag";
    String former = host.inside("sh", "-euc", "cd \"$0\"; grep . " + names, conf);
    host.inside(
        "sh",
        "-euc",
        "cd \"$0\"; echo 1 >autoconf; echo 2 >accept_ra; echo \"${1##* }\" >\"/proc/sys/${1%% *}\"",
        conf,
        sysctl);
    try {
      Await.until(
          PATIENCE,
          "an address of the network without the flag",
          () -> {
            Shell.must("perl", script.toString(), index, "fd00:e:77::", "fd00:e:78::");
            return host.inside("ip", "-6", "address").contains("fd00:e:78:");
          },
          () -> host.inside("ip", "-6", "address"));
      assertThat(host.inside("ip", "-6", "address")).doesNotContain("fd00:e:77:");
    } finally {
      host.inside(
          "sh",
          "-c",
          "cd \"$0\"; echo \"$1\" | while IFS=: read -r name value; do echo \"$value\" >\"$name\"; done;"
              + " ip -6 address flush dev eth0 to fd00:e:78::/64;"
              + " for network in 77 78; do ip -6 route delete fd00:e:$network::/64 dev eth0; done; true",
          conf,
          former);
    }
  }
}
