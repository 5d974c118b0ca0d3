// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Kubernetes;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
 * The manifest and the image of many kubelets, on a real node: a pod of the node is nodes of the
 * same cluster. Each test begins where the one before ended.
 */
@Tag("kubelets")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KubeletsPodProcessTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final Duration PATIENCE = Duration.ofMinutes(6);
  private static final String SETS = "/apis/apps/v1/namespaces/default/statefulsets";
  private static final String POD = "/api/v1/namespaces/default/pods/kubelets-0";
  private static final Path MANIFEST = Path.of("../../benchmarks/kubelets/kubelets.yaml");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static Net net;
  private static Cluster cluster;
  private static Hand hand;
  private static Host host;
  private static Path script;

  @BeforeAll
  static void start() throws Exception {
    net = Net.make();
    cluster = Cluster.start(folder);
    cluster.token(TOKEN, Instant.now().plus(Duration.ofHours(1)));
    hand = Hand.start(cluster);
    host = Host.make("a", 11, folder);
    script = Files.writeString(folder.resolve("join.sh"), JoinScript.render(cluster.input(TOKEN)));
    Shell.Result run = host.script(script);
    assertThat(run.exit()).as(run.text()).isZero();
    Image.pause(host);
    host.inside(
        "ctr", "--namespace", "k8s.io", "images", "import", System.getProperty("kubelets.image"));
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

  private static boolean has(JsonNode object, String type, String status) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals(status);
      }
    }
    return false;
  }

  private static String said() throws IOException {
    return host.inside("sh", "-c", "cat /var/log/pods/default_kubelets-0_*/kubelets/*.log");
  }

  /** The manifest as it is, but for what a user changes. */
  private static String manifest() throws IOException {
    StatefulSet set =
        Serialization.unmarshal(
            Files.readString(MANIFEST)
                .replaceFirst("image: .*", "image: exaplane.io/kubelets:" + Kubernetes.version())
                .replace("--prefix=fd00:2001::/48", "--prefix=fd00:e:1c0::/60")
                .replace("--count=20", "--count=2"),
            StatefulSet.class);
    return Serialization.asJson(set);
  }

  @Test
  @Order(1)
  void aPodIsManyNodes() throws Exception {
    Secret secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName("kubelets-node-join")
            .endMetadata()
            .addToStringData("join.sh", Files.readString(script))
            .build();
    cluster.made("/api/v1/namespaces/default/secrets", Serialization.asJson(secret));
    cluster.made(SETS, manifest());
    Await.until(
        PATIENCE,
        "the pod exists",
        () -> cluster.got(POD).path("spec").has("containers"),
        () -> cluster.got(POD));
    // No scheduler runs here.
    cluster.made(
        POD + "/binding",
        """
        {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "kubelets-0"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "%s"}}
        """
            .formatted(host.name));
    Await.until(
        PATIENCE,
        "the pod is Ready",
        () -> has(cluster.got(POD), "Ready", "True"),
        () -> cluster.got(POD) + said());
    System.out.println(said());
    for (int i = 1; i <= 2; i++) {
      JsonNode node = cluster.got("/api/v1/nodes/kubelets-0-" + i);
      assertThat(has(node, "Ready", "True")).as(said() + node).isTrue();
      assertThat(node.path("spec").path("podCIDRs").path(0).asText())
          .isEqualTo("fd00:e:1c0:%d::/64".formatted(i));
    }
  }

  /** Containers in a container. */
  @Test
  @Order(2)
  void theNodesRunPods() throws Exception {
    Shell.must(
        "sh",
        "-c",
        "nsenter --target \"$(pgrep -n -f '[-]-host /exaplane/1 ')\" --mount --pid"
            + " ctr --namespace k8s.io images import - <\"$0\"",
        host.folder.resolve("pause/image.tar").toString());
    assertThat(PausePod.run(cluster, "kubelets-0-1", "inside")).startsWith("fd00:e:1c0:1:");
  }

  @Test
  @Order(3)
  void aKubeletThatEndsIsNamedAndNotStartedAgain() throws Exception {
    Shell.must("pkill", "-KILL", "-f", "^[^ ]*kubelet .*--hostname-override=kubelets-0-2 ");
    Await.until(
        PATIENCE,
        "the end is told",
        () -> said().contains("ended kubelets-0-2  kubelet has ended"),
        KubeletsPodProcessTest::said);
    Await.until(
        PATIENCE,
        "the pod is not Ready",
        () -> has(cluster.got(POD), "Ready", "False"),
        () -> cluster.got(POD));
    assertThat(has(cluster.got("/api/v1/nodes/kubelets-0-1"), "Ready", "True")).isTrue();
  }

  /** With a pod still there. */
  @Test
  @Order(4)
  void theEndOfThePodLeavesNothing() throws Exception {
    cluster.deleted(SETS + "/kubelets");
    Await.until(
        PATIENCE,
        "the pod is gone",
        () -> cluster.got(POD).path("code").asInt() == 404,
        () -> cluster.got(POD));
    assertThat(
            Shell.must("sh", "-c", "find /sys/fs/cgroup -maxdepth 2 -name 'kubelets-0-*' | sort"))
        .isEmpty();
    assertThat(Shell.must("sh", "-c", "pgrep -f '[-]-host /exaplane/' || true")).isEmpty();
  }
}
