package runner

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// kubectl of a cluster that has the pools of these tests. It notes what it is asked.
const poolKubectl = `#!/bin/sh
echo "$*" >>"$ASKED"
case "$*" in
  *"get schedulerpool idle"*) ;;
  *"get schedulerpool gone"*) printf gone-root-0 ;;
  *"get schedulerpool"*) printf demo-root-1 ;;
  *"pod/gone-root-0"*) echo 'error: unable to forward port because pod is not running' ;;
  *port-forward*) echo 'Forwarding from 127.0.0.1:40123 -> 10260' && exec sleep 600 ;;
  *) exit 1 ;;
esac
`

// Line 39: 'pool top NAME' asks the root in charge of that pool, whatever its pod is called; all else goes to exactl as it is.
func TestPoolTopAsksTheRootInChargeOfThePoolByName(t *testing.T) {
	const forwarded = "exactl pool top --address=http://127.0.0.1:40123"
	for _, c := range []struct {
		words  string
		up     bool
		said   string
		failed bool
		asked  []string
	}{
		{"top demo", true, forwarded, false, []string{"--namespace=default get schedulerpool demo ", "--namespace=default port-forward pod/demo-root-1 :10260"}},
		{"top big.team --every=2", true, forwarded + " --every=2", false, []string{"--namespace=team get schedulerpool big ", "--namespace=team port-forward pod/demo-root-1 :10260"}},
		{"top", false, "exactl pool top", false, nil},
		{"top --address=http://[::1]:10260", false, "exactl pool top --address=http://[::1]:10260", false, nil},
		{"top -o json", true, "exactl pool top -o json", false, nil},
		{"--help", false, "exactl pool --help", false, nil},
		{"top idle", true, "no root of SchedulerPool idle in namespace default is in charge", true, []string{"get schedulerpool idle "}},
		{"top gone.team", true, "pod gone-root-0 can't be asked: error: unable to forward port because pod is not running", true, []string{"get schedulerpool gone ", "pod/gone-root-0"}},
		{"top demo", false, "no cluster is up", true, nil},
	} {
		said, asked, err := poolCommand(t, c.words, c.up)
		if !strings.Contains(said, c.said) || (err != nil) != c.failed || len(asked) != len(c.asked) {
			t.Errorf("pool %s: %v, %q, asked %q", c.words, err, said, asked)
			continue
		}
		for i, want := range c.asked {
			if !strings.Contains(asked[i], want) {
				t.Errorf("pool %s asked %q, wanted %q", c.words, asked[i], want)
			}
		}
	}
}

// poolCommand runs the launcher's function with exactl and kubectl of the test's; what it said, and what kubectl was asked.
func poolCommand(t *testing.T, words string, up bool) (said string, asked []string, err error) {
	t.Helper()
	home, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	if err := os.WriteFile(file("kubectl"), []byte(poolKubectl), 0o755); err != nil {
		t.Fatal(err)
	}
	if up {
		if err := os.WriteFile(file("kubeconfig"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shell := exec.Command("bash", "-c", `set -euo pipefail
. "$EXA_HOME/testbed/launch/common.sh"
. "$EXA_HOME/testbed/launch/cli.sh"
mkdir -p "$EXA_CACHE/kube-$KUBERNETES"
ln "$EXA_CACHE/kubectl" "$EXA_CACHE/kube-$KUBERNETES/kubectl"
cmd_exactl() { echo "exactl $*" && exit 0; }
cmd_pool "$@"`, "exa")
	shell.Args = append(shell.Args, strings.Fields(words)...)
	shell.Env = append(os.Environ(), "EXA_HOME="+home, "EXA_STATE="+folder, "EXA_CACHE="+folder, "ASKED="+file("asked"))
	out, err := shell.CombinedOutput()
	lines, _ := os.ReadFile(file("asked"))
	if len(lines) > 0 {
		asked = strings.Split(strings.TrimSpace(string(lines)), "\n")
	}
	return string(out), asked, err
}
