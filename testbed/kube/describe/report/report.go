// Package report is what a component says of itself: its flags, its feature gates, and what else the tuning model takes from it.
package report

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/component-base/featuregate"
)

// Report is one component of one version.
type Report struct {
	Gates         map[string]Gate `json:"gates"`
	Flags         map[string]Flag `json:"flags,omitempty"`
	Configuration any             `json:"configuration,omitempty"` // the kubelet's, with its defaults
	FlowControl   any             `json:"flowControl,omitempty"`   // kube-apiserver's own priority levels and flow schemas
}

// Gate is a feature gate at the binary's own version.
type Gate struct {
	Default bool   `json:"default"`
	Stage   string `json:"stage"` // Alpha, Beta, GA, Deprecated
	Locked  bool   `json:"locked,omitempty"`
}

// Flag is a command line flag; its default is as pflag prints it.
type Flag struct {
	Type       string `json:"type"`
	Default    string `json:"default"`
	Deprecated string `json:"deprecated,omitempty"`
}

// Gates is what featuregate's gates have in common in all versions.
type Gates interface {
	GetAll() map[featuregate.Feature]featuregate.FeatureSpec
}

// Of makes the report of a component from its gates and flags.
func Of(gates Gates, flags *pflag.FlagSet) Report {
	made := Report{Gates: map[string]Gate{}, Flags: map[string]Flag{}}
	for name, spec := range gates.GetAll() {
		if name != "AllAlpha" && name != "AllBeta" {
			made.Gates[string(name)] = Gate{spec.Default, Stage(string(spec.PreRelease)), spec.LockToDefault}
		}
	}
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "help" && flag.Name != "version" {
			// The components take either; their help shows dashes.
			made.Flags[strings.ReplaceAll(flag.Name, "_", "-")] = Flag{flag.Value.Type(), flag.DefValue, flag.Deprecated}
		}
	})
	return made
}

// Write prints the report.
func (r Report) Write() {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(r); err != nil {
		panic(err)
	}
}

// Stage is the name of a gate's stage, as the table has it.
func Stage(preRelease string) string {
	switch preRelease {
	case "":
		return "GA"
	case "ALPHA":
		return "Alpha"
	case "BETA":
		return "Beta"
	case "DEPRECATED":
		return "Deprecated"
	}
	return preRelease
}
