// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The DaemonSets of an informer, of which a few facts are kept each. Signals only what matters: the
 * status of a DaemonSet changes with each of its pods. Thread-safe.
 */
final class AgentSets implements ItemStore<DaemonSet> {
  private final Map<String, AgentSet> items = new ConcurrentHashMap<>();
  private final Runnable signal;

  /** {@code signal} is called by the client's threads, and must not wait. */
  AgentSets(Runnable signal) {
    this.signal = signal;
  }

  @Override
  public String getKey(DaemonSet set) {
    return set.getMetadata().getNamespace() + "/" + set.getMetadata().getName();
  }

  @Override
  public DaemonSet put(String key, DaemonSet set) {
    AgentSet now = AgentSet.of(set);
    AgentSet before = items.put(key, now);
    if (before == null
        || before.generation() != now.generation()
        || before.isObserved() != now.isObserved()
        || !before.told().equals(now.told())
        || !before.findings().equals(now.findings())
        || !before.account().equals(now.account())
        || !before.uid().equals(now.uid())
        || before.isLeaving() != now.isLeaving()) {
      signal.run();
    }
    return shell(before);
  }

  @Override
  public DaemonSet remove(String key) {
    AgentSet before = items.remove(key);
    signal.run();
    return shell(before);
  }

  @Override
  public Stream<String> keySet() {
    return items.keySet().stream();
  }

  @Override
  public Stream<DaemonSet> values() {
    return items.values().stream().map(AgentSets::shell);
  }

  @Override
  public int size() {
    return items.size();
  }

  @Override
  public DaemonSet get(String key) {
    return shell(items.get(key));
  }

  /** What an informer compares. */
  private static DaemonSet shell(AgentSet set) {
    return set == null
        ? null
        : new DaemonSetBuilder()
            .withNewMetadata()
            .withNamespace(set.namespace())
            .withName(set.name())
            .withUid(set.uid())
            .withResourceVersion(set.resourceVersion())
            .endMetadata()
            .build();
  }

  /** As they were seen last. */
  Collection<AgentSet> all() {
    return List.copyOf(items.values());
  }
}
