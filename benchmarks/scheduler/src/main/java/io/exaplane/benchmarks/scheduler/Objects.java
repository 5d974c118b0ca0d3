// SPDX-License-Identifier: Apache-2.0
package io.exaplane.benchmarks.scheduler;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Kubernetes objects as the templates of upstream's scheduler_perf have them. */
final class Objects {
  private static final String IMAGE = "registry.k8s.io/pause:3.10.2";

  private Objects() {}

  static Map<String, Object> node(String name, Map<String, String> labels) {
    Map<String, String> all = new LinkedHashMap<>(labels);
    all.put("kubernetes.io/hostname", name);
    Map<String, Object> amounts = Map.of("cpu", "4", "memory", "32Gi", "pods", "110");
    return Map.of(
        "apiVersion", "v1",
        "kind", "Node",
        "metadata", Map.of("name", name, "labels", all),
        "spec", Map.of(),
        "status", Map.of("capacity", amounts, "allocatable", amounts));
  }

  /** A pod with one container. */
  static Map<String, Object> pod(
      String namespace, String name, Map<String, String> labels, Map<String, Object> spec) {
    return Map.of(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "metadata",
        Map.of("namespace", namespace, "name", name, "uid", namespace + name, "labels", labels),
        "spec",
        spec,
        "status",
        Map.of("phase", "Pending"));
  }

  static Map<String, Object> spec(String cpu, String memory, Map<String, Object> more) {
    Map<String, Object> spec = new LinkedHashMap<>(more);
    spec.put("schedulerName", "default-scheduler");
    Map<String, Object> amounts = Map.of("cpu", cpu, "memory", memory);
    Map<String, Object> resources = cpu.isEmpty() ? Map.of() : Map.of("requests", amounts);
    spec.put(
        "containers", List.of(Map.of("name", "pause", "image", IMAGE, "resources", resources)));
    return spec;
  }

  /** The default pod's amounts. */
  static Map<String, Object> small(Map<String, Object> more) {
    return spec("100m", "500Mi", more);
  }

  static Map<String, Object> near(String color, String key) {
    return Map.of(
        "labelSelector",
        Map.of("matchLabels", Map.of("color", color)),
        "topologyKey",
        key,
        "namespaces",
        List.of("sched-1", "sched-0"));
  }

  static Map<String, Object> required(String kind, Map<String, Object> term) {
    return Map.of(
        "affinity",
        Map.of(kind, Map.of("requiredDuringSchedulingIgnoredDuringExecution", List.of(term))));
  }

  static Map<String, Object> preferred(String kind, Map<String, Object> term) {
    Map<String, Object> weighted = Map.of("weight", 1, "podAffinityTerm", term);
    return Map.of(
        "affinity",
        Map.of(kind, Map.of("preferredDuringSchedulingIgnoredDuringExecution", List.of(weighted))));
  }

  static Map<String, Object> nodeAffinity(Map<String, Object> term) {
    return Map.of(
        "affinity",
        Map.of(
            "nodeAffinity",
            Map.of(
                "requiredDuringSchedulingIgnoredDuringExecution",
                Map.of("nodeSelectorTerms", List.of(term)))));
  }

  static Map<String, Object> spread(String color, String whenUnsatisfiable) {
    return Map.of(
        "topologySpreadConstraints",
        List.of(
            Map.of(
                "maxSkew",
                5,
                "topologyKey",
                "topology.kubernetes.io/zone",
                "whenUnsatisfiable",
                whenUnsatisfiable,
                "labelSelector",
                Map.of("matchLabels", Map.of("color", color)))));
  }

  static Map<String, Object> claim(String name) {
    return Map.of(
        "volumes",
        List.of(Map.of("name", "vol", "persistentVolumeClaim", Map.of("claimName", name))));
  }
}
