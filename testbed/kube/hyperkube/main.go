// Command hyperkube is every Kubernetes component in one static binary: it dispatches on the name it is called by, so one link of the
// shared code serves kube-apiserver, kube-controller-manager, kube-scheduler, kubelet, kube-proxy and kubectl.
// It is compiled once per Kubernetes minor with -modfile=mods/kube-<minor>.mod.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"          // --logging-format=json
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // client and workqueue metrics, as in the released binaries
	_ "k8s.io/component-base/metrics/prometheus/version"  // kubernetes_build_info
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var commands = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllermanager.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubelet":                 made(kubelet.NewKubeletCommand),
	"kube-proxy":              proxy.NewProxyCommand,
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
}

func main() {
	name := filepath.Base(os.Args[0])
	if name == "hyperkube" && len(os.Args) > 1 {
		name = os.Args[1]
		os.Args = os.Args[1:]
	}
	command, known := commands[name]
	if !known {
		fmt.Fprintf(os.Stderr, "hyperkube: unknown component %q: call it by a link named after one, or as 'hyperkube COMPONENT …'\n", name)
		os.Exit(2)
	}
	os.Exit(cli.Run(command()))
}

// made is the kubelet's constructor: until 1.33 it took no context.
func made(constructor any) func() *cobra.Command {
	if plain, ok := constructor.(func() *cobra.Command); ok {
		return plain
	}
	return func() *cobra.Command { return constructor.(func(context.Context) *cobra.Command)(context.Background()) }
}
