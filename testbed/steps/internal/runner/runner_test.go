package runner

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"exaplane.io/testbed/steps/internal/inputs"
	"exaplane.io/testbed/steps/internal/plan"
	"exaplane.io/testbed/steps/internal/results"
)

// A checkout with steps whose shell functions are given, and a folder of results that its runs share.
type checkout struct {
	t       *testing.T
	home    string
	results results.Store
	plan    string
}

const report = `<testsuite name="A"><testcase name="a()" classname="x.A" time="1"/></testsuite>`

func newCheckout(t *testing.T, planText, functions string) *checkout {
	t.Helper()
	c := &checkout{t, t.TempDir(), results.Store{Folder: t.TempDir()}, planText}
	c.write("testbed/launch/steps.sh", "set -eu\n"+functions+"\n\"$1\"\n")
	c.write("pom.xml", "<project><artifactId>root</artifactId></project>")
	c.write("read", "1")
	c.write("other", "1")
	if out, err := exec.Command("git", "init", "-q", c.home).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	return c
}

func (c *checkout) write(name, content string) {
	c.t.Helper()
	file := filepath.Join(c.home, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c *checkout) run(change func(*Run)) (string, Totals) {
	c.t.Helper()
	p, err := plan.Parse([]byte(c.plan))
	if err != nil {
		c.t.Fatal(err)
	}
	modules, err := inputs.ReadModules(c.home)
	if err != nil {
		c.t.Fatal(err)
	}
	var out bytes.Buffer
	r := &Run{Plan: p, Keys: &inputs.Keys{Plan: p, Modules: modules}, Results: c.results, Home: c.home, Logs: c.t.TempDir(), Cores: 2, Out: &out}
	if change != nil {
		change(r)
	}
	totals, err := r.Steps(context.Background(), p.ForTier(plan.Long))
	if err != nil {
		c.t.Fatal(err)
	}
	return out.String() + totals.LastLines(), totals
}

func wants(t *testing.T, out string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(out, line) {
			t.Errorf("%q is missing in\n%s", line, out)
		}
	}
}

const one = "steps:\n- {name: one, title: the one, tier: default, budgetMinutes: 1, cores: 1, inputs: [testbed/launch, read]}\n"

func TestAPassedStepIsCountedFromItsKeptResult(t *testing.T) {
	began := time.Now().Format("15:")
	c := newCheckout(t, one, `step_one() { cat read other >/dev/null; echo '`+report+`' >"$EXA_REPORTS/TEST-A.xml"; }`)
	out, _ := c.run(nil)
	wants(t, out, "▸ one: the one", "✓ one: 1 passed, ", "s of CPU", "1 passed, 0 failed, 0 skipped\n")
	before := time.Now().Format("15:")
	out, _ = c.run(nil)
	// The run of before may have ended in the hour of before.
	if hour := "✓ one: 1 passed, kept from "; !strings.Contains(out, hour+before) && !strings.Contains(out, hour+time.Now().Format("15:")) && !strings.Contains(out, hour+began) {
		t.Error(out)
	}
	wants(t, out, "1 passed, 0 failed, 0 skipped\n")
	c.write("other", "2")
	out, _ = c.run(nil)
	wants(t, out, "kept from")
	for what, change := range map[string]func(*Run){"again": func(r *Run) { r.Again = true }, "an input": func(*Run) { c.write("read", "2") }} {
		if out, _ = c.run(change); strings.Contains(out, "kept from") {
			t.Errorf("%s: %s", what, out)
		}
	}
}

func TestAStepThatReadsWhatItDoesNotDeclareFailsSealed(t *testing.T) {
	c := newCheckout(t, one, `step_one() { cat read other >/dev/null; }`)
	if out, totals := c.run(nil); totals.Failed != 0 {
		t.Fatal(out)
	}
	sealed := func(r *Run) { r.Sealed, r.Again = true, true }
	out, totals := c.run(sealed)
	if totals.Failed != 1 {
		t.Fatal(out)
	}
	wants(t, out, "✗ one: 0 passed, 1 failed", "cat: other: No such file", "0 passed, 1 failed, 0 skipped\n")
	c.plan = strings.Replace(one, "read]", "read, other]", 1)
	if out, totals = c.run(sealed); totals.Failed != 0 {
		t.Fatal(out)
	}
}

func TestASkipThatNoListExpectsFailsOnCIAndIsNeverKept(t *testing.T) {
	c := newCheckout(t, one, `step_one() { echo '<testsuite><testcase name="a()" classname="x.A" time="1"><skipped/></testcase></testsuite>' >"$EXA_REPORTS/TEST-A.xml"; }`)
	out, _ := c.run(nil)
	wants(t, out, "  skipped: x.A.a", "0 passed, 0 failed, 1 skipped\n")
	out, _ = c.run(func(r *Run) { r.UnexpectedFail = true })
	wants(t, out, "testbed/expected-skips does not list it: x.A.a", "0 passed, 1 failed, 1 skipped\n")
	expects := func(r *Run) { r.UnexpectedFail, r.ExpectedSkips = true, []string{"x.A.a"} }
	for range 2 {
		out, _ = c.run(expects)
		wants(t, out, "skipped, as expected: x.A.a", "0 passed, 0 failed, 1 skipped\n")
	}
	wants(t, out, "kept from")
	// Another list is another run.
	if out, _ = c.run(nil); strings.Contains(out, "kept from") {
		t.Error(out)
	}
}

