// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Many mixed pods, and what has become of them. */
final class PodBatch {
  private static final int AT_A_TIME = 8;
  private static final String BY_SHARDS = "exaplane_scheduler_pods_by_shards_total";

  /** Of pods for shards, at most; the nodes have room for them. */
  private static final int BATCHES = 3;

  private final KubernetesClient client;
  private final Recording recording;
  private final long seed = System.nanoTime();

  /** The recording is of all that happens to them. */
  PodBatch(KubernetesClient client, Recording recording) {
    this.client = client;
    this.recording = recording;
  }

  /** Nodes for them. */
  PodBatch nodes(int count) throws InterruptedException {
    sideBySide(IntStream.range(0, count).mapToObj(i -> PodMix.node(i, "8")).toList(), this::create);
    return this;
  }

  /** Makes pods with these numbers; other clients may be busy with the server meanwhile. */
  void create(int from, int to) throws InterruptedException {
    Random random = new Random(seed + from);
    sideBySide(
        IntStream.range(from, to).mapToObj(i -> PodMix.any(i, random)).toList(), this::create);
  }

  private static <T> void sideBySide(List<T> all, Consumer<T> each) throws InterruptedException {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads =
        IntStream.range(0, AT_A_TIME)
            .mapToObj(
                part ->
                    Thread.ofVirtual()
                        .uncaughtExceptionHandler((_, failure) -> failures.add(failure))
                        .start(
                            () -> {
                              for (int i = part; i < all.size(); i += AT_A_TIME) {
                                each.accept(all.get(i));
                              }
                            }))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }

  /** A busy server may keep a client waiting too long: what was made meanwhile is there. */
  private void create(HasMetadata object) {
    for (int attempt = 0; ; attempt++) {
      try {
        client.resource(object).create();
        return;
      } catch (KubernetesClientException e) {
        if (e.getCode() == 409) {
          return;
        }
        if (attempt == 500) {
          throw e;
        }
        try {
          Thread.sleep(100);
        } catch (InterruptedException interrupted) {
          return;
        }
      }
    }
  }

  /** How many were seen on nodes. */
  long bound() {
    return recording.bound();
  }

  /** How many are on nodes at this moment. */
  long boundNow() {
    return pods().stream().filter(pod -> pod.getSpec().getNodeName() != null).count();
  }

  List<Pod> pods() {
    return client.pods().inNamespace("default").list().getItems();
  }

  /** Waits until so many are on nodes, the longer the more they are. */
  void awaitBound(int count) throws InterruptedException {
    Await.until(
        Duration.ofSeconds(300 + count / 50),
        "seed %d: %d pods are on nodes".formatted(seed, count),
        () -> bound() >= count,
        () -> bound() + " are");
  }

  /** How many are on nodes when no binding is under way any more. */
  long settled() throws InterruptedException {
    long[] last = {-1};
    Await.until(
        "no binding is under way",
        () -> {
          long now = boundNow();
          boolean same = now == last[0];
          last[0] = now;
          return same;
        });
    return last[0];
  }

  /**
   * Creates pods behind the first ones until shards decide about some: on a busy machine, a root
   * may decide about many without their answer. All are on nodes then.
   *
   * @return how many there are
   */
  int untilByShards(SchedulerProcess root, int first, int atATime) throws InterruptedException {
    double before = root.metric(BY_SHARDS);
    int all = first;
    for (int i = 0; i < BATCHES && root.metric(BY_SHARDS) <= before; i++) {
      create(all, all + atATime);
      all += atATime;
      awaitBound(all);
    }
    assertThat(root.metric(BY_SHARDS)).as("pods by shards").isGreaterThan(before);
    return all;
  }

  /** Nothing was wrong, of all that happened, and so many were bound. */
  void audit(int bindings) throws InterruptedException {
    awaitBound(bindings);
    Auditor auditor = auditor();
    assertThat(auditor.violations()).as("seed %d", seed).isEmpty();
    assertThat(auditor.bindings()).isEqualTo(bindings);
  }

  Auditor auditor() {
    return Auditor.of(recording.soFar());
  }
}
