// An applier made of Flux's library as kustomize-controller uses the library: stages, four drift checks at once, no limit of requests a second.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/ssa"
	ssautils "github.com/fluxcd/pkg/ssa/utils"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

func main() {
	if err := serve(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func serve(kubeconfig, folder string) error {
	log.SetLogger(logr.Discard())
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, http)
	if err != nil {
		return err
	}
	kube, err := client.New(config, client.Options{HTTPClient: http, Mapper: mapper, Scheme: runtime.NewScheme()})
	if err != nil {
		return err
	}
	manager := ssa.NewResourceManager(kube, polling.NewStatusPoller(kube, mapper, polling.Options{}), ssa.Owner{Field: "bench", Group: "bench.exaplane.io"})
	manager.SetConcurrency(4)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		from := time.Now()
		objects, err := read(folder)
		if err != nil {
			return err
		}
		if _, err := manager.ApplyAllStaged(context.Background(), objects, ssa.DefaultApplyOptions()); err != nil {
			return err
		}
		fmt.Printf("done %d ms\n", time.Since(from).Milliseconds())
	}
	return lines.Err()
}

func read(folder string) ([]*unstructured.Unstructured, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var all []*unstructured.Unstructured
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		objects, err := ssautils.ReadObjects(file)
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, objects...)
	}
	return all, nil
}
