// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.model.PodGroup;
import java.util.Locale;
import java.util.Map;

/**
 * For whom others have to go: a pod, or, from 1.37 on, a group of pods.
 *
 * @param where for which place: a node, or for a group kube-scheduler's word for all nodes
 * @param scheduler the name that the pods ask for
 */
public record Preemptor(
    String apiVersion,
    String kind,
    String namespace,
    String name,
    String uid,
    String where,
    String scheduler) {
  /** A pod that waits for a node. */
  public static Preemptor of(PodRef pod, String node) {
    return new Preemptor(
        "v1", "Pod", pod.namespace(), pod.name(), pod.uid(), node, pod.scheduler());
  }

  /** A group whose pods wait for nodes. */
  public static Preemptor of(PodGroup group, String scheduler) {
    return new Preemptor(
        "scheduling.k8s.io/v1beta1",
        "PodGroup",
        group.namespace(),
        group.name(),
        group.uid(),
        "cluster",
        scheduler);
  }

  /** In upstream's words: its kind in lower case. */
  String type() {
    return kind.toLowerCase(Locale.ROOT);
  }

  Map<String, Object> reference() {
    return Map.of(
        "apiVersion", apiVersion, "kind", kind, "namespace", namespace, "name", name, "uid", uid);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
