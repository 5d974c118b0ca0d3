// Package listing shows the steps, and how their last runs compare with their budgets.
package listing

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"exaplane.io/testbed/steps/internal/plan"
	"exaplane.io/testbed/steps/internal/results"
)

// List shows name, tier, budget, last duration and title of each step; then how many took longer than their budgets, how many tests each tier has, and the tests that were flaky in the
// last month.
func List(out io.Writer, p *plan.Plan, store results.Store) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tTIER\tBUDGET\tLAST\tWHAT")
	over := 0
	for _, s := range tests(p) {
		r := store.Last(s.Name)
		if r != nil && s.IsOver(r.Seconds) {
			over++
		}
		fmt.Fprintf(w, "%s\t%s\t%g min\t%s\t%s\n", s.Name, s.Tier, s.BudgetMinutes, last(s, r), s.Title)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if over > 0 {
		fmt.Fprintf(out, "! longer than its budget: %d steps\n", over)
	}
	var tiers []string
	for _, c := range counts(p, store) {
		tiers = append(tiers, fmt.Sprintf("%s %d (%d of %d steps)", c.tier, c.tests, c.ran, c.steps))
	}
	fmt.Fprintf(out, "tests of the last runs: %s\n", strings.Join(tiers, ", "))
	for _, r := range store.AllFlaky() {
		for _, test := range r.Failures {
			fmt.Fprintf(out, "flaky: %s (%s), %s\n", test, r.Step, r.Ended.Format("2006-01-02 15:04"))
		}
	}
	return nil
}

// A count is how many tests the steps of one tier alone had in their last runs, and how many of them have run.
type count struct {
	tier              plan.Tier
	steps, ran, tests int
}

func counts(p *plan.Plan, store results.Store) []count {
	all := []count{{tier: plan.Fast}, {tier: plan.Default}, {tier: plan.Long}}
	for _, s := range tests(p) {
		for i := range all {
			if all[i].tier != s.Tier {
				continue
			}
			all[i].steps++
			if r := store.Last(s.Name); r != nil {
				all[i].ran++
				all[i].tests += r.Passed + r.Failed
			}
		}
	}
	return all
}

// last is as "226 s", with a mark behind a time above the budget.
func last(s *plan.Step, r *results.Result) string {
	switch {
	case r == nil:
		return "-"
	case s.IsOver(r.Seconds):
		return fmt.Sprintf("%.0f s !", r.Seconds)
	}
	return fmt.Sprintf("%.0f s", r.Seconds)
}

// Table shows, as Markdown, what the last run of each step of a tier took beside its budget, and how many tests each tier has. Of preparations, it shows those that have run.
func Table(out io.Writer, p *plan.Plan, store results.Store, tier plan.Tier) error {
	fmt.Fprint(out, "| step | budget, s | took, s (CPU) | tests |\n|---|---:|---:|---:|\n")
	for _, s := range p.WithNeeds(p.ForTier(tier)) {
		r := store.Last(s.Name)
		switch {
		case r != nil && s.IsPreparation():
			fmt.Fprintf(out, "| %s |  | %.0f (%.0f) |  |\n", s.Name, r.Seconds, r.CPUSeconds)
		case r != nil:
			fmt.Fprintf(out, "| %s | %s | %.0f (%.0f) | %d |\n", s.Name, budget(s), r.Seconds, r.CPUSeconds, r.Passed+r.Failed)
		case !s.IsPreparation():
			fmt.Fprintf(out, "| %s | %s |  |  |\n", s.Name, budget(s))
		}
	}
	fmt.Fprint(out, "\n| tier | steps | of them have run | tests |\n|---|---:|---:|---:|\n")
	for _, c := range counts(p, store) {
		fmt.Fprintf(out, "| %s | %d | %d | %d |\n", c.tier, c.steps, c.ran, c.tests)
	}
	return nil
}

func budget(s *plan.Step) string { return fmt.Sprintf("%.0f", s.BudgetMinutes*60) }

// shownFrom is the shortest time of a class in the table.
const shownFromS = 2

// Classes shows, as Markdown, the test classes of each step's last run that took longest, and where their seconds went. The last column is the class's own work, and that of others which
// it asks to be done at once. Neither Maven nor the build of an image runs within a class: those are steps, and Table has their rows.
func Classes(out io.Writer, p *plan.Plan, store results.Store) error {
	fmt.Fprint(out, "| step | class | tests | took, s | with set-up | starts | waits | other |\n|---|---|---:|---:|---:|---:|---:|---:|\n")
	for _, s := range tests(p) {
		r := store.Last(s.Name)
		if r == nil {
			continue
		}
		for _, c := range r.Classes {
			if whole(c) >= shownFromS {
				fmt.Fprintf(out, "| %s | %s | %d | %.1f |%s\n", s.Name, c.Name, c.Tests, c.Seconds, causes(c.Spent))
			}
		}
	}
	return nil
}

func whole(c results.Class) float64 {
	if c.Spent == nil {
		return c.Seconds
	}
	return max(c.Seconds, c.Spent.Whole)
}

// causes are the last four columns, which are empty for a class that starts and waits for nothing that is counted.
func causes(s *results.Spent) string {
	if s == nil {
		return "  |  |  |  |"
	}
	return fmt.Sprintf(" %.1f | %.1f | %.1f | %.1f |", s.Whole, s.Starts, s.Waits, max(0, s.Whole-s.Starts-s.Waits))
}

func tests(p *plan.Plan) []*plan.Step {
	var steps []*plan.Step
	for _, s := range p.Steps {
		if !s.IsPreparation() {
			steps = append(steps, s)
		}
	}
	return steps
}
