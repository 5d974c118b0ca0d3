package runner

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"exaplane.io/testbed/steps/internal/plan"
)

// tell shows how a step ended, in one line when all is well.
func (r *Run) tell(s *plan.Step, o outcome, unexpected []string, flaky flakiness) {
	mark := "✓"
	if o.result.Failed > 0 || len(flaky.tests) > 0 && !flaky.told {
		mark = "✗"
	}
	fmt.Fprintf(r.Out, "  %s %s: %s\n", mark, s.Name, summary(s, o))
	if !o.kept && s.IsOver(o.result.Seconds) {
		fmt.Fprintf(r.Out, "  ! %s took longer than its budget of %g minutes\n", s.Name, s.BudgetMinutes)
	}
	for _, f := range o.failures {
		fmt.Fprintf(r.Out, "  ✗ %s\n", f.Test)
		for line := range strings.Lines(f.Message) {
			fmt.Fprintf(r.Out, "      %s\n", strings.TrimRight(line, "\n"))
		}
	}
	if len(o.failures) > 0 {
		fmt.Fprintf(r.Out, "    the whole log is %s\n", o.log)
	}
	for _, name := range o.result.Skipped {
		if !slices.Contains(unexpected, name) {
			fmt.Fprintf(r.Out, "  skipped, as expected: %s\n", name)
		} else if r.UnexpectedFail {
			fmt.Fprintf(r.Out, "  ✗ skipped, and testbed/expected-skips does not list it: %s\n", name)
		} else {
			fmt.Fprintf(r.Out, "  skipped: %s\n", name)
		}
	}
	for _, line := range flaky.lines() {
		fmt.Fprintf(r.Out, "  ! flaky: %s\n", line)
	}
	// Of a step that always runs, any file of the tree counts.
	if o.changed && !s.Always {
		fmt.Fprintf(r.Out, "  ! an input of %s changed while it ran: its result is not kept\n", s.Name)
	}
}

// summary is as "27 passed, kept from 14:02" or "27 passed, 1 failed, 132.1 s, 187 s of CPU".
func summary(s *plan.Step, o outcome) string {
	var parts []string
	if !s.IsPreparation() {
		parts = append(parts, fmt.Sprintf("%d passed", o.result.Passed))
		if o.result.Failed > 0 {
			parts = append(parts, fmt.Sprintf("%d failed", o.result.Failed))
		}
		if n := len(o.result.Skipped); n > 0 {
			parts = append(parts, fmt.Sprintf("%d skipped", n))
		}
	}
	if o.kept {
		return strings.Join(append(parts, "kept from "+when(o.result.Ended, time.Now())), ", ")
	}
	return strings.Join(append(parts, fmt.Sprintf("%.1f s, %.0f s of CPU", o.result.Seconds, o.result.CPUSeconds)), ", ")
}

// when leaves out the date on the same day.
func when(then, now time.Time) string {
	if then.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return then.Format("15:04")
	}
	return then.Format("2006-01-02 15:04")
}

// LastLines name slow steps and flaky tests, sum up the CPU and, in a line of its own, count all tests.
func (t Totals) LastLines() string {
	var text strings.Builder
	if len(t.Slow) > 0 {
		fmt.Fprintf(&text, "over budget: %s\n", strings.Join(t.Slow, ", "))
	}
	if t.CPUSeconds > 0 {
		fmt.Fprintf(&text, "%.0f s of CPU, without the cluster's pods\n", t.CPUSeconds)
	}
	for _, test := range t.Flaky {
		fmt.Fprintf(&text, "flaky: %s\n", test)
	}
	fmt.Fprintf(&text, "%d passed, %d failed, %d skipped\n", t.Passed, t.Failed, t.Skipped)
	return text.String()
}
