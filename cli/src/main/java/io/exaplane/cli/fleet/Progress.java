// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * When each control plane was asked for, first told something, and when each change of its spec was
 * reconciled, by namespace. Thread-safe.
 */
final class Progress implements ResourceEventHandler<GenericKubernetesResource> {
  private static final String KUBECONFIG = "KubeconfigReady";

  private final Map<String, Instant> applied = new ConcurrentHashMap<>();
  private final Map<String, Instant> told = new ConcurrentHashMap<>();
  private final Map<String, Boolean> hasKubeconfig = new ConcurrentHashMap<>();

  /** By namespace, the newest observed generation and when it was seen first. */
  private final Map<String, Observed> observed = new ConcurrentHashMap<>();

  private record Observed(long generation, Instant at) {}

  private final List<Duration> requests = new CopyOnWriteArrayList<>();

  /** One change: what is awaited, and since when. */
  record Change(String namespace, long generation, Instant since) {}

  void applied(String namespace) {
    applied.put(namespace, Instant.now());
  }

  /** The server took so long to create one. */
  void requested(Duration length) {
    requests.add(length);
  }

  List<Duration> requests() {
    return requests;
  }

  /** The newest generation that the operator has looked at; 0 for none. */
  long generation(String namespace) {
    Observed now = observed.get(namespace);
    return now == null ? 0 : now.generation();
  }

  Instant appliedAt(String namespace) {
    return applied.get(namespace);
  }

  boolean isTold(Collection<String> namespaces) {
    return told.keySet().containsAll(namespaces);
  }

  int toldOf(Collection<String> namespaces) {
    return (int) namespaces.stream().filter(told::containsKey).count();
  }

  /** Whether each has its administrator's kubeconfig, the last that it gets without pods. */
  boolean haveKubeconfigs(Collection<String> namespaces) {
    return namespaces.stream().allMatch(each -> hasKubeconfig.getOrDefault(each, false));
  }

  /** From the request to the first condition, of those that have one, sorted. */
  List<Duration> toFirstCondition(Collection<String> namespaces) {
    return namespaces.stream()
        .filter(told::containsKey)
        .map(each -> Duration.between(applied.get(each), told.get(each)))
        .sorted()
        .toList();
  }

  /** Whether the operator has looked at a changed spec. */
  boolean isDone(Change change) {
    Observed now = observed.get(change.namespace());
    return now != null && now.generation() >= change.generation();
  }

  /** From a change to its look, of one that is done. */
  Duration took(Change change) {
    return Duration.between(change.since(), observed.get(change.namespace()).at());
  }

  @Override
  public void onAdd(GenericKubernetesResource controlPlane) {
    look(controlPlane);
  }

  @Override
  public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource controlPlane) {
    look(controlPlane);
  }

  @Override
  public void onDelete(GenericKubernetesResource controlPlane, boolean finalStateUnknown) {
    // When it was told stays known.
  }

  private void look(GenericKubernetesResource controlPlane) {
    if (!(controlPlane.getAdditionalProperties().get("status") instanceof Map<?, ?> status)) {
      return;
    }
    Instant now = Instant.now();
    String namespace = controlPlane.getMetadata().getNamespace();
    if (status.get("conditions") instanceof List<?> conditions && !conditions.isEmpty()) {
      told.putIfAbsent(namespace, now);
      hasKubeconfig.put(namespace, conditions.stream().anyMatch(Progress::saysKubeconfig));
    }
    if (status.get("observedGeneration") instanceof Number number) {
      observed.merge(
          namespace,
          new Observed(number.longValue(), now),
          (before, next) -> next.generation() > before.generation() ? next : before);
    }
  }

  private static boolean saysKubeconfig(Object condition) {
    return condition instanceof Map<?, ?> fields
        && KUBECONFIG.equals(fields.get("type"))
        && "True".equals(fields.get("status"));
  }
}
