// Command scheduler-perf runs the real kube-scheduler on a fake API in this process, and prints how many pods it placed a second, how many it would
// have placed in the time that its own metric calls scheduling algorithm, and the CPU time of a pod in microseconds. It reads a workload as
// benchmarks/scheduler writes it: objects, init pods (not timed), measured pods, and how many of those find a node.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/events"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

// Workload is what benchmarks/scheduler writes.
type Workload struct {
	Objects  []json.RawMessage `json:"objects"`
	Init     []*corev1.Pod     `json:"init"`
	Measured []*corev1.Pod     `json:"measured"`
	Placed   int64             `json:"placed"`
}

func main() {
	// The fake API's watches panic where somebody does not keep up with them.
	watch.DefaultChanSize = 1 << 20
	limit := flag.Duration("limit", 3*time.Minute, "the longest that the measured pods may take; what was placed by then counts")
	flag.Parse()
	klog.LogToStderr(false)
	klog.SetOutput(discard{})
	if err := run(*limit); err != nil {
		fmt.Fprintln(os.Stderr, "scheduler-perf:", err)
		os.Exit(1)
	}
}

func run(limit time.Duration) error {
	var workload Workload
	if err := json.NewDecoder(os.Stdin).Decode(&workload); err != nil {
		return fmt.Errorf("reading the workload: %w", err)
	}
	objects := make([]runtime.Object, 0, len(workload.Objects))
	for _, raw := range workload.Objects {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
		if err != nil {
			return fmt.Errorf("reading an object: %w", err)
		}
		objects = append(objects, object)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// The simple one: the other keeps managed fields, which costs more than scheduling does.
	client := fake.NewSimpleClientset(objects...)
	var bound atomic.Int64
	bindAtOnce(client, &bound)
	factory := informers.NewSharedInformerFactory(client, 0)
	recorder := func(string) events.EventRecorderLogger { return silent{} }
	s, err := scheduler.New(ctx, client, factory, nil, profile.RecorderFactory(recorder))
	if err != nil {
		return fmt.Errorf("making the scheduler: %w", err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	if err := s.WaitForHandlersSync(ctx); err != nil {
		return fmt.Errorf("reading what is there: %w", err)
	}
	go s.Run(ctx)
	if err := create(ctx, client, workload.Init); err != nil {
		return err
	}
	if !wait(&bound, int64(len(workload.Init)), 10*time.Minute) {
		return fmt.Errorf("only %d of %d init pods were placed", bound.Load(), len(workload.Init))
	}
	bound.Store(0)
	cpu, algorithm, begin := cpuSeconds(), algorithmSeconds(), time.Now()
	failed := make(chan error, 1)
	go func() { failed <- create(ctx, client, workload.Measured) }()
	wait(&bound, workload.Placed, limit)
	placed, seconds := float64(bound.Load()), time.Since(begin).Seconds()
	if placed == 0 {
		return fmt.Errorf("nothing was placed within %s", limit)
	}
	select {
	case err := <-failed:
		if err != nil {
			return err
		}
	default:
	}
	fmt.Printf("%.1f %.1f %.0f %.0f\n", placed/seconds, placed/(algorithmSeconds()-algorithm), 1e6*(cpuSeconds()-cpu)/placed, placed)
	return nil
}

// bindAtOnce lets a binding come true, as kube-apiserver does; the fake API only remembers it.
func bindAtOnce(client *fake.Clientset, bound *atomic.Int64) {
	client.PrependReactor("create", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if action.GetSubresource() != "binding" {
			return false, nil, nil
		}
		binding := action.(clienttesting.CreateAction).GetObject().(*corev1.Binding)
		pods := corev1.SchemeGroupVersion.WithResource("pods")
		found, err := client.Tracker().Get(pods, action.GetNamespace(), binding.Name)
		if err != nil {
			return true, nil, err
		}
		pod := found.(*corev1.Pod).DeepCopy()
		pod.Spec.NodeName = binding.Target.Name
		if err := client.Tracker().Update(pods, pod, action.GetNamespace()); err != nil {
			return true, nil, err
		}
		bound.Add(1)
		return true, binding, nil
	})
}

func create(ctx context.Context, client *fake.Clientset, pods []*corev1.Pod) error {
	for _, pod := range pods {
		if _, err := client.CoreV1().Pods(pod.Namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating a pod: %w", err)
		}
	}
	return nil
}

func wait(bound *atomic.Int64, count int64, limit time.Duration) bool {
	end := time.Now().Add(limit)
	for bound.Load() < count {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

// algorithmSeconds is the sum of scheduler_scheduling_algorithm_duration_seconds: filters, scores and the choice, no API and no queue.
func algorithmSeconds() float64 {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		return 0
	}
	for _, family := range families {
		if family.GetName() == "scheduler_scheduling_algorithm_duration_seconds" {
			sum := 0.0
			for _, metric := range family.GetMetric() {
				sum += metric.GetHistogram().GetSampleSum()
			}
			return sum
		}
	}
	return 0
}

// silent is a recorder of events that nobody reads.
type silent struct{}

func (silent) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...interface{}) {
}

func (s silent) WithLogger(klog.Logger) events.EventRecorderLogger { return s }

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
