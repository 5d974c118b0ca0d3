// Package runner runs steps: beside each other where the cores suffice, from kept results where nothing changed, and tells people how it goes.
package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"exaplane.io/testbed/steps/internal/inputs"
	"exaplane.io/testbed/steps/internal/plan"
	"exaplane.io/testbed/steps/internal/reports"
	"exaplane.io/testbed/steps/internal/results"
)

// A Run is one call of './exa test'.
type Run struct {
	Plan    *plan.Plan
	Keys    *inputs.Keys
	Results results.Store
	// Home is the checkout; Logs is an empty folder for logs and reports.
	Home, Logs string
	Cores      float64
	// Again ignores kept results.
	Again bool
	// Sealed runs each step in a tree of its declared inputs alone.
	Sealed bool
	// KeepNone keeps no result that passed. A failure is remembered all the same.
	KeepNone bool
	// ExpectedSkips are tests that may be skipped; UnexpectedFail says that others fail the run.
	ExpectedSkips  []string
	UnexpectedFail bool
	Out            io.Writer

	states map[string]State
	tree   inputs.Tree
	total  Totals
	// briefPods says that no step asks how fast the cluster's pods are.
	briefPods bool
}

// Totals are the counts of a run.
type Totals struct {
	Passed, Failed, Skipped int
	// Flaky are tests that failed before with the inputs with which they passed now. Those that no run has counted yet are among Failed.
	Flaky []string
	// Slow are steps that took longer than their budgets, each with both times in seconds.
	Slow []string
	// CPUSeconds of all steps that ran, without the cluster's pods.
	CPUSeconds float64
}

type ended struct {
	step    *plan.Step
	outcome outcome
}

// outcome is what a step came to, or the kept result that stands for it.
type outcome struct {
	result   *results.Result
	failures []reports.Failure
	kept     bool
	log      string
	// changed says that an input changed while the step ran, and cut that the run was cut short: such a result belongs to no key.
	changed, cut bool
	key          string
}

// belongs says that the outcome is one of its key.
func (o outcome) belongs() bool { return o.key != "" && !o.changed && !o.cut }

// Steps runs these steps and what they need, and returns the counts.
func (r *Run) Steps(ctx context.Context, wanted []*plan.Step) (Totals, error) {
	tree, err := inputs.ReadTree(r.Home)
	if err != nil {
		return r.total, err
	}
	r.tree, r.states = tree, map[string]State{}
	// What was asked for decides, not what is left to run: keys have it.
	r.briefPods = !slices.ContainsFunc(r.Plan.WithNeeds(wanted), func(s *plan.Step) bool { return s.Tier == plan.Long })
	wanted, err = r.takeKept(wanted)
	if err != nil {
		return r.total, err
	}
	steps := r.Plan.WithNeeds(wanted)
	events := make(chan ended)
	running := 0
	for {
		if ctx.Err() == nil {
			start, lost := next(steps, r.states, Limits{r.Cores, r.Plan.Room})
			for _, s := range lost {
				r.states[s.Name] = NotRun
				r.lose(s)
			}
			for _, s := range start {
				r.states[s.Name] = Running
				running++
				fmt.Fprintf(r.Out, "▸ %s: %s\n", s.Name, s.Title)
				go func() { events <- ended{s, r.runStep(ctx, s)} }()
			}
			if len(lost) > 0 && len(start) == 0 {
				continue // what needs them is lost too
			}
		}
		if running == 0 {
			break
		}
		e := <-events
		running--
		if err := r.finish(e.step, e.outcome); err != nil {
			return r.total, err
		}
	}
	return r.total, ctx.Err()
}

