package runner

import (
	"slices"

	"exaplane.io/testbed/steps/internal/plan"
)

// A State is where a step stands in a run.
type State int

const (
	Waiting State = iota
	Running
	Passed
	Failed
	// NotRun is a step whose need failed.
	NotRun
)

// rounding is what a sum of tenths of cores may be off.
const rounding = 1e-9

// Limits are what steps that run beside each other share: the cores of this machine, and the room for pods on the cluster's node.
type Limits struct {
	Cores float64
	Room  int
}

// next picks the steps to start now, in the plan's order: their needs passed, what goes before them has ended, nobody holds what they hold, the node has room for their pods, and the
// cores suffice. No step overtakes one that only waits for cores; one that wants more than all of them runs alone. lost are steps that can never run.
func next(steps []*plan.Step, states map[string]State, limits Limits) (start, lost []*plan.Step) {
	used, asked := 0.0, 0
	var held []string
	take := func(s *plan.Step) {
		used += s.Cores
		asked += s.Requests
		held = append(held, s.Holds...)
	}
	for _, s := range steps {
		if states[s.Name] == Running {
			take(s)
		}
	}
	for _, s := range steps {
		if states[s.Name] != Waiting {
			continue
		}
		if slices.ContainsFunc(s.Needs, func(need string) bool { return states[need] == Failed || states[need] == NotRun }) {
			lost = append(lost, s)
			continue
		}
		ready := !slices.ContainsFunc(s.Needs, func(need string) bool { return states[need] != Passed }) &&
			!slices.ContainsFunc(s.After, func(before string) bool { return among(steps, before) && states[before] <= Running }) &&
			!slices.ContainsFunc(s.Holds, func(name string) bool { return slices.Contains(held, name) }) &&
			(s.Requests == 0 || asked+s.Requests <= limits.Room)
		if !ready {
			continue
		}
		if used > 0 && used+s.Cores > limits.Cores+rounding {
			return start, lost // or smaller ones behind it would keep it waiting for ever
		}
		start = append(start, s)
		take(s)
	}
	return start, lost
}

func among(steps []*plan.Step, name string) bool {
	return slices.ContainsFunc(steps, func(s *plan.Step) bool { return s.Name == name })
}
