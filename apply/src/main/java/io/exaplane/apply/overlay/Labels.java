// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Writes labels where kustomize does: metadata, and templates and selectors if asked for. Pure. */
final class Labels {
  private static final String[] META = {"metadata", "labels"};

  private Labels() {}

  static void write(Item item, Kustomization.Labelling labels) {
    put(Pods.make(item.object, META), labels.pairs());
    if (labels.templates() || labels.selectors()) {
      templates(item, labels.pairs());
    }
    if (labels.selectors()) {
      selectors(item, labels.pairs());
    }
  }

  private static void templates(Item item, Map<String, String> pairs) {
    if (Pods.isWorkload(item)) {
      put(Pods.make(item.object, "spec", "template", "metadata", "labels"), pairs);
    }
    if (Pods.isCronJob(item)) {
      put(Pods.make(item.object, "spec", "jobTemplate", "metadata", "labels"), pairs);
      put(
          Pods.make(item.object, "spec", "jobTemplate", "spec", "template", "metadata", "labels"),
          pairs);
    }
    if (item.gvk.groupKind().equals("StatefulSet.apps")) {
      for (ObjectNode claim : Pods.maps(item.object, "spec", "volumeClaimTemplates")) {
        put(Pods.make(claim, META), pairs);
      }
    }
  }

  private static void selectors(Item item, Map<String, String> pairs) {
    switch (item.gvk.groupKind()) {
      case "Service", "ReplicationController" ->
          put(Pods.make(item.object, "spec", "selector"), pairs);
      case "Deployment.apps", "StatefulSet.apps" -> {
        put(Pods.make(item.object, "spec", "selector", "matchLabels"), pairs);
        terms(item, pairs);
      }
      case "ReplicaSet.apps", "DaemonSet.apps" ->
          put(Pods.make(item.object, "spec", "selector", "matchLabels"), pairs);
      case "Job.batch", "PodDisruptionBudget.policy" ->
          existing(item, pairs, "spec", "selector", "matchLabels");
      case "CronJob.batch" ->
          existing(item, pairs, "spec", "jobTemplate", "spec", "selector", "matchLabels");
      case "NetworkPolicy.networking.k8s.io" -> {
        existing(item, pairs, "spec", "podSelector", "matchLabels");
        existing(item, pairs, "spec", "ingress", "from", "podSelector", "matchLabels");
        existing(item, pairs, "spec", "egress", "to", "podSelector", "matchLabels");
      }
      default -> {
        // Other kinds have no selectors that kustomize knows.
      }
    }
  }

  /** Selectors of affinity and of spreading, where they exist. */
  private static void terms(Item item, Map<String, String> pairs) {
    for (String affinity : List.of("podAffinity", "podAntiAffinity")) {
      for (ObjectNode one : Pods.maps(Pods.spec(item), "affinity", affinity)) {
        Pods.maps(
                one,
                "preferredDuringSchedulingIgnoredDuringExecution",
                "podAffinityTerm",
                "labelSelector",
                "matchLabels")
            .forEach(map -> put(map, pairs));
        Pods.maps(
                one,
                "requiredDuringSchedulingIgnoredDuringExecution",
                "labelSelector",
                "matchLabels")
            .forEach(map -> put(map, pairs));
      }
    }
    Pods.maps(Pods.spec(item), "topologySpreadConstraints", "labelSelector", "matchLabels")
        .forEach(map -> put(map, pairs));
  }

  private static void existing(Item item, Map<String, String> pairs, String... path) {
    Pods.maps(item.object, path).forEach(map -> put(map, pairs));
  }

  private static void put(ObjectNode map, Map<String, String> pairs) {
    if (map != null) {
      pairs.forEach(map::put);
    }
  }
}
