package main

import (
	"context"
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
)

// Scenario is a cluster and the pods to judge in it, one after another.
type Scenario struct {
	ID      string            `json:"id"`
	Objects []json.RawMessage `json:"objects"`
	Steps   []Step            `json:"steps"`
}

// Step judges a pod; then the cluster changes as the step says, for the steps after it.
type Step struct {
	Pod string `json:"pod"`
	// Node is where the pod is put; empty if it stays pending.
	Node string `json:"node"`
	// Nominated is the node that the pod is nominated to from now on.
	Nominated string `json:"nominated"`
	// Deleted are the pods that are gone from now on.
	Deleted []string `json:"deleted"`
	// Binds is whether the pod's claims of devices are told to have what was found for them; otherwise that is only kept for them.
	Binds bool `json:"binds"`
	// GivenUp is a claim of devices that has none from now on, or, if it was made for extended resources, is gone.
	GivenUp string `json:"givenUp"`
	// WaitsNoMore is whether the pod is nominated to no node from now on.
	WaitsNoMore bool `json:"waitsNoMore"`
	// Grouped is whether the pod is decided about with its group: the step's Assumed, if it is not empty, is where it is taken to be until the group is done, and
	// the last pod's step says in Then what becomes of them all.
	Grouped bool   `json:"grouped"`
	Assumed string `json:"assumed"`
	Then    []Step `json:"then"`
	// Again is, from 1.37 on, where the pods of the group go once all who can be evicted have gone; without a node if they go nowhere.
	Again []Again `json:"again"`
	// Whole is whether it is decided about the group: nothing keeps any of its pods from its turn.
	Whole bool `json:"whole"`
}

// Again is a pod and where it goes.
type Again struct {
	Pod  string `json:"pod"`
	Node string `json:"node"`
}

// Answer is what the framework decides for a step's pod.
type Answer struct {
	Scenario   string              `json:"scenario"`
	Pod        string              `json:"pod"`
	Error      string              `json:"error,omitempty"`
	Feasible   map[string]Scored   `json:"feasible"`
	Infeasible map[string]Verdict  `json:"infeasible"`
	Message    string              `json:"message,omitempty"`
	Candidates map[string]Eviction `json:"candidates,omitempty"`
	// Best are the candidates between which the framework tosses a coin.
	Best []string `json:"best,omitempty"`
	// NotEligible is why the pod may not preempt.
	NotEligible string `json:"notEligible,omitempty"`
	// Idle are the claims of which the framework would deallocate or delete one, so that the pod might find a node.
	Idle []string `json:"idle,omitempty"`
	// Grants are, by feasible node and claim, the devices that were found; left out by versions that do not tell.
	Grants map[string]map[string][]string `json:"grants,omitempty"`
	// Clears is whether the pod is nominated to a node and to none from now on.
	Clears bool `json:"clears,omitempty"`
	// Permit is what is said to a pod of a group once it is taken to be on its node.
	Permit string `json:"permit,omitempty"`
	// Group is, by pod, what becomes of it with its group.
	Group map[string]string `json:"group,omitempty"`
}

// Scored is a node's weighted scores.
type Scored struct {
	Total  int64            `json:"total"`
	Scores map[string]int64 `json:"scores"`
}

// Verdict is the first plugin that refuses a node.
type Verdict struct {
	Plugin  string   `json:"plugin"`
	Status  string   `json:"status"`
	Reasons []string `json:"reasons"`
}

// Eviction is what would have to go from a candidate.
type Eviction struct {
	Victims       []string `json:"victims"`
	PDBViolations int64    `json:"pdbViolations"`
}

func (s *Scenario) run(ctx context.Context, configuration string, emit func(*Answer) error) error {
	objects := make([]runtime.Object, 0, len(s.Objects))
	state := &clusterState{pods: map[string]*v1.Pod{}}
	for i, raw := range s.Objects {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
		if err != nil {
			return fmt.Errorf("object %d: %w", i, err)
		}
		// Up to 1.34 volumes are compared by their versions.
		if m, err := meta.Accessor(object); err == nil && m.GetResourceVersion() == "" {
			m.SetResourceVersion("1")
		}
		switch o := object.(type) {
		case *v1.Node:
			state.nodes = append(state.nodes, o)
		case *v1.Pod:
			state.order = append(state.order, key(o))
			state.pods[key(o)] = o
		}
		objects = append(objects, object)
	}
	j, err := newJudge(ctx, configuration, objects, state)
	if err != nil {
		return err
	}
	defer j.close()
	for _, step := range s.Steps {
		pod := state.pods[step.Pod]
		if pod == nil {
			return fmt.Errorf("there is no pod %s", step.Pod)
		}
		answer := j.judge(ctx, pod, step.Grouped)
		answer.Scenario, answer.Pod = s.ID, step.Pod
		if step.Assumed != "" {
			if answer.Permit, err = j.groups.assume(ctx, pod, step.Assumed); err != nil {
				return fmt.Errorf("assuming %s: %w", step.Pod, err)
			}
		}
		if step.Grouped && step.Whole {
			j.groups.judged(step.Pod, answer)
			if len(step.Then) > 0 {
				if answer.Group, err = j.groups.decide(ctx, step); err != nil {
					return fmt.Errorf("the group of %s: %w", step.Pod, err)
				}
			}
		}
		if err := emit(answer); err != nil {
			return err
		}
		effects := step.Then
		if step.Grouped && len(effects) > 0 {
			if err := j.groups.revert(ctx); err != nil {
				return fmt.Errorf("after the group of %s: %w", step.Pod, err)
			}
		}
		if !step.Grouped {
			effects = []Step{step}
		}
		for _, effect := range effects {
			if err := j.apply(ctx, effect); err != nil {
				return fmt.Errorf("after %s: %w", effect.Pod, err)
			}
		}
	}
	return nil
}

// nobody activates pods: a scenario's steps say whose turn it is.
type nobody struct{}

func (nobody) Activate(klog.Logger, map[string]*v1.Pod) {}

// clusterState is the nodes and pods of a scenario as its steps change them.
type clusterState struct {
	nodes []*v1.Node
	order []string
	pods  map[string]*v1.Pod
}

// placed are the pods that count on nodes, as kube-scheduler's cache has them: those that have ended are not in it.
func (c *clusterState) placed() []*v1.Pod {
	known := map[string]bool{}
	for _, n := range c.nodes {
		known[n.Name] = true
	}
	var placed []*v1.Pod
	for _, k := range c.order {
		if p := c.pods[k]; p != nil && known[p.Spec.NodeName] && p.Status.Phase != v1.PodSucceeded && p.Status.Phase != v1.PodFailed {
			placed = append(placed, p)
		}
	}
	return placed
}

// nominated are the pending pods that wait for a node. Gated ones do not: kube-scheduler's queue does not know them when it starts.
func (c *clusterState) nominated() []*v1.Pod {
	var nominated []*v1.Pod
	for _, k := range c.order {
		if p := c.pods[k]; p != nil && p.Spec.NodeName == "" && p.Status.NominatedNodeName != "" && len(p.Spec.SchedulingGates) == 0 {
			nominated = append(nominated, p)
		}
	}
	return nominated
}

func key(p *v1.Pod) string { return p.Namespace + "/" + p.Name }
