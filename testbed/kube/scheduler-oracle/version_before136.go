//go:build before136

package main

import (
	"context"
	"time"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
)

func enqueue(_ context.Context, q queue.SchedulingQueue, pod *v1.Pod) { q.Add(klog.Background(), pod) }

// beforeSync leaves informers the time that they mostly need: older ones are looked at ten times a second only.
func beforeSync() { time.Sleep(5 * time.Millisecond) }

// feedClasses has nothing to do: resources stand for devices from 1.36 on.
func feedClasses(factory informers.SharedInformerFactory, _ *dynamicresources.DefaultDRAManager) (cache.InformerSynced, error) {
	return factory.Resource().V1().DeviceClasses().Informer().HasSynced, nil
}

const tellsPending = false

// pendingAllocation is not told by these versions.
func pendingAllocation(*dynamicresources.DefaultDRAManager, *resourceapi.ResourceClaim) *resourceapi.AllocationResult {
	return nil
}
