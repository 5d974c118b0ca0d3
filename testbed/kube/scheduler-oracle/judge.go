package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// judge is the framework of one scenario, over a snapshot that follows its steps.
type judge struct {
	state     *clusterState
	objects   []runtime.Object
	client    *fake.Clientset
	snapshot  *cache.Snapshot
	framework framework.Framework
	nominator queue.SchedulingQueue
	preempt   *defaultpreemption.DefaultPreemption
	devices   *devices
	informers informers.SharedInformerFactory
	groups    *groups
	cancel    context.CancelFunc
	// cycles are, by pod, what its last judgement left for Reserve.
	cycles map[string]*framework.CycleState
}

func newJudge(parent context.Context, configuration string, objects []runtime.Object, state *clusterState) (*judge, error) {
	ctx, cancel := context.WithCancel(parent)
	j := &judge{state: state, objects: objects, cancel: cancel, client: fake.NewClientset(objects...), cycles: map[string]*framework.CycleState{}}
	j.informers = informers.NewSharedInformerFactory(j.client, 0)
	profile, err := profileOf(configuration)
	if err != nil {
		return nil, err
	}
	if j.devices, err = newDevices(ctx, j.client, j.informers); err != nil {
		return nil, err
	}
	registry := plugins.NewInTreeRegistry()
	defaultPreemption := registry[defaultpreemption.Name]
	registry[defaultpreemption.Name] = func(ctx context.Context, args runtime.Object, handle handle) (plugin, error) {
		made, err := defaultPreemption(ctx, args, handle)
		if err == nil {
			j.preempt = made.(*defaultpreemption.DefaultPreemption)
		}
		return made, err
	}
	j.devices.watch(registry)
	read := watchVolumes(registry)
	j.groups = newGroups(ctx, j)
	if j.snapshot, err = j.groups.snapshot(); err != nil {
		return nil, err
	}
	options := append(optionsOfVersion(j.informers, j.groups),
		frameworkruntime.WithClientSet(j.client),
		frameworkruntime.WithInformerFactory(j.informers),
		frameworkruntime.WithSnapshotSharedLister(j.snapshot),
		frameworkruntime.WithSharedDRAManager(j.devices.manager),
		frameworkruntime.WithWaitingPods(frameworkruntime.NewWaitingPodsMap()),
		frameworkruntime.WithParallelism(1))
	j.framework, err = frameworkruntime.NewFramework(ctx, registry, profile, options...)
	if err != nil {
		return nil, err
	}
	j.nominator = queue.NewSchedulingQueue(j.framework.QueueSortFunc(), j.informers)
	j.framework.SetPodNominator(j.nominator)
	j.framework.SetPodActivator(nobody{})
	j.informers.Start(ctx.Done())
	beforeSync()
	j.informers.WaitForCacheSync(ctx.Done())
	if err := j.devices.wait(ctx); err != nil {
		return nil, err
	}
	if err := wait.PollUntilContextTimeout(ctx, time.Millisecond, time.Minute, true, func(context.Context) (bool, error) { return read(objects), nil }); err != nil {
		return nil, fmt.Errorf("volumes were not read: %w", err)
	}
	j.nominate(ctx)
	return j, nil
}

func (j *judge) close() { j.cancel() }

