//go:build !before136 && before137

package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// enableGroups lets kube-scheduler know groups of pods.
func enableGroups() error {
	return utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{"GenericWorkload": true, "GangScheduling": true})
}

// groups is what the framework knows of groups of pods: kube-scheduler's own cache, and who is taken to be on a node while a group is decided about.
type groups struct {
	judge   *judge
	ctx     context.Context
	cache   cache.Cache
	assumed []assumed
	// cycle is what the plugins keep while a group is decided about.
	cycle *framework.CycleState
}

type assumed struct {
	info *framework.PodInfo
	node string
}

func newGroups(ctx context.Context, j *judge) *groups { return &groups{judge: j, ctx: ctx} }

func optionsOfGroups(g *groups) []frameworkruntime.Option {
	return []frameworkruntime.Option{frameworkruntime.WithPodGroupManager(g)}
}

// PodGroupStates are those of the cache.
func (g *groups) PodGroupStates() fwk.PodGroupStateLister { return g.cache.PodGroupStates() }

// snapshot is the scenario's state, with the groups as the cache has them. All else is as without groups: the cache would take an image to be as large
// everywhere as the first node told.
func (g *groups) snapshot() (*cache.Snapshot, error) {
	state := g.judge.state
	snapshot := cache.NewSnapshot(state.placed(), state.nodes)
	if !utilfeature.DefaultFeatureGate.Enabled("GangScheduling") {
		return snapshot, nil
	}
	logger := klog.Background()
	g.cache = cache.New(g.ctx, nil, true)
	for _, node := range state.nodes {
		g.cache.AddNode(logger, node)
	}
	for _, k := range state.order {
		pod := state.pods[k]
		switch {
		case pod == nil || pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed:
		case pod.Spec.NodeName == "":
			g.cache.AddPodGroupMember(pod)
		default:
			if err := g.cache.AddPod(logger, pod); err != nil {
				return nil, err
			}
		}
	}
	cached := cache.NewEmptySnapshot()
	if err := g.cache.UpdateSnapshot(logger, cached); err != nil {
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
	}
	cycle.SetPodGroupSchedulingCycle(g.cycle)
}

// unmark lets them know that it is over.
func (g *groups) unmark(cycle *framework.CycleState) { cycle.SetPodGroupSchedulingCycle(nil) }

// assume takes a pod to be on a node, as podGroupPodSchedulingAlgorithm does, and says what the plugins say to that.
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
	_, status := j.framework.RunPermitPlugins(ctx, cycle, on, node)
	return strings.TrimSuffix(status.Code().String()+": "+status.Message(), ": "), nil
}

// judged takes note of nothing.
func (g *groups) judged(string, *Answer) {}

// decide says nothing of the group as a whole.
func (g *groups) decide(context.Context, Step) (map[string]string, error) { return nil, nil }

// clearsNominations is whether pods wait no longer for nodes from which others go for a group.
const clearsNominations = true

// rescuesMembers is whether PostFilter is asked for the pods of a group, one by one.
const rescuesMembers = true

// revert takes all pods off again.
func (g *groups) revert(ctx context.Context) error {
	j := g.judge
	g.cycle = nil
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
