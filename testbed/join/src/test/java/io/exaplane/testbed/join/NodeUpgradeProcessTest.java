// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.api.v1alpha1.NodeUpgradeSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.nodepool.address.ClusterPlan;
import io.exaplane.operator.nodepool.address.FollowedNodes;
import io.exaplane.operator.nodepool.address.PoolPlan;
import io.exaplane.operator.nodepool.hosted.UpgradePasses;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.operator.nodepool.upgrade.UpgradePlan;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Kubernetes;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
 * A pool of two nodes is upgraded by the operator's own classes: a host whose real kubelet and
 * kube-proxy say an earlier version, and a simulated node whose pod a budget keeps. Each test
 * begins where the one before ended.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("heartbeats")
class NodeUpgradeProcessTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final String POOL = "edge";
  private static final String SIMULATED = "simulated";
  private static final String NEW = Kubernetes.version();
  private static final String OLD = earlier(NEW);
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  private static final NodeUpgradeSpec SPEC = new NodeUpgradeSpec(50, 60, 10);
  private static final Duration SOON = Duration.ofMinutes(3);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static Net net;
  private static Cluster cluster;
  private static Hand hand;
  private static Host host;
  private static Path script;
  private static String before;
  private static KubernetesClient client;
  private static FollowedNodes seen;
  private static UpgradePasses operator;
  private static UpgradePlan plan;
  private static String simulated = "";
  private static Instant beaten = Instant.MIN;

  /** Of the same length, so that a binary with that version in place of its own still runs. */
  private static String earlier(String version) {
    char[] digits = version.toCharArray();
    for (int i = digits.length - 1; i > 1; i--) {
      if (Character.isDigit(digits[i]) && digits[i] > '0') {
        digits[i]--;
        return new String(digits);
      }
    }
    throw new IllegalStateException("no version before " + version);
  }

  @BeforeAll
  static void start() throws Exception {
    net = Net.make();
    cluster = Cluster.start(folder);
    cluster.token(TOKEN, Instant.now().plus(Duration.ofHours(1)));
    hand = Hand.start(cluster);
    HeartbeatMap.make(cluster, "40-10-300", "100");
    // A host whose first look comes after few seconds, by its name.
    host = Host.make("a", 11, folder);
    age();
    script =
        Files.writeString(
            folder.resolve("join.sh"),
            JoinScript.render(Inputs.version(cluster.input(TOKEN), OLD)));
    before = Traces.settled(host::traces);
    client = cluster.client();
    seen =
        FollowedNodes.start(
            client,
            new ClusterPlan(
                List.of(
                    new PoolPlan(
                        POOL, OptionalInt.of(64), List.of(AddressRange.of("fd00:e:100::/40")), 2)),
                List.of()));
    operator = new UpgradePasses(client);
  }

  /** Binaries that say the earlier version, in place of the host's. */
  private static void age() throws Exception {
    Path old = folder.resolve("hyperkube");
    Shell.must(
        "sh",
        "-euc",
        "LC_ALL=C sed \"s/v$2/v$3/g\" <\"$0\" >\"$1\" && chmod 0755 \"$1\"",
        Path.of(Kubernetes.binary("kubelet")).toRealPath().toString(),
        old.toString(),
        NEW.replace(".", "[.]"),
        OLD);
    for (String program : List.of("kubelet", "kube-proxy")) {
      Files.delete(host.program(program));
      Files.createSymbolicLink(host.program(program), old);
      assertThat(Shell.must(host.program(program).toString(), "--version")).contains("v" + OLD);
    }
  }

  @AfterAll
  static void end() throws Exception {
    if (seen != null) {
      seen.close();
      client.close();
    }
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

  private static JsonNode node(String name) throws Exception {
    return cluster.got("/api/v1/nodes/" + name);
  }

  private static String annotation(String name, String key) throws Exception {
    return node(name).path("metadata").path("annotations").path("exaplane.io/" + key).asText();
  }

  private static String version(String name) throws Exception {
    return node(name).path("status").path("nodeInfo").path("kubeletVersion").asText();
  }

  private static boolean isCordoned(String name) throws Exception {
    return node(name).path("spec").path("unschedulable").asBoolean();
  }

  /** What the kubelet of the simulated node would write now and then. */
  private static void beat() throws Exception {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    if (simulated.isEmpty() || now.isBefore(beaten.plusSeconds(5))) {
      return;
    }
    beaten = now;
    cluster.changed(
        "/api/v1/nodes/" + SIMULATED + "/status",
        """
        {"status": {"nodeInfo": {"kubeletVersion": "v%1$s"}, "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady",
         "message": "simulated", "lastHeartbeatTime": "%2$s", "lastTransitionTime": "%2$s"}]}}
        """
            .formatted(simulated, now));
  }

  private static void simulate(String version) throws Exception {
    simulated = version;
    beaten = Instant.EPOCH;
    beat();
  }

  private interface Holds {
    boolean now() throws Exception;
  }

  /** Passes of an operator, one after the other, until it holds. */
  private static void passUntil(String what, Holds holds) throws Exception {
    Await.until(
        SOON,
        what,
        () -> {
          beat();
          if (seen.turns(POOL).isPresent()) {
            plan = operator.pass(seen.turns(POOL).get(), SPEC, NEW);
          }
          return holds.now();
        },
        () ->
            plan
                + "\n"
                + host.inside("sh", "-c", "cat /var/log/exaplane/heartbeats.log; true")
                + node(host.name).path("metadata").path("annotations"));
  }

  private static boolean isHeld(Reason reason, String text) {
    return plan != null
        && plan.hold()
            .filter(hold -> hold.reason() == reason && hold.message().contains(text))
            .isPresent();
  }

  @Test
  @Order(1)
  void aDrainedHostThatFailsIsNamedAndHoldsTheOthers() throws Exception {
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(version(host.name)).isEqualTo("v" + OLD);
    cluster.made(
        "/api/v1/nodes",
        "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"%s\", \"labels\": {\"exaplane.io/pool\": \"%s\"}}}"
            .formatted(SIMULATED, POOL));
    simulate(OLD);
    bringBy("echo \"no package \\\"$1\\\"\"", "exit 3");
    passUntil(
        "the host says why it failed",
        () -> isHeld(Reason.NodeNotUpgraded, "exit code 3: no package"));
    assertThat(isCordoned(host.name)).isTrue();
    assertThat(annotation(host.name, "upgrade")).startsWith(NEW + ";Drained;");
    assertThat(isCordoned(SIMULATED)).as("one after the other").isFalse();
    assertThat(version(host.name)).isEqualTo("v" + OLD);
  }

  /** Puts the file there with which the host brings another version. */
  private static void bringBy(String... lines) throws Exception {
    Path file = folder.resolve("upgrade");
    Files.writeString(file, "#!/bin/sh\nset -e\n" + String.join("\n", lines) + "\n");
    host.inside("mkdir", "-p", "/etc/exaplane");
    host.inside("cp", file.toString(), "/etc/exaplane/upgrade");
    host.inside("chmod", "0755", "/etc/exaplane/upgrade");
  }

  private static String link(String program) {
    return "ln -sfn '%s' '%s'"
        .formatted(
            Kubernetes.binary(program), host.program(program).toString().replace("'", "'\\''"));
  }

  @Test
  @Order(2)
  void aHostBringsTheKubeletAndTheNodeTakesPodsAgain() throws Exception {
    bringBy("[ \"$1\" = " + NEW + " ]", link("kubelet"), link("kube-proxy"));
    String kubelet = host.inside("cat", "/run/exaplane/kubelet.pid");
    String proxy = host.inside("cat", "/run/exaplane/kube-proxy.pid");
    cluster.changed(
        "/api/v1/nodes/" + host.name,
        "{\"metadata\": {\"annotations\": {\"exaplane.io/upgrade-failed\": null}}}");
    passUntil(
        "the node has the version and takes pods",
        () ->
            version(host.name).equals("v" + NEW)
                && !isCordoned(host.name)
                && annotation(host.name, "upgrade").isEmpty());
    assertThat(host.inside("cat", "/run/exaplane/kubelet.pid")).isNotEqualTo(kubelet);
    assertThat(host.inside("cat", "/run/exaplane/kube-proxy.pid")).isNotEqualTo(proxy);
  }

  /** A pod that runs on the simulated node, with a budget that wants it to stay. */
  private static void podWithBudget() throws Exception {
    cluster.made(
        DEPLOYMENTS,
        """
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
         "spec": {"selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}},
          "spec": {"automountServiceAccountToken": false, "containers": [{"name": "web", "image": "web"}]}}}}
        """);
    cluster.made(
        BUDGETS,
        """
        {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web"},
         "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}}}
        """);
  }

  private static JsonNode pods() throws Exception {
    return cluster.got("/api/v1/namespaces/default/pods?labelSelector=app%3Dweb").path("items");
  }

  private static void run(String pod) throws Exception {
    cluster.made(
        "/api/v1/namespaces/default/pods/" + pod + "/binding",
        """
        {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "%s"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "%s"}}
        """
            .formatted(pod, SIMULATED));
    cluster.changed(
        "/api/v1/namespaces/default/pods/" + pod + "/status",
        "{\"status\": {\"phase\": \"Running\", \"conditions\": [{\"type\": \"Ready\", \"status\": \"True\"}]}}");
  }

  @Test
  @Order(3)
  void aPodStaysAsLongAsItsBudgetWantsAndLeavesThen() throws Exception {
    podWithBudget();
    Await.until(SOON, "a pod", () -> pods().size() == 1, () -> pods());
    String pod = pods().get(0).path("metadata").path("name").asText();
    run(pod);
    passUntil(
        "the budget is named",
        () ->
            plan.going().stream()
                .anyMatch(
                    going ->
                        going.node().equals(SIMULATED)
                            && going.obstacle().contains("disruption budget")));
    assertThat(annotation(SIMULATED, "upgrade")).contains(";Draining;");
    cluster.deleted(BUDGETS + "/web");
    String path = "/api/v1/namespaces/default/pods/" + pod;
    passUntil(
        "the pod is asked to leave",
        () -> cluster.got(path).path("metadata").has("deletionTimestamp"));
    cluster.deleted(path + "?gracePeriodSeconds=0");
    passUntil("the node is drained", () -> annotation(SIMULATED, "upgrade").contains(";Drained;"));
    simulate(NEW);
    passUntil(
        "the node takes pods again",
        () -> !isCordoned(SIMULATED) && annotation(SIMULATED, "upgrade").isEmpty());
    passUntil("all have the version", () -> plan.outdated() == 0 && plan.acts().isEmpty());
  }

  @Test
  @Order(4)
  void undoLeavesNothing() throws Exception {
    host.undo(script);
    host.inside("rm", "-r", "/etc/exaplane");
    Traces.same(host::traces, before);
  }
}
