package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	resourceslicetracker "k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/util/assumecache"
)

// draws is how often PostFilter is asked which claim it would give up: it takes any of a few, and all but the first of them once in eight times, as Go walks
// through small maps.
const draws = 400

// devices is what the framework's plugin for devices works with.
type devices struct {
	client  *fake.Clientset
	manager *dynamicresources.DefaultDRAManager
	claims  *assumecache.AssumeCache
	plugin  *dynamicresources.DynamicResources
	synced  []cache.InformerSynced
	// asking is whether changes of claims are only noted.
	asking bool
	noted  map[string]bool
}

func newDevices(ctx context.Context, client *fake.Clientset, factory informers.SharedInformerFactory) (*devices, error) {
	d := &devices{client: client}
	d.claims = assumecache.NewAssumeCache(klog.Background(), factory.Resource().V1().ResourceClaims().Informer(), "ResourceClaim", "", nil)
	options := resourceslicetracker.Options{SliceInformer: factory.Resource().V1().ResourceSlices(), KubeClient: client}
	taintsOfRules(&options, factory)
	slices, err := resourceslicetracker.StartTracker(ctx, options)
	if err != nil {
		return nil, err
	}
	d.manager = dynamicresources.NewDRAManager(ctx, d.claims, slices, factory)
	nothing := cache.ResourceEventHandlerFuncs{}
	known, err := slices.AddEventHandler(nothing)
	if err != nil {
		return nil, err
	}
	d.synced = append(d.synced, known.HasSynced, d.claims.AddEventHandler(nothing).HasSynced)
	classes, err := feedClasses(factory, d.manager)
	if err != nil {
		return nil, err
	}
	d.synced = append(d.synced, classes)
	for _, verb := range []string{"update", "delete"} {
		client.PrependReactor(verb, "resourceclaims", d.note)
	}
	return d, nil
}

// watch lets the plugin be known once it is made.
func (d *devices) watch(registry frameworkruntime.Registry) {
	original := registry[dynamicresources.Name]
	registry[dynamicresources.Name] = func(ctx context.Context, args runtime.Object, handle handle) (plugin, error) {
		made, err := original(ctx, args, handle)
		if err == nil {
			d.plugin = made.(*dynamicresources.DynamicResources)
		}
		return made, err
	}
}

func (d *devices) wait(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), d.synced...) {
		return errors.New("devices were not read")
	}
	return nil
}

// note keeps a change of a claim from coming true while somebody asks what would change.
func (d *devices) note(action clienttesting.Action) (bool, runtime.Object, error) {
	if !d.asking {
		return false, nil, nil
	}
	switch a := action.(type) {
	case clienttesting.UpdateAction:
		claim := a.GetObject().(*resourceapi.ResourceClaim)
		d.noted[claim.Namespace+"/"+claim.Name] = true
		return true, claim, nil
	case clienttesting.DeleteAction:
		d.noted[a.GetNamespace()+"/"+a.GetName()] = true
	}
	return true, nil, nil
}

// idle are the claims that PostFilter may give up.
func (d *devices) idle(ctx context.Context, cycle fwk.CycleState, pod *v1.Pod, statuses *framework.NodeToStatus) []string {
	if d.plugin == nil {
		return nil
	}
	d.asking, d.noted = true, map[string]bool{}
	defer func() { d.asking = false }()
	for range draws {
		d.plugin.PostFilter(ctx, cycle, pod, statuses)
		if len(d.noted) == 0 {
			return nil
		}
		if len(d.noted) > len(pod.Spec.ResourceClaims) {
			break
		}
	}
	var names []string
	for name := range d.noted {
		names = append(names, name)
	}
	return sorted(names)
}

// says is what PostFilter says, while nothing that it changes comes true.
func (d *devices) says(ctx context.Context, cycle fwk.CycleState, pod *v1.Pod, statuses *framework.NodeToStatus) *fwk.Status {
	d.asking, d.noted = true, map[string]bool{}
	defer func() { d.asking = false }()
	_, status := d.plugin.PostFilter(ctx, cycle, pod, statuses)
	return status
}

// bind lets the API server and the framework know what the pod's claims have.
func (d *devices) bind(ctx context.Context, cycle fwk.CycleState, pod *v1.Pod, node string) error {
	if d.plugin == nil || len(pod.Spec.ResourceClaims) == 0 {
		return nil
	}
	// A pod with claims to be allocated, and extended resources for which its node needs no devices, kube-scheduler 1.36 cannot bind: it stops at the claim that
	// would have been made elsewhere, which comes last.
	if status := d.plugin.PreBind(ctx, cycle, pod, node); !status.IsSuccess() && !strings.Contains(status.Message(), "extended resource claim not found") {
		return fmt.Errorf("binding the claims of %s: %s", key(pod), status.Message())
	}
	// The fake client gives no new versions, without which changes are not taken for changes.
	api := d.client.ResourceV1().ResourceClaims(pod.Namespace)
	all, err := api.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, claim := range all.Items {
		known, err := d.claims.Get(claim.Namespace + "/" + claim.Name)
		if err == nil && !equality.Semantic.DeepEqual(known.(*resourceapi.ResourceClaim).Status, claim.Status) {
			if err := d.update(ctx, &claim); err != nil {
				return err
			}
		}
	}
	return nil
}

