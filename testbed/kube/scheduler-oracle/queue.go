//go:build !before136

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"time"
	_ "unsafe" // go:linkname

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	internalqueue "k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/profile"
	"k8s.io/kubernetes/pkg/scheduler/util/assumecache"
	testingclock "k8s.io/utils/clock/testing"
)

// kube-scheduler's own event handlers and timers, called in place of its informers and tickers, so that a step has ended when the next one begins.

//go:linkname addPod k8s.io/kubernetes/pkg/scheduler.(*Scheduler).addPod
func addPod(s *scheduler.Scheduler, obj interface{})

//go:linkname updatePod k8s.io/kubernetes/pkg/scheduler.(*Scheduler).updatePod
func updatePod(s *scheduler.Scheduler, before, after interface{})

//go:linkname deletePod k8s.io/kubernetes/pkg/scheduler.(*Scheduler).deletePod
func deletePod(s *scheduler.Scheduler, obj interface{})

//go:linkname addNode k8s.io/kubernetes/pkg/scheduler.(*Scheduler).addNodeToCache
func addNode(s *scheduler.Scheduler, obj interface{})

//go:linkname updateNode k8s.io/kubernetes/pkg/scheduler.(*Scheduler).updateNodeInCache
func updateNode(s *scheduler.Scheduler, before, after interface{})

//go:linkname deleteNode k8s.io/kubernetes/pkg/scheduler.(*Scheduler).deleteNodeFromCache
func deleteNode(s *scheduler.Scheduler, obj interface{})

//go:linkname endWaits k8s.io/kubernetes/pkg/scheduler/backend/queue.(*PriorityQueue).flushBackoffQCompleted
func endWaits(q *internalqueue.PriorityQueue, logger klog.Logger)

//go:linkname addClaim k8s.io/kubernetes/pkg/scheduler/util/assumecache.(*AssumeCache).add
func addClaim(c *assumecache.AssumeCache, obj interface{})

//go:linkname deleteClaim k8s.io/kubernetes/pkg/scheduler/util/assumecache.(*AssumeCache).delete
func deleteClaim(c *assumecache.AssumeCache, obj interface{})

func init() { queueMode = answerQueue }

// queueScript is what happens to a scheduler's queue.
type queueScript struct {
	ID    string      `json:"id"`
	Steps []queueStep `json:"steps"`
}

// queueStep is one thing that happens.
type queueStep struct {
	// Do is put, delete, advance, endWaits, losePatience, pop, refuse, assume, bindingFailed or groupEnded.
	Do     string          `json:"do"`
	Object json.RawMessage `json:"object"`
	// Key of the object to delete, of its Kind.
	Kind string `json:"kind"`
	Key  string `json:"key"`
	// UID of the pod that was popped.
	UID     string   `json:"uid"`
	Plugins []string `json:"plugins"`
	// Node that the pod is assumed on, or that it waits for from now on.
	Node   string `json:"node"`
	Millis int64  `json:"ms"`
	// End is PLACED, REFUSED or FAILED: what came of it when it was decided about a group.
	End string `json:"end"`
}

// queueState is what the queue is after a step.
type queueState struct {
	Script        string   `json:"script"`
	Step          int      `json:"step"`
	Popped        string   `json:"popped"`
	Active        []string `json:"active"`
	Backoff       []string `json:"backoff"`
	Unschedulable []string `json:"unschedulable"`
	InFlight      []string `json:"inFlight"`
	AfterGroup    []string `json:"afterGroup"`
	WithoutGroup  []string `json:"withoutGroup"`
}

// queueRun is a scheduler whose informers stand still: their stores are filled here.
type queueRun struct {
	ctx       context.Context
	logger    klog.Logger
	scheduler *scheduler.Scheduler
	queue     *internalqueue.PriorityQueue
	clock     *testingclock.FakeClock
	factory   informers.SharedInformerFactory
	claims    *assumecache.AssumeCache
	classes   *extendedresourcecache.ExtendedResourceCache
	objects   map[string]runtime.Object
	popped    map[string]*framework.QueuedPodInfo
	binding   map[string]*framework.QueuedPodInfo
	turn      inTurn
}

