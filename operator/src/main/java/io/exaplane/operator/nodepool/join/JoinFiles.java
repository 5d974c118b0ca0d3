// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.api.duration.Durations;

/** The configuration files that the script writes and that no host changes, as JSON. Pure. */
final class JoinFiles {
  static final String FOLDER = "/etc/kubernetes";
  static final String CA = FOLDER + "/pki/exaplane-ca.crt";
  static final String KUBELET_CERTIFICATE = "/var/lib/kubelet/pki/kubelet-client-current.pem";

  private static final String PLUGINS = "/var/lib/kubelet/volume-plugins";

  /** What kubelet takes if nobody sets {@code maxPods}. */
  static final int DEFAULT_MAX_PODS = 110;

  private static final ObjectMapper JSON =
      new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

  private JoinFiles() {}

  /** The pool's KubeletConfiguration: what every node of Exaplane has, with the pool's fields. */
  static ObjectNode kubelet(JoinInput input) {
    ObjectNode config = JSON.createObjectNode();
    config.put("apiVersion", "kubelet.config.k8s.io/v1beta1").put("kind", "KubeletConfiguration");
    ObjectNode authentication = config.putObject("authentication");
    authentication.putObject("anonymous").put("enabled", false);
    authentication.putObject("webhook").put("enabled", true);
    authentication.putObject("x509").put("clientCAFile", CA);
    config.putObject("authorization").put("mode", "Webhook");
    config.put("address", input.clusterDns().contains(":") ? "::" : "0.0.0.0");
    config.putArray("clusterDNS").add(input.clusterDns());
    config.put("clusterDomain", input.clusterDomain());
    config.put("containerRuntimeEndpoint", "unix:///run/containerd/containerd.sock");
    config.put("rotateCertificates", true).put("serverTLSBootstrap", true);
    // kube-proxy has no rules in iptables, and /usr is read-only on some systems.
    config.put("makeIPTablesUtilChains", false).put("volumePluginDir", PLUGINS);
    taints(config, input);
    JsonNode own = object(input.kubeletConfigJson());
    own.properties().forEach(field -> config.set(field.getKey(), field.getValue()));
    return config;
  }

  /** What a kubelet of that configuration has, as hosts say it: 40-10-300. */
  static String heartbeats(ObjectNode kubelet) {
    return "%d-%d-%d"
        .formatted(
            kubelet.path("nodeLeaseDurationSeconds").asInt(40),
            seconds(kubelet.path("nodeStatusUpdateFrequency").asText("10s")),
            seconds(kubelet.path("nodeStatusReportFrequency").asText("5m")));
  }

  /** Of whole seconds, minutes and hours, as the tuning model writes them: 30s, 10m0s. */
  private static long seconds(String duration) {
    return Durations.parse(duration).toSeconds();
  }

  private static void taints(ObjectNode config, JoinInput input) {
    if (!input.taints().isEmpty()) {
      ArrayNode taints = config.putArray("registerWithTaints");
      for (JoinInput.Taint taint : input.taints()) {
        taints
            .addObject()
            .put("key", taint.key())
            .put("value", taint.value())
            .put("effect", taint.effect());
      }
    }
  }

  private static JsonNode object(String json) {
    try {
      JsonNode read = JSON.readTree(json);
      if (read != null && read.isObject()) {
        return read;
      }
    } catch (JsonProcessingException e) {
      throw notAnObject(e);
    }
    throw notAnObject(null);
  }

  private static IllegalArgumentException notAnObject(Exception cause) {
    return new IllegalArgumentException(
        "kubeletConfigJson must be a JSON object with fields of KubeletConfiguration; pass {} for"
            + " none",
        cause);
  }

  /** The kubeconfig with the token, for the kubelet's first request alone. */
  static ObjectNode bootstrapKubeconfig(JoinInput input) {
    ObjectNode user = JSON.createObjectNode();
    user.put("token", input.token());
    return kubeconfig(input, user);
  }

  /** kube-proxy's kubeconfig: it shows the kubelet's certificate, which the kubelet renews. */
  static ObjectNode proxyKubeconfig(JoinInput input) {
    ObjectNode user = JSON.createObjectNode();
    user.put("client-certificate", KUBELET_CERTIFICATE).put("client-key", KUBELET_CERTIFICATE);
    return kubeconfig(input, user);
  }

  private static ObjectNode kubeconfig(JoinInput input, ObjectNode user) {
    ObjectNode config = JSON.createObjectNode();
    config.put("apiVersion", "v1").put("kind", "Config").put("current-context", "hosted");
    config
        .putArray("clusters")
        .addObject()
        .put("name", "hosted")
        .putObject("cluster")
        .put("server", input.server())
        .put("certificate-authority", CA);
    config.putArray("users").addObject().put("name", "node").set("user", user);
    config
        .putArray("contexts")
        .addObject()
        .put("name", "hosted")
        .putObject("context")
        .put("cluster", "hosted")
        .put("user", "node");
    return config;
  }

  /** kube-proxy: nftables, and pods are known by their bridge, or by the names of their links. */
  static ObjectNode proxy(JoinInput input) {
    ObjectNode config = JSON.createObjectNode();
    config.put("apiVersion", "kubeproxy.config.k8s.io/v1alpha1");
    config.put("kind", "KubeProxyConfiguration").put("mode", "nftables");
    config.putObject("clientConnection").put("kubeconfig", FOLDER + "/kube-proxy.kubeconfig");
    if (input.network().podLink().equals("Bridge")) {
      config.put("detectLocalMode", "BridgeInterface");
      config.putObject("detectLocal").put("bridgeInterface", "cni0");
    } else {
      config.put("detectLocalMode", "InterfaceNamePrefix");
      config.putObject("detectLocal").put("interfaceNamePrefix", "veth");
    }
    // The kernel's own limit stays: its size follows the memory.
    config.putObject("conntrack").put("maxPerCore", 0).put("min", 0);
    config.put("healthzBindAddress", "[::1]:10256").put("metricsBindAddress", "[::1]:10249");
    return config;
  }

  /** As it is written to a file. */
  static String text(ObjectNode config) {
    return config.toPrettyString() + "\n";
  }
}
