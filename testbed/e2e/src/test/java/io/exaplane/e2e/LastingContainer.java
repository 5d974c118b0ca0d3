// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;

/** A container on the shared control plane's node, which must run on whatever happens above it. */
final class LastingContainer {
  private static final String NAME = "lasting";
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final String seen;

  private LastingContainer(String seen) {
    this.seen = seen;
  }

  /** Starts a Deployment of one pod on the host, and waits until its container runs. */
  static LastingContainer start() {
    Demo.hosted("delete", "deployment", NAME, "--ignore-not-found", "--cascade=foreground");
    Demo.hosted(
        "create",
        "deployment",
        NAME,
        "--image=exaplane/busybox:1",
        "--",
        "sh",
        "-c",
        "sleep 1000000");
    Demo.hosted("wait", "--for=condition=Available", "deployment/" + NAME, "--timeout=300s");
    return new LastingContainer(look());
  }

  /** The node and its pod are ready, and the container is the one that started, never restarted. */
  void isUntouched() {
    Bed.awaitHolds(
        PATIENCE, () -> assertThat(Demo.client().nodes().withName(Demo.HOST).get()).isNotNull());
    Bed.await(
        "the node is ready again in the API's eyes",
        PATIENCE,
        () -> Demo.hosted("get", "node", Demo.HOST).contains(" Ready "));
    Bed.awaitHolds(
        PATIENCE, () -> assertThat(look()).as("the container that ran before").isEqualTo(seen));
  }

  void stop() {
    Demo.deleteDeployments(List.of(NAME));
  }

  /** The pod's UID, the container's id, which the kubelet tells, and how often it restarted. */
  private static String look() {
    Pod pod =
        Demo.client()
            .pods()
            .inNamespace("default")
            .withLabel("app", NAME)
            .list()
            .getItems()
            .stream()
            .filter(found -> found.getMetadata().getDeletionTimestamp() == null)
            .findFirst()
            .orElseThrow();
    ContainerStatus status = pod.getStatus().getContainerStatuses().getFirst();
    return pod.getMetadata().getUid()
        + " "
        + status.getContainerID()
        + " "
        + status.getRestartCount();
  }
}
