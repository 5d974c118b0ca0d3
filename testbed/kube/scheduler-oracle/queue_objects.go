//go:build !before136

package main

import (
	"fmt"
	"sort"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
)

// place is an object's key here, and the informer's store that it belongs to.
func (r *queueRun) place(object runtime.Object) (string, cache.Indexer) {
	switch o := object.(type) {
	case *v1.Pod:
		return "Pod/" + o.Namespace + "/" + o.Name, r.factory.Core().V1().Pods().Informer().GetIndexer()
	case *v1.Node:
		return "Node/" + o.Name, r.factory.Core().V1().Nodes().Informer().GetIndexer()
	case *v1.PersistentVolumeClaim:
		return "PersistentVolumeClaim/" + o.Namespace + "/" + o.Name, r.factory.Core().V1().PersistentVolumeClaims().Informer().GetIndexer()
	case *v1.PersistentVolume:
		return "PersistentVolume/" + o.Name, r.factory.Core().V1().PersistentVolumes().Informer().GetIndexer()
	case *storagev1.StorageClass:
		return "StorageClass/" + o.Name, r.factory.Storage().V1().StorageClasses().Informer().GetIndexer()
	case *storagev1.CSINode:
		return "CSINode/" + o.Name, r.factory.Storage().V1().CSINodes().Informer().GetIndexer()
	case *storagev1.CSIStorageCapacity:
		return "CSIStorageCapacity/" + o.Namespace + "/" + o.Name, r.factory.Storage().V1().CSIStorageCapacities().Informer().GetIndexer()
	case *resourceapi.ResourceClaim:
		return "ResourceClaim/" + o.Namespace + "/" + o.Name, nil
	case *resourceapi.ResourceSlice:
		return "ResourceSlice/" + o.Name, r.factory.Resource().V1().ResourceSlices().Informer().GetIndexer()
	case *resourceapi.DeviceClass:
		return "DeviceClass/" + o.Name, r.factory.Resource().V1().DeviceClasses().Informer().GetIndexer()
	}
	if isGroup(object) {
		return r.placeGroup(object)
	}
	panic(fmt.Sprintf("no store for %T", object))
}

func resourceOf(object runtime.Object) fwk.EventResource {
	switch object.(type) {
	case *v1.PersistentVolumeClaim:
		return fwk.PersistentVolumeClaim
	case *v1.PersistentVolume:
		return fwk.PersistentVolume
	case *storagev1.StorageClass:
		return fwk.StorageClass
	case *storagev1.CSINode:
		return fwk.CSINode
	case *resourceapi.ResourceSlice:
		return fwk.ResourceSlice
	}
	return fwk.CSIStorageCapacity
}

func names(pods []*v1.Pod) []string {
	uids := []string{}
	for _, pod := range pods {
		uids = append(uids, string(types.UID(pod.UID)))
	}
	sort.Strings(uids)
	return uids
}

type noEvents struct{}

func (noEvents) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...interface{}) {
}

func (n noEvents) WithLogger(klog.Logger) events.EventRecorderLogger { return n }
