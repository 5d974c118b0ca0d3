package runner

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Two trees with the same sources share one cache. Each builder copies, and waits until the other one has copied; a minute is far more than that takes.
const twoBuilders = `set -euo pipefail
. "$EXA_HOME/testbed/launch/common.sh"
. "$EXA_HOME/testbed/launch/operator.sh"
cp() {
  command cp "$@"
  : >"$EXA_CACHE/copied-$BUILDER"
  until [ -e "$EXA_CACHE/copied-a" ] && [ -e "$EXA_CACHE/copied-b" ]; do sleep 0.01; done
}
build() {
  BUILDER=$1 EXA_HOME=$EXA_CACHE/tree-$1
  keep_operator_jars "$EXA_CACHE/operator-hash"
}
build a &
first=$!
build b
wait "$first"`

func TestTwoBuildersKeepOneWholeFolder(t *testing.T) {
	home, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	for _, tree := range []string{"tree-a", "tree-b"} {
		folder := filepath.Join(cache, tree, "operator/target/quarkus-app/lib")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "a.jar"), []byte("jar"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shell := exec.Command("timeout", "60", "bash", "-c", twoBuilders)
	shell.Env = append(os.Environ(), "EXA_HOME="+home, "EXA_CACHE="+cache)
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var kept []string
	for _, pattern := range []string{"operator-hash/lib/*", "operator-hash/quarkus-app", "*.partial*"} {
		found, err := filepath.Glob(filepath.Join(cache, pattern))
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, found...)
	}
	if len(kept) != 1 || filepath.Base(kept[0]) != "a.jar" {
		t.Errorf("the cache has %v", kept)
	}
}
