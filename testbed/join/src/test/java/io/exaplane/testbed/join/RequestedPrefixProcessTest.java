// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.operator.nodepool.join.JoinInput;
import io.exaplane.testbed.machine.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host asks a DHCPv6 server for a prefix, of which it takes its own address and that of its pods.
 * The prefix changes, and is lost for a while. Each test begins where the one before ended.
 */
@Tag("requested")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RequestedPrefixProcessTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final Duration PATIENCE = Duration.ofSeconds(240);
  private static final String FIRST = "fd00:e:150::/60";
  private static final String FIRST_PODS = "fd00:e:150:1::/64";
  private static final String SECOND = "fd00:e:160::/60";
  private static final String SECOND_PODS = "fd00:e:160:1::/64";
  private static final int LONG = 3_600;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static Net net;
  private static Cluster cluster;
  private static Hand hand;
  private static Host host;
  private static PrefixServer server;
  private static Path script;
  private static String before;

  @BeforeAll
  static void start() throws Exception {
    net = Net.make();
    cluster = Cluster.start(folder);
    cluster.token(TOKEN, Instant.now().plus(Duration.ofHours(1)));
    hand = Hand.start(cluster);
    server = PrefixServer.start();
    host = Host.make("r", 16, folder);
    JoinInput input =
        Inputs.requested(Inputs.firewall(cluster.input(TOKEN), List.of(), List.of()), 60, true);
    script = Files.writeString(folder.resolve("join.sh"), Inputs.userData(input));
    before = host.traces();
  }

  @AfterAll
  static void end() throws Exception {
    if (host != null) {
      host.close();
    }
    if (server != null) {
      server.close();
    }
    if (hand != null) {
      hand.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (net != null) {
      net.close();
    }
  }

  private static JsonNode node() throws Exception {
    return cluster.got("/api/v1/nodes/" + host.name);
  }

  private static String annotation() throws Exception {
    return node().path("metadata").path("annotations").path("exaplane.io/pod-prefix").asText();
  }

  private static String log() throws IOException {
    return host.inside(
        "sh", "-c", "tail -n 20 /var/log/exaplane/*.log /etc/kubernetes/exaplane/*.log || true");
  }

  /** Whoever waits for its next look looks now. */
  private static void wake(String program) throws IOException {
    host.inside(
        "sh",
        "-c",
        "read -r pid _ </run/exaplane/\"$0\".pid; kill $(ps -o pid=,comm= --ppid $pid | awk '$2 == \"sleep\" { print $1 }') 2>/dev/null || true",
        program);
  }

  /** Waits until the Node says so. */
  private static void awaitTold(String what) throws Exception {
    Await.until(
        PATIENCE,
        "the Node says " + what,
        () -> {
          wake("network");
          return annotation().equals(what);
        },
        () -> annotation() + log());
  }

  /** Helpers of dhcpcd end a moment after dhcpcd. */
  private static void awaitNoTraces() throws Exception {
    Await.until(PATIENCE, "no traces", () -> host.traces().equals(before), () -> host.traces());
  }

  /** Pods are reached by the server's route alone. */
  private static void podIsReached(String name, String network) throws Exception {
    String address = PausePod.run(cluster, host, name);
    assertThat(address).startsWith(network);
    assertThat(Shell.must("busybox", "ping", "-6", "-c", "3", "-w", "10", address))
        .contains(" 0% packet loss");
    PausePod.delete(cluster, name);
  }

  @Test
  @Order(1)
  void aNetworkWithoutAServerIsNamed() throws Exception {
    Shell.Result run = host.script(script, "--preflight");
    assertThat(run.exit()).as(run.text()).isEqualTo(31);
    assertThat(run.text())
        .contains("warn  client      no server on eth0 has delegated a prefix")
        .contains("the DHCPv6 server on eth0 names no prefix of at most 64 bits");
    assertThat(server.asked(PrefixServer.SOLICIT)).isPositive();
    awaitNoTraces();
  }

  @Test
  @Order(2)
  void aHostJoinsWithWhatItWasDelegated() throws Exception {
    server.delegate(new PrefixServer.Lease(FIRST, LONG, 2 * LONG));
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    JsonNode node = node();
    assertThat(node.path("spec").path("podCIDRs").path(0).asText()).isEqualTo(FIRST_PODS);
    assertThat(node.path("status").path("addresses").findValuesAsText("address"))
        .contains("fd00:e:150::1");
    Image.pause(host);
    podIsReached("r", "fd00:e:150:1:");
    run = host.script(script);
    assertThat(run.exit()).as("again: " + run.text()).isZero();
  }

  /** The server gives another prefix; once the Node is deleted, the host joins again with it. */
  @Test
  @Order(3)
  void anotherPrefixIsTakenByANodeThatIsMadeAgain() throws Exception {
    server.delegate(new PrefixServer.Lease(SECOND, 2, LONG));
    host.inside("sh", "-c", "read -r pid _ </run/exaplane/client.pid && kill -USR1 \"$pid\"");
    awaitTold(SECOND_PODS);
    cluster.deleted("/api/v1/nodes/" + host.name);
    Await.until(
        PATIENCE,
        "the host has joined again",
        () -> {
          wake("heartbeats");
          return node().path("spec").path("podCIDRs").path(0).asText().equals(SECOND_PODS)
              && log().contains("joins again with another prefix: exit code 0");
        },
        () -> log());
    podIsReached("s", "fd00:e:160:1:");
  }

  /** The server is silent until the lease has ended. */
  @Test
  @Order(4)
  void aLeaseThatHasEndedIsTold() throws Exception {
    server.delegate(new PrefixServer.Lease(SECOND, 2, 8));
    int renewals = server.asked(PrefixServer.RENEW);
    Await.until(
        PATIENCE,
        "a renewal",
        () -> server.asked(PrefixServer.RENEW) > renewals,
        RequestedPrefixProcessTest::log);
    server.silence();
    awaitTold("none: the DHCPv6 lease has ended");
    server.delegate(new PrefixServer.Lease(SECOND, LONG, 2 * LONG));
    awaitTold(SECOND_PODS);
  }

  @Test
  @Order(5)
  void undoGivesThePrefixBack() throws Exception {
    int released = server.asked(PrefixServer.RELEASE);
    host.undo(script);
    Await.until(
        PATIENCE,
        "the release",
        () -> server.asked(PrefixServer.RELEASE) > released,
        RequestedPrefixProcessTest::log);
    assertThat(host.inside("ip", "-6", "address")).doesNotContain("fd00:e:160::1");
    awaitNoTraces();
  }
}
