// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.operator.rotation.Stage;
import io.exaplane.testbed.machine.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  private static final Duration SOON = Duration.ofMinutes(2);

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
    before = Traces.settled(host::traces);
    HeartbeatMap.make(cluster, "20-5-60", "0");
  }

  private static void release(String heartbeats, String percent) throws Exception {
    HeartbeatMap.release(cluster, heartbeats, percent);
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
    Await.until(SOON, "the Node is Ready", () -> isReady(), () -> said());
    assertThat(host.inside("cat", "/etc/kubernetes/kubelet.conf.d/01-exaplane-heartbeats.conf"))
        .contains("\"nodeLeaseDurationSeconds\": 12", "\"nodeStatusReportFrequency\": \"60s\"");
    Await.until(
        SOON,
        "two renewals of a Lease of 12 s are 3 s apart; before they were 10 s apart",
        () -> renewals().compareTo(Duration.ofSeconds(5)) < 0,
        () -> host.inside("cat", "/var/log/exaplane/heartbeats.log"));
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
        SOON,
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

  private static String annotation(String name) throws Exception {
    return cluster
        .got("/api/v1/nodes/" + host.name)
        .path("metadata")
        .path("annotations")
        .path("exaplane.io/" + name)
        .asText();
  }

  private static void awaitAnnotation(String name, String text) throws Exception {
    Await.until(
        Duration.ofMinutes(3),
        "the Node's %s is %s".formatted(name, text),
        () -> annotation(name).equals(text),
        () ->
            annotation(name)
                + annotation("authorities-failed")
                + host.inside("tail", "-n", "20", "/var/log/exaplane/heartbeats.log")
                + host.inside("tail", "-n", "20", "/var/log/exaplane/kubelet.log"));
  }

  private static String issuer() throws Exception {
    return host.inside(
        "openssl",
        "x509",
        "-noout",
        "-issuer",
        "-in",
        "/var/lib/kubelet/pki/kubelet-client-current.pem");
  }

  private static String trusted() throws Exception {
    return host.inside("cat", "/etc/kubernetes/pki/exaplane-ca.crt");
  }

  /** Somebody who may write the ConfigMap, and has no CA's key. */
  @Test
  @Order(5)
  void aBundleThatNoTrustedCaSignedIsNotTaken() throws Exception {
    CaRotation rotation = new CaRotation(cluster, folder.resolve("rotation"));
    String before = trusted();
    String kubelet = kubelet();
    HeartbeatMap.trust(
        cluster,
        rotation.told(Stage.ISSUING).text(),
        rotation.told(Stage.SINGLE).proof(Optional.empty()));
    awaitAnnotation("authorities-failed", "no CA that this host trusts has signed the bundle");
    assertThat(trusted()).isEqualTo(before);
    assertThat(kubelet()).isEqualTo(kubelet);
  }

  @Test
  @Order(6)
  void theHostFollowsARotationOfTheCaWithOneRestart() throws Exception {
    CaRotation rotation = new CaRotation(cluster, folder.resolve("rotation"));
    Path former = Files.writeString(folder.resolve("former.pem"), certificate());
    rotation.prepare();
    String kubelet = kubelet();
    awaitAnnotation("authorities", rotation.tell(Stage.ISSUING));
    assertThat(annotation("authorities-failed")).isEmpty();
    assertThat(issuer()).contains("hosted-2");
    String restarted = kubelet();
    assertThat(restarted).isNotEqualTo(kubelet);
    assertThat(rotation.api(former)).as("both CAs are trusted still").isEqualTo("200");
    rotation.complete();
    awaitAnnotation("authorities", rotation.tell(Stage.SINGLE));
    assertThat(trusted()).isEqualTo(cluster.next().ca().certificatePem().strip());
    assertThat(kubelet()).as("one CA less restarts nothing").isEqualTo(restarted);
    assertThat(rotation.api(former)).isEqualTo("401");
    renewals();
  }

  private static String certificate() throws Exception {
    return host.inside("cat", "/var/lib/kubelet/pki/kubelet-client-current.pem") + "\n";
  }

  @Test
  @Order(7)
  void undoLeavesNothing() throws Exception {
    host.undo(script);
    Traces.same(host::traces, before);
  }
}
