package runner

import (
	"fmt"
	"slices"
	"time"

	"exaplane.io/testbed/steps/internal/plan"
)

// flakiness is what is known of tests that failed before with the inputs with which their step passes now.
type flakiness struct {
	step  string
	tests []string
	// failed is when the step last failed with these inputs; told says that a run after that has passed, and has counted the tests as failed.
	failed time.Time
	told   bool
}

// flaky looks whether the step failed before with the same key, and passes now. The first run that passes after a failure counts the tests as failed, and leaves a record: whoever runs
// the step again has read their names, and passes. A test that is skipped now has not passed.
func (r *Run) flaky(s *plan.Step, o outcome) flakiness {
	if o.kept || !o.belongs() || o.result.Failed > 0 {
		return flakiness{}
	}
	before := r.Results.FailedBefore(o.key)
	if before == nil {
		return flakiness{}
	}
	tests := slices.DeleteFunc(slices.Clone(before.Failures), func(test string) bool { return slices.Contains(o.result.Skipped, test) })
	known := r.Results.Flaky(o.key)
	return flakiness{s.Name, tests, before.Ended, known != nil && known.Ended.After(before.Ended)}
}

// lines name each test, with what it means for this run.
func (f flakiness) lines() []string {
	meaning := "and passes now: it counts as failed in this run"
	if f.told {
		meaning = "and has passed since: a run before this one counted it as failed"
	}
	var lines []string
	for _, test := range f.tests {
		lines = append(lines, fmt.Sprintf("%s failed with the same inputs (%s, last at %s), %s", test, f.step, f.failed.Format("2006-01-02 15:04"), meaning))
	}
	return lines
}
