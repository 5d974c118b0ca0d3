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
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Says of the pods in some namespaces that they run and are ready, as a kubelet would, although
 * nobody runs them: a control plane of them is one whose network swallows all packets. One thread
 * of its own, until it is closed.
 */
final class ReadyPods implements AutoCloseable {
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
      client.resource(ready(pod)).updateStatus();
    } catch (KubernetesClientException e) {
      // Somebody else wrote; the next look says it again.
    }
  }

  private static Pod ready(Pod pod) {
    String now = Instant.now().toString();
    return new PodBuilder(pod)
        .withNewStatus()
        .withPhase("Running")
        .withStartTime(now)
        .withPodIP(Management.ADDRESS_OF_NOBODY)
        .withInitContainerStatuses(ended(pod))
        .withContainerStatuses(running(pod, now))
        .addNewCondition()
        .withType("PodScheduled")
        .withStatus("True")
        .withLastTransitionTime(now)
        .endCondition()
        .addNewCondition()
        .withType("ContainersReady")
        .withStatus("True")
        .withLastTransitionTime(now)
        .endCondition()
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .withLastTransitionTime(now)
        .endCondition()
        .endStatus()
        .build();
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
  private static List<ContainerStatus> ended(Pod pod) {
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
