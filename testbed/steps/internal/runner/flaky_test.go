package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"exaplane.io/testbed/steps/internal/plan"
	"exaplane.io/testbed/steps/internal/results"
)

// breakable is a checkout whose only test fails while a file is there.
func breakable(t *testing.T, planText string) (c *checkout, broken func(bool)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "broken")
	c = newCheckout(t, planText, `step_one() {
		local failure=
		[ ! -e `+file+` ] || failure='<failure message="wanted 1 but was 2"/>'
		echo "<testsuite><testcase name='a()' classname='x.A' time='1'>$failure</testcase></testsuite>" >"$EXA_REPORTS/TEST-A.xml"
		[ -z "$failure" ]
	}`)
	return c, func(yes bool) {
		t.Helper()
		err := os.RemoveAll(file)
		if yes {
			err = os.WriteFile(file, nil, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestATestThatFailedAndPassesWithTheSameInputsFailsOneRun(t *testing.T) {
	for what, planText := range map[string]string{"kept": one, "always": strings.Replace(one, "inputs: [testbed/launch, read]", "always: true", 1)} {
		c, broken := breakable(t, planText)
		// Each failure costs one run that passes, however often the test has failed before.
		for range 2 {
			broken(true)
			out, totals := c.run(nil)
			wants(t, out, "✗ one: 0 passed, 1 failed", "  ✗ x.A.a\n      wanted 1 but was 2", "0 passed, 1 failed, 0 skipped\n")
			if len(totals.Flaky) != 0 {
				t.Errorf("%s: a test that fails is not flaky yet: %v", what, totals.Flaky)
			}
			broken(false)
			out, totals = c.run(nil)
			wants(t, out, "✗ one: 1 passed, ", "  ! flaky: x.A.a failed with the same inputs (one, last at ", "\nflaky: x.A.a failed ", "it counts as failed in this run\n", "1 passed, 1 failed, 0 skipped\n")
			if totals.Failed != 1 {
				t.Errorf("%s: %+v", what, totals)
			}
			// The names have been read: whoever runs the step again passes. It is never kept.
			for range 2 {
				out, _ = c.run(nil)
				wants(t, out, "✓ one: 1 passed, ", " s of CPU", "\nflaky: x.A.a failed ", "a run before this one counted it as failed\n", "1 passed, 0 failed, 0 skipped\n")
			}
		}
		if all := c.results.AllFlaky(); len(all) != 1 || all[0].Step != "one" || all[0].Failures[0] != "x.A.a" {
			t.Errorf("%s: recorded are %v", what, all)
		}
	}
}

// Whoever mends a test has changed a file. Of a step that always runs, each file counts.
func TestATestThatPassesAfterAnEditIsNotFlaky(t *testing.T) {
	for edited, planText := range map[string]string{"read": one, "other": strings.Replace(one, "inputs: [testbed/launch, read]", "always: true", 1)} {
		c, broken := breakable(t, planText)
		broken(true)
		c.run(nil)
		broken(false)
		c.write(edited, "2")
		out, totals := c.run(nil)
		if totals.Failed != 0 || strings.Contains(out, "flaky") {
			t.Errorf("after an edit of %s: %s", edited, out)
		}
	}
}

// An edit of what is no input of a step leaves the failure and the pass with the same inputs.
func TestAnEditElsewhereDoesNotHideAFlakyTest(t *testing.T) {
	c, broken := breakable(t, one)
	broken(true)
	c.run(nil)
	broken(false)
	c.write("other", "2")
	out, _ := c.run(nil)
	wants(t, out, "flaky: x.A.a", "1 passed, 1 failed, 0 skipped\n")
}

// A test that is skipped has not passed.
func TestATestThatIsSkippedIsNotFlaky(t *testing.T) {
	r := &Run{Results: results.Store{Folder: t.TempDir()}}
	if err := r.Results.Keep("k", &results.Result{Step: "one", Failed: 2, Failures: []string{"x.A.a", "x.A.b"}}); err != nil {
		t.Fatal(err)
	}
	f := r.flaky(&plan.Step{Name: "one"}, outcome{key: "k", result: &results.Result{Step: "one", Passed: 1, Skipped: []string{"x.A.a"}}})
	if len(f.tests) != 1 || f.tests[0] != "x.A.b" || f.told {
		t.Errorf("%+v", f)
	}
}
