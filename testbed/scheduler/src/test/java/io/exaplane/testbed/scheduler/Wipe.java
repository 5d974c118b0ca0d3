// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes away what tests made: all objects of the namespace {@code default}, all that are in no
 * namespace, and the schedulers' Leases. What the API server makes for itself stays.
 */
final class Wipe {
  /** Those first whose controllers would make others again. */
  private static final List<String> GROUPS =
      List.of(
          "apps/v1",
          "batch/v1",
          "v1",
          "policy/v1",
          "resource.k8s.io/v1",
          "scheduling.k8s.io/v1",
          "storage.k8s.io/v1");

  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final Set<String> SERVERS_OWN =
      Set.of(
          "default",
          "kube-node-lease",
          "kube-public",
          "kube-system",
          "kubernetes",
          "system-cluster-critical",
          "system-node-critical");

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final Map<String, Object> AT_ONCE =
      Map.of("gracePeriodSeconds", 0, "propagationPolicy", "Background");

  private final KubernetesClient client;
  private final List<String> collections = new ArrayList<>();

  /** By an administrator's client. */
  Wipe(KubernetesClient client) {
    this.client = client;
    for (String group : GROUPS) {
      String path = (group.contains("/") ? "/apis/" : "/api/") + group + "/";
      for (APIResource resource : client.getApiResources(group).getResources()) {
        if (resource.getVerbs().contains("deletecollection")) {
          String namespace = resource.getNamespaced() ? "namespaces/default/" : "";
          collections.add(path + namespace + resource.getName());
        }
      }
    }
    collections.add(LEASES);
    collections.add(NAMESPACES);
  }

  /** Returns when all of it is gone. */
  void run() throws InterruptedException {
    List<String> left = new ArrayList<>();
    Await.until("nothing is left of the test before", () -> isAllGone(left), () -> left);
  }

  /** Looks once; what is still there has been told to go. */
  private boolean isAllGone(List<String> left) {
    left.clear();
    for (String collection : collections) {
      List<GenericKubernetesResource> all = list(collection);
      List<GenericKubernetesResource> made = all.stream().filter(Wipe::isTests).toList();
      made.forEach(object -> left.add(collection + "/" + object.getMetadata().getName()));
      made.forEach(object -> letGo(collection, object));
      if (!made.isEmpty() && made.size() == all.size()) {
        send(collection, "DELETE", AT_ONCE);
      } else {
        made.forEach(object -> send(path(collection, object), "DELETE", AT_ONCE));
      }
    }
    return left.isEmpty();
  }

  private List<GenericKubernetesResource> list(String collection) {
    return client
        .getKubernetesSerialization()
        .unmarshal(client.raw(collection), GenericKubernetesResourceList.class)
        .getItems();
  }

  private static boolean isTests(GenericKubernetesResource object) {
    String name = object.getMetadata().getName();
    return !SERVERS_OWN.contains(name) && !name.startsWith("apiserver-");
  }

  /** Nothing waits for controllers that may not run. */
  private void letGo(String collection, GenericKubernetesResource object) {
    if (collection.equals(NAMESPACES)) {
      Map<String, Object> name = Map.of("name", object.getMetadata().getName());
      Map<String, Object> free = Map.of("metadata", name, "spec", Map.of("finalizers", List.of()));
      send(path(collection, object) + "/finalize", "PUT", free);
    } else if (!object.getMetadata().getFinalizers().isEmpty()) {
      object.getMetadata().setFinalizers(List.of());
      send(path(collection, object), "PUT", object);
    }
  }

  private static String path(String collection, GenericKubernetesResource object) {
    return collection + "/" + object.getMetadata().getName();
  }

  /** What went or changed meanwhile is looked at again. */
  private void send(String path, String method, Object body) {
    try {
      client.raw(path, method, body);
    } catch (KubernetesClientException e) {
      if (e.getCode() != NOT_FOUND && e.getCode() != CONFLICT) {
        throw e;
      }
    }
  }
}
