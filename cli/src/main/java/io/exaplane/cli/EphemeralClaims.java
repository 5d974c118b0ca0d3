// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.volume.Claim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Claims that live as long as their pod: of its ephemeral volumes, and of devices from templates. A
 * pod that is evicted takes them and their volumes with it, and the one in its place gets new ones.
 */
final class EphemeralClaims {
  /** A pod that left. */
  private record Left(Map<?, ?> meta, Map<?, ?> spec, Map<?, ?> status, boolean comesAgain) {
    String namespace() {
      return meta.get("namespace") instanceof String text ? text : "default";
    }

    String claimOf(Map<?, ?> volume) {
      return meta.get("name") + "-" + volume.get("name");
    }
  }

  private final List<Left> left = new ArrayList<>();

  /** Notes a pod that leaves its node. */
  void leaves(Map<String, Object> pod, boolean comesAgain) {
    left.add(
        new Left(
            map(pod.get("metadata")), map(pod.get("spec")), map(pod.get("status")), comesAgain));
  }

  /**
   * To be called when all objects are there.
   *
   * @param objects takes the claims that are made anew
   */
  void finish(Cluster cluster, Consumer<Map<String, Object>> objects) {
    for (Left pod : left) {
      for (Map<?, ?> volume : maps(pod.spec().get("volumes"))) {
        if (volume.get("ephemeral") != null) {
          claim(cluster, pod, volume, objects);
        }
      }
      if (!pod.comesAgain()) {
        for (Map<?, ?> claim : maps(pod.status().get("resourceClaimStatuses"))) {
          cluster.devices().removeClaim(pod.namespace() + "/" + claim.get("resourceClaimName"));
        }
      }
    }
  }

  private static void claim(
      Cluster cluster, Left pod, Map<?, ?> volume, Consumer<Map<String, Object>> objects) {
    String name = pod.claimOf(volume);
    Claim before = cluster.volumes().claim(pod.namespace(), name);
    if (before == null) {
      return;
    }
    cluster.volumes().removeClaim(before.key());
    // A new claim can't have it: it is deleted, or released and waits for a person.
    if (!before.volumeName().isEmpty()) {
      cluster.volumes().removeVolume(before.volumeName());
    }
    if (!pod.comesAgain()) {
      return;
    }
    Map<?, ?> template = map(map(volume.get("ephemeral")).get("volumeClaimTemplate"));
    Map<String, Object> spec = new LinkedHashMap<>();
    map(template.get("spec")).forEach((field, value) -> spec.put((String) field, value));
    spec.putIfAbsent("storageClassName", before.storageClass());
    Map<String, Object> meta = new LinkedHashMap<>();
    meta.put("namespace", pod.namespace());
    meta.put("name", name);
    meta.put("uid", before.uid());
    meta.put(
        "ownerReferences",
        List.of(
            Map.of(
                "kind",
                "Pod",
                "name",
                pod.meta().get("name"),
                "uid",
                before.ownerUid(),
                "controller",
                true)));
    objects.accept(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "PersistentVolumeClaim",
            "metadata",
            meta,
            "spec",
            spec,
            "status",
            Map.of("phase", "Pending")));
  }

  private static Map<?, ?> map(Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static List<Map<?, ?>> maps(Object value) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object element : list) {
        maps.add(map(element));
      }
    }
    return maps;
  }
}
