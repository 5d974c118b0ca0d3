// Command kubelet prints what the kubelet says of itself, its configuration file's defaults included.
package main

import (
	"encoding/json"
	"reflect"
	"strings"

	"exaplane.io/testbed/kube/describe/report"
	"github.com/spf13/pflag"
	"k8s.io/apiserver/pkg/util/feature"
	_ "k8s.io/component-base/logs/json/register" // its flags, as in the released binaries
	"k8s.io/kubelet/config/v1beta1"
	_ "k8s.io/kubernetes/cmd/kubelet/app" // adds gates of logging
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/scheme"
)

func main() {
	// The command itself parses its flags, so it shows none.
	flags := pflag.NewFlagSet("kubelet", pflag.ContinueOnError)
	options.NewKubeletFlags().AddFlags(flags)
	configuration, err := options.NewKubeletConfiguration()
	if err != nil {
		panic(err)
	}
	options.AddKubeletConfigFlags(flags, configuration)
	options.AddGlobalFlags(flags)
	made := report.Of(feature.DefaultMutableFeatureGate, flags)
	made.Configuration = defaults()
	made.Write()
}

// defaults is each field of the configuration file with its default; null where it has none.
func defaults() map[string]any {
	known, _, err := scheme.NewSchemeAndCodecs()
	if err != nil {
		panic(err)
	}
	configuration := v1beta1.KubeletConfiguration{}
	known.Default(&configuration)
	written, err := json.Marshal(configuration)
	if err != nil {
		panic(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(written, &fields); err != nil {
		panic(err)
	}
	shape := reflect.TypeOf(configuration)
	for i := 0; i < shape.NumField(); i++ {
		name, _, _ := strings.Cut(shape.Field(i).Tag.Get("json"), ",")
		if _, set := fields[name]; !set && name != "" {
			fields[name] = nil
		}
	}
	return fields
}
