//go:build !before135

package main

import (
	"k8s.io/apimachinery/pkg/runtime"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// clearsWithoutPostFilter is whether a nomination goes where there are no plugins that could help.
const clearsWithoutPostFilter = true

// watchVolumes has nothing to watch: the plugin looks into the informers' stores.
func watchVolumes(frameworkruntime.Registry) func(objects []runtime.Object) bool {
	return func([]runtime.Object) bool { return true }
}
