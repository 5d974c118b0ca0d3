//go:build !before136 && before137

package main

import (
	"errors"
	"strings"
	_ "unsafe" // go:linkname

	v1 "k8s.io/api/core/v1"
	schedulingapi "k8s.io/api/scheduling/v1alpha2"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	internalqueue "k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

//go:linkname losePatience k8s.io/kubernetes/pkg/scheduler/backend/queue.(*PriorityQueue).flushUnschedulablePodsLeftover
func losePatience(q *internalqueue.PriorityQueue, logger klog.Logger)

// pop is the pod whose turn it is, and with it its group, as podGroupInfoForPod has it; in the order of their names.
func (r *queueRun) pop() (string, error) {
	first, err := r.queue.Pop(r.logger)
	if err != nil || first == nil {
		return "", err
	}
	uids := []string{r.take(first)}
	if group := first.Pod.Spec.SchedulingGroup; group != nil && utilfeature.DefaultFeatureGate.Enabled("GangScheduling") {
		state, err := r.scheduler.Cache.PodGroupStates().Get(first.Pod.Namespace, *group.PodGroupName)
		if err != nil {
			return "", err
		}
		for _, pod := range state.UnscheduledPods() {
			if pod.Name == first.Pod.Name {
				continue
			}
			if info := r.queue.PopSpecificPod(r.logger, pod); info != nil {
				uids = append(uids, r.take(info))
			}
		}
	}
	return strings.Join(sorted(uids), " "), nil
}

// waiting is what the queue knows of a pod that waits.
func (r *queueRun) waiting(pod *v1.Pod) (*framework.QueuedPodInfo, bool) {
	return r.queue.GetPod(pod.Name, pod.Namespace)
}

func isGroup(object runtime.Object) bool {
	_, is := object.(*schedulingapi.PodGroup)
	return is
}

// placeGroup is place for a group of pods.
func (r *queueRun) placeGroup(object runtime.Object) (string, cache.Indexer) {
	group := object.(*schedulingapi.PodGroup)
	return "PodGroup/" + group.Namespace + "/" + group.Name, r.factory.Scheduling().V1alpha2().PodGroups().Informer().GetIndexer()
}

// inTurn is nothing: each pod of a group has its turn by itself.
type inTurn struct{}

func (r *queueRun) groupEnded(string) error { return errors.New("groups have no turns of their own") }

func (r *queueRun) putGroup(before, object runtime.Object) {
	if before == nil {
		r.queue.MoveAllToActiveOrBackoffQueue(r.logger, fwk.ClusterEvent{Resource: fwk.PodGroup, ActionType: fwk.Add}, nil, object, nil)
	}
}

// deleteGroup does nothing: nobody asks for it.
func (r *queueRun) deleteGroup(runtime.Object) {}

// apart are no pods: each has a place of its own.
func (r *queueRun) apart() (afterGroup, withoutGroup []*v1.Pod) { return nil, nil }
