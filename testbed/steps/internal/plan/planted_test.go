package plan

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var foundBy = regexp.MustCompile(`(?m)^Found-by: *(\S+)(.*)$`)

// A fault that no longer applies is found out by the run of hours that plants it. This says it with the change that moved the lines.
func TestPlantedFaultsApplyAndNameStepsAndTestsThatExist(t *testing.T) {
	p, err := Load(filepath.Join(home, "testbed/steps/steps.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	patches, err := filepath.Glob(filepath.Join(home, "testbed/planted/*.patch"))
	if err != nil || len(patches) < 20 {
		t.Fatal(err, patches)
	}
	classes := testClasses(t)
	for _, patch := range patches {
		name := filepath.Base(patch)
		content, err := os.ReadFile(patch)
		if err != nil {
			t.Fatal(err)
		}
		absolute, err := filepath.Abs(patch)
		if err != nil {
			t.Fatal(err)
		}
		apply := exec.Command("git", "apply", "--check", absolute)
		apply.Dir = home
		if out, err := apply.CombinedOutput(); err != nil {
			t.Errorf("%s no longer applies: %sPlant the same mistake in today's lines.", name, out)
		}
		before, _, _ := strings.Cut(string(content), "\ndiff --git ")
		lines := foundBy.FindAllStringSubmatch(before, -1)
		if len(lines) == 0 {
			t.Errorf("%s has no Found-by line", name)
		}
		if !slices.ContainsFunc(lines, func(line []string) bool {
			s := p.Step(line[1])
			return s != nil && !s.IsPreparation() && Default.Includes(s.Tier)
		}) {
			t.Errorf("%s names no step of the default tier: nothing that guards a landing finds the mistake", name)
		}
		for _, line := range lines {
			if s := p.Step(line[1]); s == nil || s.IsPreparation() {
				t.Errorf("%s names %q, which is no step", name, line[1])
			}
			for _, test := range strings.Fields(strings.ReplaceAll(line[2], ",", " ")) {
				if regexp.MustCompile(`(Test|E2E)$`).MatchString(test) && classes[test] == "" {
					t.Errorf("%s names %s, and there is no such test class", name, test)
				}
				if of := unitsOf(p, classes[test]); line[1] == "java-units" && of != "" {
					t.Errorf("%s names java-units for %s, which %s runs", name, test, of)
				}
			}
		}
	}
}

// The list says what would find each fault, without planting it.
func TestTheListOfPlantedFaultsNamesTheStepsAndTheirTiers(t *testing.T) {
	p, err := Load(filepath.Join(home, "testbed/steps/steps.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	patches, err := filepath.Glob(filepath.Join(home, "testbed/planted/*.patch"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("bash", filepath.Join(home, "testbed/planted/run"), "--list").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		m := regexp.MustCompile(`^([0-9]+-[a-z0-9-]+): (\S+) \((\w*)\): `).FindStringSubmatch(line)
		if m == nil {
			t.Errorf("%q is not as 'fault: step (tier): tests'", line)
			continue
		}
		listed[m[1]] = true
		if s := p.Step(m[2]); s == nil || string(s.Tier) != m[3] {
			t.Errorf("%s is not of the tier %q", m[2], m[3])
		}
	}
	for _, patch := range patches {
		if name := strings.TrimSuffix(filepath.Base(patch), ".patch"); !listed[name] {
			t.Errorf("%s is not listed", name)
		}
	}
}

// unitsOf is the step that runs the units of the module of a test; none if "java-units" does.
func unitsOf(p *Plan, file string) string {
	for _, s := range p.Steps {
		if module := s.Variables["MODULE"]; module != "" && strings.HasPrefix(file, module+"/src/") {
			return s.Name
		}
	}
	return ""
}

// testClasses are the files of the classes in folders src/test, by their names.
func testClasses(t *testing.T) map[string]string {
	classes := map[string]string{}
	err := filepath.WalkDir(home, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "target" || entry.Name() == ".git" || entry.Name() == "main") {
			return filepath.SkipDir
		}
		if name, ok := strings.CutSuffix(entry.Name(), ".java"); ok {
			within, err := filepath.Rel(home, file)
			if err != nil {
				return err
			}
			classes[name] = within
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return classes
}
