// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;

/** Writes namespaces, prefixes and suffixes of one level into the objects themselves. Pure. */
final class Names {
  private static final Set<String> UNCHANGED =
      Set.of("CustomResourceDefinition", "APIService", "Namespace");

  private Names() {}

  static void write(Item item, Kustomization level, Charge charge) throws OverlayException {
    if (!(item.metadata() instanceof ObjectNode metadata)) {
      return;
    }
    if (!level.namespace().isEmpty()) {
      namespace(item, metadata, level.namespace(), charge);
    }
    boolean isRenamed = !level.prefix().isEmpty() || !level.suffix().isEmpty();
    if (isRenamed && !UNCHANGED.contains(item.gvk.kind())) {
      charge.take((long) level.prefix().length() + level.suffix().length());
      metadata.put("name", level.prefix() + item.name() + level.suffix());
    }
  }

  private static void namespace(Item item, ObjectNode metadata, String namespace, Charge charge)
      throws OverlayException {
    if (item.gvk.groupKind().equals("Namespace")) {
      put(metadata, "name", namespace, charge);
    } else if (!Scopes.isClusterScoped(item.gvk)) {
      put(metadata, "namespace", namespace, charge);
    }
    switch (item.gvk.kind()) {
      case "RoleBinding", "ClusterRoleBinding" -> {
        for (ObjectNode subject : Pods.maps(item.object, "subjects")) {
          if (subject.path("name").asText("").equals("default")) {
            put(subject, "namespace", namespace, charge);
          }
        }
      }
      case "APIService" -> {
        for (ObjectNode service : Pods.maps(item.object, "spec", "service")) {
          put(service, "namespace", namespace, charge);
        }
      }
      case "CustomResourceDefinition" -> {
        for (ObjectNode service :
            Pods.maps(item.object, "spec", "conversion", "webhook", "clientConfig", "service")) {
          put(service, "namespace", namespace, charge);
        }
      }
      default -> {
        // Other kinds name namespaces in references only.
      }
    }
  }

  /** Writes a word, and takes what the map grows by. */
  private static void put(ObjectNode map, String field, String now, Charge charge)
      throws OverlayException {
    charge.take(Math.max(now.length() - map.path(field).asText("").length(), 0));
    map.put(field, now);
  }

  /** Follows the names that the objects of a level have now. */
  static void follow(List<Item> items, Charge charge) throws OverlayException {
    References references = new References(items);
    for (Item item : items) {
      new Walk(item, references, charge).all();
    }
  }

  /** All references of one object. */
  private record Walk(Item item, References references, Charge charge) {
    void all() throws OverlayException {
      pod();
      JsonNode object = item.object;
      switch (item.gvk.groupKind()) {
        case "StatefulSet.apps" -> {
          name(Pods.maps(object, "spec"), "serviceName", "Service");
          name(
              Pods.maps(object, "spec", "volumeClaimTemplates", "spec"),
              "storageClassName",
              "StorageClass.storage.k8s.io");
        }
        case "Ingress.networking.k8s.io" -> ingress(object);
        case "RoleBinding.rbac.authorization.k8s.io",
            "ClusterRoleBinding.rbac.authorization.k8s.io" ->
            binding(object);
        case "Role.rbac.authorization.k8s.io", "ClusterRole.rbac.authorization.k8s.io" ->
            role(object);
        case "HorizontalPodAutoscaler.autoscaling" -> {
          for (ObjectNode target : Pods.maps(object, "spec", "scaleTargetRef")) {
            String kind = target.path("kind").asText("");
            String group = target.path("apiVersion").asText("").replaceAll("/?[^/]*$", "");
            name(List.of(target), "name", group.isEmpty() ? kind : kind + "." + group);
          }
        }
        case "PersistentVolumeClaim" -> {
          name(Pods.maps(object, "spec"), "volumeName", "PersistentVolume");
          name(Pods.maps(object, "spec"), "storageClassName", "StorageClass.storage.k8s.io");
        }
        case "PersistentVolume" ->
            name(Pods.maps(object, "spec"), "storageClassName", "StorageClass.storage.k8s.io");
        case "ServiceAccount" -> name(Pods.maps(object, "imagePullSecrets"), "name", "Secret");
        case "APIService.apiregistration.k8s.io" ->
            placed(Pods.maps(object, "spec", "service"), "Service");
        case "CustomResourceDefinition.apiextensions.k8s.io" ->
            placed(
                Pods.maps(object, "spec", "conversion", "webhook", "clientConfig", "service"),
                "Service");
        case "MutatingWebhookConfiguration.admissionregistration.k8s.io",
            "ValidatingWebhookConfiguration.admissionregistration.k8s.io" ->
            placed(Pods.maps(object, "webhooks", "clientConfig", "service"), "Service");
        default -> {
          // Other kinds have no references that kustomize knows.
        }
      }
    }

