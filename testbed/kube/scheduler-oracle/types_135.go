//go:build !before135

package main

import fwk "k8s.io/kube-scheduler/framework"

// These moved from one module to another with 1.35.
type (
	handle          = fwk.Handle
	plugin          = fwk.Plugin
	preFilterResult = fwk.PreFilterResult
)
