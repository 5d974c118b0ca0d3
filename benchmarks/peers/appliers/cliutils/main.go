// An applier made of cli-utils as its command kapply uses the library: server-side apply, an inventory, watches for the status, no limit of requests a second.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
	"k8s.io/kubectl/pkg/cmd/util"
	"sigs.k8s.io/cli-utils/pkg/apply"
	applied "sigs.k8s.io/cli-utils/pkg/apply/event"
	"sigs.k8s.io/cli-utils/pkg/common"
	"sigs.k8s.io/cli-utils/pkg/inventory"
	"sigs.k8s.io/cli-utils/pkg/kstatus/polling/event"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/cli-utils/pkg/kstatus/watcher"
	"sigs.k8s.io/cli-utils/pkg/manifestreader"
	"sigs.k8s.io/cli-utils/pkg/object"
)

func main() {
	if err := serve(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func serve(kubeconfig, folder string) error {
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig = &kubeconfig
	flags.WrapConfigFn = func(config *rest.Config) *rest.Config {
		config.QPS, config.Burst = -1, -1
		return config
	}
	factory := util.NewFactory(flags)
	mapper, err := factory.ToRESTMapper()
	if err != nil {
		return err
	}
	dynamic, err := factory.DynamicClient()
	if err != nil {
		return err
	}
	records, err := inventory.ClusterClientFactory{StatusPolicy: inventory.StatusPolicyNone}.NewClient(factory)
	if err != nil {
		return err
	}
	applier, err := apply.NewApplierBuilder().WithFactory(factory).WithInventoryClient(records).
		WithStatusWatcher(rolledOut{watcher.NewDefaultStatusWatcher(dynamic, mapper)}).Build()
	if err != nil {
		return err
	}
	set := inventory.WrapInventoryInfoObj(&unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "inventory", "namespace": "default", "labels": map[string]any{common.InventoryLabel: "bench"}}}})
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		from := time.Now()
		reader := manifestreader.PathManifestReader{Path: folder, ReaderOptions: manifestreader.ReaderOptions{Mapper: mapper, Namespace: "default"}}
		objects, err := reader.Read()
		if err != nil {
			return err
		}
		if err := applyAll(applier, set, objects); err != nil {
			return err
		}
		fmt.Printf("done %d ms\n", time.Since(from).Milliseconds())
	}
	return lines.Err()
}

func applyAll(applier *apply.Applier, set inventory.Info, objects object.UnstructuredSet) error {
	var first error
	for one := range applier.Run(context.Background(), set, objects, apply.ApplierOptions{
		ServerSideOptions: common.ServerSideOptions{ServerSideApply: true, ForceConflicts: true, FieldManager: "bench"},
		InventoryPolicy:   inventory.PolicyAdoptIfNoInventory,
	}) {
		var err error
		switch {
		case one.Type == applied.ErrorType:
			err = one.ErrorEvent.Err
		case one.Type == applied.ApplyType && one.ApplyEvent.Error != nil:
			err = fmt.Errorf("%s: %w", one.ApplyEvent.Identifier, one.ApplyEvent.Error)
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// rolledOut is a watcher to whom each Deployment has its pods: no controller is here, and the applier would wait for them for ever.
type rolledOut struct{ watcher.StatusWatcher }

func (r rolledOut) Watch(ctx context.Context, all object.ObjMetadataSet, options watcher.Options) <-chan event.Event {
	seen := r.StatusWatcher.Watch(ctx, all, options)
	told := make(chan event.Event)
	go func() {
		defer close(told)
		for one := range seen {
			if one.Resource != nil && one.Resource.Resource != nil && one.Resource.Status == status.InProgressStatus && one.Resource.Identifier.GroupKind.Kind == "Deployment" {
				as := *one.Resource
				as.Status = status.CurrentStatus
				one.Resource = &as
			}
			told <- one
		}
	}()
	return told
}
