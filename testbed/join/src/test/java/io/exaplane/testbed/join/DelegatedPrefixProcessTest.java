// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.api.v1alpha1.NodeUpgradeSpec;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.nodepool.address.ClusterPlan;
import io.exaplane.operator.nodepool.address.FollowedNodes;
import io.exaplane.operator.nodepool.address.PoolPlan;
import io.exaplane.operator.nodepool.hosted.UpgradePasses;
import io.exaplane.operator.nodepool.join.JoinInput;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Kubernetes;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
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
 * The host reads its prefix from a file or a metadata service, and its pods leave by one interface.
 */
@Tag("networks")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DelegatedPrefixProcessTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final String FILE = "/etc/exaplane-delegated";
  private static final String OTHER = "fd00:e:177::/64";
  private static final NodeUpgradeSpec SPEC = new NodeUpgradeSpec(50, 60, 10);
  private static final String TRANSLATED = "64:ff9b::192.0.0.170";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static Net net;
  private static Cluster cluster;
  private static Hand hand;
  private static Host host;
  private static Path script;
  private static int scripts;

  @BeforeAll
  static void start() throws Exception {
    net = Net.make();
    cluster = Cluster.start(folder);
    cluster.token(TOKEN, Instant.now().plus(Duration.ofHours(1)));
    hand = Hand.start(cluster);
    host = Host.make("d", 14, folder);
    script =
        written(
            Inputs.firewall(
                Inputs.pointToPoint(
                    Inputs.link(Inputs.delegated(cluster.input(TOKEN), FILE, ""), "eth0")),
                List.of(),
                List.of()));
    // A prefix that a route of the host names is not asked for here.
    host.inside("ip", "-6", "route", "delete", "unreachable", host.prefix());
  }

  @AfterAll
  static void end() throws Exception {
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

  private static Path written(JoinInput input) throws IOException {
    return Files.writeString(
        folder.resolve("join-%d.sh".formatted(++scripts)), JoinScript.render(input));
  }

  private static void delegate(String text) throws IOException {
    host.inside("sh", "-c", "printf '" + text + "' >" + FILE);
  }

  private static JsonNode node() throws Exception {
    return cluster.got("/api/v1/nodes/" + host.name);
  }

  private static String annotation() throws Exception {
    return node().path("metadata").path("annotations").path("exaplane.io/pod-prefix").asText();
  }

  @Test
  @Order(1)
  void aFileThatIsMissingOrNamesNoPrefixIsNamed() throws Exception {
    Shell.Result run = host.script(script, "--preflight");
    assertThat(run.exit()).as(run.text()).isEqualTo(31);
    assertThat(run.text()).contains(FILE + " names no prefix").contains("No such file");
    delegate("# nothing of the pool\\n2001:db8::/64\\nfd00:e:114::/96 not-one\\n");
    run = host.script(script, "--preflight");
    assertThat(run.exit()).as(run.text()).isEqualTo(31);
    assertThat(run.text()).contains(FILE + " names no prefix of at most 64 bits");
  }

  @Test
  @Order(2)
  void anInterfaceThatIsMissingIsNamed() throws Exception {
    Shell.Result run =
        host.script(
            written(Inputs.link(Inputs.delegated(cluster.input(TOKEN), FILE, ""), "eth7")),
            "--preflight");
    assertThat(run.exit()).as(run.text()).isEqualTo(29);
    assertThat(run.text()).contains("no interface eth7").contains("interfaceName of pool edge");
  }

  /** AWS' shape: a session, and the MAC address of the interface in the path. */
  @Test
  @Order(3)
  void aMetadataServiceIsAskedInASession() throws Exception {
    String mac = host.inside("cat", "/sys/class/net/eth0/address");
    try (Metadata metadata = Metadata.start(mac, host.prefix())) {
      Path own = written(Inputs.delegated(cluster.input(TOKEN), "", metadata.url()));
      Shell.Result run = host.script(own, "--preflight");
      assertThat(run.exit()).as(run.text()).isZero();
      assertThat(run.text()).contains("ok    prefix      " + host.prefix());
    }
    try (Metadata metadata = Metadata.start("02:00:00:00:00:01", host.prefix())) {
      Path own = written(Inputs.delegated(cluster.input(TOKEN), "", metadata.url()));
      Shell.Result run = host.script(own, "--preflight");
      assertThat(run.exit()).as(run.text()).isEqualTo(31);
      assertThat(run.text()).contains("{mac}/ipv6-prefix names no prefix").contains("404");
    }
  }

  /** A shorter prefix than a node needs gives its first part. Each pod has a link of its own. */
  @Test
  @Order(4)
  void aHostJoinsWithThePrefixOfTheFile() throws Exception {
    delegate("fd00:e:114::/60\\n");
    String before = Traces.settled(DelegatedPrefixProcessTest::traces);
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(run.text()).contains("packets of pods leave by eth0").contains(host.prefix());
    assertThat(host.inside("ip", "-6", "rule"))
        .contains("1080:\tfrom " + host.prefix() + " lookup main suppress_prefixlength 0")
        .contains("1081:\tfrom " + host.prefix() + " lookup 1080");
    assertThat(host.inside("ip", "-6", "route", "show", "table", "1080"))
        .contains("default via " + Net.API + " dev eth0");
    Image.pause(host);
    String address = PausePod.run(cluster, host, "d");
    PausePod.answers(address);
    new PodLink(host).check(address, PausePod.run(cluster, host, "e"));
    moved();
    PausePod.delete(cluster, "d");
    PausePod.delete(cluster, "e");
    readdressed();
    host.undo(script);
    Traces.same(DelegatedPrefixProcessTest::traces, before);
  }

  private static String traces() throws IOException {
    return host.traces() + host.inside("ip", "-6", "rule");
  }

  /** The provider leads another prefix to the host: the Node says so, and says so no more later. */
  private static void moved() throws Exception {
    delegate(OTHER);
    Await.until(
        Duration.ofSeconds(120),
        "the move is told",
        () -> {
          host.wake("network");
          return annotation().equals(OTHER);
        },
        () -> annotation());
    delegate(host.prefix());
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    Await.until(
        Duration.ofSeconds(120),
        "the former prefix is told",
        () -> {
          host.wake("network");
          return annotation().equals(host.prefix());
        },
        () -> annotation());
    delegate(OTHER);
    run = host.script(script);
    assertThat(run.exit()).as(run.text()).isEqualTo(35);
    assertThat(run.text()).contains(OTHER).contains(host.prefix()).contains("names the move");
    assertThat(annotation()).isEqualTo(OTHER);
  }

  /** The operator's own classes drain the Node and delete it, with the spec of upgrades. */
  private static void drained() throws Exception {
    ClusterPlan plan =
        new ClusterPlan(
            List.of(
                new PoolPlan("edge", OptionalInt.of(64), List.of(AddressRange.of(Net.POOL)), 10)),
            List.of());
    String uid = node().path("metadata").path("uid").asText();
    try (KubernetesClient client = cluster.client();
        FollowedNodes seen = FollowedNodes.start(client, plan)) {
      UpgradePasses operator = new UpgradePasses(client);
      Await.until(
          Duration.ofSeconds(120),
          "the Node is deleted",
          () -> {
            seen.turns("edge").ifPresent(nodes -> operator.pass(nodes, SPEC, Kubernetes.version()));
            return !node().path("metadata").path("uid").asText().equals(uid);
          },
          () -> node());
    }
  }

  /** The host makes the Node again by itself, with the other prefix. */
  private static void readdressed() throws Exception {
    drained();
    Await.until(
        Duration.ofSeconds(240),
        "the host has joined again",
        () -> {
          host.wake("heartbeats");
          return host.inside("sh", "-c", "cat /var/log/exaplane/heartbeats.log")
              .contains("joins again with another prefix: exit code 0");
        },
        () -> host.inside("sh", "-c", "cat /etc/kubernetes/exaplane/readdress.log || true"));
    assertThat(node().path("spec").path("podCIDRs").path(0).asText()).isEqualTo(OTHER);
    assertThat(node().path("spec").path("unschedulable").asBoolean()).isFalse();
    assertThat(host.inside("ip", "-6", "route"))
        .contains("prohibit " + OTHER)
        .doesNotContain("prohibit " + host.prefix());
    assertThat(host.inside("ip", "-6", "rule")).contains("1080:\tfrom " + OTHER + " lookup main");
    Shell.must("ip", "-6", "route", "replace", OTHER, "via", host.address(), "dev", Net.BRIDGE);
    String address = PausePod.run(cluster, host, "f");
    assertThat(address).startsWith("fd00:e:177::");
    PausePod.answers(address);
    PausePod.delete(cluster, "f");
    Shell.must("ip", "-6", "route", "delete", OTHER);
    delegate("fd00:e:114::/60\\n");
  }

  @Test
  @Order(5)
  void resolversWithoutDns64AreNamed() throws Exception {
    Shell.Result run = host.script(nat64("64:ff9b::/96"), "--preflight");
    assertThat(run.exit()).as(run.text()).isEqualTo(37);
    assertThat(run.text())
        .contains("no IPv6 address for ipv4only.arpa")
        .contains("nat64.resolvers");
    try (OneAddressResolver resolver = OneAddressResolver.start(Net.API, TRANSLATED)) {
      run = host.script(nat64("fd00:64::/96"), "--preflight");
      assertThat(run.exit()).as(run.text()).isEqualTo(37);
      assertThat(run.text()).contains("which is not in fd00:64::/96").contains("nat64.prefix");
      assertThat(resolver.asked()).isPositive();
    }
  }

  /** A registry has a translated address, and nobody translates. */
  @Test
  @Order(6)
  void aTranslatorThatDoesNotAnswerIsNamed() throws Exception {
    try (OneAddressResolver resolver = OneAddressResolver.start(Net.API, TRANSLATED)) {
      Shell.Result run = host.script(nat64("64:ff9b::/96"), "--preflight");
      assertThat(run.exit()).as(run.text()).isEqualTo(37);
      assertThat(run.text())
          .contains("registry.k8s.io does not answer through 64:ff9b::/96")
          .contains("Check the translator");
      assertThat(resolver.asked()).isPositive();
    }
  }

  /** A link of the resolver's file may lead to a file that a daemon has not made yet. */
  @Test
  @Order(7)
  void thePreflightMakesNoFileOfResolvers() throws Exception {
    host.inside(
        "sh",
        "-euc",
        "mkdir /run/late; mv /etc/resolv.conf /etc/kept; ln -s /run/late/resolv.conf /etc/resolv.conf");
    try (OneAddressResolver resolver = OneAddressResolver.start(Net.API, TRANSLATED)) {
      Shell.Result run = host.script(nat64("64:ff9b::/96"), "--preflight");
      assertThat(run.text()).contains("registry.k8s.io does not answer through 64:ff9b::/96");
      assertThat(resolver.asked()).isPositive();
      assertThat(host.inside("ls", "/run/late")).isEmpty();
    } finally {
      host.inside("sh", "-euc", "mv /etc/kept /etc/resolv.conf; rm -r /run/late");
    }
  }

  private static Path nat64(String prefix) throws IOException {
    return written(
        Inputs.nat64(Inputs.delegated(cluster.input(TOKEN), FILE, ""), prefix, List.of(Net.API)));
  }
}
