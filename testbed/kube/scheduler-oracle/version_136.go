//go:build !before136

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache"
	"k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// optionsOfVersion are those that only some versions know.
func optionsOfVersion(factory informers.SharedInformerFactory, g *groups) []frameworkruntime.Option {
	return append(optionsOfGroups(g),
		frameworkruntime.WithPodsInPreBind(frameworkruntime.NewPodsInPreBindMap()),
		frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(factory.Storage().V1().CSINodes().Lister())))
}

func enqueue(ctx context.Context, q queue.SchedulingQueue, pod *v1.Pod) { q.Add(ctx, pod) }

func beforeSync() {}

// feedClasses tells the manager which resources stand for devices, as kube-scheduler's event handlers do.
func feedClasses(factory informers.SharedInformerFactory, manager *dynamicresources.DefaultDRAManager) (cache.InformerSynced, error) {
	known, err := factory.Resource().V1().DeviceClasses().Informer().AddEventHandler(manager.DeviceClassResolver().(*extendedresourcecache.ExtendedResourceCache))
	if err != nil {
		return nil, err
	}
	return known.HasSynced, nil
}

// tellsPending is whether pendingAllocation answers.
const tellsPending = true

// pendingAllocation is what is kept for a claim, or nil.
func pendingAllocation(manager *dynamicresources.DefaultDRAManager, claim *resourceapi.ResourceClaim) *resourceapi.AllocationResult {
	return manager.ResourceClaims().GetPendingAllocation(claim.UID)
}
