// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The pods of one DaemonSet in an informer, of which a few facts are kept each: a hundred thousand
 * whole ones would be a gigabyte. Since when a pod is Ready is told by the operator's clock, as the
 * clocks of nodes differ; an operator that begins counts anew. Thread-safe.
 */
final class AgentPods implements ItemStore<Pod> {
  private static final String REVISION = "controller-revision-hash";

  private final Map<String, AgentPod> items = new ConcurrentHashMap<>();
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();
  private final String uid;
  private final Runnable signal;
  private final Clock clock;

  /**
   * None yet.
   *
   * @param uid of the DaemonSet; other pods that its selector matches are left out
   * @param signal is called after each change, and must not wait
   */
  AgentPods(String uid, Runnable signal, Clock clock) {
    this.uid = uid;
    this.signal = signal;
    this.clock = clock;
  }

  @Override
  public String getKey(Pod pod) {
    return pod.getMetadata().getName();
  }

  @Override
  public Pod put(String key, Pod pod) {
    AgentPod before = items.get(key);
    AgentPod now = facts(pod, before);
    if (!owned(pod)) {
      return remove(key);
    }
    items.put(key, now);
    if (before != null && !before.uid().equals(now.uid())) {
      deleted.remove(before.uid());
    }
    if (!now.equals(before)) {
      signal.run();
    }
    return shell(before);
  }

  @Override
  public Pod remove(String key) {
    AgentPod before = items.remove(key);
    if (before != null) {
      deleted.remove(before.uid());
      signal.run();
    }
    return shell(before);
  }

  private boolean owned(Pod pod) {
    return pod.getMetadata().getOwnerReferences() != null
        && pod.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> owner.getUid().equals(uid));
  }

  private AgentPod facts(Pod pod, AgentPod before) {
    ObjectMeta metadata = pod.getMetadata();
    boolean isReady =
        pod.getStatus() != null
            && pod.getStatus().getConditions() != null
            && pod.getStatus().getConditions().stream()
                .anyMatch(
                    condition ->
                        "Ready".equals(condition.getType())
                            && "True".equals(condition.getStatus()));
    boolean wasReady =
        before != null
            && before.uid().equals(metadata.getUid())
            && !before.readySince().equals(Instant.MAX);
    return new AgentPod(
        metadata.getName(),
        metadata.getUid(),
        pod.getSpec() == null || pod.getSpec().getNodeName() == null
            ? ""
            : pod.getSpec().getNodeName().intern(),
        metadata.getLabels() == null
            ? ""
            : metadata.getLabels().getOrDefault(REVISION, "").intern(),
        metadata.getDeletionTimestamp() != null || isOver(pod),
        !isReady ? Instant.MAX : wasReady ? before.readySince() : clock.instant());
  }

  /** kube-controller-manager deletes it by itself. */
  private static boolean isOver(Pod pod) {
    return pod.getStatus() != null
        && ("Failed".equals(pod.getStatus().getPhase())
            || "Succeeded".equals(pod.getStatus().getPhase()));
  }

  @Override
  public Stream<String> keySet() {
    return items.keySet().stream();
  }

  @Override
  public Stream<Pod> values() {
    return items.values().stream().map(AgentPods::shell);
  }

  @Override
  public int size() {
    return items.size();
  }

  @Override
  public Pod get(String key) {
    return shell(items.get(key));
  }

  /** What an informer compares. */
  private static Pod shell(AgentPod pod) {
    return pod == null
        ? null
        : new PodBuilder()
            .withNewMetadata()
            .withName(pod.name())
            .withUid(pod.uid())
            .endMetadata()
            .build();
  }

  /** Pods that were deleted just now: the watch may show them for a moment as they were. */
  void deleted(String podUid) {
    deleted.add(podUid);
  }

  /** All pods that have a node, by their nodes. */
  Map<String, List<AgentPod>> byNode() {
    Map<String, List<AgentPod>> all = new HashMap<>();
    for (AgentPod pod : items.values()) {
      if (pod.node().isEmpty()) {
        continue;
      }
      AgentPod seen = deleted.contains(pod.uid()) ? pod.leaving() : pod;
      all.merge(
          pod.node(),
          List.of(seen),
          (one, other) -> {
            List<AgentPod> both = new ArrayList<>(one);
            both.addAll(other);
            return both;
          });
    }
    return all;
  }
}
