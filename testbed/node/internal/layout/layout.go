// Package layout names every path and address of the test bed, so that teardown can find all that bring-up made.
package layout

import (
	"fmt"
	"os"
	"path/filepath"
)

// Addresses of the test bed's network. All of it is unique local address space on one bridge; nothing is reachable from elsewhere.
const (
	Bridge            = "exa0"
	BridgeAddress     = "fd00:10:1::1"
	RegistryPort      = 5000
	ManagementMachine = "mgmt"
	ServiceCIDR       = "fd00:10:96::/112"
	KubernetesService = "fd00:10:96::1"
	// PodCIDR is cut into one /64 per machine, by the machine's number.
	PodCIDR = "fd00:10:244::/48"
	// LoadBalancerCIDR is routed to the management machine for Services of type LoadBalancer.
	LoadBalancerCIDR = "fd00:10:1b::/112"
	// NamespacePrefix marks our network namespaces, CgroupPrefix our cgroups.
	NamespacePrefix = "exa-"
	CgroupPrefix    = "exa-"
)

// Layout is where one test bed keeps its files.
type Layout struct {
	State string // processes, keys, volumes: removed by down
	Cache string // binaries by version: survives down
}

// FromEnvironment reads EXA_STATE and EXA_CACHE, which the launcher always sets.
func FromEnvironment() (Layout, error) {
	l := Layout{State: os.Getenv("EXA_STATE"), Cache: os.Getenv("EXA_CACHE")}
	if !filepath.IsAbs(l.State) || !filepath.IsAbs(l.Cache) {
		return l, fmt.Errorf("EXA_STATE=%q and EXA_CACHE=%q must be absolute paths: start the test bed through ./exa, which sets them", l.State, l.Cache)
	}
	return l, nil
}

func (l Layout) PKI() string             { return filepath.Join(l.State, "pki") }
func (l Layout) Logs() string            { return filepath.Join(l.State, "logs") }
func (l Layout) Pids() string            { return filepath.Join(l.State, "pids") }
func (l Layout) Kubeconfig() string      { return filepath.Join(l.State, "kubeconfig") }
func (l Layout) Audit() string           { return filepath.Join(l.State, "audit") }
func (l Layout) Volumes() string         { return filepath.Join(l.State, "volumes") }
func (l Layout) Provisioner() string     { return filepath.Join(l.Cache, "local-provisioner") }
func (l Layout) Machine(n string) string { return filepath.Join(l.State, "machines", n) }
func (l Layout) Kube(version string) string {
	return filepath.Join(l.Cache, "kube-"+version)
}
func (l Layout) Etcd(version string) string { return filepath.Join(l.Cache, "etcd-"+version) }
func (l Layout) Registry() string           { return filepath.Join(l.Cache, "registry") }

// NodeAddress is the IPv6 address of the machine with this number; the management machine has number 0.
func NodeAddress(number int) string { return fmt.Sprintf("fd00:10:1::%x", number+0x10) }

// NodePodCIDR is the /64 from which the machine with this number gives its pods their addresses.
func NodePodCIDR(number int) string { return fmt.Sprintf("fd00:10:244:%x::/64", number) }

// RegistryAddress is the local registry as the machines see it.
func RegistryAddress() string { return fmt.Sprintf("[%s]:%d", BridgeAddress, RegistryPort) }
