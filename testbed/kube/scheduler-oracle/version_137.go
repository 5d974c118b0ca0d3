//go:build !before137

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	resourceslicetracker "k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/backend/queue"
)

// dequeue takes a pod out of the queue.
func dequeue(q queue.SchedulingQueue, pod *v1.Pod) { q.Delete(klog.Background(), pod) }

// taintsOfRules lets devices have the taints that administrators give them.
func taintsOfRules(options *resourceslicetracker.Options, factory informers.SharedInformerFactory) {
	options.EnableDeviceTaintRules = true
	options.TaintInformer = factory.Resource().V1().DeviceTaintRules()
}
