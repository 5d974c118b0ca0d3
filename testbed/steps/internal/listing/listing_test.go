package listing

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"exaplane.io/testbed/steps/internal/plan"
	"exaplane.io/testbed/steps/internal/results"
)

func TestTheListMarksStepsOverTheirBudgets(t *testing.T) {
	p, err := plan.Parse([]byte(`
steps:
- {name: slow, title: one, tier: default, budgetMinutes: 1, cores: 1, always: true}
- {name: quick, title: two, tier: default, budgetMinutes: 1, cores: 1, always: true}
- {name: never, title: three, tier: default, budgetMinutes: 1, cores: 1, always: true}
`))
	if err != nil {
		t.Fatal(err)
	}
	store := results.Store{Folder: t.TempDir()}
	list := func() string {
		var out bytes.Buffer
		if err := List(&out, p, store); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	note := func(step string, seconds float64) {
		if err := store.Note(&results.Result{Step: step, Seconds: seconds}); err != nil {
			t.Fatal(err)
		}
	}
	note("quick", 60)
	if out := list(); strings.Contains(out, "!") {
		t.Error(out)
	}
	note("slow", 61)
	lines := strings.Split(strings.TrimSpace(list()), "\n")
	for i, want := range []string{"LAST", "61 s !", "60 s ", "-", "! longer than its budget: 1 steps", "tests of the last runs: "} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d: %q without %q", i, lines[i], want)
		}
	}
}

const tiers = `
steps:
- {name: made, title: t, cores: 1}
- {name: units, title: t, tier: fast, budgetMinutes: 1.5, cores: 1, always: true}
- {name: more, title: t, tier: fast, budgetMinutes: 1, cores: 1, always: true}
- {name: on-it, title: t, tier: default, budgetMinutes: 1, cores: 1, needs: [made], always: true}
- {name: hours, title: t, tier: long, budgetMinutes: 60, cores: 1, always: true}
`

// ran is a plan of which some steps have run.
func ran(t *testing.T) (*plan.Plan, results.Store) {
	t.Helper()
	p, err := plan.Parse([]byte(tiers))
	if err != nil {
		t.Fatal(err)
	}
	store := results.Store{Folder: t.TempDir()}
	for _, r := range []results.Result{{Step: "made", Seconds: 3, CPUSeconds: 2}, {Step: "units", Passed: 40, Failed: 2, Seconds: 30.4, CPUSeconds: 51}, {Step: "on-it", Passed: 7, Seconds: 5}} {
		if err := store.Note(&r); err != nil {
			t.Fatal(err)
		}
	}
	return p, store
}

func TestTheTableHasTheStepsOfATierAndTheTestsOfEach(t *testing.T) {
	p, store := ran(t)
	for tier, want := range map[plan.Tier]string{
		plan.Fast:    "| units | 90 | 30 (51) | 42 |\n| more | 60 |  |  |\n",
		plan.Default: "| made |  | 3 (2) |  |\n| units | 90 | 30 (51) | 42 |\n| more | 60 |  |  |\n| on-it | 60 | 5 (0) | 7 |\n",
		plan.Long:    "| made |  | 3 (2) |  |\n| units | 90 | 30 (51) | 42 |\n| more | 60 |  |  |\n| on-it | 60 | 5 (0) | 7 |\n| hours | 3600 |  |  |\n",
	} {
		var out bytes.Buffer
		if err := Table(&out, p, store, tier); err != nil {
			t.Fatal(err)
		}
		all := "| step | budget, s | took, s (CPU) | tests |\n|---|---:|---:|---:|\n" + want +
			"\n| tier | steps | of them have run | tests |\n|---|---:|---:|---:|\n| fast | 2 | 1 | 42 |\n| default | 1 | 1 | 7 |\n| long | 1 | 0 | 0 |\n"
		if out.String() != all {
			t.Errorf("%s:\n%s", tier, out.String())
		}
	}
}

func TestTheListCountsTestsAndNamesFlakyOnes(t *testing.T) {
	p, store := ran(t)
	if err := store.KeepFlaky("k", "units", []string{"x.A.a"}, time.Date(2026, 11, 30, 14, 2, 0, 0, time.Local)); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := List(&out, p, store); err != nil {
		t.Fatal(err)
	}
	if want := "tests of the last runs: fast 42 (1 of 2 steps), default 7 (1 of 1 steps), long 0 (0 of 1 steps)\nflaky: x.A.a (units), 2026-11-30 14:02\n"; !strings.HasSuffix(out.String(), want) {
		t.Error(out.String())
	}
}

func TestClassesShowWhereTheirSecondsWent(t *testing.T) {
	p, store := ran(t)
	if err := store.Note(&results.Result{Step: "on-it", Classes: []results.Class{
		{Name: "x.A", Tests: 3, Seconds: 1, Spent: &results.Spent{Whole: 12, Starts: 4, Waits: 6.5}}, {Name: "x.B", Tests: 1, Seconds: 2}, {Name: "x.Short", Tests: 1, Seconds: 1.9},
	}}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Classes(&out, p, store); err != nil {
		t.Fatal(err)
	}
	want := "| step | class | tests | took, s | with set-up | starts | waits | other |\n|---|---|---:|---:|---:|---:|---:|---:|\n" +
		"| on-it | x.A | 3 | 1.0 | 12.0 | 4.0 | 6.5 | 1.5 |\n| on-it | x.B | 1 | 2.0 |  |  |  |  |\n"
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

// The table in the design has each step of the default tier with its present budget. Seconds are those of one run.
func TestTheDesignHasTheBudgetOfEachDefaultStep(t *testing.T) {
	const home = "../../../.."
	p, err := plan.Load(filepath.Join(home, "testbed/steps/steps.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	design, err := os.ReadFile(filepath.Join(home, "testbed/DESIGN.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(design), "\n### Budgets\n")
	section, _, _ = strings.Cut(section, "\n#")
	if !found {
		t.Fatal("testbed/DESIGN.md has no section Budgets")
	}
	for _, s := range p.ForTier(plan.Default) {
		if row := fmt.Sprintf("| %s | %s | ", s.Name, budget(s)); !strings.Contains(section, row) {
			t.Errorf("testbed/DESIGN.md: Budgets has no row %q; './exa test --table' prints the table", row)
		}
	}
}
