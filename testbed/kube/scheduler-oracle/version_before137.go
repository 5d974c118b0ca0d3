//go:build before137

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	resourceslicetracker "k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/kubernetes/pkg/scheduler/backend/queue"
)

// dequeue takes a pod out of the queue.
func dequeue(q queue.SchedulingQueue, pod *v1.Pod) { q.Delete(pod) }

// taintsOfRules does nothing: administrators taint devices from 1.37 on.
func taintsOfRules(*resourceslicetracker.Options, informers.SharedInformerFactory) {}
