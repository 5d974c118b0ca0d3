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
	"io"
	"os"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// queueMode is what -queue does, in the versions that it was written for.
var queueMode func(in io.Reader, out io.Writer) error

func main() {
	configuration := flag.String("config", "", "a KubeSchedulerConfiguration whose first profile takes the place of the default one")
	queue := flag.Bool("queue", false, "read scripts of what happens to the scheduling queue, and say what it is after each step")
	onlyNumbers := flag.Bool("numbers", false, "print digests of what Go makes of formulas, and end")
	flag.Parse()
	if *onlyNumbers {
		numbers(os.Stdout)
		return
	}
	klog.LogToStderr(false)
	klog.SetOutput(discard{})
	metrics.Register()
	if *queue {
		if queueMode == nil {
			fmt.Fprintln(os.Stderr, "scheduler-oracle: not built for queues of this version")
			os.Exit(1)
		}
		if err := queueMode(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "scheduler-oracle:", err)
			os.Exit(1)
		}
		return
	}
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
