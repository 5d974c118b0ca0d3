package machine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"exaplane.io/testbed/node/internal/layout"
)

const podBridge = "cni0"

// kubeletConfig is a KubeletConfiguration. On cgroup v1 the kubelet must be told to go on; v2 needs nothing.
func (m Machine) kubeletConfig(n Node, cgroupVersion int) map[string]any {
	config := map[string]any{
		"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
		"address": "::", "healthzBindAddress": "::1",
		"authentication": map[string]any{
			"anonymous": map[string]any{"enabled": false}, "webhook": map[string]any{"enabled": true}, "x509": map[string]any{"clientCAFile": n.ClientCA},
		},
		"authorization":            map[string]any{"mode": "Webhook"},
		"cgroupDriver":             "cgroupfs",
		"cgroupRoot":               "/" + m.cgroup(),
		"failSwapOn":               false,
		"clusterDomain":            "cluster.local",
		"containerRuntimeEndpoint": "unix://" + m.socket(),
		"resolvConf":               "", // no dependency on this host's resolver
		"evictionHard":             map[string]string{"nodefs.available": "1%", "imagefs.available": "1%", "memory.available": "100Mi"},
		"syncFrequency":            "10s", // how fast a changed Secret reaches a running pod's files
		"rotateCertificates":       true,
		"serializeImagePulls":      false,
		// Components end when a store that a test took away comes back late, again and again; the usual pause grows to minutes then.
		"crashLoopBackOff": map[string]string{"maxContainerRestartPeriod": "5s"},
		"volumePluginDir":  m.path("volume-plugins"),
		"podLogsDir":       m.path("pod-logs"),
	}
	if cgroupVersion == 1 {
		config["failCgroupV1"] = false
	}
	if n.ClusterDNS != "" {
		config["clusterDNS"] = []string{n.ClusterDNS}
	}
	if n.ServingCert != "" {
		config["tlsCertFile"], config["tlsPrivateKeyFile"] = n.ServingCert, n.ServingKey
	} else {
		config["serverTLSBootstrap"] = true
	}
	return config
}

// proxyConfig is a KubeProxyConfiguration that writes nftables and leaves this host's conntrack settings alone.
func (m Machine) proxyConfig(n Node) map[string]any {
	return map[string]any{
		"apiVersion": "kubeproxy.config.k8s.io/v1alpha1", "kind": "KubeProxyConfiguration",
		"mode": "nftables", "hostnameOverride": m.Name,
		"clientConnection":   map[string]any{"kubeconfig": n.ProxyKubeconfig},
		"healthzBindAddress": "[::1]:10256", "metricsBindAddress": "[::1]:10249",
		"detectLocalMode": "BridgeInterface", "detectLocal": map[string]any{"bridgeInterface": podBridge},
		"conntrack": map[string]any{"maxPerCore": 0, "min": 0, "tcpEstablishedTimeout": "0s", "tcpCloseWaitTimeout": "0s"},
	}
}

func (m Machine) cniConfig() string {
	return fmt.Sprintf(`{"cniVersion": "0.4.0", "name": "%s", "plugins": [
  {"type": "bridge", "bridge": "%s", "isGateway": true, "ipMasq": false, "hairpinMode": true,
   "ipam": {"type": "host-local", "dataDir": "%s", "ranges": [[{"subnet": "%s"}]], "routes": [{"dst": "::/0"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
`, m.Namespace(), podBridge, m.path("ipam"), m.PodCIDR())
}

// containerdConfig restricts the OOM score where the kernel would refuse to lower it, else every sandbox fails.
func (m Machine) containerdConfig(mayRaiseOOMScore bool) string {
	return fmt.Sprintf(`version = 2
root = "%[1]s/containerd/root"
state = "%[1]s/containerd/state"
[grpc]
  address = "%[2]s"
[ttrpc]
  address = "%[2]s.ttrpc"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.k8s.io/pause:3.10"
  restrict_oom_score_adj = %[3]t
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "%[4]s"
    conf_dir = "%[1]s/cni"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "%[1]s/certs.d"
`, m.dir(), m.socket(), !mayRaiseOOMScore, cniPlugins())
}

// registryMirror sends every image pull to the local registry, whatever the image's own registry is called. It is the server and not a
// [host."…"] table because containerd 1.6 can't read a table key with an IPv6 address; it wants an empty one all the same.
func registryMirror() string {
	return fmt.Sprintf("server = \"http://%s\"\ncapabilities = [\"pull\", \"resolve\"]\n[host]\n", layout.RegistryAddress())
}

// cniPlugins is where distributions put the reference plugins.
func cniPlugins() string {
	for _, dir := range []string{"/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni"} {
		if _, err := os.Stat(dir + "/bridge"); err == nil {
			return dir
		}
	}
	return "/usr/lib/cni"
}

// mayRaiseOOMScore says whether this process holds CAP_SYS_RESOURCE (capability 24).
func mayRaiseOOMScore() bool {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if hex, found := strings.CutPrefix(line, "CapEff:"); found {
			var capabilities uint64
			_, err := fmt.Sscanf(strings.TrimSpace(hex), "%x", &capabilities)
			return err == nil && capabilities&(1<<24) != 0
		}
	}
	return false
}

// configure writes a process's configuration. When it is another than before, a running process is stopped, so that it starts with the new one.
// A file that stays the same is not touched: kube-proxy ends when its own is written.
func (m Machine) configure(process string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	path := m.path(process + ".json")
	if before, err := os.ReadFile(path); err == nil && bytes.Equal(before, content) {
		return nil
	}
	return errors.Join(m.processes().Stop(m.process(process), stopGrace), os.WriteFile(path, content, 0o644))
}
