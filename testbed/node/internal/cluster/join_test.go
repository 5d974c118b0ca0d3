package cluster

import (
	"os"
	"path/filepath"
	"testing"
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
