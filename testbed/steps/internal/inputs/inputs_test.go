package inputs

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"exaplane.io/testbed/steps/internal/plan"
)

const home = "../../../.."

// ours are the keys of this checkout's own steps.
func ours(t *testing.T) (*Keys, Tree) {
	t.Helper()
	p, err := plan.Load(filepath.Join(home, "testbed/steps/steps.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	modules, err := ReadModules(home)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := ReadTree(home)
	if err != nil {
		t.Fatal(err)
	}
	same := func(plan.Derived, string) (string, error) { return "same", nil }
	none := func([]string) string { return "" }
	return &Keys{Plan: p, Modules: modules, Environment: "tools", Packages: none, Derive: same}, tree
}

func key(t *testing.T, k *Keys, tree Tree, s *plan.Step) string {
	t.Helper()
	key, err := k.Key(tree, s)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestEveryByteCounts changes each input of each step in turn, and all other files of this checkout at once.
func TestEveryByteCounts(t *testing.T) {
	k, tree := ours(t)
	seen := map[string]bool{}
	for _, s := range k.Plan.Steps {
		if alike := strings.Join(s.Inputs, " "); s.Always || s.IsPreparation() || seen[alike] {
			continue
		} else {
			seen[alike] = true
		}
		files, err := k.Files(tree, s)
		if err != nil {
			t.Fatal(err)
		}
		about := fmt.Sprint(s)
		before := k.key(tree, about, files)
		others := Tree{}
		for file := range tree {
			others[file] = "changed"
		}
		for _, file := range files {
			others[file] = tree[file]
		}
		if key(t, k, others, s) != key(t, k, tree, s) {
			t.Errorf("step %s: its key changed with files that are no inputs of it", s.Name)
		}
		changes := func(file string, among []string, key string) bool {
			hash := tree[file]
			defer func() { tree[file] = hash }()
			tree[file] = "changed"
			return k.key(tree, about, among) != key
		}
		// All pairs would be a second of hashing for every hundred files.
		for part := range slices.Chunk(files, 32) {
			if !changes(part[0], files, before) {
				t.Errorf("step %s: a change in %s did not change its key", s.Name, part[0])
			}
			some := k.key(tree, about, part)
			for _, file := range part {
				if !changes(file, part, some) {
					t.Errorf("step %s: a change in %s did not change the key of what stands beside it", s.Name, file)
				}
			}
		}
	}
}

func TestAFileThatComesOrGoesCounts(t *testing.T) {
	k, tree := ours(t)
	s := k.Plan.Step("store-processes")
	before := key(t, k, tree, s)
	more := maps.Clone(tree)
	more["controlplane-store/src/main/java/New.java"] = "x"
	less := maps.Clone(tree)
	delete(less, "testbed/versions.env")
	if key(t, k, more, s) == before {
		t.Error("a new file did not count")
	}
	if _, err := k.Key(less, s); err == nil || !strings.Contains(err.Error(), "testbed/versions.env") {
		t.Errorf("an input that is gone: %v", err)
	}
}

func TestTheStepItselfAndTheToolsCount(t *testing.T) {
	k, tree := ours(t)
	s := *k.Plan.Step("store-suite")
	before := key(t, k, tree, &s)
	s.Variables = map[string]string{"SUITE": "APISERVER_SUITE_PREVIOUS"}
	if key(t, k, tree, &s) == before {
		t.Error("the step's definition did not count")
	}
	other := *k
	other.Environment = "other tools"
	if key(t, &other, tree, k.Plan.Step("store-suite")) == before {
		t.Error("the tools did not count")
	}
}

// Of a step that always runs, each file of the tree counts, whatever its inputs.
func TestOfAStepThatAlwaysRunsEachFileCounts(t *testing.T) {
	k, tree := ours(t)
	s := k.Plan.Step("go-units")
	of := func(tree Tree) string {
		t.Helper()
		key, err := k.OfAll(tree, s)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	before := of(tree)
	for _, file := range []string{"README.md", "operator/pom.xml", "testbed/steps/main.go"} {
		other := maps.Clone(tree)
		other[file] = "changed"
		if of(other) == before {
			t.Errorf("a change in %s did not count", file)
		}
	}
	if of(maps.Clone(tree)) != before {
		t.Error("the same tree has another key")
	}
}

// The browser is updated often, and one step alone has it.
func TestPackagesOfAStepCountForItAlone(t *testing.T) {
	k, tree := ours(t)
	version := "1"
	k.Packages = func(names []string) string { return strings.Join(names, " ") + " " + version }
	keys := func() (console, other string) {
		return key(t, k, tree, k.Plan.Step("console")), key(t, k, tree, k.Plan.Step("plugin"))
	}
	console, other := keys()
	version = "2"
	newer, same := keys()
	if console == newer {
		t.Error("another version of the browser did not count for 'console'")
	}
	if other != same {
		t.Error("another version of the browser counted for 'plugin'")
	}
	if packages := k.Plan.Step("console").Packages; !slices.Equal(packages, []string{"chromium", "chromium-driver"}) {
		t.Errorf("'console' names %v", packages)
	}
}

func TestWhatTheRunDecidesCounts(t *testing.T) {
	k, tree := ours(t)
	s := k.Plan.Step("cluster-api")
	before := key(t, k, tree, s)
	other := *k
	other.Settings = "EXA_BRIEF_PODS=yes"
	if key(t, &other, tree, s) == before {
		t.Error("how fast the pods are did not count")
	}
}

func TestADerivedInputCountsByWhatItPrints(t *testing.T) {
	p, err := plan.Parse([]byte(`
derived: {answers: {run: answers, from: [rules]}}
steps: [{name: one, title: t, tier: default, budgetMinutes: 1, cores: 1, inputs: [src, '!src/rules', 'derived:answers']}]
`))
	if err != nil {
		t.Fatal(err)
	}
	printed, keys := "1", map[string]bool{}
	k := &Keys{Plan: p, Derive: func(_ plan.Derived, key string) (string, error) { keys[key] = true; return printed, nil }}
	tree := Tree{"src/a": "a", "src/rules/r": "r", "rules": "r"}
	first := key(t, k, tree, p.Steps[0])
	tree["src/rules/r"], tree["rules"] = "s", "s"
	if key(t, k, tree, p.Steps[0]) != first || len(keys) != 2 {
		t.Error("a change that prints the same counted, or was not looked at")
	}
	if printed = "2"; key(t, k, tree, p.Steps[0]) == first {
		t.Error("what was printed did not count")
	}
}

func TestTheLastPatternDecides(t *testing.T) {
	k := &Keys{Plan: &plan.Plan{}}
	tree := Tree{"a/src/main/x": "", "a/src/test/x": "", "a/src/test/y": "", "b/src/test/z": "", "a/x.md": ""}
	for inputs, want := range map[string]string{
		"a":                          "a/src/main/x a/src/test/x a/src/test/y a/x.md",
		"a !*/src/test !*.md":        "a/src/main/x",
		"a !*/src/test a/src/test/y": "a/src/main/x a/src/test/y a/x.md",
		"!*/src/test *":              "a/src/main/x a/src/test/x a/src/test/y a/x.md b/src/test/z",
	} {
		if files, err := k.files(tree, strings.Fields(inputs)); err != nil || strings.Join(files, " ") != want {
			t.Errorf("%s: %v, %v", inputs, files, err)
		}
	}
	if _, err := k.files(tree, []string{"a", "!c"}); err == nil {
		t.Error("an exclusion of nothing is misspelt")
	}
}

func TestWhatDoesNotMatterToAStepIsNoInputOfIt(t *testing.T) {
	k, tree := ours(t)
	for name, foreign := range map[string][]string{
		"store-processes":     {"operator/", "tuning/src/test/", "docs/", "dist-scheduler/engine/src/test/", "dist-scheduler/app/", "README.md"},
		"tuning-processes":    {"operator/src/main/java", "operator/src/test", "docs/", "controlplane-store/src/test/"},
		"oracle":              {"operator/", "controlplane-store/", "tuning/"},
		"scheduler-processes": {"operator/", "tuning/src", "docs/", "dist-scheduler/engine/src/test", "dist-scheduler/DESIGN.md"},
		"cluster-api":         {"docs/limits.md", "docs/reference/", "benchmarks/src", "operator/src/test/"},
		"store-units":         {"operator/", "tuning/", "docs/reference/api/", "crds/"},
		"engine-units":        {"operator/", "tuning/", "docs/", "controlplane-store/"},
		"tuning-units":        {"operator/", "docs/conditions.md", "controlplane-store/", "dist-scheduler/"},
		"reshard":             {"operator/src/main/java", "operator/src/test", "docs/"},
		"move-processes":      {"operator/src/main/java", "operator/src/test/java", "docs/"},
	} {
		files, err := k.Files(tree, k.Plan.Step(name))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if slices.ContainsFunc(foreign, func(f string) bool { return strings.HasPrefix(file, f) && !strings.HasSuffix(file, "pom.xml") }) {
				t.Errorf("step %s has %s among its inputs", name, file)
			}
		}
	}
}

var (
	// outside is a path that leaves the test's module, and beside one that begins in it. Maven and the launcher start tests in the module's folder.
	outside = regexp.MustCompile(`"((?:\.\./)+[^."/][^"]*)"`)
	beside  = regexp.MustCompile(`(?:Path\.of|Paths\.get|new File)\("([^"/.][^"]*)"`)
)

// reads are the files of the tree that a test names by their paths; of a folder, all.
func reads(tree Tree, module, test string) []string {
	named := outside.FindAllStringSubmatch(test, -1)
	named = append(named, beside.FindAllStringSubmatch(test, -1)...)
	var files []string
	for _, match := range named {
		read := filepath.Join(module, match[1])
		for file := range tree {
			if file == read || strings.HasPrefix(file, read+"/") {
				files = append(files, file)
			}
		}
	}
	return files
}

// Of units and of the test bed's tests, each file that they name is an input of the kept steps that run them. Other modules' tests beside them read what no step needs.
func TestTestsReadNothingThatIsNoInput(t *testing.T) {
	k, tree := ours(t)
	seen := 0
	// Several steps have the tests of one module.
	named := map[string][]string{}
	for _, step := range k.Plan.Steps {
		if step.Always || step.IsPreparation() {
			continue
		}
		files, err := k.Files(tree, step)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range files {
			module, _, isTest := strings.Cut(test, "/src/test/")
			isRun := step.Run == "module_units" && step.Variables["MODULE"] == module || strings.HasPrefix(module, "testbed/")
			if !isTest || !strings.HasSuffix(test, ".java") || !isRun {
				continue
			}
			if _, known := named[test]; !known {
				content, err := os.ReadFile(filepath.Join(home, test))
				if err != nil {
					t.Fatal(err)
				}
				named[test] = reads(tree, module, string(content))
			}
			for _, read := range named[test] {
				seen++
				if !slices.Contains(files, read) {
					t.Errorf("step %s: %s reads %s; add it to the step's inputs in steps.yaml", step.Name, test, read)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d files that tests read were found; do tests name them in another way?", seen)
	}
}

func TestAModulesSourcesAreThoseOfAllThatItsTestsUse(t *testing.T) {
	k, _ := ours(t)
	sources, err := k.Modules.Sources("testbed/tuning")
	if err != nil {
		t.Fatal(err)
	}
	// The engine is what exactl uses, and exactl what these tests use.
	for _, want := range []string{"testbed/tuning/src", "tuning/src/main", "cli/src/main", "testbed/machine/src/main", "dist-scheduler/engine/src/main", "operator/pom.xml"} {
		if !slices.Contains(sources, want) {
			t.Errorf("%s is missing in %v", want, sources)
		}
	}
	if sources, _ = k.Modules.Sources("testbed/engine"); !slices.Contains(sources, "dist-scheduler/engine/src/test") {
		t.Errorf("the engine's tests, which this module uses, are missing in %v", sources)
	}
	if sources, _ = k.Modules.Sources("testbed/scheduler"); slices.Contains(sources, "dist-scheduler/engine/src/test") {
		t.Errorf("what only other modules' tests use is among %v", sources)
	}
	if _, err := k.Modules.Sources("testbed/nowhere"); err == nil {
		t.Error("a module that is not there was found")
	}
}

// TestATreeIsWhatGitWouldSee makes a checkout: contents, modes and links count; what git ignores does not.
func TestATreeIsWhatGitWouldSee(t *testing.T) {
	root := t.TempDir()
	write := func(name, content string, mode os.FileMode) {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
	}
	read := func() Tree {
		tree, err := ReadTree(root)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	if err := exec.Command("git", "init", "-q", root).Run(); err != nil {
		t.Fatal(err)
	}
	write(".gitignore", "target/\n", 0o644)
	write("run", "1", 0o644)
	write("target/class", "1", 0o644)
	if err := os.Symlink("run", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	first := read()
	if len(first) != 3 || first["target/class"] != "" {
		t.Fatalf("files: %v", first)
	}
	write("run", "1", 0o755)
	second := read()
	write("run", "2", 0o755)
	third := read()
	if first["run"] == second["run"] || second["run"] == third["run"] {
		t.Error("a mode or a byte did not count")
	}
	if first["link"] == first["run"] || first["link"] != third["link"] {
		t.Error("a link is not its target's content")
	}
	if err := os.Remove(filepath.Join(root, "run")); err != nil {
		t.Fatal(err)
	}
	if _, there := read()["run"]; there {
		t.Error("a file that is gone is still there")
	}
}
