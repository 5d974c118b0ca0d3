// Command scheduler-oracle asks the real kube-scheduler framework what it decides. It reads one scenario a line from standard
// input and writes one answer a line for each of its steps: the verdict of the filters on every node, the scores of the feasible
// ones by plugin, and what preemption would do. Nothing in it decides anything itself.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

func main() {
	configuration := flag.String("config", "", "a KubeSchedulerConfiguration whose first profile takes the place of the default one")
	onlyNumbers := flag.Bool("numbers", false, "print digests of what Go makes of formulas, and end")
	flag.Parse()
	if *onlyNumbers {
		numbers(os.Stdout)
		return
	}
	klog.LogToStderr(false)
	klog.SetOutput(discard{})
	metrics.Register()
	if err := answer(*configuration); err != nil {
		fmt.Fprintln(os.Stderr, "scheduler-oracle:", err)
		os.Exit(1)
	}
}

func answer(configuration string) error {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	decoder := json.NewDecoder(lines)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for decoder.More() {
		var scenario Scenario
		if err := decoder.Decode(&scenario); err != nil {
			return fmt.Errorf("reading a scenario: %w", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		err := scenario.run(ctx, configuration, func(a *Answer) error { return encoder.Encode(a) })
		cancel()
		if err != nil {
			return fmt.Errorf("scenario %s: %w", scenario.ID, err)
		}
	}
	return nil
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
