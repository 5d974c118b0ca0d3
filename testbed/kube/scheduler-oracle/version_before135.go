//go:build before135

package main

import (
	"k8s.io/client-go/informers"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

type (
	handle          = framework.Handle
	plugin          = framework.Plugin
	preFilterResult = framework.PreFilterResult
)

func optionsOfVersion(informers.SharedInformerFactory, *groups) []frameworkruntime.Option { return nil }
