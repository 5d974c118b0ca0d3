// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import io.exaplane.api.v1alpha1.Names;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Says of the pods in some namespaces that they run and are ready, as a kubelet would, although
 * nobody runs them: a control plane of them is one whose network swallows all packets. A
 * kube-apiserver with one of two flags is not ready: see {@link #NEVER_READY} and {@link #CRASHES}.
 * One thread of its own, until it is closed.
 */
final class ReadyPods implements AutoCloseable {
  /** With this flag, a real kube-apiserver runs and never becomes ready. */
  static final String NEVER_READY = "etcd-readycheck-timeout";

  /** With this flag, a real kube-apiserver ends at once. */
  static final String CRASHES = "audit-policy-file";

  /** The last line of such a kube-apiserver. */
  static final String LAST_LINE = "loading audit policy file: no such file or directory";

  private static final long EVERY_MS = 500;

  /** What a store's volume guard says before the id of the data. */
  private static final String GUARD_PASSED = "data-id=";

  private final KubernetesClient client;
  private final Set<String> namespaces;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;

  /** Begins at once. */
  ReadyPods(KubernetesClient client, Set<String> namespaces) {
    this.client = client;
    this.namespaces = namespaces;
    this.thread = Thread.ofVirtual().name("ready-pods").start(this::run);
  }

  private void run() {
    try {
      do {
        look();
      } while (!stop.await(EVERY_MS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      lookAtAll();
    } catch (KubernetesClientException e) {
      // The server is busy; the next look finds the same pods. An error would end all looks.
      System.err.println("pods are looked at again: " + e.getMessage());
    }
  }

  private void lookAtAll() {
    for (String namespace : namespaces) {
      client
          .pods()
          .inNamespace(namespace)
          .withLabel(Names.MANAGED_BY_LABEL, Names.MANAGED_BY)
          .list()
          .getItems()
          .stream()
          .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
          .filter(pod -> !"Running".equals(pod.getStatus().getPhase()))
          .forEach(this::say);
    }
  }

  private void say(Pod pod) {
    try {
      client.resource(as(pod)).updateStatus();
    } catch (KubernetesClientException e) {
      // Somebody else wrote; the next look says it again.
    }
  }

  private static Pod as(Pod pod) {
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    return has(pod, CRASHES)
        ? status(pod, now, "False", ended(pod, now))
        : has(pod, NEVER_READY)
            ? status(pod, now, "False", notReady(running(pod, now)))
            : status(pod, now, "True", running(pod, now));
  }

  private static boolean has(Pod pod, String flag) {
    return pod.getSpec().getContainers().stream()
        .flatMap(container -> container.getCommand().stream())
        .anyMatch(argument -> argument.startsWith("--" + flag + "="));
  }

  /**
   * A pod whose container ended once more.
   *
   * @param restarts how often the kubelet has started the container again
   */
  static Pod restarted(Pod pod, int restarts) {
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    List<ContainerStatus> containers =
        ended(pod, now).stream()
            .map(status -> new ContainerStatusBuilder(status).withRestartCount(restarts).build())
            .toList();
    return status(pod, now, "False", containers);
  }

  private static Pod status(Pod pod, String now, String ready, List<ContainerStatus> containers) {
    return new PodBuilder(pod)
        .withNewStatus()
        .withPhase("Running")
        .withStartTime(now)
        .withPodIP(Management.ADDRESS_OF_NOBODY)
        .withInitContainerStatuses(done(pod))
        .withContainerStatuses(containers)
        .addNewCondition()
        .withType("PodScheduled")
        .withStatus("True")
        .withLastTransitionTime(now)
        .endCondition()
        .addNewCondition()
        .withType("ContainersReady")
        .withStatus(ready)
        .withLastTransitionTime(now)
        .endCondition()
        .addNewCondition()
        .withType("Ready")
        .withStatus(ready)
        .withLastTransitionTime(now)
        .endCondition()
        .endStatus()
        .build();
  }

  private static List<ContainerStatus> notReady(List<ContainerStatus> containers) {
    return containers.stream()
        .map(status -> new ContainerStatusBuilder(status).withReady(false).build())
        .toList();
  }

  /** In CrashLoopBackOff after its first end. */
  private static List<ContainerStatus> ended(Pod pod, String now) {
    return pod.getSpec().getContainers().stream()
        .map(
            container ->
                status(container)
                    .withReady(false)
                    .withStarted(false)
                    .withRestartCount(1)
                    .withNewState()
                    .withNewWaiting("back-off restarting failed container", "CrashLoopBackOff")
                    .endState()
                    .withNewLastState()
                    .withNewTerminated()
                    .withExitCode(1)
                    .withReason("Error")
                    .withStartedAt(now)
                    .withFinishedAt(now)
                    .withMessage(LAST_LINE)
                    .endTerminated()
                    .endLastState()
                    .build())
        .toList();
  }

  private static List<ContainerStatus> running(Pod pod, String now) {
    return pod.getSpec().getContainers().stream()
        .map(
            container ->
                status(container)
                    .withStarted(true)
                    .withNewState()
                    .withNewRunning(now)
                    .endState()
                    .build())
        .toList();
  }

  /** The guard of a store's volume names the data. */
  private static List<ContainerStatus> done(Pod pod) {
    return pod.getSpec().getInitContainers().stream()
        .map(
            container ->
                status(container)
                    .withNewState()
                    .withNewTerminated()
                    .withExitCode(0)
                    .withReason("Completed")
                    .withMessage(GUARD_PASSED + pod.getMetadata().getUid())
                    .endTerminated()
                    .endState()
                    .build())
        .toList();
  }

  private static ContainerStatusBuilder status(Container container) {
    return new ContainerStatusBuilder()
        .withName(container.getName())
        .withImage(container.getImage())
        .withImageID(container.getImage())
        .withReady(true)
        .withRestartCount(0);
  }

  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
