// Command steps runs the steps of './exa test'. The launcher calls it; steps.yaml says what the steps are, testbed/launch/steps.sh what each does.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"exaplane.io/testbed/steps/internal/environment"
	"exaplane.io/testbed/steps/internal/inputs"
	"exaplane.io/testbed/steps/internal/listing"
	"exaplane.io/testbed/steps/internal/options"
	"exaplane.io/testbed/steps/internal/plan"
	"exaplane.io/testbed/steps/internal/results"
	"exaplane.io/testbed/steps/internal/runner"
)

// launcherLock is the descriptor by which the launcher holds the lock of a run.
const launcherLock = 8

func main() {
	// The lock ends with this process, not with what a step leaves running.
	syscall.CloseOnExec(launcherLock)
	o, err := options.Parse(os.Args[1:])
	if err == nil {
		err = command(o)
	}
	var failed failure
	switch {
	case errors.As(err, &failed):
		os.Exit(1)
	case err != nil:
		fmt.Fprintf(os.Stderr, "\nerror: %v\n", err)
		os.Exit(2)
	}
}

// failure says that tests failed, which the last line has told already.
type failure struct{}

func (failure) Error() string { return "tests failed" }

func command(o options.Options) error {
	home, cache := os.Getenv("EXA_HOME"), os.Getenv("EXA_CACHE")
	if home == "" || cache == "" {
		return errors.New("EXA_HOME or EXA_CACHE is not set\n  next: use './exa test', which sets them")
	}
	p, err := plan.Load(filepath.Join(home, "testbed/steps/steps.yaml"))
	if err != nil {
		return err
	}
	store := results.Store{Folder: filepath.Join(cache, "test-results")}
	switch o.Command {
	case options.List:
		return listing.List(os.Stdout, p, store)
	case options.Table:
		return listing.Table(os.Stdout, p, store, o.Tier)
	case options.Classes:
		return listing.Classes(os.Stdout, p, store)
	}
	wanted, err := chosen(p, o)
	if err != nil {
		return err
	}
	return run(p, store, wanted, o, home, cache)
}

func chosen(p *plan.Plan, o options.Options) ([]*plan.Step, error) {
	if len(o.Only) == 0 {
		return p.ForTier(o.Tier), nil
	}
	steps, err := p.Named(o.Only)
	if o.Tests != "" {
		for _, s := range steps {
			s.ChooseTests(o.Tests)
		}
	}
	return steps, err
}

func run(p *plan.Plan, store results.Store, wanted []*plan.Step, o options.Options, home, cache string) error {
	modules, err := inputs.ReadModules(home)
	if err != nil {
		return err
	}
	tools, err := environment.Describe()
	if err != nil {
		return err
	}
	logs := os.Getenv("EXA_TEST_LOGS")
	if logs == "" {
		logs = filepath.Join(cache, "test-logs")
	}
	if err := errors.Join(os.RemoveAll(logs), os.MkdirAll(logs, 0o755), store.Prune()); err != nil {
		return err
	}
	skips, err := expectedSkips(filepath.Join(home, "testbed/expected-skips"))
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	deriver := &runner.Deriver{Home: home}
	r := runner.Run{
		Plan: p, Keys: &inputs.Keys{Plan: p, Modules: modules, Environment: tools, Packages: environment.Packages, Derive: deriver.Derive}, Results: store, Home: home, Logs: logs,
		Cores: float64(runtime.NumCPU()), Again: o.Again || o.Sealed || o.Tier == plan.Long, Sealed: o.Sealed || o.Tier == plan.Long, KeepNone: o.Tier == plan.Long,
		ExpectedSkips: skips, UnexpectedFail: os.Getenv("CI") == "true", Out: os.Stdout,
	}
	totals, err := r.Steps(ctx, wanted)
	if err != nil {
		totals.Failed++ // a run that was cut short
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
	}
	fmt.Print(totals.LastLines())
	if totals.Failed > 0 {
		return failure{}
	}
	return nil
}

func expectedSkips(file string) ([]string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			names = append(names, line)
		}
	}
	return names, nil
}
