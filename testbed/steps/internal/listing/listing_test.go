package listing

import (
	"bytes"
	"strings"
	"testing"

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
	for i, want := range []string{"LAST", "61 s !", "60 s ", "-", "! longer than its budget: 1 steps"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d: %q without %q", i, lines[i], want)
		}
	}
}
