// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Which templates of pods changed in a namespace while this was open, whoever wrote them.
 * Thread-safe.
 */
final class TemplateHistory implements AutoCloseable {
  /**
   * Of one template.
   *
   * @param seen soon after the write
   * @param object as {@code deployment demo-apiserver}
   */
  record Change(Instant seen, String object) {}

  private final Map<String, PodTemplateSpec> last = new HashMap<>();
  private final List<Change> changes = new ArrayList<>();
  private final SharedIndexInformer<Deployment> deployments;
  private final SharedIndexInformer<StatefulSet> sets;

  TemplateHistory(String namespace) {
    deployments =
        Bed.CLIENT
            .apps()
            .deployments()
            .inNamespace(namespace)
            .inform(noting("deployment ", (Deployment made) -> made.getSpec().getTemplate()));
    sets =
        Bed.CLIENT
            .apps()
            .statefulSets()
            .inNamespace(namespace)
            .inform(noting("statefulset ", (StatefulSet made) -> made.getSpec().getTemplate()));
  }

  private <T extends HasMetadata> ResourceEventHandler<T> noting(
      String kind, Function<T, PodTemplateSpec> template) {
    return new ResourceEventHandler<T>() {
      @Override
      public void onAdd(T object) {
        note(kind + object.getMetadata().getName(), template.apply(object));
      }

      @Override
      public void onUpdate(T before, T object) {
        note(kind + object.getMetadata().getName(), template.apply(object));
      }

      @Override
      public void onDelete(T object, boolean finalStateUnknown) {
        // One that is made again is compared with the one before.
      }
    };
  }

  private synchronized void note(String object, PodTemplateSpec template) {
    PodTemplateSpec before = last.put(object, template);
    if (before != null && !before.equals(template)) {
      changes.add(new Change(Instant.now(), object));
    }
  }

  synchronized List<Change> changes() {
    return List.copyOf(changes);
  }

  /** The objects, in the order in which their templates changed first. */
  List<String> objects() {
    return changes().stream().map(Change::object).distinct().toList();
  }

  @Override
  public void close() {
    deployments.close();
    sets.close();
  }
}