// What '--long' runs is run again the next time; what failed there is remembered.
func TestARunThatKeepsNothingLeavesNoResultThatPassed(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken")
	c := newCheckout(t, one, "step_one() { [ ! -e "+broken+" ]; }")
	long := func(r *Run) { r.Again, r.KeepNone = true, true }
	c.run(long)
	out, _ := c.run(nil)
	wants(t, out, "✓ one: 1 passed, ", " s of CPU")
	if strings.Contains(out, "kept from") {
		t.Error(out)
	}
	out, _ = c.run(nil)
	wants(t, out, "kept from")
	if err := os.WriteFile(broken, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	c.run(long)
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	out, _ = c.run(nil)
	wants(t, out, "flaky: one failed with the same inputs (one, last at ", "1 passed, 1 failed, 0 skipped\n")
}

// A result of pods without the second compiler says nothing of those that users have. Steps that look at no pods of this run do not run again.
func TestHowFastPodsAreCountsForStepsThatHavePods(t *testing.T) {
	c := newCheckout(t, `
steps:
- {name: images, title: pushed, cores: 1}
- {name: pods, title: t, tier: default, budgetMinutes: 1, cores: 1, needs: [images], inputs: [read]}
- {name: none, title: t, tier: default, budgetMinutes: 1, cores: 1, inputs: [read]}
`, "step_images() { :; }\nstep_pods() { :; }\nstep_none() { :; }")
	c.run(nil)
	c.plan += "- {name: hours, title: t, tier: long, budgetMinutes: 1, cores: 1, always: true}\n"
	c.write("testbed/launch/steps.sh", "step_images() { :; }\nstep_pods() { :; }\nstep_none() { :; }\nstep_hours() { :; }\n\"$1\"\n")
	out, _ := c.run(nil)
	wants(t, out, "✓ none: 1 passed, kept from", "▸ pods: ")
	out, _ = c.run(nil)
	wants(t, out, "✓ none: 1 passed, kept from", "✓ pods: 1 passed, kept from")
}

// What a step alone runs is installed by a step that it needs: the result is kept with the version that was there then.
func TestAResultIsKeptWithThePackagesThatTheStepFound(t *testing.T) {
	installed := filepath.Join(t.TempDir(), "installed")
	c := newCheckout(t, `
steps:
- {name: browser, title: there, cores: 1}
- {name: one, title: t, tier: default, budgetMinutes: 1, cores: 1, needs: [browser], inputs: [read], packages: [chromium]}
`, "step_browser() { [ -e "+installed+" ] || echo 1 >"+installed+"; }\nstep_one() { :; }")
	run := func() string {
		out, _ := c.run(func(r *Run) {
			r.Keys.Packages = func([]string) string { version, _ := os.ReadFile(installed); return string(version) }
		})
		return out
	}
	wants(t, run(), "▸ browser: ", "✓ one: 1 passed, ")
	wants(t, run(), "✓ one: 1 passed, kept from")
	if err := os.WriteFile(installed, []byte("2"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run(); strings.Contains(out, "kept from") {
		t.Error(out)
	}
}

func TestAnEditWhileAStepRunsKeepsNoResult(t *testing.T) {
	c := newCheckout(t, one, "")
	c.write("testbed/launch/steps.sh", "step_one() { echo 2 >"+c.home+"/read; }\n\"$1\"\n")
	out, _ := c.run(nil)
	wants(t, out, "✓ one: 1 passed", "an input of one changed while it ran")
	c.write("read", "1")
	if out, _ = c.run(nil); strings.Contains(out, "kept from") {
		t.Error(out)
	}
}

func TestAFailedPreparationFailsWhatNeedsItAndTheRestGoesOn(t *testing.T) {
	c := newCheckout(t, `
steps:
- {name: make, title: made, cores: 1}
- {name: one, title: needs it, tier: default, budgetMinutes: 1, cores: 1, needs: [make], always: true}
- {name: two, title: does not, tier: default, budgetMinutes: 1, cores: 1, after: [one], always: true}
`, "step_make() { echo no compiler; false; }\nstep_one() { :; }\nstep_two() { :; }")
	out, totals := c.run(nil)
	wants(t, out, "✗ make: ", "no compiler", "✗ one: not run", "✓ two: 1 passed", "1 passed, 2 failed, 0 skipped\n")
	if totals.Failed != 2 {
		t.Error(totals)
	}
}

func TestAPreparationThatOnlyKeptStepsNeedDoesNotRun(t *testing.T) {
	c := newCheckout(t, "steps:\n- {name: make, title: made, cores: 1}\n- {name: one, title: needs it, tier: default, budgetMinutes: 1, cores: 1, needs: [make], inputs: [read]}\n", "step_make() { :; }\nstep_one() { :; }")
	c.run(nil)
	if out, _ := c.run(nil); strings.Contains(out, "make") {
		t.Error(out)
	}
}

func TestAChangeThatPrintsTheSameKeepsTheResult(t *testing.T) {
	c := newCheckout(t, `
derived: {answers: {run: answers, from: [read]}}
steps:
- {name: one, title: t, tier: default, budgetMinutes: 1, cores: 1, inputs: [testbed/launch, 'derived:answers']}
`, "step_one() { :; }\nstep_answers() { cut -c1 read; }")
	kept := func(content string) bool {
		c.write("read", content)
		out, _ := c.run(func(r *Run) { r.Keys.Derive = (&Deriver{Home: r.Home}).Derive })
		wants(t, out, "1 passed, 0 failed, 0 skipped\n")
		return strings.Contains(out, "kept from")
	}
	if kept("12") || !kept("13") || kept("23") {
		t.Error("what was printed does not decide")
	}
	// What an input is derived from may be read.
	c.write("testbed/launch/steps.sh", "set -eu\nstep_one() { cat read; }\nstep_answers() { cut -c1 read; }\n\"$1\"\n")
	out, totals := c.run(func(r *Run) { r.Sealed, r.Keys.Derive = true, (&Deriver{Home: r.Home}).Derive })
	if totals.Failed != 0 {
		t.Error(out)
	}
}

func TestTheLastLinesNameStepsOverTheirBudgetsAndSumUpTheCPU(t *testing.T) {
	c := newCheckout(t, `
steps:
- {name: make, title: made, cores: 1}
- {name: slow, title: t, tier: default, budgetMinutes: 0.000001, cores: 1, needs: [make], inputs: [read]}
- {name: quick, title: t, tier: default, budgetMinutes: 10, cores: 1, always: true}
`, "step_make() { :; }\nstep_slow() { :; }\nstep_quick() { :; }")
	out, totals := c.run(nil)
	wants(t, out, "! slow took longer than its budget of 1e-06 minutes", "\nover budget: slow ", " of 0 s\n", " s of CPU, without the cluster's pods\n2 passed, 0 failed, 0 skipped\n")
	if len(totals.Slow) != 1 || totals.CPUSeconds <= 0 {
		t.Error(totals)
	}
	// A kept result took no time.
	if out, totals = c.run(nil); len(totals.Slow) != 0 || strings.Contains(out, "over budget") {
		t.Error(out)
	}
}

func TestPodsAreBriefUnlessAStepIsLong(t *testing.T) {
	for tier, brief := range map[string]string{"default": "yes", "long": ""} {
		c := newCheckout(t, `
steps:
- {name: make, title: made, cores: 1}
- {name: one, title: t, tier: default, budgetMinutes: 1, cores: 1, needs: [make], always: true}
- {name: two, title: t, tier: `+tier+`, budgetMinutes: 1, cores: 1, always: true}
`, `step_make() { [ "${EXA_BRIEF_PODS:-}" = "`+brief+`" ]; }
step_one() { step_make; }
step_two() { step_make; }`)
		t.Setenv("EXA_BRIEF_PODS", "yes")
		if out, totals := c.run(nil); totals.Failed != 0 {
			t.Errorf("with a %s step: %s", tier, out)
		}
	}
}

func TestAStepIsToldItsVariablesAndItsHome(t *testing.T) {
	c := newCheckout(t, strings.Replace(one, "inputs:", "variables: {SIZE: '7'}, inputs:", 1), `step_one() { [ "$SIZE" = 7 ] && [ "$PWD" = "$EXA_HOME" ] && [ -d "$EXA_REPORTS" ] && [ -d "$EXA_STEP_LOGS" ]; }`)
	out, _ := c.run(nil)
	wants(t, out, "1 passed, 0 failed, 0 skipped\n")
}

func TestARunThatIsCutShortEndsItsStepsAndSaysNothingOfTheirInputs(t *testing.T) {
	slow := filepath.Join(t.TempDir(), "slow")
	c := newCheckout(t, one, "step_one() { [ ! -e "+slow+" ] || { sleep 1000 & wait; }; }")
	if err := os.WriteFile(slow, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := plan.Parse([]byte(c.plan))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	r := &Run{Plan: p, Keys: &inputs.Keys{Plan: p}, Results: c.results, Home: c.home, Logs: t.TempDir(), Cores: 2, Out: &bytes.Buffer{}}
	start := time.Now()
	if _, err := r.Steps(ctx, p.Steps); err == nil || time.Since(start) > 20*time.Second {
		t.Errorf("%v after %s", err, time.Since(start))
	}
	if err := os.Remove(slow); err != nil {
		t.Fatal(err)
	}
	if out, _ := c.run(nil); strings.Contains(out, "flaky") {
		t.Error(out)
	}
	out, _ := c.run(nil)
	wants(t, out, "kept from")
}
