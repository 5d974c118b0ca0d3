package runner

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A store that users keep has both compilers of Java, also on a state that a run of tests left, and the other way around.
func TestTheManagementStoreHasTheWordsOfItsRun(t *testing.T) {
	home, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "built"), 0o755); err != nil {
		t.Fatal(err)
	}
	start := func(brief string) (file string, words string) {
		t.Helper()
		shell := exec.Command("bash", "-c", `set -euo pipefail
. "$EXA_HOME/testbed/launch/common.sh"
. "$EXA_HOME/testbed/launch/cluster.sh"
ensure_store() { STORE_HOME=$EXA_STATE/built; }
class_path() { echo "$2"; }
testbed() { echo "${EXA_STORE#*@}"; }
start_management`)
		shell.Env = append(os.Environ(), "EXA_HOME="+home, "EXA_STATE="+folder, "EXA_CACHE="+folder, "JAVA_HOME=/java", "EXA_BRIEF_PODS="+brief)
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		file = strings.TrimSpace(string(out))
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return file, string(content)
	}
	const option = "-XX:TieredStopAtLevel=1\n"
	files := map[string]string{}
	for _, brief := range []string{"yes", "", "yes", ""} {
		file, words := start(brief)
		if strings.HasPrefix(words, option) != (brief != "") || strings.Contains(strings.TrimPrefix(words, option), option) || !strings.HasSuffix(words, "io.exaplane.store.app.Main\n") {
			t.Errorf("EXA_BRIEF_PODS=%s starts with %q", brief, words)
		}
		files[brief] = file
	}
	// By its name a store that runs with the other one is known.
	if files[""] == files["yes"] {
		t.Errorf("both are %s", files[""])
	}
}
