// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The objects of a namespace that another operator has to keep as they are: each with its UID and
 * what it says, without status and times.
 *
 * @param objects by Kind and name
 */
record Kept(Map<String, String> objects) {
  /** By the API version. What ends with a pod is not among them, but pods are. */
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("Pod", "v1"),
          Map.entry("Service", "v1"),
          Map.entry("Secret", "v1"),
          Map.entry("ConfigMap", "v1"),
          Map.entry("PersistentVolumeClaim", "v1"),
          Map.entry("StatefulSet", "apps/v1"),
          Map.entry("Deployment", "apps/v1"),
          Map.entry("PodDisruptionBudget", "policy/v1"),
          Map.entry("ControlPlane", "exaplane.io/v1alpha1"),
          Map.entry("StoreShard", "exaplane.io/v1alpha1"),
          Map.entry("SchedulerPool", "exaplane.io/v1alpha1"),
          Map.entry("NodePool", "exaplane.io/v1alpha1"));

  /** Those that there are now. */
  static Kept of(KubernetesClient client, String namespace) {
    Map<String, String> objects = new TreeMap<>();
    KINDS.forEach(
        (kind, version) ->
            client
                .genericKubernetesResources(version, kind)
                .inNamespace(namespace)
                .list()
                .getItems()
                .forEach(
                    object ->
                        objects.put(kind + "/" + object.getMetadata().getName(), said(object))));
    return new Kept(objects);
  }

  private static String said(GenericKubernetesResource object) {
    Map<String, Object> said = new TreeMap<>(object.getAdditionalProperties());
    said.remove("status");
    said.put("uid", object.getMetadata().getUid());
    return Serialization.asJson(said);
  }

  /** Which of these are gone then, or say something else, or are other objects. */
  Set<String> lostIn(Kept then) {
    Set<String> lost = new TreeSet<>(objects.keySet());
    lost.removeIf(name -> objects.get(name).equals(then.objects().get(name)));
    return lost;
  }

  /** What they say, a line each. */
  String text(Set<String> names) {
    return names.stream()
        .map(name -> name + ": " + objects.get(name))
        .collect(Collectors.joining("\n"));
  }
}
