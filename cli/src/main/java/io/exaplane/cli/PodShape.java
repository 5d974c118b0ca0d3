// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.scheduler.engine.model.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Of a pod what {@link PodNeeds} looks at and nothing else, so that the pods of a workload are
 * equal, and a million of them are kept once.
 */
record PodShape(Map<String, Object> object) {
  private static final Set<String> OF_SPEC =
      Set.of(
          "runtimeClassName",
          "overhead",
          "priorityClassName",
          "hostNetwork",
          "affinity",
          "resourceClaims",
          "schedulingGroup",
          "topologySpreadConstraints",
          "nodeSelector",
          "resources");

  static PodShape of(Map<String, Object> pod) {
    Map<String, Object> meta = part(pod, "metadata", Set.of("namespace", "labels"));
    Map<String, Object> spec = part(pod, "spec", OF_SPEC);
    if (map(pod, "spec").containsKey("priority")) {
      spec.put("priority", 0);
    }
    boolean ephemeral = false;
    List<Object> volumes = new ArrayList<>();
    for (Map<?, ?> volume : list(map(pod, "spec"), "volumes")) {
      boolean made = volume.get("ephemeral") != null;
      ephemeral |= made;
      if (made) {
        volumes.add(Map.of("name", String.valueOf(volume.get("name")), "ephemeral", Map.of()));
      } else if (volume.get("persistentVolumeClaim") != null) {
        volumes.add(Map.of("persistentVolumeClaim", volume.get("persistentVolumeClaim")));
      }
    }
    spec.put("volumes", volumes);
    for (String name : List.of("containers", "initContainers")) {
      List<Object> containers = new ArrayList<>();
      for (Map<?, ?> container : list(map(pod, "spec"), name)) {
        Map<String, Object> kept = new LinkedHashMap<>();
        keep(container, "resources", kept);
        keep(container, "ports", kept);
        containers.add(kept);
      }
      spec.put(name, containers);
    }
    List<Object> owners = new ArrayList<>();
    for (Map<?, ?> owner : list(map(pod, "metadata"), "ownerReferences")) {
      owners.add(
          Map.of(
              "kind",
              String.valueOf(owner.get("kind")),
              "name",
              String.valueOf(owner.get("name"))));
    }
    meta.put("ownerReferences", owners);
    if (ephemeral) {
      keep(map(pod, "metadata"), "name", meta);
    }
    Map<String, Object> shape = new LinkedHashMap<>();
    shape.put("kind", "Pod");
    shape.put("metadata", meta);
    shape.put("spec", spec);
    shape.put("status", part(pod, "status", Set.of("resourceClaimStatuses")));
    return new PodShape(shape);
  }

  Fields fields() {
    return Fields.ofObject(object);
  }

  private static Map<String, Object> part(Map<String, Object> pod, String part, Set<String> names) {
    Map<String, Object> kept = new LinkedHashMap<>();
    Map<?, ?> whole = map(pod, part);
    names.stream().sorted().forEach(name -> keep(whole, name, kept));
    return kept;
  }

  private static void keep(Map<?, ?> from, String name, Map<String, Object> to) {
    if (from.get(name) != null) {
      to.put(name, from.get(name));
    }
  }

  private static Map<?, ?> map(Map<?, ?> parent, String name) {
    return parent.get(name) instanceof Map<?, ?> map ? map : Map.of();
  }

  private static List<Map<?, ?>> list(Map<?, ?> parent, String name) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (parent.get(name) instanceof List<?> list) {
      for (Object element : list) {
        if (element instanceof Map<?, ?> map) {
          maps.add(map);
        }
      }
    }
    return maps;
  }
}
