// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** More pods of the same kinds. */
public final class Copies {
  private Copies() {}

  /** The same with several pods of each class, but for a label to which nobody pays attention. */
  public static List<Map<String, Object>> crowd(List<Map<String, Object>> of, int copies) {
    List<Map<String, Object>> objects = new ArrayList<>(of);
    for (Map<String, Object> object : List.copyOf(objects)) {
      if (object.get("kind").equals("Pod")) {
        for (int i = 0; i < copies; i++) {
          objects.add(copy(object, i));
        }
      }
    }
    return objects;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> copy(Map<String, Object> pod, int number) {
    Map<String, Object> copy = new HashMap<>(pod);
    Map<String, Object> meta = new HashMap<>((Map<String, Object>) pod.get("metadata"));
    meta.put("name", meta.get("name") + "-" + number);
    Map<String, Object> spec = new HashMap<>((Map<String, Object>) pod.get("spec"));
    spec.remove("nodeName");
    meta.remove("deletionTimestamp");
    Map<String, Object> labels = new HashMap<>();
    labels.putAll((Map<String, Object>) meta.getOrDefault("labels", Map.of()));
    labels.put("pod-index", "" + number);
    meta.put("labels", labels);
    copy.put("metadata", meta);
    copy.put("spec", spec);
    copy.put("status", Map.of("phase", "Pending"));
    return copy;
  }
}
