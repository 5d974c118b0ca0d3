// Command kube-proxy prints what kube-proxy says of itself.
package main

import (
	"exaplane.io/testbed/kube/describe/report"
	"k8s.io/apiserver/pkg/util/feature"
	_ "k8s.io/component-base/logs/json/register" // its flags, as in the released binaries
	"k8s.io/kubernetes/cmd/kube-proxy/app"
)

func main() {
	report.Of(feature.DefaultMutableFeatureGate, app.NewProxyCommand().Flags()).Write()
}
