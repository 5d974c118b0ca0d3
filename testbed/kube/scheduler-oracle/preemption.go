package main

import (
	"context"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// tosses is how often a candidate has to lose against the best one before it is taken for worse: what is as good wins one of eight times, as Go walks through
// small maps.
const tosses = 256

// preemption is what DefaultPreemption finds when it looks at every node that it may look at.
// It returns what it says if there is nothing that helps.
func (j *judge) preemption(ctx context.Context, cycle fwk.CycleState, pod *v1.Pod, statuses *framework.NodeToStatus, answer *Answer) (said string, err error) {
	if ok, why := j.preempt.PodEligibleToPreemptOthers(ctx, pod, statuses.Get(pod.Status.NominatedNodeName)); !ok {
		answer.NotEligible = why
		return why, nil
	}
	infos, err := statuses.NodesForStatusCode(j.snapshot.NodeInfos(), fwk.Unschedulable)
	if err != nil {
		return "", err
	}
	misses := framework.NewDefaultNodeToStatus()
	var candidates []preemption.Candidate
	if len(infos) > 0 {
		budgets, err := j.budgets()
		if err != nil {
			return "", err
		}
		// Nodes about which nothing can be said are no candidates.
		candidates, misses, err = j.preempt.Evaluator.DryRunPreemption(ctx, cycle, pod, infos, budgets, 0, int32(len(infos)+1))
		if err != nil && len(candidates) == 0 {
			return "", err
		}
	}
	if len(candidates) == 0 {
		misses.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "Preemption is not helpful for scheduling"))
		return (&framework.FitError{Pod: pod, NumAllNodes: len(j.state.nodes), Diagnosis: framework.Diagnosis{NodeToStatus: misses}}).Error(), nil
	}
	answer.Candidates = map[string]Eviction{}
	for _, c := range candidates {
		victims := make([]string, 0, len(c.Victims().Pods))
		for _, p := range c.Victims().Pods {
			victims = append(victims, key(p))
		}
		answer.Candidates[c.Name()] = Eviction{Victims: sorted(victims), PDBViolations: c.Victims().NumPDBViolations}
	}
	answer.Best = j.best(ctx, candidates)
	return "", nil
}

// tries is whether PostFilter asks a plugin.
func (j *judge) tries(name string) bool {
	return slices.ContainsFunc(j.framework.ListPlugins().PostFilter.Enabled, func(p config.Plugin) bool { return p.Name == name })
}

// afterwards is what PostFilter says of a pod, as RunPostFilterPlugins puts it together, and whether the pod is nominated to no node from now on; nobody has to
// go for that.
func (j *judge) afterwards(ctx context.Context, cycle fwk.CycleState, pod *v1.Pod, statuses *framework.NodeToStatus, answer *Answer) (string, bool) {
	plugins := j.framework.ListPlugins().PostFilter.Enabled
	if len(plugins) == 0 {
		return "", clearsWithoutPostFilter
	}
	var said []string
	clears := false
	for _, plugin := range plugins {
		switch plugin.Name {
		case dynamicresources.Name:
			status := j.devices.says(ctx, cycle, pod, statuses)
			if !status.IsRejected() {
				return status.Message(), false
			}
			said = append(said, status.Reasons()...)
		case defaultpreemption.Name:
			why, err := j.preemption(ctx, cycle, pod, statuses, answer)
			if err != nil {
				return "preemption: " + err.Error(), false
			}
			if why == "" {
				return "", false
			}
			clears = answer.NotEligible == ""
			said = append(said, "preemption: "+why)
		}
	}
	return strings.Join(said, ", "), clears
}

// best are the candidates that the framework may choose: the one that it does, and those that sometimes win against that one.
func (j *judge) best(ctx context.Context, candidates []preemption.Candidate) []string {
	chosen := j.preempt.Evaluator.SelectCandidate(ctx, candidates)
	best := []string{chosen.Name()}
	for _, c := range candidates {
		for range tosses {
			if c.Name() == chosen.Name() {
				break
			}
			if j.preempt.Evaluator.SelectCandidate(ctx, []preemption.Candidate{chosen, c}).Name() == c.Name() {
				best = append(best, c.Name())
				break
			}
		}
	}
	return sorted(best)
}

func (j *judge) budgets() ([]*policy.PodDisruptionBudget, error) {
	return j.informers.Policy().V1().PodDisruptionBudgets().Lister().List(labels.Everything())
}
