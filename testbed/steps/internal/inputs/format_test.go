package inputs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A file that was found well formatted is not formatted again; one that is new, or was edited, also during the run, is.
func TestOnlyFilesOfUnknownFormatAreFormatted(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) {
		t.Helper()
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
	options := func(variables ...string) string {
		t.Helper()
		shell := exec.Command("bash", "-c", `set -euo pipefail
maven_units() { for word in "$@"; do case $word in -Dspotless*) echo "$word" ;; esac; done; [ -z "${EDIT:-}" ] || echo edited >>"$EXA_HOME/$EDIT"; [ -z "${BROKEN:-}" ]; }
. "$SCRIPTS/fast.sh"; step_java_units`)
		shell.Env = append(os.Environ(), append(variables, "EXA_HOME="+folder, "EXA_CACHE="+folder+"/cache", "JAVA_HOME="+folder+"/jdk", "SCRIPTS="+scripts, "EXA_TESTS=")...)
		out, err := shell.CombinedOutput()
		if err != nil && len(variables) == 0 {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	wants := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, not %q", what, got, want)
		}
	}
	const a, b, skip = "m/src/main/java/p/A.java", "m/src/test/java/p/B.java", "-Dspotless.check.skip"
	write("jdk/release", "25")
	write("pom.xml", "<spotless-plugin.version>1</spotless-plugin.version>\n<artifactId>spotless-maven-plugin</artifactId>\n</plugin>\n")
	write(a, "a")
	write(b, "b")
	write("m/src/test/resources/p/C.java", "c")
	wants("the first time all", options("BROKEN=yes"), "")
	wants("all, since the first time failed", options(), "")
	wants("nothing", options(), skip)
	write(a, "a2")
	wants("the edited one", options("BROKEN=yes"), "-DspotlessFiles=.*/"+a)
	wants("it again, since it failed", options("EDIT="+a), "-DspotlessFiles=.*/"+a)
	wants("it again, since it was edited meanwhile", options(), "-DspotlessFiles=.*/"+a)
	write(a, "a")
	wants("a file as it was before", options(), skip)
	write("m/src/main/java/p/D.java", "c")
	wants("one that only a resource was like", options(), "-DspotlessFiles=.*/m/src/main/java/p/D.java")
	write("pom.xml", "<spotless-plugin.version>2</spotless-plugin.version>\n<artifactId>spotless-maven-plugin</artifactId>\n</plugin>\n")
	wants("all, by another formatter", options(), "")
	for i := range 501 {
		write("m/src/main/java/q/Q"+strings.Repeat("q", i)[:i%200]+string(rune('a'+i/200))+".java", strings.Repeat("q", i+1))
	}
	wants("all, since too many are new for a command", options(), "")
}
