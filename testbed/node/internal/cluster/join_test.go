package cluster

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"exaplane.io/testbed/node/internal/layout"
	"exaplane.io/testbed/node/internal/machine"
)

// Line 39: a host that was in a cluster of the same name that was made anew asks for new certificates.
func TestAMachineKnowsTheClusterThatItIsIn(t *testing.T) {
	folder := t.TempDir()
	if isOf(folder, []byte("ca"), "https://[fd00::1]:6443") {
		t.Error("a new machine is in no cluster")
	}
	if err := os.WriteFile(filepath.Join(folder, "ca.crt"), []byte("ca"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeTokenKubeconfig(filepath.Join(folder, "bootstrap.kubeconfig"), "https://[fd00::1]:6443", "Y2E=", "a.b"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ca, server string
		same       bool
	}{
		{"ca", "https://[fd00::1]:6443", true},
		{"other", "https://[fd00::1]:6443", false},
		{"ca", "https://[fd00::2]:6443", false},
		{"ca", "https://[fd00::1]:644", false},
	} {
		if got := isOf(folder, []byte(c.ca), c.server); got != c.same {
			t.Errorf("CA %s at %s: %v", c.ca, c.server, got)
		}
	}
}

// The same through the step of 'host add': it asks the cluster for its CA, and what the machine had of another one goes before the kubelet starts.
func TestAHostOfAClusterMadeAnewAsksForNewCertificates(t *testing.T) {
	bed := layout.Layout{State: t.TempDir(), Cache: t.TempDir()}
	own, err := machine.New(bed, "w1")
	if err != nil {
		t.Fatal(err)
	}
	tools := t.TempDir()
	clusterWith := func(ca, server string) *Join {
		script := fmt.Sprintf(`#!/bin/sh
case "$*" in
  *cluster.server*) printf %%s '%s' ;;
  *certificate-authority-data*) printf %%s '%s' ;;
  *"get service kubernetes"*) printf fd00:0:0:1226::1 ;;
  *"create token"*) echo token ;;
  *) cat >/dev/null ;;
esac
`, server, base64.StdEncoding.EncodeToString([]byte(ca)))
		if err := os.WriteFile(filepath.Join(tools, "kubectl"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		return &Join{Layout: bed, KubeDir: tools, Kubeconfig: "k", machine: own}
	}
	folder := bed.Machine("w1")
	certificates := filepath.Join(folder, "kubelet/pki/kubelet-client-current.pem")
	kubeconfig := filepath.Join(folder, "kubelet.kubeconfig")
	for _, c := range []struct {
		when, ca, server string
		keeps            bool
	}{
		{"the first time", "one", "https://[fd00::1]:6443", false},
		{"the same cluster again", "one", "https://[fd00::1]:6443", true},
		{"made anew", "two", "https://[fd00::1]:6443", false},
		{"made anew at another address", "two", "https://[fd00::2]:6443", false},
		{"that one again", "two", "https://[fd00::2]:6443", true},
	} {
		// As the kubelet of the cluster before left them.
		if err := errors.Join(os.MkdirAll(filepath.Dir(certificates), 0o755), os.WriteFile(certificates, nil, 0o600), os.WriteFile(kubeconfig, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		node, err := clusterWith(c.ca, c.server).credentials()
		if err != nil {
			t.Fatalf("%s: %v", c.when, err)
		}
		for _, file := range []string{certificates, kubeconfig} {
			if _, err := os.Stat(file); (err == nil) != c.keeps {
				t.Errorf("%s: %s: %v", c.when, file, err)
			}
		}
		ca, _ := os.ReadFile(node.ClientCA)
		token, _ := os.ReadFile(node.BootstrapKubeconfig)
		if string(ca) != c.ca || !strings.Contains(string(token), c.server) || node.ClusterDNS != "fd00:0:0:1226::a" {
			t.Errorf("%s: CA %s, DNS %s, %s", c.when, ca, node.ClusterDNS, token)
		}
	}
}

func TestTheDNSIsTheTenthService(t *testing.T) {
	for first, dns := range map[string]string{"fd00:0:0:1226::1": "fd00:0:0:1226::a", "10.226.0.1": "10.226.0.10"} {
		if got, err := tenth(first); err != nil || got != dns {
			t.Errorf("%s: %s, %v", first, got, err)
		}
	}
	if _, err := tenth("kubernetes"); err == nil {
		t.Error("a name is no address")
	}
}
