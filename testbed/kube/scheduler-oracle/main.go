// Command scheduler-oracle asks the real kube-scheduler framework what it decides. It reads one scenario a line from standard
// input and writes one answer a line for each of its steps: the verdict of the filters on every node, the scores of the feasible
// ones by plugin, and what preemption would do. Nothing in it decides anything itself.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// unreadEvents is how many events of a watch the fake client keeps for an informer. It panics at one more, and an informer on a
// busy machine can be a whole scenario of gangs behind.
const unreadEvents = 2_000

// queueMode is what -queue does, in the versions that it was written for.
var queueMode func(in io.Reader, out io.Writer) error

func main() {
	configuration := flag.String("config", "", "a KubeSchedulerConfiguration whose first profile takes the place of the default one")
	queue := flag.Bool("queue", false, "read scripts of what happens to the scheduling queue, and say what it is after each step")
	withGroups := flag.Bool("groups", false, "let kube-scheduler know groups of pods, which it does not by default")
	onlyNumbers := flag.Bool("numbers", false, "print digests of what Go makes of formulas, and end")
	onlySchema := flag.Bool("schema", false, "read a schema of the binary encoding, and print it with the numbers and types of this version")
	onlyBinary := flag.Bool("binary", false, "read objects, one a line, and print each in the binary encoding, in base64")
	flag.Parse()
	watch.DefaultChanSize = unreadEvents
	if mode := map[bool]func(io.Reader, io.Writer) error{*onlySchema: schemaOf, *onlyBinary: binaryOf}[true]; mode != nil {
		if err := mode(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "scheduler-oracle:", err)
			os.Exit(1)
		}
		return
	}
	if *onlyNumbers {
		numbers(os.Stdout)
		return
	}
	klog.LogToStderr(false)
	klog.SetOutput(discard{})
	if *withGroups {
		if err := enableGroups(); err != nil {
			fmt.Fprintln(os.Stderr, "scheduler-oracle:", err)
			os.Exit(1)
		}
	}
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

// atOnce is about how many scenarios are run side by side: each waits a good while until its informers have read everything.
const atOnce = 8

// run is a scenario under way; its answers are whole when err is there.
type run struct {
	answers bytes.Buffer
	err     chan error
}

// answer runs scenarios side by side and writes their answers in the order in which they came.
func answer(configuration string) error {
	runs := make(chan *run, atOnce)
	var reading error
	go func() {
		defer close(runs)
		decoder := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
		for decoder.More() {
			scenario := &Scenario{}
			if err := decoder.Decode(scenario); err != nil {
				reading = fmt.Errorf("reading a scenario: %w", err)
				return
			}
			r := &run{err: make(chan error, 1)}
			runs <- r
			go func() { r.err <- scenario.answer(configuration, &r.answers) }()
		}
	}()
	for r := range runs {
		if err := <-r.err; err != nil {
			return err
		}
		if _, err := r.answers.WriteTo(os.Stdout); err != nil {
			return err
		}
	}
	return reading
}

func (s *Scenario) answer(configuration string, out io.Writer) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := s.run(ctx, configuration, func(a *Answer) error { return encoder.Encode(a) }); err != nil {
		return fmt.Errorf("scenario %s: %w", s.ID, err)
	}
	return nil
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
