// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pods as {@code bench pods} creates them. Pure. */
public final class PodBody {
  private static final String ROOM = "resources";

  private PodBody() {}

  /**
   * What all pods of a load look like.
   *
   * @param cpu request, as Kubernetes writes it
   * @param memory request
   * @param image of the one container
   * @param scheduler spec.schedulerName; empty for the default
   * @param paddingBytes of an annotation, for larger objects
   * @param anyNode whether nodes that are not simulated may get them
   */
  public record Shape(
      String cpu,
      String memory,
      String image,
      String scheduler,
      int paddingBytes,
      boolean anyNode) {}

  static byte[] of(String name, Map<String, String> labels, Shape shape) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", name);
    metadata.put("labels", labels);
    if (shape.paddingBytes() > 0) {
      metadata.put(
          "annotations", Map.of(Labels.LOAD + "-padding", "x".repeat(shape.paddingBytes())));
    }
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("automountServiceAccountToken", false);
    spec.put("terminationGracePeriodSeconds", 0);
    if (!shape.scheduler().isEmpty()) {
      spec.put("schedulerName", shape.scheduler());
    }
    if (!shape.anyNode()) {
      spec.put("nodeSelector", Map.of(Labels.LOAD, "nodes"));
    }
    spec.put(
        "tolerations",
        List.of(Map.of("key", Labels.TAINT, "operator", "Exists", "effect", "NoSchedule")));
    spec.put(
        "containers",
        List.of(
            Map.of(
                "name",
                "pause",
                "image",
                shape.image(),
                ROOM,
                Map.of("requests", Map.of("cpu", shape.cpu(), "memory", shape.memory())))));
    return NodeBody.json(
        Map.of("apiVersion", "v1", "kind", "Pod", "metadata", metadata, "spec", spec));
  }
}
