// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.testbed.machine.Machine;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two minors side by side, and an upgrade from one to the next under a node that joined before. */
@Tag("long")
@Order(120)
class TwoVersionsE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  /** Three control planes, one of which has a pod more for a while: less than the model wants. */
  private static final String SMALL =
      """
        apiServer: {resources: {requests: {cpu: 25m, memory: 512Mi}}}
        controllerManager: {resources: {requests: {cpu: 15m, memory: 64Mi}}}
        scheduler: {resources: {requests: {cpu: 15m, memory: 64Mi}}}
      """;

  private static final String HOST = "wtwo";

  /** Every upgrade by a minor that the operator carries out, from and to. */
  static List<Arguments> upgrades() {
    return List.of(
        Arguments.of(Bed.PREVIOUS_VERSION, Bed.VERSION),
        Arguments.of(Machine.environment("KUBERNETES_1_35"), Bed.PREVIOUS_VERSION));
  }

  @ParameterizedTest(name = "{0} to {1}")
  @MethodSource("upgrades")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void twoMinorsRunSideBySideAndTheOlderIsUpgraded(String from, String to) {
    try (Scratch older = new Scratch(named("older", from), from, SMALL);
        Scratch newer = new Scratch(named("newer", to), to, SMALL)) {
      older.awaitSettled(PATIENCE);
      newer.awaitSettled(PATIENCE);
      assertThat(older.hosted("version")).contains("Server Version: v" + from);
      assertThat(newer.hosted("version")).contains("Server Version: v" + to);
      older.hosted("create", "configmap", "kept", "--from-literal=a=b");
      Bed.exa("host", "add", HOST, older.name + "." + older.namespace);
      try {
        runs(older, "before", from);
        Pod before = pod(older, "before");
        upgrade(older, to);
        assertThat(newer.hosted("version")).contains("Server Version: v" + to);
        assertThat(older.hosted("get", "configmap", "kept")).contains("kept");
        olderNodeStays(older, before, from);
        nodeFollows(older, to);
      } finally {
        Bed.exa("host", "remove", HOST);
      }
    }
  }

  private static String named(String age, String version) {
    return age + "-" + version.replace('.', '-');
  }

  /** Nobody who asks is refused meanwhile. */
  private static void upgrade(Scratch scratch, String to) {
    try (BusyClient client = new BusyClient(scratch.name, scratch.namespace)) {
      Demo.patch(scratch.name, scratch.namespace, "{\"spec\":{\"version\":\"" + to + "\"}}");
      Bed.await(
          "everything runs " + to,
          PATIENCE,
          () -> {
            apiserversAreNeverBehind(scratch, to);
            ControlPlane now = Bed.controlPlane(scratch.name, scratch.namespace);
            return to.equals(now.getStatus().version().current());
          },
          () -> Bed.describe(scratch.name, scratch.namespace));
      scratch.awaitSettled(PATIENCE);
      assertThat(client.report("an upgrade to " + to).failures()).isEmpty();
    }
    assertThat(scratch.hosted("version")).contains("Server Version: v" + to);
  }

  /** A kubelet of the minor before goes on: its pod was never touched, and it takes another. */
  private static void olderNodeStays(Scratch scratch, Pod before, String kubelet) {
    runs(scratch, "between", kubelet);
    Pod after = pod(scratch, "before");
    assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    assertThat(after.getStatus().getContainerStatuses())
        .allMatch(status -> status.getRestartCount() == 0);
    Bed.await(
        "it is ready",
        PATIENCE,
        () ->
            pod(scratch, "before").getStatus().getContainerStatuses().stream()
                .allMatch(ContainerStatus::getReady));
  }

  /** The node leaves and joins again, with a kubelet of the API's version. */
  private static void nodeFollows(Scratch scratch, String kubelet) {
    Bed.exa("host", "remove", HOST);
    scratch.hosted("delete", "deployments", "before", "between", "--cascade=background");
    scratch.hosted("delete", "node", HOST, "--ignore-not-found");
    scratch.hosted("delete", "pods", "--all", "--force", "--grace-period=0");
    Bed.exa("host", "add", HOST, scratch.name + "." + scratch.namespace);
    runs(scratch, "after", kubelet);
  }

  /** The host is a node with that kubelet, and runs a new Deployment, whose log can be read. */
  private static void runs(Scratch scratch, String name, String kubelet) {
    Bed.awaitHolds(
        PATIENCE,
        () -> assertThat(scratch.hosted("get", "node", HOST)).contains(" Ready ", "v" + kubelet));
    scratch.hosted(
        "create",
        "deployment",
        name,
        "--image=exaplane/busybox:1",
        "--",
        "sh",
        "-c",
        "echo hello; sleep 1000000");
    scratch.hosted("wait", "--for=condition=Available", "deployment/" + name, "--timeout=300s");
    Bed.await(
        "kubectl logs through the hosted apiserver",
        PATIENCE,
        () -> log(scratch, name).contains("hello"),
        () -> log(scratch, name));
  }

  private static String log(Scratch scratch, String deployment) {
    return Hosted.kubectl(scratch.name, scratch.namespace, "logs", "deployment/" + deployment)
        .output();
  }

  private static Pod pod(Scratch scratch, String deployment) {
    return scratch
        .client()
        .pods()
        .inNamespace("default")
        .withLabel("app", deployment)
        .list()
        .getItems()
        .getFirst();
  }

  /** The others get the new version only when no apiserver of the old one is left. */
  private static void apiserversAreNeverBehind(Scratch scratch, String to) {
    for (String follower : new String[] {"controller-manager", "scheduler"}) {
      if (image(scratch, follower).endsWith("v" + to)) {
        assertThat(image(scratch, "apiserver")).endsWith("v" + to);
        Deployment apiServer = deployment(scratch, "apiserver");
        assertThat(apiServer.getStatus().getUpdatedReplicas())
            .isEqualTo(apiServer.getSpec().getReplicas());
      }
    }
  }

  private static String image(Scratch scratch, String component) {
    return deployment(scratch, component)
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .getFirst()
        .getImage();
  }

  private static Deployment deployment(Scratch scratch, String component) {
    return Bed.CLIENT
        .apps()
        .deployments()
        .inNamespace(scratch.namespace)
        .withName(scratch.name + "-" + component)
        .get();
  }
}
