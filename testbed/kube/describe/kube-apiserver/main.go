// Command kube-apiserver prints what kube-apiserver says of itself, its own priority levels and flow schemas included.
package main

import (
	"exaplane.io/testbed/kube/describe/report"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"k8s.io/apiserver/pkg/util/feature"
	_ "k8s.io/component-base/logs/json/register" // its flags, as in the released binaries
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	made := report.Of(feature.DefaultMutableFeatureGate, app.NewAPIServerCommand().Flags())
	made.FlowControl = map[string]any{
		"mandatory": []any{bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.MandatoryFlowSchemas},
		"suggested": []any{bootstrap.SuggestedPriorityLevelConfigurations, bootstrap.SuggestedFlowSchemas},
	}
	made.Write()
}
