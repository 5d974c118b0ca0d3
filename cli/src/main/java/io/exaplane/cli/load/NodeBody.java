// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes as kubelets register them, and patches of their status. Pure.
 *
 * <p>Sources, in Kubernetes 1.37: {@code pkg/kubelet/kubelet_node_status.go} (initialNode,
 * setNodeStatus), {@code component-helpers/node/util} (PatchNodeStatus: a strategic merge patch of
 * the subresource, in which a report without a change has only the times of heartbeats).
 */
final class NodeBody {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Map<String, String> CONDITIONS = conditions();
  private static final String DIGEST = "@sha256:" + "0123456789abcdef".repeat(4);
  private static final long IMAGE_BYTES = 52_428_800;

  private NodeBody() {}

  /** Each type with its reason; all but Ready are False. */
  private static Map<String, String> conditions() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("MemoryPressure", "KubeletHasSufficientMemory");
    all.put("DiskPressure", "KubeletHasNoDiskPressure");
    all.put("PIDPressure", "KubeletHasSufficientPID");
    all.put("Ready", "KubeletReady");
    return all;
  }

  /**
   * A Node that is Ready, with room for pods. Load balancers of clouds leave it out.
   *
   * @param number makes its address, in the range for documentation, where nothing answers
   * @param images in its status, as nodeStatusMaxImages
   */
  static byte[] created(
      String name, int number, Map<String, String> labels, int images, Instant now) {
    Map<String, String> allLabels = new LinkedHashMap<>(labels);
    allLabels.put("kubernetes.io/hostname", name);
    allLabels.put("kubernetes.io/os", "linux");
    allLabels.put("kubernetes.io/arch", "amd64");
    allLabels.put("node.kubernetes.io/exclude-from-external-load-balancers", "");
    Map<String, Object> room =
        Map.of("cpu", "8", "memory", "32Gi", "pods", "110", "ephemeral-storage", "100Gi");
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("capacity", room);
    status.put("allocatable", room);
    status.put(
        "conditions", CONDITIONS.keySet().stream().map(type -> condition(type, now)).toList());
    status.put(
        "addresses",
        List.of(
            Map.of("type", "InternalIP", "address", address(number)),
            Map.of("type", "Hostname", "address", name)));
    status.put("daemonEndpoints", Map.of("kubeletEndpoint", Map.of("Port", 10250)));
    status.put("nodeInfo", info(name));
    status.put("images", images(images));
    Map<String, Object> taint =
        Map.of("key", Labels.TAINT, "value", "nodes", "effect", "NoSchedule");
    return json(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Node",
            "metadata",
            Map.of(
                "name",
                name,
                "labels",
                allLabels,
                "annotations",
                Map.of("volumes.kubernetes.io/controller-managed-attach-detach", "true")),
            "spec",
            Map.of("taints", List.of(taint)),
            "status",
            status));
  }

  private static String address(int number) {
    return "2001:db8::%x:%x".formatted(number >>> 16, number & 0xffff);
  }

  private static Map<String, Object> condition(String type, Instant now) {
    String time = time(now);
    return Map.of(
        "type",
        type,
        "status",
        type.equals("Ready") ? "True" : "False",
        "reason",
        CONDITIONS.get(type),
        "message",
        "simulated by exactl bench nodes",
        "lastHeartbeatTime",
        time,
        "lastTransitionTime",
        time);
  }

  private static Map<String, Object> info(String name) {
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("machineID", name);
    info.put("systemUUID", name);
    info.put("bootID", name);
    info.put("kernelVersion", "6.12.0");
    info.put("osImage", "simulated");
    info.put("containerRuntimeVersion", "containerd://2.1.0");
    info.put("kubeletVersion", "v1.37.2");
    info.put("kubeProxyVersion", "");
    info.put("operatingSystem", "linux");
    info.put("architecture", "amd64");
    return info;
  }

  private static List<Map<String, Object>> images(int count) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String image = "registry.example.org/simulated/image-%02d".formatted(i);
      all.add(
          Map.of("names", List.of(image + DIGEST, image + ":v1.0.0"), "sizeBytes", IMAGE_BYTES));
    }
    return all;
  }

  /** The patch of a status in which nothing changed but the time. */
  static byte[] heartbeat(Instant now) {
    String time = time(now);
    List<Map<String, String>> order =
        CONDITIONS.keySet().stream().map(type -> Map.of("type", type)).toList();
    List<Map<String, String>> changed =
        CONDITIONS.keySet().stream()
            .map(type -> Map.of("lastHeartbeatTime", time, "type", type))
            .toList();
    return json(
        Map.of("status", Map.of("$setElementOrder/conditions", order, "conditions", changed)));
  }

  private static String time(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** JSON of maps, lists, texts and numbers. */
  static byte[] json(Object value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON", e);
    }
  }
}
