// Command kube-scheduler prints what kube-scheduler says of itself.
package main

import (
	"exaplane.io/testbed/kube/describe/report"
	"k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	report.Of(feature.DefaultMutableFeatureGate, app.NewSchedulerCommand().Flags()).Write()
}