// update gives a claim a new version, and waits until everybody was told.
func (d *devices) update(ctx context.Context, claim *resourceapi.ResourceClaim) error {
	claim.ResourceVersion += "0"
	if _, err := d.client.ResourceV1().ResourceClaims(claim.Namespace).Update(ctx, claim, metav1.UpdateOptions{}); err != nil {
		return err
	}
	return d.until(ctx, claim, func(now *resourceapi.ResourceClaim) bool {
		return now != nil && now.ResourceVersion == claim.ResourceVersion
	})
}

// until waits for what is known of a claim, nil if it is gone, and until everybody was told.
func (d *devices) until(ctx context.Context, claim *resourceapi.ResourceClaim, known func(*resourceapi.ResourceClaim) bool) error {
	name := claim.Namespace + "/" + claim.Name
	err := wait.PollUntilContextTimeout(ctx, time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		now, err := d.claims.Get(name)
		if err != nil {
			return known(nil), nil
		}
		return known(now.(*resourceapi.ResourceClaim)), nil
	})
	// Restoring what is as it was waits until everybody was told of what came before.
	d.claims.Restore(name)
	return err
}

// giveUp takes its devices from a claim, or deletes it if it was made for extended resources.
func (d *devices) giveUp(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	namespace, name, _ := strings.Cut(name, "/")
	known, err := d.claims.Get(namespace + "/" + name)
	if err != nil {
		return err
	}
	claim := known.(*resourceapi.ResourceClaim).DeepCopy()
	if claim.Annotations["resource.kubernetes.io/extended-resource-claim"] == "true" {
		if err := d.client.ResourceV1().ResourceClaims(namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
			return err
		}
		return d.until(ctx, claim, func(now *resourceapi.ResourceClaim) bool { return now == nil })
	}
	claim.Status = resourceapi.ResourceClaimStatus{}
	return d.update(ctx, claim)
}

// grants are, by node and claim, the devices that the last judgement found.
func (d *devices) grants(ctx context.Context, cycle fwk.CycleState, pod *v1.Pod, feasible []fwk.NodeInfo) map[string]map[string][]string {
	if d.plugin == nil || !tellsPending || len(pod.Spec.ResourceClaims) == 0 {
		return nil
	}
	before := map[string]bool{}
	d.eachPending(func(claim string, _ *resourceapi.AllocationResult) { before[claim] = true })
	grants := map[string]map[string][]string{}
	for _, node := range feasible {
		name := node.Node().Name
		if d.plugin.Reserve(ctx, cycle, pod, name).IsSuccess() {
			grants[name] = map[string][]string{}
			d.eachPending(func(claim string, allocation *resourceapi.AllocationResult) {
				if !before[claim] {
					grants[name][claim] = words(allocation)
				}
			})
		}
		d.plugin.Unreserve(ctx, cycle, pod, name)
	}
	return grants
}

// eachPending passes what is kept for claims, by name.
func (d *devices) eachPending(do func(claim string, allocation *resourceapi.AllocationResult)) {
	for _, object := range d.claims.List(nil) {
		claim := object.(*resourceapi.ResourceClaim)
		if allocation := pendingAllocation(d.manager, claim); allocation != nil {
			do(claim.Namespace+"/"+claim.Name, allocation)
		}
	}
}

// words are an allocation's devices and where they can be used.
func words(allocation *resourceapi.AllocationResult) []string {
	var all []string
	for _, r := range allocation.Devices.Results {
		var consumed []string
		for name, amount := range r.ConsumedCapacity {
			consumed = append(consumed, fmt.Sprintf("%s=%dm", name, amount.MilliValue()))
		}
		slices.Sort(consumed)
		all = append(all, fmt.Sprintf("%s: %s/%s/%s admin %t shared %t %v", r.Request, r.Driver, r.Pool, r.Device, r.AdminAccess != nil && *r.AdminAccess, r.ShareID != nil, consumed))
	}
	if allocation.NodeSelector != nil {
		for _, term := range allocation.NodeSelector.NodeSelectorTerms {
			for _, r := range slices.Concat(term.MatchExpressions, term.MatchFields) {
				all = append(all, fmt.Sprintf("%s %s %v", r.Key, r.Operator, r.Values))
			}
		}
	}
	return all
}
