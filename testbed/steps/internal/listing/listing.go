// Package listing shows the steps, and how their last runs compare with their budgets.
package listing

import (
	"fmt"
	"io"
	"text/tabwriter"

	"exaplane.io/testbed/steps/internal/plan"
	"exaplane.io/testbed/steps/internal/results"
)

// List shows name, tier, budget, last duration and title of each step, and how many took longer than their budgets.
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
	if err := w.Flush(); err != nil || over == 0 {
		return err
	}
	_, err := fmt.Fprintf(out, "! longer than its budget: %d steps\n", over)
	return err
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

// Table shows, as Markdown, what each step's last run took beside its budget.
func Table(out io.Writer, p *plan.Plan, store results.Store) error {
	fmt.Fprint(out, "| step | budget, s | took, s | CPU, s | tests |\n|---|---:|---:|---:|---:|\n")
	for _, s := range p.Steps {
		r := store.Last(s.Name)
		if r == nil {
			continue
		}
		fmt.Fprintf(out, "| %s | %s | %.0f | %.0f | %d |\n", s.Name, budget(s), r.Seconds, r.CPUSeconds, r.Passed+r.Failed)
	}
	return nil
}

func budget(s *plan.Step) string {
	if s.IsPreparation() {
		return ""
	}
	return fmt.Sprintf("%.0f", s.BudgetMinutes*60)
}

// shownFrom is the shortest time of a class in the table.
const shownFromS = 2

// Classes shows, as Markdown, the test classes of each step's last run that took longest.
func Classes(out io.Writer, p *plan.Plan, store results.Store) error {
	fmt.Fprint(out, "| step | class | tests | took, s |\n|---|---|---:|---:|\n")
	for _, s := range tests(p) {
		r := store.Last(s.Name)
		if r == nil {
			continue
		}
		for _, c := range r.Classes {
			if c.Seconds >= shownFromS {
				fmt.Fprintf(out, "| %s | %s | %d | %.1f |\n", s.Name, c.Name, c.Tests, c.Seconds)
			}
		}
	}
	return nil
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
