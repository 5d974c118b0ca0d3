package machine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"exaplane.io/testbed/node/internal/layout"
)

func bed(t *testing.T) layout.Layout {
	t.Helper()
	return layout.Layout{State: t.TempDir(), Cache: t.TempDir()}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMachinesGetTheLowestFreeNumberAndKeepIt(t *testing.T) {
	l := bed(t)
	for i, name := range []string{layout.ManagementMachine, "w1", "w2"} {
		if m, err := New(l, name); err != nil || m.Number != i {
			t.Fatalf("%s got number %d, %v", name, m.Number, err)
		}
	}
	if m, _ := New(l, "w1"); m.Number != 1 {
		t.Fatalf("w1 is now number %d", m.Number)
	}
	if err := os.RemoveAll(l.Machine("w1")); err != nil {
		t.Fatal(err)
	}
	if m, _ := New(l, "w3"); m.Number != 1 || m.Address() != "fd00:10:1::11" || m.PodCIDR() != "fd00:10:244:1::/64" {
		t.Fatalf("w3 has number %d, address %s, pods %s", m.Number, m.Address(), m.PodCIDR())
	}
}

func TestNamesThatWouldBreakInterfacesAndNodesAreRefused(t *testing.T) {
	for _, name := range []string{"", "UPPER", "a_b", "-a", "a-", "much-too-long-a-name", "../x"} {
		if _, err := New(bed(t), name); err == nil || !strings.Contains(err.Error(), "host name") {
			t.Errorf("%q gave %v", name, err)
		}
	}
}

func TestTheKubeletIsToldToGoOnWithCgroupV1Only(t *testing.T) {
	m := Machine{Name: "w1", Number: 1, Layout: bed(t)}
	if got := m.kubeletConfig(Node{}, 1)["failCgroupV1"]; got != false {
		t.Errorf("v1: failCgroupV1 is %v", got)
	}
	if got, set := m.kubeletConfig(Node{}, 2)["failCgroupV1"]; set {
		t.Errorf("v2: failCgroupV1 is %v, wanted the default", got)
	}
	for _, version := range []int{1, 2} {
		if got := m.kubeletConfig(Node{}, version)["cgroupRoot"]; got != "/exa-w1" {
			t.Errorf("v%d: cgroupRoot is %v", version, got)
		}
	}
}

func TestAKubeletWithoutAServingCertificateAsksForOne(t *testing.T) {
	m := Machine{Name: "w1", Number: 1, Layout: bed(t)}
	if got := m.kubeletConfig(Node{}, 2)["serverTLSBootstrap"]; got != true {
		t.Errorf("serverTLSBootstrap is %v", got)
	}
	config := m.kubeletConfig(Node{ServingCert: "c", ServingKey: "k"}, 2)
	if _, set := config["serverTLSBootstrap"]; set || config["tlsCertFile"] != "c" {
		t.Errorf("with a certificate: %v", config)
	}
}

// Line 39: without an address of DNS, kubelets warn of each pod (MissingClusterDNS).
func TestTheKubeletsFileHasTheClustersDNS(t *testing.T) {
	m, err := New(bed(t), "w1")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(m.path("kubelet"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, version := range []int{1, 2} {
		if err := m.configure("kubelet", m.kubeletConfig(Node{ClusterDNS: "fd00:0:0:1226::a"}, version)); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(m.path("kubelet.json"))
		if err != nil {
			t.Fatal(err)
		}
		var written struct {
			ClusterDNS    []string `json:"clusterDNS"`
			ClusterDomain string   `json:"clusterDomain"`
		}
		if err := json.Unmarshal(content, &written); err != nil {
			t.Fatal(err)
		}
		if len(written.ClusterDNS) != 1 || written.ClusterDNS[0] != "fd00:0:0:1226::a" || written.ClusterDomain != "cluster.local" {
			t.Errorf("v%d: %s", version, content)
		}
	}
}

func TestTheKubeletStartsWhatEndedAfterSecondsHoweverOftenItDid(t *testing.T) {
	restart, _ := Machine{Name: "w1"}.kubeletConfig(Node{}, 1)["crashLoopBackOff"].(map[string]string)
	if got := restart["maxContainerRestartPeriod"]; got != "5s" {
		t.Errorf("maxContainerRestartPeriod is %q", got)
	}
}

func TestCgroupsOfVersion1AreMadeInEveryControllerAndCpusetsAreFilled(t *testing.T) {
	mount := t.TempDir()
	write(t, mount+"/cpuset/cpuset.cpus", "0-1\n")
	write(t, mount+"/cpuset/cpuset.mems", "0\n")
	write(t, mount+"/memory/tasks", "")
	write(t, mount+"/cpu,cpuacct/tasks", "")
	if got := cgroupVersionAt(mount); got != 1 {
		t.Fatalf("version %d", got)
	}
	if err := makeCgroupsAt(mount, "exa-w1", 1); err != nil {
		t.Fatal(err)
	}
	cpus, err := os.ReadFile(mount + "/cpuset/exa-w1/cpuset.cpus")
	if err != nil || string(cpus) != "0-1\n" {
		t.Fatalf("cpuset.cpus is %q, %v", cpus, err)
	}
	if weight, err := os.ReadFile(mount + "/cpu,cpuacct/exa-w1/cpu.shares"); err != nil || string(weight) != "4096" {
		t.Fatalf("cpu.shares is %q, %v", weight, err)
	}
	if dirs := cgroupDirs(mount, "exa-w1"); len(dirs) != 3 {
		t.Fatalf("to be removed: %v", dirs)
	}
}

func TestTheCgroupOfVersion2GetsEveryController(t *testing.T) {
	mount := t.TempDir()
	write(t, mount+"/cgroup.controllers", "cpu memory pids\n")
	if got := cgroupVersionAt(mount); got != 2 {
		t.Fatalf("version %d", got)
	}
	if err := makeCgroupsAt(mount, "exa-w1", 2); err != nil {
		t.Fatal(err)
	}
	enabled, _ := os.ReadFile(mount + "/cgroup.subtree_control")
	if string(enabled) != "+cpu +memory +pids " {
		t.Fatalf("subtree_control is %q", enabled)
	}
	if dirs := cgroupDirs(mount, "exa-w1"); len(dirs) != 1 || dirs[0] != mount+"/exa-w1" {
		t.Fatalf("to be removed: %v", dirs)
	}
}

func TestAConfigurationThatStaysTheSameIsNotWritten(t *testing.T) {
	m, err := New(bed(t), "w1")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.configure("kube-proxy", m.proxyConfig(Node{})); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(m.path("kube-proxy.json"), 0o400); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(m.path("kube-proxy.json"))
	if err := m.configure("kube-proxy", m.proxyConfig(Node{})); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(m.path("kube-proxy.json")); after.ModTime() != before.ModTime() {
		t.Fatal("the file was written again")
	}
}

func TestContainerdIsRestrictedWhereTheOomScoreCannotBeLowered(t *testing.T) {
	m := Machine{Name: "w1", Number: 1, Layout: bed(t)}
	if !strings.Contains(m.containerdConfig(false), "restrict_oom_score_adj = true") || !strings.Contains(m.containerdConfig(true), "restrict_oom_score_adj = false") {
		t.Fatal(m.containerdConfig(false))
	}
}

func TestAMachineThatLeavesItsClusterKeepsNoCertificateOfIt(t *testing.T) {
	m, err := New(bed(t), "w1")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"kubelet.kubeconfig", "kubelet/pki/kubelet-client-current.pem", "kubelet/pods/p/volume"} {
		write(t, m.path(file), "x")
	}
	for range 2 {
		if err := m.LeaveCluster(); err != nil {
			t.Fatal(err)
		}
	}
	for file, stays := range map[string]bool{"kubelet.kubeconfig": false, "kubelet/pki": false, "kubelet/pods/p/volume": true} {
		if _, err := os.Stat(m.path(file)); (err == nil) != stays {
			t.Errorf("%s: %v", file, err)
		}
	}
}
