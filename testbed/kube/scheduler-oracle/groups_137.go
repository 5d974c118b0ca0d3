//go:build !before136 && !before137

package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	schedulingapi "k8s.io/api/scheduling/v1beta1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
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

// outcome is what podGroupSchedulingDefaultAlgorithm makes of the pods of a group.
type outcome struct {
	status *fwk.Status
	// said is, by pod, what PlacementFeasible said after it.
	said map[string]string
}

var errUnschedulable = errors.New("pod group is unschedulable")

// progress is podGroupSchedulingDefaultAlgorithm, which asks next about one pod after another: whether it found a place, or its error.
func (g *groups) progress(ctx context.Context, info *framework.PodGroupInfo, placement *framework.CycleState, next func(pod *v1.Pod) (bool, error)) (outcome, error) {
	j := g.judge
	result := outcome{said: map[string]string{}}
	state, err := j.snapshot.PodGroupStates().Get(info.Namespace, info.Name)
	if err != nil {
		return result, err
	}
	progress := framework.PlacementProgress{Remaining: len(info.UnscheduledPods), Scheduled: state.ScheduledPodsCount() - len(g.assumed)}
	result.status = j.framework.RunPlacementFeasiblePlugins(ctx, placement, info, progress)
	if result.status.Code() == fwk.Unschedulable {
		result.status = fwk.NewStatus(fwk.Unschedulable, result.status.Reasons()...).WithError(errUnschedulable)
		return result, nil
	}
	any := false
	for _, pod := range info.UnscheduledPods {
		placed, err := next(pod)
		if err != nil {
			result.status = fwk.AsStatus(fmt.Errorf("failed to schedule other pod from a pod group: %w", err))
			return result, nil
		}
		progress.Remaining--
		if placed {
			progress.Scheduled++
		}
		result.status = j.framework.RunPlacementFeasiblePlugins(ctx, placement, info, progress)
		result.said[key(pod)] = strings.TrimSuffix(result.status.Code().String()+": "+result.status.Message(), ": ")
		if result.status.Code() == fwk.Unschedulable {
			return result, nil
		}
		any = any || placed
	}
	if result.status.IsSuccess() && !any {
		result.status = fwk.NewStatus(fwk.Unschedulable).WithError(errUnschedulable)
	}
	return result, nil
}

// decide is podGroupCycle and submitPodGroupAlgorithmResult.
func (g *groups) decide(ctx context.Context, step Step) (map[string]string, error) {
	j := g.judge
	info := &framework.PodGroupInfo{Type: fwk.PodGroupKeyType}
	for _, effect := range step.Then {
		pod := j.state.pods[effect.Pod]
		info.Namespace, info.Name = pod.Namespace, *pod.Spec.SchedulingGroup.PodGroupName
		info.UnscheduledPods = append(info.UnscheduledPods, pod)
	}
	var err error
	if info.PodGroup, err = j.snapshot.PodGroups().Get(info.Namespace, info.Name); err != nil {
		return nil, err
	}
	known := map[string]tried{}
	for _, one := range g.tried {
		known[one.pod] = one
	}
	result, err := g.progress(ctx, info, g.placement, func(pod *v1.Pod) (bool, error) {
		one := known[key(pod)]
		if one.answer == nil {
			return false, fmt.Errorf("%s was not asked about", key(pod))
		}
		if one.answer.Error != "" {
			return false, errors.New(one.answer.Error)
		}
		return one.node != "", nil
	})
	if err != nil {
		return nil, err
	}
	before := result.status
	if before != nil {
		before = before.Clone()
	}
	var found *fwk.PodGroupPostFilterResult
	var victims []string
	waits := false
	cycle := g.cycle
	if cycle == nil {
		cycle = framework.NewCycleState()
	}
	if err := g.forget(ctx); err != nil {
		return nil, err
	}
	if result.status.Code() == fwk.Unschedulable {
		j.preempt.Executor.PreemptPod = func(_ context.Context, _ preemption.Candidate, _ preemption.ExecutorPreemptor, victim *v1.Pod, _ string) (bool, error) {
			victims = append(victims, key(victim))
			return true, nil
		}
		wrong := ""
		again := func(ctx context.Context) (*fwk.PodGroupAssignments, *fwk.Status) {
			assignments, status, difference := g.again(ctx, info, step.Again)
			wrong = difference
			return assignments, status
		}
		var status *fwk.Status
		found, status = j.framework.RunPodGroupPostFilterPlugins(ctx, cycle, info, again)
		if wrong != "" {
			return map[string]string{"": wrong}, nil
		}
		waits = status.IsSuccess()
		if status.IsError() {
			result.status = status
		} else {
			result.status.AppendReason(status.String())
		}
	}
	all := map[string]string{}
	for _, pod := range info.UnscheduledPods {
		all[key(pod)] = g.submit(pod, known[key(pod)], result.status, before, found, waits) + result.said[key(pod)]
	}
	if len(victims) > 0 {
		all["victims"] = strings.Join(sorted(victims), " ")
	}
	return all, nil
}

