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
	start, lost := next(p.Steps, states, Limits{Cores: 2})
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
	if start, _ := next(p.Steps, map[string]State{}, Limits{Cores: 2, Room: p.Room}); names(start) != "a c" {
		t.Error(names(start))
	}
	if start, _ := next(p.Steps, map[string]State{"a": Failed, "c": Passed}, Limits{Cores: 2}); names(start) != "b" {
		t.Error(names(start))
	}
}

func TestTheNodeHasRoomForThePodsOfStepsBesideEachOther(t *testing.T) {
	p, err := plan.Parse([]byte("room: 1000\nsteps:\n- {name: a, title: t, cores: 0.4, requests: 600}\n- {name: b, title: t, cores: 0.4, requests: 500}\n- {name: c, title: t, cores: 0.4, requests: 400}\n- {name: d, title: t, cores: 0.8}\n"))
	if err != nil {
		t.Fatal(err)
	}
	limits := Limits{2, p.Room}
	if start, _ := next(p.Steps, map[string]State{}, limits); names(start) != "a c d" {
		t.Error(names(start))
	}
	if start, _ := next(p.Steps, map[string]State{"a": Running, "c": Passed, "d": Passed}, limits); names(start) != "" {
		t.Error(names(start))
	}
	if start, _ := next(p.Steps, map[string]State{"a": Failed, "c": Running, "d": Running}, limits); names(start) != "b" {
		t.Error(names(start))
	}
}

// Three tenths are three tenths, whatever their sum is in binary.
func TestTenthsOfCoresAddUp(t *testing.T) {
	p, err := plan.Parse([]byte("steps:\n- {name: a, title: t, cores: 0.1}\n- {name: b, title: t, cores: 0.1}\n- {name: c, title: t, cores: 0.1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if start, _ := next(p.Steps, map[string]State{}, Limits{Cores: 0.3}); names(start) != "a b c" {
		t.Error(names(start))
	}
}

func TestStepsThatEndTheOperatorHaveNobodyBesideThem(t *testing.T) {
	p, err := plan.Load(filepath.Join("../../../..", "testbed/steps/steps.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	alone := p.Step("cluster-alone")
	for _, s := range p.Steps {
		if s.Requests > 0 && !slices.Contains(alone.After, s.Name) {
			t.Errorf("cluster-alone starts beside %s", s.Name)
		}
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
		start, lost := next(all, states, Limits{2, p.Room})
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
	start, _ := next(all, states, Limits{100, p.Room})
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
	if start, _ := next(p.WithNeeds(steps), map[string]State{}, Limits{Cores: 2, Room: p.Room}); names(start) != "java-units" {
		t.Error(names(start))
	}
}
