package runner

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"exaplane.io/testbed/steps/internal/plan"
)

const steps = `
steps:
- {name: build, title: t, cores: 1.5, holds: [maven]}
- {name: images, title: t, cores: 1, holds: [maven], needs: [build]}
- {name: up, title: t, tier: default, budgetMinutes: 1, cores: 1, needs: [images], always: true}
- {name: small, title: t, tier: default, budgetMinutes: 1, cores: 0.5, needs: [build], always: true}
- {name: large, title: t, tier: default, budgetMinutes: 1, cores: 4, always: true}
- {name: down, title: t, tier: default, budgetMinutes: 1, cores: 1, after: [up], always: true}
`

func started(t *testing.T, states map[string]State) (string, string) {
	t.Helper()
	p, err := plan.Parse([]byte(steps))
	if err != nil {
		t.Fatal(err)
	}
	start, lost := next(p.Steps, states, 2)
	return names(start), names(lost)
}

func names(steps []*plan.Step) string {
	var all []string
	for _, s := range steps {
		all = append(all, s.Name)
	}
	return strings.Join(all, " ")
}

func TestWhatStartsNow(t *testing.T) {
	for _, c := range []struct {
		why    string
		states map[string]State
		start  string
	}{
		{"the first one, and nothing beside it that needs it or more cores than are left", map[string]State{}, "build"},
		{"what needs it, beside each other", map[string]State{"build": Passed}, "images small"},
		{"one that wants more than all cores waits, and nothing overtakes it", map[string]State{"build": Passed, "images": Passed, "up": Passed, "small": Running}, ""},
		{"and runs alone", map[string]State{"build": Passed, "images": Passed, "up": Passed, "small": Passed, "down": Passed}, "large"},
		{"nothing beside one that wants more than all", map[string]State{"build": Passed, "large": Running}, ""},
		{"the end comes after a failure too", map[string]State{"build": Passed, "images": Passed, "up": Failed, "small": Passed, "large": Passed}, "down"},
	} {
		if start, _ := started(t, c.states); start != c.start {
			t.Errorf("%s: %q, wanted %q", c.why, start, c.start)
		}
	}
}

func TestOneHolderAtATime(t *testing.T) {
	p, err := plan.Parse([]byte("steps:\n- {name: a, title: t, cores: 0.5, holds: [cluster]}\n- {name: b, title: t, cores: 0.5, holds: [cluster]}\n- {name: c, title: t, cores: 0.5}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if start, _ := next(p.Steps, map[string]State{}, 2); names(start) != "a c" {
		t.Error(names(start))
	}
	if start, _ := next(p.Steps, map[string]State{"a": Failed, "c": Passed}, 2); names(start) != "b" {
		t.Error(names(start))
	}
}

func TestWhatNeedsAFailedStepIsLost(t *testing.T) {
	if _, lost := started(t, map[string]State{"build": Failed}); lost != "images small" {
		t.Error(lost)
	}
	if _, lost := started(t, map[string]State{"build": Failed, "images": NotRun, "small": NotRun}); lost != "up" {
		t.Error(lost)
	}
}

// The cluster mostly waits, and units mostly compute. Maven writes into the folders that others of its runs and the tests on the cluster read.
func TestTheClusterStartsBesideTheUnitsAndNothingOfMavenDoes(t *testing.T) {
	p, err := plan.Load(filepath.Join("../../../..", "testbed/steps/steps.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	all := p.WithNeeds(p.ForTier(plan.Default))
	states := map[string]State{}
	for i, units := 0, false; i < len(all) && !units; i++ {
		start, lost := next(all, states, 2)
		if len(lost) > 0 || len(start) == 0 {
			t.Fatal("nothing starts", states)
		}
		units = strings.Contains(names(start), "java-units")
		for _, s := range start {
			states[s.Name] = Passed
			if units {
				states[s.Name] = Running
			}
		}
	}
	if states["java-units"] != Running || states["cluster-up"] != Running {
		t.Error(states)
	}
	states["cluster-up"] = Passed
	start, _ := next(all, states, 100)
	for _, s := range start {
		if slices.Contains(s.Holds, "maven") || slices.Contains(s.Needs, "java") {
			t.Errorf("%s starts beside the units", s.Name)
		}
	}
}

func TestUnitsAloneWaitForNothing(t *testing.T) {
	p, err := plan.Load(filepath.Join("../../../..", "testbed/steps/steps.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	steps, err := p.Named([]string{"java-units"})
	if err != nil {
		t.Fatal(err)
	}
	if start, _ := next(p.WithNeeds(steps), map[string]State{}, 2); names(start) != "java-units" {
		t.Error(names(start))
	}
}
