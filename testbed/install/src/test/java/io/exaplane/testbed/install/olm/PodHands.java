// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands in for the kubelet of the operator's namespace, where no node is: each pod is a process
 * with the environment, the account and the probe that the pod says, and its status tells what
 * became of the process. Images are not pulled: {@link Programs} knows what is in them. A thread
 * looks at the pods, and each pod has one of its own, until this is closed.
 */
final class PodHands implements AutoCloseable {
  private static final long EVERY_MS = 200;
  private static final int ATTEMPTS = 50;

  private final KubernetesClient client;
  private final Programs programs;
  private final Set<String> begun = new HashSet<>();
  private final Map<String, Programs.Running> running = new ConcurrentHashMap<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final ExecutorService pods = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread thread;

  /**
   * Begins at once.
   *
   * @param bundles folders of bundles by their images
   * @param folder takes logs and kubeconfigs of processes
   */
  PodHands(OlmCluster cluster, Map<String, Path> bundles, Path folder) {
    this.client = cluster.client();
    this.programs = new Programs(cluster, bundles, folder);
    this.thread = Thread.ofVirtual().name("pods").start(this::run);
  }

  /** What did not run, each with its reason. */
  Queue<String> failures() {
    return failures;
  }

  /** The last words of the operators that run. */
  String lastWords() {
    StringBuilder words = new StringBuilder();
    running.values().forEach(each -> words.append(each.lastWords()).append('\n'));
    return words.toString();
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
      Set<String> there = new HashSet<>();
      for (Pod pod : client.pods().inNamespace(OlmCluster.NAMESPACE).list().getItems()) {
        String uid = pod.getMetadata().getUid();
        there.add(uid);
        if (pod.getMetadata().getDeletionTimestamp() == null && begun.add(uid)) {
          pods.execute(() -> begin(pod));
        }
      }
      // A pod without a node goes at once when it is deleted; its process is told afterwards.
      for (String uid : running.keySet()) {
        if (!there.contains(uid)) {
          pods.execute(() -> end(uid));
        }
      }
    } catch (KubernetesClientException e) {
      // The server is busy; the next look finds the same pods.
      System.err.println("pods are listed again: " + e.getMessage());
    }
  }

  private void begin(Pod pod) {
    String name = pod.getMetadata().getName();
    try {
      if (programs.isUnpacking(pod)) {
        programs.unpack(pod);
        say(pod, "Succeeded", "False");
      } else {
        running.put(pod.getMetadata().getUid(), programs.operator(pod));
        say(pod, "Running", "True");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | AssertionError e) {
      // The test reads it, whatever it is, and names the pod.
      failures.add("pod " + name + ": " + e);
      say(pod, "Failed", "False");
    }
  }

  /** Ends the process of a pod that is gone. Twice is as good as once. */
  private void end(String uid) {
    Programs.Running process = running.remove(uid);
    try {
      if (process != null) {
        process.stop();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | AssertionError e) {
      failures.add("the process of pod " + uid + " did not end: " + e);
    }
  }

  private void say(Pod pod, String phase, String ready) {
    for (int attempt = 1; ; attempt++) {
      try {
        write(pod, phase, ready);
        return;
      } catch (KubernetesClientException e) {
        // Somebody else wrote, or the server is busy; a pod that is gone needs no status.
        if (attempt == ATTEMPTS || client.resource(pod).get() == null) {
          failed(pod, e);
          return;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(EVERY_MS));
      }
    }
  }

  private void failed(Pod pod, KubernetesClientException why) {
    if (client.resource(pod).get() != null) {
      failures.add("status of pod " + pod.getMetadata().getName() + ": " + why.getMessage());
    }
  }

  private void write(Pod pod, String phase, String ready) {
    String now = Instant.now().toString();
    client
        .pods()
        .inNamespace(OlmCluster.NAMESPACE)
        .withName(pod.getMetadata().getName())
        .editStatus(
            known ->
                new PodBuilder(known)
                    .editOrNewStatus()
                    .withPhase(phase)
                    .withStartTime(now)
                    .withConditions()
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus(ready)
                    .withLastTransitionTime(now)
                    .endCondition()
                    .endStatus()
                    .build());
  }

  /** Ends every process that is left. */
  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    pods.shutdownNow();
    pods.close();
    running.values().forEach(Programs.Running::kill);
  }
}