// submit is what submitPodGroupAlgorithmResult tells of a pod: where it goes, or why not, and what it waits for from now on.
func (g *groups) submit(pod *v1.Pod, one tried, whole, before *fwk.Status, found *fwk.PodGroupPostFilterResult, waits bool) string {
	nominated := "as before"
	if found != nil && waits {
		for name, info := range found.NominatingInfos {
			if name.Namespace == pod.Namespace && name.Name == pod.Name {
				nominated = info.NominatedNodeName
			}
		}
	}
	tell := func(message, nominated string) string {
		switch waited := pod.Status.NominatedNodeName != ""; {
		case !waited && (nominated == "" || nominated == "as before"):
			nominated = "none"
		case nominated == "":
			nominated = "none any more"
		}
		return message + " | " + nominated + " | "
	}
	switch {
	case whole.IsError():
		if one.answer != nil && one.answer.Error != "" {
			return tell(one.answer.Error, "")
		}
		return tell(whole.Message(), "")
	case one.answer == nil:
		return tell(before.Message(), nominated)
	case one.node == "":
		return tell(one.answer.Message, nominated)
	case whole.IsSuccess():
		return tell("", one.node)
	case waits:
		return tell(whole.Message(), nominated)
	default:
		return tell(fwk.NewStatus(fwk.Unschedulable, whole.Message()).WithError(errUnschedulable).Message(), "")
	}
}

// assignment is a pod of a group and the place that it was given.
type assignment struct {
	info  fwk.PodInfo
	node  string
	cycle fwk.CycleState
}

func (a assignment) GetPod() *v1.Pod               { return a.info.GetPod() }
func (a assignment) GetPodInfo() fwk.PodInfo       { return a.info }
func (a assignment) GetNodeName() string           { return a.node }
func (a assignment) GetCycleState() fwk.CycleState { return a.cycle }

// again decides about the group once more, on the snapshot as it is then. The pods go to the nodes that the scenario names, which have to be among the best.
func (g *groups) again(ctx context.Context, info *framework.PodGroupInfo, places []Again) (*fwk.PodGroupAssignments, *fwk.Status, string) {
	j := g.judge
	g.cycle = framework.NewCycleState()
	g.placement = placementOf(g.cycle)
	assignments := &fwk.PodGroupAssignments{}
	difference := ""
	result, err := g.progress(ctx, info, g.placement, func(pod *v1.Pod) (bool, error) {
		answer := j.judge(ctx, pod, true)
		if answer.Error != "" {
			return false, errors.New(answer.Error)
		}
		node := ""
		if i := slices.IndexFunc(places, func(a Again) bool { return a.Pod == key(pod) }); i >= 0 {
			node = places[i].Node
		} else {
			difference = fmt.Sprintf("%s was not tried again", key(pod))
		}
		if good := bestOf(answer.Feasible); node == "" && len(good) == 0 {
			return false, nil
		} else if !slices.Contains(good, node) {
			difference = fmt.Sprintf("%s goes to %q of %v: %v %v", key(pod), node, good, answer.Feasible, answer.Infeasible)
			return false, nil
		}
		if _, err := g.assume(ctx, pod, node); err != nil {
			return false, err
		}
		on, err := framework.NewPodInfo(pod.DeepCopy())
		if err != nil {
			return false, err
		}
		assignments.ProposedAssignments = append(assignments.ProposedAssignments, assignment{info: on, node: node, cycle: j.cycles[key(pod)]})
		return true, nil
	})
	if err == nil {
		err = g.forget(ctx)
	}
	if err != nil {
		return nil, fwk.AsStatus(err), err.Error()
	}
	return assignments, result.status, difference
}

func bestOf(feasible map[string]Scored) []string {
	var best []string
	for node, scored := range feasible {
		switch {
		case len(best) == 0 || scored.Total > feasible[best[0]].Total:
			best = []string{node}
		case scored.Total == feasible[best[0]].Total:
			best = append(best, node)
		}
	}
	return best
}
