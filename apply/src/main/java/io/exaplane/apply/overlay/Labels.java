// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Writes labels where kustomize does: metadata, and templates and selectors if asked for. Pure. */
final class Labels {
  private static final String[] META = {"metadata", "labels"};

  private Labels() {}

  static void write(Item item, Kustomization.Labelling labels, Charge charge)
      throws OverlayException {
    put(Pods.make(item.object, META), labels.pairs(), charge);
    if (labels.templates() || labels.selectors()) {
      templates(item, labels.pairs(), charge);
    }
    if (labels.selectors()) {
      selectors(item, labels.pairs(), charge);
    }
  }

  private static void templates(Item item, Map<String, String> pairs, Charge charge)
      throws OverlayException {
    if (Pods.isWorkload(item)) {
      put(Pods.make(item.object, "spec", "template", "metadata", "labels"), pairs, charge);
    }
    if (Pods.isCronJob(item)) {
      put(Pods.make(item.object, "spec", "jobTemplate", "metadata", "labels"), pairs, charge);
      put(
          Pods.make(item.object, "spec", "jobTemplate", "spec", "template", "metadata", "labels"),
          pairs,
          charge);
    }
    if (item.gvk.groupKind().equals("StatefulSet.apps")) {
      for (ObjectNode claim : Pods.maps(item.object, "spec", "volumeClaimTemplates")) {
        put(Pods.make(claim, META), pairs, charge);
      }
    }
  }

  private static void selectors(Item item, Map<String, String> pairs, Charge charge)
      throws OverlayException {
    switch (item.gvk.groupKind()) {
      case "Service", "ReplicationController" ->
          put(Pods.make(item.object, "spec", "selector"), pairs, charge);
      case "Deployment.apps", "StatefulSet.apps" -> {
        put(Pods.make(item.object, "spec", "selector", "matchLabels"), pairs, charge);
        terms(item, pairs, charge);
      }
      case "ReplicaSet.apps", "DaemonSet.apps" ->
          put(Pods.make(item.object, "spec", "selector", "matchLabels"), pairs, charge);
      case "Job.batch", "PodDisruptionBudget.policy" ->
          existing(item, pairs, charge, "spec", "selector", "matchLabels");
      case "CronJob.batch" ->
          existing(item, pairs, charge, "spec", "jobTemplate", "spec", "selector", "matchLabels");
      case "NetworkPolicy.networking.k8s.io" -> {
        existing(item, pairs, charge, "spec", "podSelector", "matchLabels");
        existing(item, pairs, charge, "spec", "ingress", "from", "podSelector", "matchLabels");
        existing(item, pairs, charge, "spec", "egress", "to", "podSelector", "matchLabels");
      }
      default -> {
        // Other kinds have no selectors that kustomize knows.
      }
    }
  }

  /** Selectors of affinity and of spreading, where they exist. */
  private static void terms(Item item, Map<String, String> pairs, Charge charge)
      throws OverlayException {
    for (String affinity : List.of("podAffinity", "podAntiAffinity")) {
      for (ObjectNode one : Pods.maps(Pods.spec(item), "affinity", affinity)) {
        put(
            Pods.maps(
                one,
                "preferredDuringSchedulingIgnoredDuringExecution",
                "podAffinityTerm",
                "labelSelector",
                "matchLabels"),
            pairs,
            charge);
        put(
            Pods.maps(
                one,
                "requiredDuringSchedulingIgnoredDuringExecution",
                "labelSelector",
                "matchLabels"),
            pairs,
            charge);
      }
    }
    put(
        Pods.maps(Pods.spec(item), "topologySpreadConstraints", "labelSelector", "matchLabels"),
        pairs,
        charge);
  }

  private static void existing(Item item, Map<String, String> pairs, Charge charge, String... path)
      throws OverlayException {
    put(Pods.maps(item.object, path), pairs, charge);
  }

  private static void put(List<ObjectNode> maps, Map<String, String> pairs, Charge charge)
      throws OverlayException {
    for (ObjectNode map : maps) {
      put(map, pairs, charge);
    }
  }

  private static void put(ObjectNode map, Map<String, String> pairs, Charge charge)
      throws OverlayException {
    if (map != null) {
      charge.take(Room.of(pairs));
      pairs.forEach(map::put);
    }
  }
}
