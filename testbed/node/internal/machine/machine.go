// Package machine makes one Linux host of the test bed: a network namespace on the bridge with its own IPv6 address, containerd, CNI, kubelet
// and kube-proxy. The management node and the workers of hosted clusters are all machines.
package machine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"exaplane.io/testbed/node/internal/layout"
	"exaplane.io/testbed/node/internal/progress"
	"exaplane.io/testbed/node/internal/run"
)

// Machine is one host. Its number gives its addresses; the management machine has number 0.
type Machine struct {
	Name   string
	Number int
	Layout layout.Layout
}

const stopGrace = 5 * time.Second

var validName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,10}[a-z0-9]$|^[a-z]$`)

// New finds the machine of that name, or gives it the lowest free number and keeps that in the machine's folder.
func New(l layout.Layout, name string) (Machine, error) {
	if !validName.MatchString(name) {
		return Machine{}, fmt.Errorf("host name %q: must be 1 to 12 lower-case letters, digits and dashes, starting with a letter; choose another", name)
	}
	if m, err := Find(l, name); err == nil {
		return m, nil
	}
	taken := map[int]bool{0: true}
	for _, m := range All(l) {
		taken[m.Number] = true
	}
	m := Machine{Name: name, Layout: l}
	for name != layout.ManagementMachine && taken[m.Number] {
		m.Number++
	}
	return m, errors.Join(os.MkdirAll(m.dir(), 0o755), os.WriteFile(m.path("number"), []byte(strconv.Itoa(m.Number)), 0o644))
}

// Find returns the machine of that name when it has been made.
func Find(l layout.Layout, name string) (Machine, error) {
	content, err := os.ReadFile(filepath.Join(l.Machine(name), "number"))
	if err != nil {
		return Machine{}, fmt.Errorf("there is no host named %q", name)
	}
	number, err := strconv.Atoi(strings.TrimSpace(string(content)))
	return Machine{Name: name, Number: number, Layout: l}, err
}

// All lists the machines that have been made.
func All(l layout.Layout) []Machine {
	folders, _ := os.ReadDir(l.Machine(""))
	var machines []Machine
	for _, f := range folders {
		if m, err := Find(l, f.Name()); err == nil {
			machines = append(machines, m)
		}
	}
	return machines
}

func (m Machine) dir() string             { return m.Layout.Machine(m.Name) }
func (m Machine) path(file string) string { return filepath.Join(m.dir(), file) }
func (m Machine) Namespace() string       { return layout.NamespacePrefix + m.Name }
func (m Machine) Address() string         { return layout.NodeAddress(m.Number) }
func (m Machine) PodCIDR() string         { return layout.NodePodCIDR(m.Number) }
func (m Machine) socket() string          { return m.path("containerd.sock") }
func (m Machine) cgroup() string          { return layout.CgroupPrefix + m.Name }
func (m Machine) process(n string) string { return m.Name + "." + n }

func (m Machine) processes() run.Processes {
	return run.Processes{Pids: m.Layout.Pids(), Logs: m.Layout.Logs()}
}

// Inside is the command that runs another in the machine's network namespace. It is nsenter and not `ip netns exec`, which would mount
// a new /sys and so hide the cgroups.
func (m Machine) Inside(command ...string) []string {
	return append([]string{"nsenter", "--net=/var/run/netns/" + m.Namespace()}, command...)
}

// Start starts a process in the machine's network namespace unless it runs already.
func (m Machine) Start(name string, command ...string) error {
	return m.processes().Start(m.process(name), nil, m.Inside(command...)...)
}

// StartAs is Start, except that a process that runs by another command ends first, within the grace time.
func (m Machine) StartAs(name string, grace time.Duration, command ...string) error {
	return m.processes().StartAs(m.process(name), grace, m.Inside(command...)...)
}

// AllAlive returns an error that names the logs of what has been started on the machine and does not run.
func (m Machine) AllAlive() error {
	var err error
	for _, name := range m.processes().Names() {
		if strings.HasPrefix(name, m.Name+".") {
			err = errors.Join(err, m.processes().Alive(name))
		}
	}
	return err
}

// Alive returns an error that names the log when the machine's process does not run.
func (m Machine) Alive(name string) error { return m.processes().Alive(m.process(name)) }

// StartContainerd starts the machine's container runtime and waits until it answers.
func (m Machine) StartContainerd() error {
	err := errors.Join(
		os.MkdirAll(m.path("cni"), 0o755), os.MkdirAll(m.path("certs.d/_default"), 0o755),
		os.WriteFile(m.path("cni/10-exa.conflist"), []byte(m.cniConfig()), 0o644),
		os.WriteFile(m.path("certs.d/_default/hosts.toml"), []byte(registryMirror()), 0o644),
		os.WriteFile(m.path("containerd.toml"), []byte(m.containerdConfig(mayRaiseOOMScore())), 0o644),
		m.Start("containerd", "containerd", "--config", m.path("containerd.toml"), "--log-level", "warn"))
	if err != nil {
		return err
	}
	return progress.Until(3*time.Minute, "containerd answering", func() error {
		_, err := m.ctr("version")
		return errors.Join(m.Alive("containerd"), err)
	})
}

// ctr is containerd's own client, in the namespace of Kubernetes' containers.
func (m Machine) ctr(args ...string) (string, error) {
	return run.Command("ctr", append([]string{"--address", m.socket(), "--namespace", "k8s.io"}, args...)...)
}

// Node says what makes the machine a node of a cluster.
type Node struct {
	KubeDir             string // where kubelet and kube-proxy are
	Kubeconfig          string // the kubelet's own, or "" when it has to bootstrap
	BootstrapKubeconfig string // with a bootstrap token; the kubelet then asks for its certificates
	ProxyKubeconfig     string // or "" to start no kube-proxy
	ClientCA            string // who may call the kubelet
	ServingCert         string // PEM files of the kubelet's server, or "" to ask the cluster for a certificate
	ServingKey          string
	ClusterDNS          string // what pods ask for names; without one the kubelet warns of every pod
	Labels              string
}

// LeaveCluster stops kubelet and kube-proxy and forgets the certificates of the cluster that the machine was in: a kubelet that has some asks for no others.
func (m Machine) LeaveCluster() error {
	p := m.processes()
	return errors.Join(p.Stop(m.process("kubelet"), stopGrace), p.Stop(m.process("kube-proxy"), stopGrace),
		removeIfThere(m.path("kubelet.kubeconfig")), os.RemoveAll(m.path("kubelet/pki")))
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// StartNode starts kubelet, and kube-proxy unless the cluster does.
func (m Machine) StartNode(n Node) error {
	version := cgroupVersion()
	if err := errors.Join(m.makeCgroups(version), os.MkdirAll(m.path("kubelet"), 0o755), m.configure("kubelet", m.kubeletConfig(n, version))); err != nil {
		return err
	}
	kubelet := []string{filepath.Join(n.KubeDir, "kubelet"), "--config=" + m.path("kubelet.json"), "--hostname-override=" + m.Name,
		"--node-ip=" + m.Address(), "--root-dir=" + m.path("kubelet"), "--cert-dir=" + m.path("kubelet/pki"), "--v=1"}
	if n.Labels != "" {
		kubelet = append(kubelet, "--node-labels="+n.Labels)
	}
	if n.BootstrapKubeconfig != "" {
		kubelet = append(kubelet, "--bootstrap-kubeconfig="+n.BootstrapKubeconfig, "--kubeconfig="+m.path("kubelet.kubeconfig"))
	} else {
		kubelet = append(kubelet, "--kubeconfig="+n.Kubeconfig)
	}
	if err := m.Start("kubelet", kubelet...); err != nil || n.ProxyKubeconfig == "" {
		return err
	}
	return errors.Join(m.configure("kube-proxy", m.proxyConfig(n)),
		m.Start("kube-proxy", filepath.Join(n.KubeDir, "kube-proxy"), "--config="+m.path("kube-proxy.json"), "--v=1"))
}