// takeKept counts the steps that passed with exactly these inputs, and returns the others.
func (r *Run) takeKept(wanted []*plan.Step) ([]*plan.Step, error) {
	var left []*plan.Step
	for _, s := range wanted {
		// What is derived is made by a step that these need.
		if s.Always || r.Again || r.Plan.IsDerived(s) {
			left = append(left, s)
			continue
		}
		key, err := r.key(r.tree, s)
		if err != nil {
			return nil, err
		}
		kept := r.kept(key)
		if kept == nil {
			left = append(left, s)
		} else if err := r.finish(s, outcome{result: kept, kept: true}); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// key is that of all that the step's result depends on. A step that always runs may read any file of the tree: its key says only that nothing at all has changed.
func (r *Run) key(tree inputs.Tree, s *plan.Step) (string, error) {
	keys := *r.Keys
	if r.Plan.HasPods(s) {
		keys.Settings = r.brief()
	}
	if s.Always {
		return keys.OfAll(tree, s)
	}
	return keys.Key(tree, s)
}

// brief is the variable by which images and pods know whether a step asks how fast they are. It is set in either case: a run inside another one inherits what that has.
func (r *Run) brief() string {
	if r.briefPods {
		return "EXA_BRIEF_PODS=yes"
	}
	return "EXA_BRIEF_PODS="
}

// kept is the result of a run with this key that counts for this one too, or nil.
func (r *Run) kept(key string) *results.Result {
	kept := r.Results.Kept(key)
	if kept == nil || len(r.unexpected(kept.Skipped)) > 0 || r.Results.Used(key) != nil {
		return nil
	}
	return kept
}

// unexpected are the skips that no list expects.
func (r *Run) unexpected(skips []string) []string {
	return slices.DeleteFunc(slices.Clone(skips), func(name string) bool { return slices.Contains(r.ExpectedSkips, name) })
}

func (r *Run) lose(s *plan.Step) {
	fmt.Fprintf(r.Out, "  ✗ %s: not run, since a step that it needs failed\n", s.Name)
	if !s.IsPreparation() {
		r.total.Failed++
	}
}

func (r *Run) runStep(ctx context.Context, s *plan.Step) outcome {
	o := outcome{result: &results.Result{Step: s.Name}, log: filepath.Join(r.Logs, s.Name+".log")}
	start := time.Now()
	var err error
	if !s.IsPreparation() {
		o.key, err = r.key(r.tree, s)
	}
	if o.key != "" && !s.Always && !r.Again {
		if kept := r.kept(o.key); kept != nil {
			return outcome{result: kept, kept: true}
		}
	}
	if err == nil {
		err = r.execute(ctx, s, &o)
	}
	o.result.Seconds, o.result.Ended = time.Since(start).Seconds(), time.Now()
	r.count(s, &o, err)
	o.cut = ctx.Err() != nil
	if o.key != "" {
		o.changed = r.hasChanged(s, o.key)
	}
	return o
}

// execute runs the step's function with its output in its log.
func (r *Run) execute(ctx context.Context, s *plan.Step, o *outcome) error {
	home := r.Home
	if r.Sealed && len(s.Inputs) > 0 {
		sealed, err := r.seal(s)
		if err != nil {
			return err
		}
		defer os.RemoveAll(sealed)
		home = sealed
	}
	log, err := os.Create(o.log)
	if err != nil {
		return err
	}
	defer log.Close()
	folder := r.reports(s)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, "bash", filepath.Join(home, "testbed/launch/steps.sh"), s.Function())
	c.Dir, c.Stdout, c.Stderr = home, log, log
	c.Env = append(os.Environ(), "EXA_HOME="+home, "EXA_REPORTS="+folder, "EXA_STEP_LOGS="+r.Logs, r.brief())
	for name, value := range s.Variables {
		c.Env = append(c.Env, name+"="+value)
	}
	// A group of its own, so that what a step started ends with it when the run is cut short.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
	c.WaitDelay = 30 * time.Second
	err = c.Run()
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.result.CPUSeconds = time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
	}
	return err
}

func (r *Run) reports(s *plan.Step) string { return filepath.Join(r.Logs, "reports", s.Name) }

// count fills in the result from the step's reports; a step without any is a test by itself.
func (r *Run) count(s *plan.Step, o *outcome, err error) {
	counts, readErr := reports.Read(r.reports(s))
	err = errors.Join(err, readErr)
	o.failures = counts.Failures
	switch {
	case err != nil && len(counts.Failures) == 0:
		o.failures = []reports.Failure{{Test: s.Name, Message: tail(o.log, err)}}
	case err == nil && !counts.Any() && !s.IsPreparation():
		counts.Passed = 1
	}
	o.result.Passed, o.result.Failed, o.result.Skipped, o.result.Classes = counts.Passed, len(o.failures), counts.Skipped, counts.Classes
	for _, f := range o.failures {
		o.result.Failures = append(o.result.Failures, f.Test)
	}
}

const tailLines = 30

// tail is the end of a log, which says why its step failed.
func tail(log string, err error) string {
	content, readErr := os.ReadFile(log)
	if readErr != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	return err.Error() + "\n" + strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}

// hasChanged reads the tree anew: somebody may have edited it meanwhile.
func (r *Run) hasChanged(s *plan.Step, key string) bool {
	tree, err := inputs.ReadTree(r.Home)
	if err != nil {
		return true
	}
	now, err := r.key(tree, s)
	return err != nil || now != key
}

// finish counts an outcome, tells it, and keeps it.
func (r *Run) finish(s *plan.Step, o outcome) error {
	r.states[s.Name] = Passed
	if o.result.Failed > 0 {
		r.states[s.Name] = Failed
	}
	unexpected := r.unexpected(o.result.Skipped)
	if s.IsPreparation() {
		r.total.Failed += min(1, o.result.Failed)
	} else {
		r.total.Passed += o.result.Passed
		r.total.Failed += o.result.Failed
		r.total.Skipped += len(o.result.Skipped)
	}
	if r.UnexpectedFail {
		r.total.Failed += len(unexpected)
	}
	flaky := r.flaky(s, o)
	if !flaky.told {
		r.total.Failed += len(flaky.tests)
	}
	r.total.Flaky = append(r.total.Flaky, flaky.lines()...)
	r.tell(s, o, unexpected, flaky)
	if o.kept {
		return nil
	}
	r.total.CPUSeconds += o.result.CPUSeconds
	if s.IsOver(o.result.Seconds) {
		r.total.Slow = append(r.total.Slow, fmt.Sprintf("%s %.0f of %.0f s", s.Name, o.result.Seconds, s.BudgetMinutes*60))
	}
	return r.keep(s, o, unexpected, flaky)
}

func (r *Run) keep(s *plan.Step, o outcome, unexpected []string, flaky flakiness) error {
	// What a part of a step's tests came to says nothing about the step.
	if !s.IsPart() {
		if err := r.Results.Note(o.result); err != nil {
			return err
		}
	}
	if !o.belongs() {
		return nil
	}
	if len(flaky.tests) > 0 && !flaky.told {
		if err := r.Results.KeepFlaky(o.key, s.Name, flaky.tests, time.Now()); err != nil {
			return err
		}
	}
	if o.result.Failed == 0 && (s.Always || r.KeepNone || len(unexpected) > 0) {
		return nil
	}
	return r.Results.Keep(o.key, o.result)
}
