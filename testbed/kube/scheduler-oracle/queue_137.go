//go:build !before137

package main

import (
	"fmt"
	_ "unsafe" // go:linkname

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	internalqueue "k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

//go:linkname losePatience k8s.io/kubernetes/pkg/scheduler/backend/queue.(*PriorityQueue).flushUnschedulableEntitiesLeftover
func losePatience(q *internalqueue.PriorityQueue, logger klog.Logger)

// pop is the pod whose turn it is. Groups take turns only where kube-scheduler is told to know them.
func (r *queueRun) pop() (string, error) {
	first, err := r.queue.Pop(r.logger)
	if err != nil || first == nil {
		return "", err
	}
	info, is := first.(*framework.QueuedPodInfo)
	if !is {
		return "", fmt.Errorf("it is the turn of a %T", first)
	}
	return r.take(info), nil
}

// waiting is what the queue knows of a pod that waits.
func (r *queueRun) waiting(pod *v1.Pod) (*framework.QueuedPodInfo, bool) {
	return r.queue.GetPod(pod.Name, pod.Namespace, pod.Spec.SchedulingGroup)
}

// isGroup is never true: scripts of this version have no groups of pods.
func isGroup(runtime.Object) bool { return false }

func (r *queueRun) placeGroup(object runtime.Object) (string, cache.Indexer) {
	panic(fmt.Sprintf("no store for %T", object))
}
