// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.exaplane.tuning.model.InvalidInputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which watches a simulated node holds. Pure.
 *
 * <p>Sources: {@code pkg/kubelet/kubelet.go} (node, services that are not headless), {@code
 * pkg/kubelet/config/apiserver.go} (pods), {@code pkg/kubelet/volume_host.go} (CSIDrivers), {@code
 * pkg/kubelet/runtimeclass}, {@code pkg/kubelet/util/manager/watch_based_manager.go} (ConfigMaps
 * and Secrets of pods, one watch by name each), {@code pkg/kubelet/podcertificate}, and {@code
 * cmd/kube-proxy/app/server.go} of Kubernetes 1.37. The preset {@code k3s} is the count of 18
 * watches a node that the project k8s-1m made at k3s 1.32.
 */
final class WatchPlan {
  static final String NONE = "none";
  private static final int MOST = 100;
  private static final Duration SHORTEST = Duration.ofMinutes(5);
  private static final Duration SHORTEST_OF_OBJECTS = Duration.ofMinutes(30);

  /** Each has the ConfigMap kube-root-ca.crt, which pods mount. */
  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  private static final Map<String, List<Entry>> WATCHES = watches();
  private static final Map<String, String> PRESETS = presets();
  private static final Set<String> COUNTED = Set.of("configmaps", "secrets");

  private WatchPlan() {}

  /**
   * One watch of a node.
   *
   * @param path {node} stands for the node's name
   * @param asNode whether the kubelet itself opens it, rather than an agent with an account
   * @param shortest time that a watch is asked for; the longest is twice as long
   */
  record Entry(String resource, String path, boolean asNode, Duration shortest) {
    String pathOf(String node) {
      return path.replace("{node}", node);
    }
  }

  private static Map<String, List<Entry>> watches() {
    Map<String, List<Entry>> all = new LinkedHashMap<>();
    String ofNode = "/api/v1/nodes?fieldSelector=metadata.name%3D{node}";
    String withoutHeadless = "fieldSelector=spec.clusterIP%21%3DNone";
    kubelet(all, "node", "nodes", ofNode);
    kubelet(all, "pods", "pods", "/api/v1/pods?fieldSelector=spec.nodeName%3D{node}");
    kubelet(all, "services", "services", "/api/v1/services?" + withoutHeadless);
    kubelet(all, "csidrivers", "csidrivers", "/apis/storage.k8s.io/v1/csidrivers?");
    kubelet(all, "runtimeclasses", "runtimeclasses", "/apis/node.k8s.io/v1/runtimeclasses?");
    kubelet(
        all,
        "podcertificaterequests",
        "podcertificaterequests",
        "/apis/certificates.k8s.io/v1/podcertificaterequests?fieldSelector=spec.nodeName%3D{node}");
    agent(
        all,
        "proxy-services",
        "services",
        "/api/v1/services?labelSelector=%21service.kubernetes.io%2Fservice-proxy-name&"
            + withoutHeadless);
    agent(
        all,
        "endpointslices",
        "endpointslices",
        "/apis/discovery.k8s.io/v1/endpointslices?labelSelector=%21service.kubernetes.io%2Fheadless");
    agent(all, "servicecidrs", "servicecidrs", "/apis/networking.k8s.io/v1/servicecidrs?");
    agent(all, "proxy-node", "nodes", ofNode);
    agent(all, "all-pods", "pods", "/api/v1/pods?");
    agent(all, "namespaces", "namespaces", "/api/v1/namespaces?");
    agent(all, "endpoints", "endpoints", "/api/v1/endpoints?");
    agent(all, "networkpolicies", "networkpolicies", "/apis/networking.k8s.io/v1/networkpolicies?");
    return all;
  }

  private static void kubelet(
      Map<String, List<Entry>> all, String name, String resource, String path) {
    all.put(name, List.of(new Entry(resource, path, true, SHORTEST)));
  }

  private static void agent(
      Map<String, List<Entry>> all, String name, String resource, String path) {
    all.put(name, List.of(new Entry(resource, path, false, SHORTEST)));
  }

  private static Map<String, String> presets() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(NONE, "");
    all.put("kubelet", "node,pods,services,csidrivers,runtimeclasses");
    all.put("kube-proxy", "proxy-services,endpointslices,servicecidrs,proxy-node");
    all.put(
        "k3s",
        "kubelet,configmaps=4,secrets=2,proxy-services,endpointslices,proxy-node,all-pods,"
            + "namespaces,networkpolicies,endpoints");
    return all;
  }

  /**
   * The watches that a text names.
   *
   * @param text names and presets with commas between them; configmaps=N and secrets=N are counts
   * @throws InvalidInputException for a name that does not exist, or a count that cannot be
   */
  static List<Entry> of(String text) {
    List<Entry> all = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      if (PRESETS.containsKey(word)) {
        String more = PRESETS.get(word);
        all.addAll(more.isEmpty() ? List.of() : of(more));
      } else if (WATCHES.containsKey(word)) {
        all.addAll(WATCHES.get(word));
      } else {
        all.addAll(counted(word, text));
      }
    }
    return all;
  }

  private static List<Entry> counted(String word, String text) {
    String[] parts = word.split("=", 2);
    if (!COUNTED.contains(parts[0])) {
      throw refused(text, "names the unknown watch '" + word + "'");
    }
    if (parts.length < 2 || !parts[1].matches("[0-9]{1,3}") || Integer.parseInt(parts[1]) > MOST) {
      throw refused(text, "must have a count up to " + MOST + " behind " + parts[0] + "=");
    }
    List<Entry> all = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(parts[1]); i++) {
      all.add(parts[0].equals("secrets") ? secret(i) : configMap(i));
    }
    return all;
  }

  private static Entry configMap(int number) {
    return object("configmaps", NAMESPACES.get(number % NAMESPACES.size()), "kube-root-ca.crt");
  }

  private static Entry secret(int number) {
    return object("secrets", "default", Labels.PREFIX + number);
  }

  /** A node may read only the objects of its pods, so the account reads them. */
  private static Entry object(String resource, String namespace, String name) {
    return new Entry(
        resource,
        "/api/v1/namespaces/%s/%s?fieldSelector=metadata.name%%3D%s"
            .formatted(namespace, resource, name),
        false,
        SHORTEST_OF_OBJECTS);
  }

  private static InvalidInputException refused(String text, String rule) {
    return new InvalidInputException(
        "watches",
        text,
        rule,
        "choose from %s, configmaps=N, secrets=N, %s"
            .formatted(String.join(", ", PRESETS.keySet()), String.join(", ", WATCHES.keySet())));
  }
}
