// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.testbed.machine.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * A host that joined fetches its heartbeats with its own certificate, and its real kubelet takes
 * them. Each test begins where the one before ended.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("heartbeats")
class HeartbeatsProcessTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final String CONFIG_MAP = "exaplane-heartbeats-edge";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/kube-system/configmaps";
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/";
  private static final Duration SOON = Duration.ofSeconds(40);

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
    // A host whose first look comes after few seconds, by its name.
    host = Host.make("a", 11, folder);
    script = Files.writeString(folder.resolve("join.sh"), JoinScript.render(cluster.input(TOKEN)));
    before = host.traces();
    rights();
    cluster.made(
        CONFIG_MAPS,
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%s"}, "data": %s}
        """
            .formatted(CONFIG_MAP, data("20-5-60", "0")));
  }

  /** As the operator makes them. */
  private static void rights() throws Exception {
    cluster.made(
        RBAC + "roles",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "%1$s"},
         "rules": [{"apiGroups": [""], "resources": ["configmaps"], "resourceNames": ["%1$s"], "verbs": ["get"]}]}
        """
            .formatted(CONFIG_MAP));
    cluster.made(
        RBAC + "rolebindings",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "%1$s"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "%1$s"},
         "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "system:nodes"}]}
        """
            .formatted(CONFIG_MAP));
  }

  private static String data(String heartbeats, String percent) {
    return "{\"heartbeats\": \"%s\", \"releasedPercent\": \"%s\", \"secondsBetweenLooks\": \"1\"}"
        .formatted(heartbeats, percent);
  }

  private static void release(String heartbeats, String percent) throws Exception {
    cluster.changed(
        CONFIG_MAPS + "/" + CONFIG_MAP, "{\"data\": %s}".formatted(data(heartbeats, percent)));
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

  private static String said() throws Exception {
    return cluster
        .got("/api/v1/nodes/" + host.name)
        .path("metadata")
        .path("annotations")
        .path("exaplane.io/heartbeats")
        .asText();
  }

  private static void awaitSaid(String text) throws Exception {
    Await.until(
        SOON,
        "the Node says " + text,
        () -> said().equals(text),
        () -> host.inside("cat", "/var/log/exaplane/heartbeats.log"));
  }

  private static String kubelet() throws Exception {
    return host.inside("cat", "/run/exaplane/kubelet.pid");
  }

  private static boolean isReady() throws Exception {
    for (JsonNode condition :
        cluster.got("/api/v1/nodes/" + host.name).path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  @Test
  @Order(1)
  void aHostSaysWhatItJoinedWith() throws Exception {
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    awaitSaid("40-10-300");
  }

  @Test
  @Order(2)
  void theKubeletTakesWhatIsReleasedAndTheNodeStaysReady() throws Exception {
    String kubelet = kubelet();
    release("12-5-60", "100");
    awaitSaid("12-5-60");
    assertThat(kubelet()).isNotEqualTo(kubelet);
    assertThat(isReady()).isTrue();
    assertThat(host.inside("cat", "/etc/kubernetes/kubelet.conf.d/01-exaplane-heartbeats.conf"))
        .contains("\"nodeLeaseDurationSeconds\": 12", "\"nodeStatusReportFrequency\": \"60s\"");
    assertThat(renewals()).as("a Lease of 12 s").isLessThan(Duration.ofSeconds(5));
  }

  /** The host reads its ConfigMap each second, and the kubelet renews each third one. */
  @Test
  @Order(3)
  void whatIsNotReleasedAndWhatIsNoNumberIsNotTaken() throws Exception {
    String kubelet = kubelet();
    release("30-5-60", "0");
    renewals();
    release("0-5-60", "100");
    renewals();
    release("$(touch /etc/kubernetes/hacked)", "100");
    renewals();
    assertThat(said()).isEqualTo("12-5-60");
    assertThat(kubelet()).isEqualTo(kubelet);
    assertThat(host.inside("ls", "/etc/kubernetes")).doesNotContain("hacked");
  }

  /** Waits for two renewals from now on; the time between them. */
  private static Duration renewals() throws Exception {
    String path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/" + host.name;
    List<Instant> seen = new ArrayList<>();
    Await.until(
        Duration.ofSeconds(60),
        "two renewals",
        () -> {
          Instant now = Instant.parse(cluster.got(path).path("spec").path("renewTime").asText());
          if (seen.isEmpty() || !seen.getLast().equals(now)) {
            seen.add(now);
          }
          return seen.size() > 2;
        },
        () -> seen);
    return Duration.between(seen.get(1), seen.get(2));
  }

  @Test
  @Order(4)
  void aKubeletThatDoesNotStartHasItsFormerHeartbeatsAgain() throws Exception {
    host.inside(
        "sh",
        "-euc",
        "sed -i '2i ! grep -q \": 77,\" /etc/kubernetes/kubelet.conf.d/01-exaplane-heartbeats.conf || exit 1'"
            + " /etc/kubernetes/exaplane/kubelet.sh");
    String kubelet = kubelet();
    release("77-5-60", "100");
    Await.until(
        SOON,
        "the host tells of it",
        () ->
            host.inside("cat", "/var/log/exaplane/heartbeats.log")
                .contains("did not start with the heartbeats 77-5-60"),
        () -> host.inside("cat", "/var/log/exaplane/heartbeats.log"));
    Await.until(
        SOON,
        "the kubelet runs again",
        () -> !kubelet().equals(kubelet) && isReady(),
        () -> said());
    assertThat(said()).isEqualTo("12-5-60");
  }

  @Test
  @Order(5)
  void undoLeavesNothing() throws Exception {
    List<Shell.Result> runs = new ArrayList<>();
    // The change of the test before may not have ended; both hold the same lock.
    Await.until(
        SOON,
        "undo",
        () -> {
          runs.add(host.script(script, "--undo"));
          assertThat(runs.getLast().exit()).as(runs.getLast().text()).isIn(0, 3);
          return runs.getLast().exit() == 0;
        },
        () -> runs.getLast().text());
    assertThat(host.traces()).isEqualTo(before);
  }
}
