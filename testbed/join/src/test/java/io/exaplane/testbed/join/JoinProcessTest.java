// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.testbed.machine.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script as the operator renders it joins a host to a real cluster, with a real kubelet. Each
 * test begins where the one before ended.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class JoinProcessTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String CONTAINERD = "/etc/containerd/config.toml";

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
    host = Host.make("a", 11, folder);
    script = Files.writeString(folder.resolve("join.sh"), JoinScript.render(cluster.input(TOKEN)));
    before = Traces.settled(host::traces);
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

  private static JsonNode node() throws Exception {
    return cluster.got("/api/v1/nodes/" + host.name);
  }

  private static boolean ready(JsonNode node) {
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  @Test
  @Order(1)
  void aDryRunShowsTheJoinAndChangesNothing() throws Exception {
    Shell.Result run = host.script(script, "--dry-run");
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(run.text())
        .contains("write /etc/kubernetes/kubelet.json")
        .contains("exaplane.io/pod-prefix=" + host.prefix())
        .doesNotContain(CONTAINERD)
        .doesNotContain(TOKEN);
    Traces.same(host::traces, before);
  }

  @Test
  @Order(2)
  void aHostJoins() throws Exception {
    try (Spy spy = Spy.start(TOKEN)) {
      long begin = System.nanoTime();
      Shell.Result run = host.script(script);
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      System.out.printf("joined in %d ms (wanted: 30,000)%n%s%n", took.toMillis(), run.text());
      assertThat(run.exit()).as(run.text()).isZero();
      assertThat(run.text())
          .contains("ok    delivery    %s is routed to this host\n".formatted(host.prefix()));
      assertThat(spy.seen()).as("command lines with the token").isEmpty();
    }
    JsonNode node = node();
    assertThat(ready(node)).as(node.toString()).isTrue();
    assertThat(node.path("spec").path("podCIDRs").path(0).asText()).isEqualTo(host.prefix());
    assertThat(node.path("metadata").path("labels").path("exaplane.io/pool").asText())
        .isEqualTo("edge");
    assertThat(node.path("metadata").path("labels").path("example.org/site").asText())
        .isEqualTo("north");
    assertThat(node.path("spec").path("taints").toString())
        .contains("example.org/new")
        .contains("NoSchedule");
    assertThat(node.path("status").path("addresses").toString()).contains(host.address());
    assertThat(node.path("status").path("capacity").path("pods").asText()).isEqualTo("250");
  }

  /** The kubelet has a certificate now, and who finds the disk finds no token. */
  @Test
  @Order(3)
  void noFileHasTheToken() throws Exception {
    assertThat(host.inside("sh", "-c", "grep -rslF " + TOKEN + " /etc /var /run || true"))
        .isEmpty();
  }

  @Test
  @Order(4)
  void twiceIsTheSameAsOnce() throws Exception {
    String once = Traces.settled(JoinProcessTest::withPids);
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    Traces.same(JoinProcessTest::withPids, once);
  }

  private static String withPids() throws IOException {
    return host.traces() + host.inside("sh", "-c", "cat /run/exaplane/*.pid");
  }

  @Test
  @Order(5)
  void aPodGetsAnAddressOfThePrefix() throws Exception {
    Image.pause(host);
    cluster.made(
        "/api/v1/namespaces/default/pods",
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"nodeName": "%s", "automountServiceAccountToken": false,
         "terminationGracePeriodSeconds": 1, "tolerations": [{"operator": "Exists"}], "enableServiceLinks": false,
         "containers": [{"name": "p", "image": "registry.k8s.io/pause:3.10", "imagePullPolicy": "Never"}]}}
        """
            .formatted(host.name));
    JsonNode pod = awaitRunning();
    String address = pod.path("status").path("podIP").asText();
    assertThat(address).as(pod.toString()).startsWith(host.prefix().replace("/64", ""));
    PausePod.answers(address);
    assertThat(host.inside("find", "/var/lib/kubelet/pods", "-name", "etc-hosts", "-perm", "644"))
        .as("a file that every user of the pod reads")
        .isNotEmpty();
  }

  private static JsonNode awaitRunning() throws Exception {
    String path = "/api/v1/namespaces/default/pods/p";
    Await.until(
        PATIENCE,
        "the pod runs",
        () -> cluster.got(path).path("status").path("phase").asText().equals("Running"),
        () -> cluster.got(path));
    return cluster.got(path);
  }

  @Test
  @Order(6)
  void anotherPrefixIsNoMoveByItself() throws Exception {
    Shell.Result run = host.script(script, "--prefix=fd00:e:177::/64");
    assertThat(run.exit()).as(run.text()).isEqualTo(35);
    assertThat(run.text()).contains("kubectl drain").contains("kubectl delete node " + host.name);
    assertThat(ready(node())).isTrue();
  }

  /** With the pod still there. */
  @Test
  @Order(7)
  void undoLeavesNothing() throws Exception {
    Shell.Result run = host.script(script, "--undo");
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(run.text()).contains("kubectl delete node " + host.name);
    Traces.same(host::traces, before);
    host.undo(script);
    Traces.same(host::traces, before);
  }

  @Test
  @Order(8)
  void aPrefixThatTheNodeHasNotIsRefusedByTheNode() throws Exception {
    Shell.Result run = host.script(script, "--prefix", "fd00:e:177::/64");
    assertThat(run.exit()).as(run.text()).isEqualTo(35);
    assertThat(run.text()).contains(host.prefix());
    Traces.same(host::traces, before);
  }

  /** A refused host has no kubelet and no files, and joins later by the Secret for cloud-init. */
  @Test
  @Order(9)
  void aRefusedPrefixLeavesNothingAndSaysWhy() throws Exception {
    forget();
    hand.refuse(host.prefix(), "Node w7 uses the prefix.");
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isEqualTo(34);
    assertThat(run.text()).contains("Node w7 uses the prefix.").contains("delete node");
    Traces.same(host::traces, before);

    hand.refuse(host.prefix(), "");
    host.inside("rm", CONTAINERD);
    run = UserData.run(host, PoolSecret.cloudInit(cluster.input(TOKEN)));
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(ready(node())).isTrue();
    assertThat(host.inside("cat", CONTAINERD)).startsWith("version = 2\n");
    assertThat(host.inside("stat", "-c", "%a %U", "/etc/exaplane/join.sh")).isEqualTo("700 root");
  }

  private static void forget() throws Exception {
    cluster.deleted("/api/v1/namespaces/default/pods/p?gracePeriodSeconds=0");
    cluster.deleted("/api/v1/nodes/" + host.name);
  }

  /** Its certificate is still good, and the kubelet makes the Node again. */
  @Test
  @Order(10)
  void aNodeThatWasDeletedComesBackByTheScript() throws Exception {
    forget();
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(ready(node())).isTrue();
    undoKeepsWhatIsMounted();
    assertThat(host.inside("ls", "/etc/containerd")).as("what user data wrote").isEmpty();
    configureContainerd();
    Traces.same(host::traces, before);
  }

  /** As the host's administrator did before all joins. */
  private static void configureContainerd() throws IOException {
    host.inside("cp", host.folder.resolve("config.toml").toString(), CONTAINERD);
  }

  /** A volume that nothing unmounts keeps its data. */
  private static void undoKeepsWhatIsMounted() throws Exception {
    host.inside(
        "sh",
        "-euc",
        "mkdir '/var/lib/kubelet/a volume'; mount -t tmpfs tmpfs '/var/lib/kubelet/a volume';"
            + " echo data >'/var/lib/kubelet/a volume/file'");
    Shell.Result run =
        host.scriptAfter("mount --bind /bin/false \"$(command -v umount)\"", script, "--undo");
    assertThat(run.exit()).as(run.text()).isEqualTo(43);
    assertThat(run.text()).contains("mounts below /var/lib/kubelet");
    assertThat(host.inside("cat", "/var/lib/kubelet/a volume/file")).isEqualTo("data");
    run = host.script(script, "--undo");
    assertThat(run.exit()).as(run.text()).isZero();
  }

  /**
   * kube-controller-manager's allocator chose here: no prefix is asked for. The host's containerd
   * has no configuration, and its administrator changes the one of the script later.
   */
  @Test
  @Order(11)
  void withoutAPrefixTheNodeTakesWhatItIsGiven() throws Exception {
    forget();
    Path own =
        Files.writeString(
            folder.resolve("allocator.sh"),
            JoinScript.render(Inputs.allocated(cluster.input(TOKEN))));
    hand.give("fd00:e:190::/64");
    host.inside("rm", CONTAINERD);
    Shell.Result run = host.script(own, "--node-name=exj-given");
    hand.give("");
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(run.text())
        .contains("fd00:e:190::/64")
        .contains(CONTAINERD + " is missing, and the script writes it");
    assertThat(host.inside("containerd", "config", "dump"))
        .contains("bin_dir = \"/usr/lib/cni\"")
        .contains("config_path = \"/etc/containerd/certs.d\"");
    host.inside("sh", "-c", "echo '# mine' >>" + CONTAINERD);
    run = host.script(own, "--undo");
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(run.text()).contains(CONTAINERD + " has changed since the join, and stays");
    assertThat(host.inside("tail", "-n", "1", CONTAINERD)).isEqualTo("# mine");
    configureContainerd();
    Traces.same(host::traces, before);
  }

  @Test
  @Order(12)
  void whereSystemdRunsThePartsAreUnits() throws Exception {
    host.systemd();
    forget();
    withoutAConfigurationOfContainerd();
    String with = Traces.settled(JoinProcessTest::unitsThere);
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(ready(node())).isTrue();
    assertThat(host.inside("cat", "/run/systemd/asked"))
        .contains("enable  exaplane-kubelet.service")
        .contains("enable  exaplane-kube-proxy.service")
        .contains("\nrestart  containerd.service");
    assertThat(host.inside("cat", CONTAINERD)).contains("SystemdCgroup = false");
    String once = Traces.settled(JoinProcessTest::units);
    run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    Traces.same(JoinProcessTest::units, once);
    run = host.script(script, "--undo");
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(host.inside("cat", "/run/systemd/asked"))
        .contains("try-restart  containerd.service");
    Traces.same(JoinProcessTest::unitsThere, with);
  }

  /** The systemd of this test drives no cgroups, which the host's kubelet is told. */
  private static void withoutAConfigurationOfContainerd() throws IOException {
    host.inside(
        "sh",
        "-euc",
        "rm \"$0\"; printf 'apiVersion: kubelet.config.k8s.io/v1beta1\\nkind: KubeletConfiguration\\n"
            + "cgroupDriver: cgroupfs\\n' >/etc/kubernetes/kubelet.conf.d/60-driver.conf",
        CONTAINERD);
  }

  /** containerd began again without the file. */
  private static String unitsThere() throws IOException {
    return host.traces() + host.inside("ls", "/run/systemd");
  }

  /** All that the stub of systemd itself does not change. */
  private static String units() throws Exception {
    return host.traces() + host.inside("sh", "-c", "cat /run/systemd/*.pid");
  }

  /** Each in namespaces inside of this host, to which their network is routed. */
  @Test
  @Order(13)
  void manyKubeletsAreNodesUntilTheyAreTold() throws Exception {
    forget();
    Shell.must(
        "ip", "-6", "route", "add", ManyKubelets.NETWORK, "via", host.address(), "dev", Net.BRIDGE);
    ManyKubelets.forgetGroups();
    String without = Traces.settled(() -> ManyKubelets.traces(host));
    ManyKubelets.becomeNodes(host, cluster, folder, script);
    Traces.same(() -> ManyKubelets.traces(host), without);
    Path wrong =
        Files.writeString(
            folder.resolve("wrong.sh"),
            JoinScript.render(cluster.input("abcdef.fedcba9876543210")));
    ManyKubelets.killedAndRefused(host, folder, script, wrong);
    Traces.same(() -> ManyKubelets.traces(host), without);
  }
}
