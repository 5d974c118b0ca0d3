package inputs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// An edit while Maven compiles is in no class: the next step that needs classes builds them again.
func TestAnEditDuringTheBuildIsNotBuilt(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"module/src/A.java": "1", "module/pom.xml": "", "a/module/pom.xml": "maven-dependency-plugin", "jdk/release": "25", "pom.xml": "<spotless-plugin.version>"} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	scripts, err := filepath.Abs(filepath.Join(home, "testbed/launch/steps"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(commands string) string {
		shell := exec.Command("bash", "-c", `set -euo pipefail
maven_units() { maven; }
maven() { echo built; [ -z "${EDIT:-}" ] || echo edited >>"$EXA_HOME/module/src/A.java"; }
. "$SCRIPTS/fast.sh"; `+commands)
		shell.Env = append(os.Environ(), "EXA_HOME="+folder, "EXA_CACHE="+folder+"/cache", "JAVA_HOME="+folder+"/jdk", "SCRIPTS="+scripts, "EXA_TESTS=")
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", commands, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for commands, want := range map[string]string{
		"step_java_units; step_java":          "built\nnothing has changed",
		"EDIT=yes step_java_units; step_java": "built\nbuilt",
		"EDIT=yes step_java; step_java":       "built\nbuilt",
	} {
		if err := os.RemoveAll(filepath.Join(folder, "testbed")); err != nil {
			t.Fatal(err)
		}
		if out := run(commands); out != want {
			t.Errorf("%s says %q, not %q", commands, out, want)
		}
	}
}
