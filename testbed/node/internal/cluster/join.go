package cluster

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"exaplane.io/testbed/node/internal/layout"
	"exaplane.io/testbed/node/internal/machine"
	"exaplane.io/testbed/node/internal/progress"
	"exaplane.io/testbed/node/internal/run"
)

// Join makes a machine and joins it to a hosted cluster as a person would: with a bootstrap token, and a service account for kube-proxy.
type Join struct {
	Layout       layout.Layout
	KubeDir      string
	Kubeconfig   string // of an administrator of the hosted cluster
	WithoutProxy bool   // a pod of the cluster is the host's kube-proxy
	machine      machine.Machine
}

const proxyManifests = `apiVersion: v1
kind: ServiceAccount
metadata: {name: kube-proxy, namespace: kube-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: kube-proxy}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:node-proxier}
subjects: [{kind: ServiceAccount, name: kube-proxy, namespace: kube-system}]
`

// Host makes the machine of that name, joins it and waits until its node is Ready.
func (j *Join) Host(name string) error {
	if name == layout.ManagementMachine {
		return fmt.Errorf("host name %q is the management machine's: choose another", name)
	}
	var err error
	if j.machine, err = machine.New(j.Layout, name); err != nil {
		return err
	}
	var node machine.Node
	steps := []struct {
		name string
		work func() error
	}{
		{"network namespace, " + j.machine.Address(), j.machine.MakeNetwork},
		{"containerd", j.machine.StartContainerd},
		{"bootstrap token, kube-proxy's account", func() (err error) { node, err = j.credentials(); return }},
		{"kubelet, kube-proxy", func() error { return j.machine.StartNode(node) }},
		{"node Ready", j.waitForNode},
	}
	for _, s := range steps {
		if err := progress.Step(s.name, s.work); err != nil {
			return err
		}
	}
	return nil
}

func (j *Join) credentials() (machine.Node, error) {
	server, err := j.kubectl("", "config", "view", "--minify", "--output=jsonpath={.clusters[0].cluster.server}")
	if err != nil {
		return machine.Node{}, err
	}
	ca, err := j.kubectl("", "config", "view", "--minify", "--raw", "--output=jsonpath={.clusters[0].cluster.certificate-authority-data}")
	if err != nil {
		return machine.Node{}, err
	}
	pem, err := base64.StdEncoding.DecodeString(ca)
	if err != nil {
		return machine.Node{}, fmt.Errorf("the CA in %s: %w", j.Kubeconfig, err)
	}
	id, secret := strings.ToLower(rand.Text()[:6]), strings.ToLower(rand.Text()[:16])
	token, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Secret", "type": "bootstrap.kubernetes.io/token",
		"metadata": map[string]string{"name": "bootstrap-token-" + id, "namespace": "kube-system"},
		"stringData": map[string]string{"token-id": id, "token-secret": secret, "usage-bootstrap-authentication": "true", "usage-bootstrap-signing": "true",
			"auth-extra-groups": "system:bootstrappers:exaplane:nodes", "expiration": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)}})
	if err != nil {
		return machine.Node{}, err
	}
	if _, err := j.kubectl(string(token), "create", "--filename=-"); err != nil {
		return machine.Node{}, err
	}
	folder := j.Layout.Machine(j.machine.Name)
	proxyKubeconfig := ""
	if !j.WithoutProxy {
		proxyKubeconfig = filepath.Join(folder, "kube-proxy.kubeconfig")
		if err := j.proxyCredentials(proxyKubeconfig, server, ca); err != nil {
			return machine.Node{}, err
		}
	}
	dns, err := j.clusterDNS()
	if err != nil {
		return machine.Node{}, err
	}
	if !isOf(folder, pem, server) {
		if err := j.machine.LeaveCluster(); err != nil {
			return machine.Node{}, err
		}
	}
	node := machine.Node{KubeDir: j.KubeDir, ClusterDNS: dns, BootstrapKubeconfig: filepath.Join(folder, "bootstrap.kubeconfig"),
		ProxyKubeconfig: proxyKubeconfig, ClientCA: filepath.Join(folder, "ca.crt")}
	return node, errors.Join(os.WriteFile(node.ClientCA, pem, 0o644), writeTokenKubeconfig(node.BootstrapKubeconfig, server, ca, id+"."+secret))
}

// proxyCredentials makes kube-proxy's account, and its kubeconfig.
func (j *Join) proxyCredentials(path, server, ca string) error {
	if _, err := j.kubectl(proxyManifests, "apply", "--filename=-"); err != nil {
		return err
	}
	token, err := j.kubectl("", "create", "token", "kube-proxy", "--namespace=kube-system", "--duration=24h")
	if err != nil {
		return err
	}
	return writeTokenKubeconfig(path, server, ca, strings.TrimSpace(token))
}

// isOf tells whether a machine's folder has what it got from the cluster with this CA and this server. One that was made anew under the same name has others.
func isOf(folder string, ca []byte, server string) bool {
	knownCA, caErr := os.ReadFile(filepath.Join(folder, "ca.crt"))
	kubeconfig, err := os.ReadFile(filepath.Join(folder, "bootstrap.kubeconfig"))
	return caErr == nil && err == nil && bytes.Equal(knownCA, ca) && bytes.Contains(kubeconfig, fmt.Appendf(nil, "server: %q", server))
}

// clusterDNS is the tenth address of the Services' range, where by custom the cluster's DNS is.
func (j *Join) clusterDNS() (string, error) {
	first, err := j.kubectl("", "get", "service", "kubernetes", "--namespace=default", "--output=jsonpath={.spec.clusterIP}")
	if err != nil {
		return "", err
	}
	return tenth(strings.TrimSpace(first))
}

func tenth(first string) (string, error) {
	address, err := netip.ParseAddr(first)
	for range 9 {
		address = address.Next()
	}
	return address.String(), err
}

func writeTokenKubeconfig(path, server, caData, token string) error {
	return os.WriteFile(path, fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters: [{name: hosted, cluster: {server: "%s", certificate-authority-data: %s}}]
users: [{name: hosted, user: {token: %s}}]
contexts: [{name: hosted, context: {cluster: hosted, user: hosted}}]
current-context: hosted
`, server, caData, token), 0o600)
}

func (j *Join) waitForNode() error {
	return progress.Until(8*time.Minute, "node Ready", func() error {
		out, err := j.kubectl("", "get", "node", j.machine.Name, `--output=jsonpath={.status.conditions[?(@.type=="Ready")]['status','message']}`)
		if err == nil && !strings.HasPrefix(out, "True") {
			err = fmt.Errorf("node %s: %s", j.machine.Name, out)
		}
		return errors.Join(j.machine.Alive("kubelet"), err)
	})
}

func (j *Join) kubectl(stdin string, args ...string) (string, error) {
	return run.Input(stdin, filepath.Join(j.KubeDir, "kubectl"), append([]string{"--kubeconfig=" + j.Kubeconfig}, args...)...)
}