    private void pod() throws OverlayException {
      JsonNode spec = Pods.spec(item);
      if (!(spec instanceof ObjectNode pod)) {
        return;
      }
      List<ObjectNode> self = List.of(pod);
      name(self, "serviceAccountName", "ServiceAccount");
      name(self, "priorityClassName", "PriorityClass.scheduling.k8s.io");
      name(Pods.maps(pod, "imagePullSecrets"), "name", "Secret");
      name(Pods.maps(pod, "volumes", "configMap"), "name", "ConfigMap");
      name(Pods.maps(pod, "volumes", "secret"), "secretName", "Secret");
      name(
          Pods.maps(pod, "volumes", "persistentVolumeClaim"), "claimName", "PersistentVolumeClaim");
      name(Pods.maps(pod, "volumes", "projected", "sources", "configMap"), "name", "ConfigMap");
      name(Pods.maps(pod, "volumes", "projected", "sources", "secret"), "name", "Secret");
      for (String list : List.of("containers", "initContainers")) {
        name(Pods.maps(pod, list, "envFrom", "configMapRef"), "name", "ConfigMap");
        name(Pods.maps(pod, list, "envFrom", "secretRef"), "name", "Secret");
        name(Pods.maps(pod, list, "env", "valueFrom", "configMapKeyRef"), "name", "ConfigMap");
        name(Pods.maps(pod, list, "env", "valueFrom", "secretKeyRef"), "name", "Secret");
      }
    }

    private void ingress(JsonNode object) throws OverlayException {
      name(
          Pods.maps(object, "spec", "rules", "http", "paths", "backend", "service"),
          "name",
          "Service");
      name(Pods.maps(object, "spec", "defaultBackend", "service"), "name", "Service");
      name(Pods.maps(object, "spec", "tls"), "secretName", "Secret");
      name(Pods.maps(object, "spec"), "ingressClassName", "IngressClass.networking.k8s.io");
    }

    private void binding(JsonNode object) throws OverlayException {
      for (ObjectNode role : Pods.maps(object, "roleRef")) {
        name(List.of(role), "name", role.path("kind").asText("") + ".rbac.authorization.k8s.io");
      }
      for (ObjectNode subject : Pods.maps(object, "subjects")) {
        if (subject.path("kind").asText("").equals("ServiceAccount")) {
          placed(List.of(subject), "ServiceAccount");
        }
      }
    }

    private void role(JsonNode object) throws OverlayException {
      for (ObjectNode rule : Pods.maps(object, "rules")) {
        if (rule.path("resourceNames") instanceof ArrayNode names) {
          for (int at = 0; at < names.size(); at++) {
            JsonNode now = references.resourceName(item, rule.path("resources"), names.path(at));
            charge.take(Math.max(Room.of(now) - Room.of(names.path(at)), 0));
            names.set(at, now);
          }
        }
      }
    }

    private void name(List<ObjectNode> holders, String field, String groupKind)
        throws OverlayException {
      for (ObjectNode holder : holders) {
        if (holder.path(field).isTextual()) {
          String now = references.name(item, groupKind, holder.path(field).asText());
          put(holder, field, now, charge);
        }
      }
    }

    private void placed(List<ObjectNode> holders, String groupKind) throws OverlayException {
      for (ObjectNode holder : holders) {
        long before = Room.of(holder);
        references.placed(item, groupKind, holder);
        // Charged afterwards: the map holds two strings that exist already.
        charge.take(Math.max(Room.of(holder) - before, 0));
      }
    }
  }
}
