// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.operator.nodepool.join.JoinInput;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.testbed.machine.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
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
 * Pods get a part of the network that the host is in, and the router asks on the link for each of
 * their addresses. Each test begins where the one before ended.
 */
@Tag("networks")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostPrefixProcessTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final String LINK = "fd00:e:1::/64";

  /** The end of the host's address, fd00:e:1::113. */
  private static final String PART = "fd00:e:1::113:0/112";

  private static final String FOREIGN = "fd00:e:1::999:1";
  private static final int OPEN = 9_001;
  private static final int SHUT = 9_002;
  private static final int PATIENCE_MS = 2_000;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static Net net;
  private static Cluster cluster;
  private static Hand hand;
  private static Host host;
  private static Path script;
  private static String before;

  @BeforeAll
  static void start() throws Exception {
    net = Net.make();
    cluster = Cluster.start(folder);
    cluster.token(TOKEN, Instant.now().plus(Duration.ofHours(1)));
    hand = Hand.start(cluster);
    host = Host.make("h", 13, folder);
    script =
        written(
            "join.sh",
            Inputs.firewall(Inputs.neighbors(input(), "KernelProxy"), List.of(OPEN), List.of()));
    before = Traces.settled(HostPrefixProcessTest::traces);
  }

  @AfterAll
  static void end() throws Exception {
    Shell.may("ip", "-6", "route", "delete", FOREIGN);
    if (host != null) {
      host.close();
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

  private static JoinInput input() {
    return Inputs.source(
        Inputs.length(Inputs.prefixes(cluster.input(TOKEN), LINK), 112), "HostPrefix");
  }

  private static Path written(String name, JoinInput input) throws IOException {
    return Files.writeString(folder.resolve(name), JoinScript.render(input));
  }

  private static String traces() throws IOException {
    return host.traces()
        + host.inside(
            "sh",
            "-c",
            "ip -6 neigh show proxy | sort | cksum; ip -6 rule; cat /proc/sys/net/ipv6/conf/eth0/proxy_ndp");
  }

  private static String withPids() throws IOException {
    return traces() + host.inside("sh", "-c", "cat /run/exaplane/*.pid");
  }

  private static JsonNode node() throws Exception {
    return cluster.got("/api/v1/nodes/" + host.name);
  }

  @Test
  @Order(1)
  void aPrefixOnTheLinkThatNobodyAnswersForIsRefused() throws Exception {
    Shell.Result run = host.script(written("none.sh", input()), "--preflight");
    assertThat(run.exit()).as(run.text()).isEqualTo(28);
    assertThat(run.text())
        .contains("ok    prefix      " + PART)
        .contains("asks on the link for each address")
        .contains("neighborDiscovery of NodePool edge to KernelProxy");
    Traces.same(HostPrefixProcessTest::traces, before);
  }

  /** Another node has the part that was derived first. The script is that of the user data. */
  @Test
  @Order(2)
  void aRefusedPartIsFollowedByAnotherOne() throws Exception {
    Path booted =
        Files.writeString(
            folder.resolve("booted.sh"), Inputs.userData(Inputs.neighbors(input(), "KernelProxy")));
    hand.refuse(PART, "Node w7 uses the prefix.");
    Shell.Result run = host.script(booted);
    hand.refuse(PART, "");
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(run.text()).contains("Node w7 uses the prefix. Another part");
    String part = node().path("spec").path("podCIDRs").path(0).asText();
    assertThat(part).startsWith("fd00:e:1:").endsWith("/112").isNotEqualTo(PART);
    run = host.script(booted);
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(run.text()).contains(part);
    run = host.script(booted, "--undo");
    assertThat(run.exit()).as(run.text()).isZero();
    Traces.same(HostPrefixProcessTest::traces, before);
    cluster.deleted("/api/v1/nodes/" + host.name);
  }

  @Test
  @Order(3)
  void aHostJoinsAndItsPodsAreReachedOnTheLink() throws Exception {
    Shell.Result run = host.script(script);
    System.out.println(run.text());
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(run.text()).contains("is on the link").contains("neighborDiscovery KernelProxy");
    assertThat(node().path("spec").path("podCIDRs").path(0).asText()).isEqualTo(PART);
    Image.pause(host);
    String address = PausePod.run(cluster, host, "p");
    assertThat(address).startsWith("fd00:e:1::113:");
    PausePod.answers(address);
  }

  @Test
  @Order(4)
  void onlyOpenPortsAreReached() throws Exception {
    for (int port : List.of(OPEN, SHUT)) {
      host.inside("sh", "-c", "busybox nc -ll -p %d -e true >/dev/null 2>&1 &".formatted(port));
    }
    for (int port : List.of(OPEN, 10_250)) {
      Await.until(PATIENCE, port + " is open", () -> isOpen(port), () -> "it is not reached");
    }
    assertThat(isOpen(SHUT)).isFalse();
    host.inside("sh", "-c", "kill $(ps -e -o pid=,comm= | awk '$2 == \"busybox\" { print $1 }')");
  }

  private static boolean isOpen(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host.address(), port), PATIENCE_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** What is deleted comes back, and a pod sends from its own addresses alone. */
  @Test
  @Order(5)
  void theFirewallKeepsForeignSourcesInAndComesBack() throws Exception {
    Shell.must("ip", "-6", "route", "replace", FOREIGN, "via", host.address(), "dev", Net.BRIDGE);
    host.inside(
        "sh",
        "-euc",
        "ip -6 route add "
            + FOREIGN
            + " dev cni0; ip netns add spoof; ip link add sp0 type veth peer eth0 netns spoof;"
            + " ip link set sp0 master cni0 up; ip netns exec spoof sh -euc '"
            + " ip link set lo up; ip link set eth0 up;"
            + " ip -6 address add fd00:e:1::113:99/112 dev eth0 nodad;"
            + " ip -6 address add "
            + FOREIGN
            + "/128 dev eth0 nodad;"
            + " ip -6 route add default via fd00:e:1::113:1'");
    Await.until(
        PATIENCE, "an address of its own", () -> pinged("fd00:e:1::113:99"), () -> traces());
    assertThat(pinged(FOREIGN)).as("a foreign address").isFalse();
    Await.until(
        PATIENCE,
        "a foreign address without the firewall, which the host puts right each minute",
        () -> {
          host.inside(
              "sh",
              "-c",
              "nft delete table inet exaplane;"
                  + " ip -6 neigh delete proxy fd00:e:1::113:2 dev eth0; true");
          return pinged(FOREIGN);
        },
        () -> traces());
    Await.until(
        PATIENCE,
        "rules and entries are back",
        () -> {
          host.wake("network");
          return host.inside("nft", "list", "tables").contains("table inet exaplane")
              && host.inside("ip", "-6", "neigh", "show", "proxy").contains("fd00:e:1::113:2 ");
        },
        () -> host.inside("cat", "/var/log/exaplane/network.log"));
    host.inside(
        "sh",
        "-c",
        "ip netns delete spoof; ip link delete sp0 2>/dev/null; umount /run/netns; rmdir /run/netns; ip -6 route delete "
            + FOREIGN);
  }

  private static boolean pinged(String source) throws IOException {
    return host.inside(
            "sh",
            "-c",
            "ip netns exec spoof busybox ping -6 -c 2 -w 4 -I %s %s >/dev/null 2>&1 && echo yes || echo no"
                .formatted(source, Net.API))
        .equals("yes");
  }

  /** A task that is not deleted at once, and a shim that containerd has forgotten, end too. */
  @Test
  @Order(6)
  void twiceIsTheSameAsOnceAndUndoLeavesNothing() throws Exception {
    String once = Traces.settled(HostPrefixProcessTest::withPids);
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    Traces.same(HostPrefixProcessTest::withPids, once);
    Shims shims = Shims.start(host);
    run = host.scriptAfter(Shims.REFUSE_ONCE, script, "--undo");
    assertThat(run.exit()).as(run.text()).isZero();
    shims.assertOwnEnded();
    Traces.same(HostPrefixProcessTest::traces, before);
  }

  /** The daemon answers for an address once the bridge of pods is there. */
  @Test
  @Order(7)
  void ndppdAnswersForPods() throws Exception {
    PausePod.delete(cluster, "p");
    cluster.deleted("/api/v1/nodes/" + host.name);
    Path daemon = written("ndppd.sh", Inputs.neighbors(input(), "Ndppd"));
    Shell.Result run = host.script(daemon);
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(run.text()).contains("is on the link").contains("neighborDiscovery Ndppd");
    String address = PausePod.run(cluster, host, "q");
    PausePod.answers(address);
    run = host.script(daemon, "--undo");
    assertThat(run.exit()).as(run.text()).isZero();
    Traces.same(HostPrefixProcessTest::traces, before);
  }
}
