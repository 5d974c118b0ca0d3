// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the configuration of one host's programs. Pure but for the files. */
final class HostFiles {
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> PLUGINS =
      List.of("/opt/cni/bin", "/usr/lib/cni", "/usr/libexec/cni");

  /** Before the machine's own programs when memory is short; those have 0. */
  private static final int OOM_SCORE = 500;

  /** What kubelets write to the kernel, by the names of sysctl. A host shows them these values. */
  private static final Map<String, String> SYSCTLS =
      Map.of(
          "vm.overcommit_memory", "1",
          "vm.panic_on_oom", "0",
          "kernel.panic", "10",
          "kernel.panic_on_oops", "1",
          "kernel.keys.root_maxkeys", "1000000",
          "kernel.keys.root_maxbytes", "25000000");

  private final KubeletSettings settings;
  private final ClusterAccess access;
  private final boolean isUnified;

  /**
   * For hosts of one machine.
   *
   * @param isUnified whether the machine has cgroups of version 2
   */
  HostFiles(KubeletSettings settings, ClusterAccess access, boolean isUnified) {
    this.settings = settings;
    this.access = access;
    this.isUnified = isUnified;
  }

  /** Where the plugins of CNI are; empty if there are none. */
  static String plugins() {
    return PLUGINS.stream()
        .filter(each -> Files.isExecutable(Path.of(each, "bridge")))
        .findFirst()
        .orElse("");
  }

  /**
   * Writes the files of one host.
   *
   * @param folder of the host, which exists
   * @param taint of the Node, as key=value
   */
  void write(Path folder, String name, int number, String taint) {
    try {
      for (String part : List.of("kubelet", "cni", "kubelet.conf.d", "sysctl")) {
        Files.createDirectories(folder.resolve(part));
      }
      Files.writeString(folder.resolve("cni/10-bench.conflist"), cni(folder, name, number));
      Files.writeString(folder.resolve("containerd.toml"), containerd(folder));
      for (Map.Entry<String, String> each : SYSCTLS.entrySet()) {
        Files.writeString(folder.resolve("sysctl").resolve(each.getKey()), each.getValue() + "\n");
      }
      json(folder.resolve("kubelet.json"), kubelet(folder, name, taint));
      if (settings.configuration().isPresent()) {
        Files.writeString(
            folder.resolve("kubelet.conf.d/50-user.conf"), settings.configuration().get());
      }
      Path token = settings.folder().resolve("token");
      json(
          folder.resolve("kubelet.kubeconfig"),
          access.kubeconfig("system:node:" + name, List.of("system:nodes"), token));
      json(
          folder.resolve("kube-proxy.kubeconfig"),
          access.kubeconfig("system:kube-proxy", List.of(), token));
      json(folder.resolve("kube-proxy.json"), proxy(folder, name));
      Files.writeString(
          folder.resolve("images"),
          settings.images().stream()
              .map(each -> each.toAbsolutePath() + "\n")
              .collect(Collectors.joining()));
      try (InputStream script = HostFiles.class.getResourceAsStream("host.sh")) {
        Files.copy(script, folder.resolve("host.sh"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("files of a host cannot be written: " + e.getMessage(), e);
    }
  }

  private static void json(Path file, Object value) throws IOException {
    Files.writeString(file, JSON.writeValueAsString(value));
  }

  private Map<String, Object> kubelet(Path folder, String name, String taint) {
    String[] parts = taint.split("=");
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("apiVersion", "kubelet.config.k8s.io/v1beta1");
    all.put("kind", "KubeletConfiguration");
    all.put("address", "::");
    all.put("healthzBindAddress", "::1");
    all.put(
        "authentication",
        Map.of("anonymous", Map.of("enabled", false), "webhook", Map.of("enabled", true)));
    all.put("authorization", Map.of("mode", "Webhook"));
    all.put("cgroupDriver", "cgroupfs");
    all.put("cgroupRoot", "/" + name);
    all.put("clusterDomain", "cluster.local");
    all.put("containerRuntimeEndpoint", "unix://" + socket(folder));
    // All hosts see the disk and the memory of one machine: none of them may act on it.
    all.put(
        "evictionHard",
        Map.of("nodefs.available", "1%", "imagefs.available", "1%", "memory.available", "50Mi"));
    all.put("imageGCHighThresholdPercent", 100);
    if (!isUnified) {
      all.put("failCgroupV1", false);
    }
    all.put("failSwapOn", false);
    all.put("nodeLeaseDurationSeconds", settings.leaseSeconds());
    all.put("oomScoreAdj", OOM_SCORE);
    all.put(
        "registerWithTaints",
        List.of(Map.of("key", parts[0], "value", parts[1], "effect", "NoSchedule")));
    all.put("resolvConf", "");
    all.put("volumePluginDir", "/var/lib/kubelet/volume-plugins");
    return all;
  }

  /** With nftables, and without a change to the machine's connection tracking. */
  private static Map<String, Object> proxy(Path folder, String name) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("apiVersion", "kubeproxy.config.k8s.io/v1alpha1");
    all.put("kind", "KubeProxyConfiguration");
    all.put("mode", "nftables");
    all.put("hostnameOverride", name);
    all.put("oomScoreAdj", OOM_SCORE);
    all.put(
        "clientConnection",
        Map.of("kubeconfig", folder.resolve("kube-proxy.kubeconfig").toString()));
    all.put("healthzBindAddress", "[::1]:10256");
    all.put("metricsBindAddress", "[::1]:10249");
    all.put("detectLocalMode", "BridgeInterface");
    all.put("detectLocal", Map.of("bridgeInterface", "cni0"));
    all.put(
        "conntrack",
        Map.of(
            "maxPerCore", 0, "min", 0, "tcpEstablishedTimeout", "0s", "tcpCloseWaitTimeout", "0s"));
    return all;
  }

  private String cni(Path folder, String name, int number) {
    return """
    {"cniVersion": "0.4.0", "name": "%s", "plugins": [
      {"type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": false, "hairpinMode": true,
       "ipam": {"type": "host-local", "dataDir": "%s",
        "ranges": [[{"subnet": "%s"}]], "routes": [{"dst": "::/0"}]}}]}
    """
        .formatted(name, folder.resolve("ipam"), settings.addresses().pods(number));
  }

  /** The disabled plugins would write outside of the folder. */
  private static String containerd(Path folder) {
    return """
    version = 2
    oom_score = %4$d
    root = "%1$s/containerd/root"
    state = "%1$s/containerd/state"
    disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.nri.v1.nri"]
    [grpc]
      address = "%2$s"
    [ttrpc]
      address = "%2$s.ttrpc"
    [plugins."io.containerd.grpc.v1.cri"]
      sandbox_image = "registry.k8s.io/pause:3.10"
      restrict_oom_score_adj = true
      netns_mounts_under_state_dir = true
      [plugins."io.containerd.grpc.v1.cri".cni]
        bin_dir = "%3$s"
        conf_dir = "%1$s/cni"
    """
        .formatted(folder, socket(folder), plugins(), OOM_SCORE);
  }

  private static Path socket(Path folder) {
    return folder.resolve("c.sock");
  }
}
