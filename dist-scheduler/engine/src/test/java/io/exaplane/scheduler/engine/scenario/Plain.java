// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import java.util.List;
import java.util.Map;

/** Objects that say no more than what a test is about. */
public final class Plain {
  private Plain() {}

  public static Map<String, Object> node(String name, String cpu) {
    return map(
        "kind", "Node",
        "metadata", map("name", name),
        "status", map("allocatable", map("cpu", cpu, "memory", "4Gi", "pods", "110")));
  }

  /**
   * A pod on no node.
   *
   * @param container what it has besides its name and requests; is added to
   */
  public static Map<String, Object> waiting(
      String name, Map<String, Object> requests, Map<String, Object> container) {
    container.put("name", "c");
    container.put("resources", map("requests", requests));
    return map(
        "kind", "Pod",
        "metadata", map("name", name, "namespace", "default", "uid", name),
        "spec", map("containers", List.of(container)),
        "status", map("phase", "Pending"));
  }

  public static Map<String, Object> running(
      String name, String node, Map<String, Object> requests, Map<String, Object> container) {
    Map<String, Object> pod = waiting(name, requests, container);
    with(pod, "nodeName", node);
    pod.put("status", map("phase", "Running"));
    return pod;
  }

  /** Sets a field of an object's spec. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> with(Map<String, Object> object, String field, Object value) {
    ((Map<String, Object>) object.get("spec")).put(field, value);
    return object;
  }
}
