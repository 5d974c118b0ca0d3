// Command kube-scheduler prints what kube-scheduler says of itself.
package main

import (
	"exaplane.io/testbed/kube/describe/report"
	"k8s.io/apiserver/pkg/util/feature"
	_ "k8s.io/component-base/logs/json/register" // its flags, as in the released binaries
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	report.Of(feature.DefaultMutableFeatureGate, app.NewSchedulerCommand().Flags()).Write()
}
