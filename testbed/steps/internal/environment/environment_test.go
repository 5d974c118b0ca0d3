package environment

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const home = "../../../.."

func TestEachSettingCounts(t *testing.T) {
	for _, name := range settings {
		t.Setenv(name, "1")
		before := set()
		t.Setenv(name, "2")
		if set() == before {
			t.Errorf("another value of %s did not count", name)
		}
	}
	for _, name := range []string{"SIG_SCHEDULING_KUBERNETES", "JCSTRESS", "SEED", "EXA_CLASSES"} {
		if !slices.Contains(settings, name) {
			t.Errorf("%s changes what a step does, and is no setting", name)
		}
	}
}

func TestWhatAResultDependsOnHasTheSettings(t *testing.T) {
	java := t.TempDir()
	if err := os.WriteFile(filepath.Join(java, "release"), []byte("JAVA_VERSION=25\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("JAVA_HOME", java)
	t.Setenv("SEED", "4711")
	text, err := Describe()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"JAVA_VERSION=25\n", "go version ", " cores\n", "SEED=\"4711\"\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
}

// Variables that steps read and that change nothing in what a step comes to, each with the reason.
var others = map[string]string{
	"EXA_BRIEF_PODS":   "the runner sets it, and has it in the keys of steps with pods",
	"EXA_CACHE":        "where results lie",
	"EXA_PLANTED":      "of a step that always runs",
	"EXA_STATE":        "where the cluster lies",
	"EXA_STORE":        "set by the step",
	"EXA_TESTS_LOCKED": "set by the launcher",
	"HOME":             "a place",
	"JAVA_HOME":        "its release is described",
	"PATH":             "its programs are described",
	"TMPDIR":           "a place",
	"XDG_CACHE_HOME":   "a place",
}

var (
	// shellVariable is one with a value for when nobody has set it; javaVariable is one that a test reads.
	shellVariable = regexp.MustCompile(`\$\{([A-Z][A-Z0-9_]*):?[-+]`)
	javaVariable  = regexp.MustCompile(`(?:getenv|environment)\("([A-Z][A-Z0-9_]*)"`)
	// needed is a variable that a test demands: the launcher sets it for each step.
	needed = regexp.MustCompile(`Machine\.environment\("[A-Z0-9_]+"`)
)

// read are the variables that a script or a test takes from whoever starts the run.
func read(name, content string) []string {
	pattern := shellVariable
	if strings.HasSuffix(name, ".java") {
		pattern, content = javaVariable, needed.ReplaceAllString(content, "")
	}
	var names []string
	for _, match := range pattern.FindAllStringSubmatch(content, -1) {
		names = append(names, match[1])
	}
	return names
}

// A variable that a person may set and that changes what a step does belongs to the key: otherwise what passed with one value counts for another one.
func TestEachVariableThatAStepReadsIsASettingOrHasAReason(t *testing.T) {
	seen := map[string]bool{}
	for _, folder := range []string{"exa", "testbed/launch", "testbed/suites", "testbed/e2e/src", "testbed/console/src", "testbed/store/src", "testbed/tuning/src", "benchmarks/peers", "operator/src/test"} {
		err := filepath.WalkDir(filepath.Join(home, folder), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.Contains(file, "/resources/") {
				return err
			}
			content, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for _, name := range read(file, string(content)) {
				seen[name] = true
				if !slices.Contains(settings, name) && others[name] == "" {
					t.Errorf("%s reads %s: add it to the settings of this package, or say here why it changes nothing", file, name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"JCSTRESS", "SEED", "EXA_CLASSES", "SIG_SCHEDULING_KUBERNETES", "DEMO_HOST"} {
		if !seen[name] {
			t.Errorf("%s was not found; do steps read variables in another way?", name)
		}
	}
}

// A program in the place of dpkg-query says what is installed.
func TestPackagesAreThoseThatAreInstalled(t *testing.T) {
	folder := t.TempDir()
	script := "#!/bin/sh\nfor name; do case $name in chromium | jq) echo \"$name 1.2-3\" ;; esac; done\nexit 1\n"
	if err := os.WriteFile(filepath.Join(folder, "dpkg-query"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder)
	if got, want := Packages([]string{"jq", "chromium", "chromium-driver"}), "chromium 1.2-3\njq 1.2-3\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	t.Setenv("PATH", t.TempDir())
	if got := Packages([]string{"jq"}); got != "" {
		t.Errorf("without dpkg-query: %q", got)
	}
}
