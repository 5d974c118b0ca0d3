//go:build !before136 && !before137

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

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
