//go:build !before137

package main

import (
	"errors"
	"fmt"
	"strings"
	_ "unsafe" // go:linkname

	v1 "k8s.io/api/core/v1"
	schedulingapi "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	internalqueue "k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

//go:linkname losePatience k8s.io/kubernetes/pkg/scheduler/backend/queue.(*PriorityQueue).flushUnschedulableEntitiesLeftover
func losePatience(q *internalqueue.PriorityQueue, logger klog.Logger)

//go:linkname addPodGroup k8s.io/kubernetes/pkg/scheduler.(*Scheduler).addPodGroup
func addPodGroup(s *scheduler.Scheduler, obj any)

//go:linkname updatePodGroup k8s.io/kubernetes/pkg/scheduler.(*Scheduler).updatePodGroup
func updatePodGroup(s *scheduler.Scheduler, before, after any)

//go:linkname deletePodGroup k8s.io/kubernetes/pkg/scheduler.(*Scheduler).deletePodGroup
func deletePodGroup(s *scheduler.Scheduler, obj any)

// inTurn is the group that was popped, until it was decided about.
type inTurn struct{ group *framework.QueuedPodGroupInfo }

// pop is the pod whose turn it is, or those of the group whose turn it is.
func (r *queueRun) pop() (string, error) {
	first, err := r.queue.Pop(r.logger)
	if err != nil || first == nil {
		return "", err
	}
	switch info := first.(type) {
	case *framework.QueuedPodInfo:
		return r.take(info), nil
	case *framework.QueuedPodGroupInfo:
		r.turn.group = info
		var uids []string
		info.ForEachPodInfo(func(pod *framework.QueuedPodInfo) bool {
			uids = append(uids, r.take(pod))
			return true
		})
		return strings.Join(sorted(uids), " "), nil
	}
	return "", fmt.Errorf("it is the turn of a %T", first)
}

// groupEnded tells that it was decided about the group that was popped.
func (r *queueRun) groupEnded(end string) error {
	statuses := map[string]*fwk.Status{"PLACED": nil, "REFUSED": fwk.NewStatus(fwk.Unschedulable), "FAILED": fwk.AsStatus(errors.New("something went wrong"))}
	status, known := statuses[end]
	if !known || r.turn.group == nil {
		return fmt.Errorf("it is no group's turn, or it cannot end so: %q", end)
	}
	group := r.turn.group
	r.turn.group = nil
	return r.queue.AddAttemptedPodGroupIfNeeded(r.logger, group, r.queue.SchedulingCycle(), status)
}

// waiting is what the queue knows of a pod that waits by itself: groups wait as after an error, and Pop does not take them before their time.
func (r *queueRun) waiting(pod *v1.Pod) (*framework.QueuedPodInfo, bool) {
	if pod.Spec.SchedulingGroup != nil && utilfeature.DefaultFeatureGate.Enabled("GenericWorkload") {
		return nil, false
	}
	return r.queue.GetPod(pod.Name, pod.Namespace, nil)
}

func isGroup(object runtime.Object) bool {
	_, is := object.(*schedulingapi.PodGroup)
	return is
}

// placeGroup is place for a group of pods.
func (r *queueRun) placeGroup(object runtime.Object) (string, cache.Indexer) {
	group := object.(*schedulingapi.PodGroup)
	return "PodGroup/" + group.Namespace + "/" + group.Name, r.factory.Scheduling().V1beta1().PodGroups().Informer().GetIndexer()
}

// putGroup tells of a group. Pods that waited for it come in an order that is left to chance, and the first one's age becomes that of the group: here it is
// always the oldest's.
func (r *queueRun) putGroup(before, object runtime.Object) {
	if before != nil {
		updatePodGroup(r.scheduler, before, object)
		return
	}
	group := object.(*schedulingapi.PodGroup)
	_, known := r.queue.GetPodGroup(group.Name, group.Namespace, fwk.PodGroupKeyType)
	addPodGroup(r.scheduler, object)
	info, is := r.queue.GetPodGroup(group.Name, group.Namespace, fwk.PodGroupKeyType)
	if known || !is {
		return
	}
	var member *v1.Pod
	info.ForEachPodInfo(func(pod *framework.QueuedPodInfo) bool {
		if pod.Timestamp.Before(info.Timestamp) {
			info.Timestamp = pod.Timestamp
		}
		member = pod.Pod
		return true
	})
	for _, active := range r.queue.PodsInActiveQ() {
		if active.UID == member.UID {
			// Nothing of the pod changes: the heap puts the group where it belongs.
			r.queue.Update(r.ctx, member, member)
		}
	}
}

func (r *queueRun) deleteGroup(object runtime.Object) { deletePodGroup(r.scheduler, object) }

// apart are pods that wait while it is decided about their group, and those whose group nobody knows.
func (r *queueRun) apart() (afterGroup, withoutGroup []*v1.Pod) {
	return r.queue.PendingPodGroupPods(), r.queue.IncompletePodGroupPodsPods()
}