// profileOf is the first profile of a configuration, or the default one.
func profileOf(file string) (*config.KubeSchedulerProfile, error) {
	if file == "" {
		defaults, err := latest.Default()
		if err != nil {
			return nil, err
		}
		return &defaults.Profiles[0], nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	object, _, err := scheme.Codecs.UniversalDecoder().Decode(data, nil, nil)
	if err != nil {
		return nil, err
	}
	return &object.(*config.KubeSchedulerConfiguration).Profiles[0], nil
}

// nominate puts the pending pods that wait for a node into the queue anew: the framework asks it for them.
func (j *judge) nominate(ctx context.Context) {
	for _, pod := range j.state.nominated() {
		dequeue(j.nominator, pod)
		enqueue(ctx, j.nominator, pod)
	}
}

// apply changes the cluster as the step says.
func (j *judge) apply(ctx context.Context, step Step) error {
	if err := j.devices.giveUp(ctx, step.GivenUp); err != nil {
		return err
	}
	if step.Node == "" && step.Nominated == "" && len(step.Deleted) == 0 && !step.WaitsNoMore {
		return nil
	}
	for _, name := range step.Deleted {
		pod := j.state.pods[name]
		if pod == nil {
			// Two pods of a group may want the same one to go.
			continue
		}
		delete(j.state.pods, name)
		if err := j.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	pod := j.state.pods[step.Pod].DeepCopy()
	if step.Nominated != "" && len(step.Deleted) > 0 && (clearsNominations || pod.Spec.SchedulingGroup == nil) {
		j.clearNominations(step.Nominated, corev1helpers.PodPriority(pod))
	}
	pod.Spec.NodeName, pod.Status.NominatedNodeName = step.Node, step.Nominated
	if step.Node != "" {
		j.groups.unmark(j.cycles[step.Pod])
		// Volumes that were found or are to be made for the pod are not there for others any more.
		if status := j.framework.RunReservePluginsReserve(ctx, j.cycles[step.Pod], pod, step.Node); !status.IsSuccess() {
			return fmt.Errorf("reserving %s: %s", step.Node, status.Message())
		}
		if step.Binds {
			if err := j.devices.bind(ctx, j.cycles[step.Pod], pod, step.Node); err != nil {
				return err
			}
		}
	}
	j.state.pods[step.Pod] = pod
	if pod.Status.NominatedNodeName == "" {
		dequeue(j.nominator, pod)
	}
	now, err := j.groups.snapshot()
	if err != nil {
		return err
	}
	*j.snapshot = *now
	j.nominate(ctx)
	return nil
}

// clearNominations lets pods of lower priority wait for this node no longer, as preemption does.
func (j *judge) clearNominations(node string, priority int32) {
	for _, other := range j.state.nominated() {
		if other.Status.NominatedNodeName == node && corev1helpers.PodPriority(other) < priority {
			dequeue(j.nominator, other)
			other = other.DeepCopy()
			other.Status.NominatedNodeName = ""
			j.state.pods[key(other)] = other
		}
	}
}

// judge is findNodesThatFitPod and prioritizeNodes of kube-scheduler over all nodes, and what its preemption finds then.
func (j *judge) judge(ctx context.Context, pod *v1.Pod, grouped bool) *Answer {
	answer := &Answer{Feasible: map[string]Scored{}, Infeasible: map[string]Verdict{}}
	for _, plugin := range j.framework.PreEnqueuePlugins() {
		if status := plugin.PreEnqueue(ctx, pod); !status.IsSuccess() {
			for _, node := range j.state.nodes {
				answer.Infeasible[node.Name] = verdict(status.WithPlugin(plugin.Name()))
			}
			return answer
		}
	}
	cycle := framework.NewCycleState()
	if grouped {
		j.groups.mark(cycle)
	}
	j.cycles[key(pod)] = cycle
	diagnosis := framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus()}
	allowed, status, restricting := j.framework.RunPreFilterPlugins(ctx, cycle, pod)
	var feasible []fwk.NodeInfo
	switch {
	case status.IsSuccess():
		feasible = j.filter(ctx, cycle, pod, allowed, restricting, &diagnosis, answer)
	case status.IsRejected():
		diagnosis.NodeToStatus.SetAbsentNodesStatus(status)
		diagnosis.PreFilterMsg = status.Message()
	default:
		answer.Error = status.Message()
	}
	waits := pod.Status.NominatedNodeName != ""
	if answer.Error != "" {
		answer.Infeasible = map[string]Verdict{}
		answer.Clears = waits
		return answer
	}
	if len(feasible) > 0 {
		answer.Grants = j.devices.grants(ctx, cycle, pod, feasible)
		j.score(ctx, cycle, pod, feasible, answer)
		return answer
	}
	for _, node := range j.state.nodes {
		answer.Infeasible[node.Name] = verdict(diagnosis.NodeToStatus.Get(node.Name))
	}
	if grouped && !rescuesMembers {
		answer.Message = (&framework.FitError{Pod: pod, NumAllNodes: len(j.state.nodes), Diagnosis: diagnosis}).Error()
		return answer
	}
	if j.tries(dynamicresources.Name) {
		answer.Idle = j.devices.idle(ctx, cycle, pod, diagnosis.NodeToStatus)
	}
	said, clears := j.afterwards(ctx, cycle, pod, diagnosis.NodeToStatus, answer)
	diagnosis.PostFilterMsg, answer.Clears = said, clears && waits
	answer.Message = (&framework.FitError{Pod: pod, NumAllNodes: len(j.state.nodes), Diagnosis: diagnosis}).Error()
	return answer
}

func (j *judge) filter(ctx context.Context, cycle fwk.CycleState, pod *v1.Pod, allowed *preFilterResult, restricting sets.Set[string], diagnosis *framework.Diagnosis, answer *Answer) []fwk.NodeInfo {
	if info, err := j.snapshot.Get(pod.Status.NominatedNodeName); err == nil {
		status := j.framework.RunFilterPluginsWithNominatedPods(ctx, cycle, pod, info)
		if status.IsSuccess() {
			return []fwk.NodeInfo{info}
		}
		// It stays with the node also where PreFilter allows only others.
		if status.IsRejected() {
			diagnosis.NodeToStatus.Set(pod.Status.NominatedNodeName, status)
		}
	}
	if !allowed.AllNodes() {
		diagnosis.NodeToStatus.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable, fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", sets.List(restricting))))
	}
	var feasible []fwk.NodeInfo
	for _, node := range j.state.nodes {
		if !allowed.AllNodes() && !allowed.NodeNames.Has(node.Name) {
			answer.Infeasible[node.Name] = verdict(diagnosis.NodeToStatus.Get(node.Name))
			continue
		}
		info, err := j.snapshot.Get(node.Name)
		if err != nil {
			answer.Error = err.Error()
			return nil
		}
		status := j.framework.RunFilterPluginsWithNominatedPods(ctx, cycle, pod, info)
		switch {
		case status.IsSuccess():
			feasible = append(feasible, info)
		case status.IsRejected():
			diagnosis.NodeToStatus.Set(node.Name, status)
			answer.Infeasible[node.Name] = verdict(status)
		case answer.Error == "" || status.Message() < answer.Error:
			// kube-scheduler ends with the one that comes first, whichever node it is about.
			answer.Error = status.Message()
		}
	}
	return feasible
}

func (j *judge) score(ctx context.Context, cycle fwk.CycleState, pod *v1.Pod, feasible []fwk.NodeInfo, answer *Answer) {
	if len(feasible) == 1 {
		answer.Feasible[feasible[0].Node().Name] = Scored{Scores: map[string]int64{}}
		return
	}
	if status := j.framework.RunPreScorePlugins(ctx, cycle, pod, feasible); !status.IsSuccess() {
		answer.Error = status.Message()
		return
	}
	nodes, status := j.framework.RunScorePlugins(ctx, cycle, pod, feasible)
	if !status.IsSuccess() {
		answer.Error = status.Message()
		return
	}
	for _, node := range nodes {
		scores := map[string]int64{}
		for _, s := range node.Scores {
			scores[s.Name] = s.Score
		}
		answer.Feasible[node.Name] = Scored{Total: node.TotalScore, Scores: scores}
	}
}

func verdict(status *fwk.Status) Verdict {
	return Verdict{Plugin: status.Plugin(), Status: status.Code().String(), Reasons: slices.Clone(status.Reasons())}
}

func sorted(names []string) []string {
	slices.SortFunc(names, strings.Compare)
	return names
}
