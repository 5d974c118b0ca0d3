// Command client-go prints client-go's own feature gates, which programs take from the environment (KUBE_FEATURE_<Gate>).
package main

import (
	"exaplane.io/testbed/kube/describe/report"
	"k8s.io/client-go/features"
)

type gates map[string]report.Gate

// Add is what client-go calls with its gates.
func (g gates) Add(added map[features.Feature]features.FeatureSpec) error {
	for name, spec := range added {
		g[string(name)] = report.Gate{Default: spec.Default, Stage: report.Stage(string(spec.PreRelease)), Locked: spec.LockToDefault}
	}
	return nil
}

func main() {
	found := gates{}
	if err := features.AddFeaturesToExistingFeatureGates(found); err != nil {
		panic(err)
	}
	report.Report{Gates: found}.Write()
}
