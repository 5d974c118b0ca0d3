//go:build !before136 && !before137

package main

import (
	"context"
	"fmt"
	"reflect"

	v1 "k8s.io/api/core/v1"
	schedulingapi "k8s.io/api/scheduling/v1beta1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// enableGroups lets kube-scheduler know groups of pods. Victims go at once, so that it can be seen who they are.
func enableGroups() error {
	return utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{"GenericWorkload": true, "SchedulerAsyncPreemption": false})
}

// clearsNominations is whether pods wait no longer for nodes from which others go for a group.
const clearsNominations = false

// rescuesMembers is whether PostFilter is asked for the pods of a group, one by one.
const rescuesMembers = false

// groups is what the framework knows of groups of pods: kube-scheduler's own cache, and who is taken to be on a node while a group is decided about.
type groups struct {
	fwk.PodGroupManager
	judge   *judge
	ctx     context.Context
	known   []*schedulingapi.PodGroup
	assumed []assumed
	// cycle is what the plugins keep while a group is decided about, placement what they keep for the places that are tried.
	cycle, placement *framework.CycleState
	// tried are the pods of the group that were judged, in this order.
	tried []tried
}

type assumed struct {
	info *framework.PodInfo
	node string
}

// tried is what was found out about a pod by itself.
type tried struct {
	pod    string
	answer *Answer
	node   string
}

func newGroups(ctx context.Context, j *judge) *groups {
	g := &groups{judge: j, ctx: ctx}
	for _, object := range j.objects {
		if group, is := object.(*schedulingapi.PodGroup); is {
			g.known = append(g.known, group)
		}
	}
	return g
}

func optionsOfGroups(g *groups) []frameworkruntime.Option {
	return []frameworkruntime.Option{frameworkruntime.WithPodGroupManager(g), frameworkruntime.WithMutableSnapshotLister(g.judge.snapshot)}
}

// snapshot is the scenario's state, with the groups as the cache has them. All else is as without groups: the cache would take an image to be as large
// everywhere as the first node told.
func (g *groups) snapshot() (*cache.Snapshot, error) {
	state := g.judge.state
	snapshot := cache.NewSnapshot(state.placed(), state.nodes)
	if !utilfeature.DefaultFeatureGate.Enabled("GenericWorkload") {
		return snapshot, nil
	}
	logger := klog.Background()
	known := cache.New(g.ctx, nil, true, false)
	g.PodGroupManager = known
	for _, node := range state.nodes {
		known.AddNode(logger, node)
	}
	for _, group := range g.known {
		known.AddPodGroup(group)
	}
	for _, k := range state.order {
		pod := state.pods[k]
		switch {
		case pod == nil || pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed:
		case pod.Spec.NodeName == "":
			known.AddPodGroupMember(pod)
		default:
			if err := known.AddPod(logger, pod); err != nil {
				return nil, err
			}
		}
	}
	cached := cache.NewEmptySnapshot()
	if err := known.UpdateSnapshot(logger, cached); err != nil {
		return nil, err
	}
	states(snapshot).Set(states(cached))
	return snapshot, nil
}

// states is the field of a snapshot that has its groups.
func states(snapshot *cache.Snapshot) reflect.Value {
	field := reflect.ValueOf(snapshot).Elem().FieldByName("podGroupStates")
	return reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem()
}

// mark lets the plugins know that a pod is decided about with its group.
func (g *groups) mark(cycle *framework.CycleState) {
	if g.cycle == nil {
		g.cycle = framework.NewCycleState()
		g.placement = placementOf(g.cycle)
	}
	cycle.SetPodGroupSchedulingCycle(g.cycle)
	cycle.SetPlacementCycleState(g.placement)
}

func placementOf(cycle *framework.CycleState) *framework.CycleState {
	placement := framework.NewCycleState()
	placement.SetPodGroupSchedulingCycle(cycle)
	return placement
}

// unmark lets them know that it is over.
func (g *groups) unmark(cycle *framework.CycleState) { cycle.SetPodGroupSchedulingCycle(nil) }

// judged takes note of what was found out about a pod of the group.
func (g *groups) judged(pod string, answer *Answer) {
	node := ""
	if n := len(g.assumed); n > 0 && key(g.assumed[n-1].info.Pod) == pod {
		node = g.assumed[n-1].node
	}
	g.tried = append(g.tried, tried{pod: pod, answer: answer, node: node})
}

// assume takes a pod to be on a node, as assumeAndReserve does.
func (g *groups) assume(ctx context.Context, pod *v1.Pod, node string) (string, error) {
	j := g.judge
	cycle := j.cycles[key(pod)]
	on := pod.DeepCopy()
	on.Spec.NodeName = node
	info, err := framework.NewPodInfo(on)
	if err != nil {
		return "", err
	}
	if err := j.snapshot.AssumePod(info); err != nil {
		return "", err
	}
	j.nominator.DeleteNominatedPodIfExists(pod)
	g.assumed = append(g.assumed, assumed{info: info, node: node})
	if status := j.framework.RunReservePluginsReserve(ctx, cycle, on, node); !status.IsSuccess() {
		return "", fmt.Errorf("reserving %s: %s", node, status.Message())
	}
	return "", nil
}

// revert takes all pods off again.
func (g *groups) revert(ctx context.Context) error {
	g.cycle, g.placement, g.tried = nil, nil, nil
	return g.forget(ctx)
}

func (g *groups) forget(ctx context.Context) error {
	j := g.judge
	for len(g.assumed) > 0 {
		last := g.assumed[len(g.assumed)-1]
		g.assumed = g.assumed[:len(g.assumed)-1]
		j.framework.RunReservePluginsUnreserve(ctx, j.cycles[key(last.info.Pod)], last.info.Pod, last.node)
		if err := j.snapshot.ForgetPod(klog.Background(), last.info.Pod); err != nil {
			return err
		}
	}
	j.nominate(ctx)
	return nil
}
