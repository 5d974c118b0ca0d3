//go:build before135

package main

import (
	"context"
	"reflect"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// clearsWithoutPostFilter is whether a nomination goes where there are no plugins that could help.
const clearsWithoutPostFilter = false

// watchVolumes lets somebody ask whether the plugin knows all claims and volumes: it is told of them a moment after the informers.
func watchVolumes(registry frameworkruntime.Registry) func(objects []runtime.Object) bool {
	var binder reflect.Value
	original := registry[volumebinding.Name]
	registry[volumebinding.Name] = func(ctx context.Context, args runtime.Object, handle handle) (plugin, error) {
		made, err := original(ctx, args, handle)
		if err == nil {
			binder = reflect.ValueOf(made.(*volumebinding.VolumeBinding).Binder).Elem()
		}
		return made, err
	}
	return func(objects []runtime.Object) bool {
		if !binder.IsValid() {
			return true
		}
		volumes := hidden(binder, "pvCache").(*volumebinding.PVAssumeCache)
		claims := hidden(binder, "pvcCache").(*volumebinding.PVCAssumeCache)
		for _, object := range objects {
			var err error
			switch o := object.(type) {
			case *v1.PersistentVolume:
				_, err = volumes.Get(o.Name)
			case *v1.PersistentVolumeClaim:
				_, err = claims.Get(o.Namespace + "/" + o.Name)
			}
			if err != nil {
				return false
			}
		}
		return true
	}
}

func hidden(of reflect.Value, name string) any {
	field := of.FieldByName(name)
	return reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Interface()
}