func answerQueue(in io.Reader, out io.Writer) error {
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for decoder.More() {
		var script queueScript
		if err := decoder.Decode(&script); err != nil {
			return fmt.Errorf("reading a script: %w", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		err := runScript(ctx, script, encoder)
		cancel()
		if err != nil {
			return fmt.Errorf("script %s: %w", script.ID, err)
		}
	}
	return nil
}

func runScript(ctx context.Context, script queueScript, encoder *json.Encoder) error {
	client := fake.NewClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	clock := testingclock.NewFakeClock(time.Unix(1_800_000_000, 0))
	recorder := func(string) events.EventRecorderLogger { return noEvents{} }
	s, err := scheduler.New(ctx, client, factory, nil, profile.RecorderFactory(recorder), scheduler.WithClock(clock))
	if err != nil {
		return err
	}
	run := &queueRun{
		ctx: ctx, logger: klog.FromContext(ctx), scheduler: s, clock: clock, factory: factory,
		queue:   s.SchedulingQueue.(*internalqueue.PriorityQueue),
		objects: map[string]runtime.Object{}, popped: map[string]*framework.QueuedPodInfo{}, binding: map[string]*framework.QueuedPodInfo{},
	}
	manager := s.Profiles[v1.DefaultSchedulerName].SharedDRAManager().(*dynamicresources.DefaultDRAManager)
	run.classes = manager.DeviceClassResolver().(*extendedresourcecache.ExtendedResourceCache)
	run.claims = (*assumecache.AssumeCache)(reflect.ValueOf(manager).Elem().FieldByName("resourceClaimTracker").Elem().FieldByName("cache").UnsafePointer())
	for i, step := range script.Steps {
		clock.Step(time.Millisecond)
		popped, err := run.do(step)
		if err != nil {
			return fmt.Errorf("step %d, %s: %w", i, step.Do, err)
		}
		afterGroup, withoutGroup := run.apart()
		state := queueState{
			Script: script.ID, Step: i, Popped: popped,
			Active: names(run.queue.PodsInActiveQ()), Backoff: names(run.queue.PodsInBackoffQ()),
			Unschedulable: names(run.queue.UnschedulablePods()), InFlight: names(run.queue.InFlightPods()),
			AfterGroup: names(afterGroup), WithoutGroup: names(withoutGroup),
		}
		if err := encoder.Encode(state); err != nil {
			return err
		}
	}
	return nil
}

func (r *queueRun) do(step queueStep) (string, error) {
	switch step.Do {
	case "put":
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(step.Object, nil, nil)
		if err != nil {
			return "", err
		}
		return "", r.put(object)
	case "delete":
		return "", r.delete(step.Kind + "/" + step.Key)
	case "advance":
		r.clock.Step(time.Duration(step.Millis) * time.Millisecond)
	case "endWaits":
		endWaits(r.queue, r.logger)
	case "losePatience":
		losePatience(r.queue, r.logger)
	case "pop":
		if len(r.queue.PodsInActiveQ()) == 0 && r.waitsAfterRefusal() == 0 {
			return "", nil
		}
		return r.pop()
	case "refuse":
		info := r.popped[step.UID]
		if info == nil {
			return "", errors.New("it was not popped")
		}
		delete(r.popped, step.UID)
		r.fail(info, step.Plugins, step.Node)
	case "assume":
		info := r.popped[step.UID]
		if info == nil {
			return "", errors.New("it was not popped")
		}
		info.PodInfo, _ = framework.NewPodInfo(info.Pod.DeepCopy())
		info.Pod.Spec.NodeName = step.Node
		if err := r.scheduler.Cache.AssumePod(r.logger, info.Pod); err != nil {
			return "", err
		}
		delete(r.popped, step.UID)
		r.binding[step.UID] = info
		r.queue.Done(info.Pod.UID)
	case "bindingFailed":
		info := r.binding[step.UID]
		if info == nil {
			return "", errors.New("it was not assumed")
		}
		delete(r.binding, step.UID)
		if err := r.scheduler.Cache.ForgetPod(r.logger, info.Pod); err == nil {
			r.queue.MoveAllToActiveOrBackoffQueue(r.logger, framework.EventAssignedPodDelete, info.Pod, nil, nil)
		}
		r.fail(info, nil, "")
	case "groupEnded":
		return "", r.groupEnded(step.End)
	default:
		return "", errors.New("nobody knows it")
	}
	return "", nil
}

func (r *queueRun) take(info *framework.QueuedPodInfo) string {
	uid := string(info.Pod.UID)
	r.popped[uid] = info
	return uid
}

// waitsAfterRefusal is how many pods Pop could take though they wait; those that wait after an error it can't.
func (r *queueRun) waitsAfterRefusal() int {
	count := 0
	for _, pod := range r.queue.PodsInBackoffQ() {
		info, ok := r.waiting(pod)
		if ok && len(info.UnschedulablePlugins)+len(info.PendingPlugins) > 0 {
			count++
		}
	}
	return count
}

func (r *queueRun) fail(info *framework.QueuedPodInfo, plugins []string, nominated string) {
	var status *fwk.Status
	nominating := &fwk.NominatingInfo{NominatingMode: fwk.ModeOverride}
	if len(plugins) == 0 {
		status = fwk.AsStatus(errors.New("something went wrong"))
	} else {
		nominating.NominatedNodeName = nominated
		if nominated == "" {
			nominating = nil
		}
		status = fwk.NewStatus(fwk.Unschedulable).WithError(&framework.FitError{
			Pod:       info.Pod,
			Diagnosis: framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus(), UnschedulablePlugins: sets.New(plugins...)},
		})
	}
	profile := r.scheduler.Profiles[info.Pod.Spec.SchedulerName]
	r.scheduler.FailureHandler(r.ctx, profile, info, status, nominating, r.clock.Now())
}

func (r *queueRun) put(object runtime.Object) error {
	key, store := r.place(object)
	before := r.objects[key]
	if pod, ok := object.(*v1.Pod); ok && (pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed) {
		// The scheduler's informer selects pods that have not ended.
		if before == nil {
			return nil
		}
		return r.delete(key)
	}
	r.objects[key] = object
	if claim, ok := object.(*resourceapi.ResourceClaim); ok {
		// What is assumed of claims is kept apart from the informer; the queue is told by that.
		addClaim(r.claims, claim)
		return nil
	}
	if err := store.Update(object); err != nil {
		return err
	}
	if isGroup(object) {
		r.putGroup(before, object)
		return nil
	}
	switch object.(type) {
	case *resourceapi.DeviceClass:
		if before == nil {
			r.classes.OnAdd(object, false)
		} else {
			r.classes.OnUpdate(before, object)
		}
	case *v1.Pod:
		if before == nil {
			addPod(r.scheduler, object)
		} else {
			updatePod(r.scheduler, before, object)
		}
	case *v1.Node:
		if before == nil {
			addNode(r.scheduler, object)
		} else {
			updateNode(r.scheduler, before, object)
		}
	default:
		event := fwk.ClusterEvent{Resource: resourceOf(object), ActionType: fwk.Update}
		if before == nil {
			event.ActionType = fwk.Add
			r.queue.MoveAllToActiveOrBackoffQueue(r.logger, event, nil, object, nil)
		} else {
			r.queue.MoveAllToActiveOrBackoffQueue(r.logger, event, before, object, nil)
		}
	}
	return nil
}

func (r *queueRun) delete(key string) error {
	object := r.objects[key]
	if object == nil {
		return nil
	}
	delete(r.objects, key)
	if claim, ok := object.(*resourceapi.ResourceClaim); ok {
		deleteClaim(r.claims, claim)
		return nil
	}
	_, store := r.place(object)
	if err := store.Delete(object); err != nil {
		return err
	}
	if isGroup(object) {
		r.deleteGroup(object)
		return nil
	}
	switch object.(type) {
	case *v1.Pod:
		deletePod(r.scheduler, object)
	case *v1.Node:
		deleteNode(r.scheduler, object)
	default:
		return errors.New("nobody asks for its deletion")
	}
	return nil
}
