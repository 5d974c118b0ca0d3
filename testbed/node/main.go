// Command testbed makes a real Kubernetes on one machine, for ./exa and for the tests: binaries, a management cluster, further hosts, images.
// It is told where to keep things by EXA_STATE and EXA_CACHE.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"exaplane.io/testbed/node/internal/binaries"
	"exaplane.io/testbed/node/internal/cluster"
	"exaplane.io/testbed/node/internal/images"
	"exaplane.io/testbed/node/internal/layout"
	"exaplane.io/testbed/node/internal/machine"
	"exaplane.io/testbed/node/internal/olm"
	"exaplane.io/testbed/node/internal/progress"
	"exaplane.io/testbed/node/internal/registry"
	"exaplane.io/testbed/node/internal/run"
)

const usage = `testbed COMMAND, through ./exa:
  binaries kube|etcd VERSION…     put the binaries of these versions into the cache
  registry                        start the local image registry
  registry-serve                  be the local image registry (the process that 'registry' starts)
  images KUBE_VERSION ETCD_VERSION PAUSE BUSYBOX   push the control plane's images to the local registry
  program-image FILE PATH [USER]  push an image of one static program, which it starts, to the local registry
  olm-images PROGRAMS PARTS BUSYBOX VERSION   push the Operator Lifecycle Manager's images to the local registry
  bundle-image FOLDER PATH        push a bundle for the Operator Lifecycle Manager to the local registry
  catalog-image PROGRAMS PARTS FOLDER PATH   push a catalog of bundles to the local registry
  kubelets-image KUBE_VERSION SCRIPT NAME|/FILE   push an image that runs many kubelets under its full name, or write it as a tar
  jre-base JRE_FOLDER FILE        write the base image of a Java runtime as a tar
  java-app BASE FOLDER NAME PROGRAM       push an image of the base with the folder as /app under its full name
  built-image JARS NAME PROGRAM COMMAND…  run a build that pushes an image to {image}, add licences and the list of its jars, push it under its full name
  image show NAME                 print the digests of an image and of its layers
  with-registry COMMAND…          run a command with its own registry, whose address is in EXA_REGISTRY
  sbom FOLDER PROGRAM FILE        write the list of the libraries in a folder of jars as CycloneDX
  libraries check|write PROGRAM=FOLDER…   compare the licences and checksums of all programs' libraries with the committed ones, or write them
  image save PATH FILE | image load FILE PATH   keep an image of the local registry as a tar, and bring it back
  up KUBE_VERSION ETCD_VERSION    bring the management cluster up, on the store whose command is in EXA_STORE
  host add NAME KUBE_VERSION KUBECONFIG [--without-kube-proxy]   make a host and join it to a hosted cluster
  host remove NAME                remove a host
  host list                       list the hosts
  host exec NAME COMMAND…         run a command in a host's network namespace
  leftovers                       list the leftovers of the test bed; fails if any exist
  down                            remove all of it
`

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	l, err := layout.FromEnvironment()
	if err != nil {
		return err
	}
	name, args := first(args)
	switch {
	case name == "binaries" && len(args) >= 2:
		return ensureBinaries(l, args[0], args[1:])
	case name == "registry" && len(args) == 0:
		return registry.Start(l)
	case name == "registry-serve" && len(args) == 0:
		return registry.Serve(l.Registry())
	case name == "images" && len(args) == 4:
		return pushImages(l, args[0], args[1], args[2], args[3])
	case name == "program-image" && len(args) == 2:
		return images.PushProgram(registry.Address, args[0], args[1], images.Nobody)
	case name == "program-image" && len(args) == 3:
		return images.PushProgram(registry.Address, args[0], args[1], args[2])
	case name == "olm-images" && len(args) == 4:
		return olm.Push(registry.Address, args[0], args[1], args[2], args[3])
	case name == "bundle-image" && len(args) == 2:
		return olm.PushBundle(registry.Address, args[0], args[1])
	case name == "catalog-image" && len(args) == 4:
		return olm.PushCatalog(registry.Address, args[0], args[1], args[2], args[3])
	case name == "kubelets-image" && len(args) == 3:
		return images.PushKubelets(l.Kube(args[0]), args[0], args[1], args[2])
	case name == "jre-base" && len(args) == 2:
		return images.WriteJREBase(args[0], args[1])
	case name == "java-app" && len(args) == 4:
		return images.PushJavaApp(args[0], args[1], args[2], program(args[3], args[1]))
	case name == "built-image" && len(args) >= 4:
		return images.PushBuilt(args[1], program(args[2], args[0]), args[3:]...)
	case name == "with-registry" && len(args) >= 1:
		return withRegistry(args)
	case name == "sbom" && len(args) == 3:
		return writeBOM(args[0], args[1], args[2])
	case name == "libraries" && len(args) >= 2 && (args[0] == "check" || args[0] == "write"):
		return libraries(args[0] == "write", args[1:])
	case name == "image" && len(args) == 2 && args[0] == "show":
		text, err := images.Describe(args[1])
		fmt.Print(text)
		return err
	case name == "image" && len(args) == 3 && args[0] == "save":
		return images.Save(registry.Address, args[1], args[2])
	case name == "image" && len(args) == 3 && args[0] == "load":
		return images.Load(registry.Address, args[1], args[2])
	case name == "up" && len(args) == 2:
		store := strings.Fields(os.Getenv("EXA_STORE"))
		if len(store) == 0 {
			return errors.New("EXA_STORE is empty: it holds the command of the store that keeps the management cluster's state; use ./exa up, which sets it")
		}
		return (&cluster.Management{Layout: l, KubeDir: l.Kube(args[0]), EtcdDir: l.Etcd(args[1]), Store: store}).Up()
	case name == "host" && len(args) >= 1:
		return host(l, args[0], args[1:])
	case name == "leftovers" && len(args) == 0:
		if left := machine.Leftovers(l.State); len(left) > 0 {
			return errors.New(strings.Join(left, "\n"))
		}
		return nil
	case name == "down" && len(args) == 0:
		return cluster.Down(l)
	}
	return fmt.Errorf("unknown command %q\n%s", strings.Join(os.Args[1:], " "), usage)
}

func host(l layout.Layout, verb string, args []string) error {
	switch {
	case verb == "add" && (len(args) == 3 || len(args) == 4 && args[3] == "--without-kube-proxy"):
		return (&cluster.Join{Layout: l, KubeDir: l.Kube(args[1]), Kubeconfig: args[2], WithoutProxy: len(args) == 4}).Host(args[0])
	case verb == "remove" && len(args) == 1 && args[0] == layout.ManagementMachine:
		return fmt.Errorf("%s is the management machine, not a host: './exa down' removes it with everything else", args[0])
	case verb == "remove" && len(args) == 1:
		m, err := machine.Find(l, args[0])
		if err != nil {
			return err
		}
		return m.Remove()
	case verb == "list" && len(args) == 0:
		for _, m := range machine.All(l) {
			if m.Name == layout.ManagementMachine {
				continue
			}
			fmt.Printf("%-12s %-16s pods %-24s namespace %s\n", m.Name, m.Address(), m.PodCIDR(), m.Namespace())
		}
		return nil
	case verb == "exec" && len(args) >= 2:
		m, err := machine.Find(l, args[0])
		if err != nil {
			return err
		}
		out, err := run.Command("nsenter", m.Inside(args[1:]...)[1:]...)
		fmt.Print(out)
		return err
	}
	return fmt.Errorf("unknown command \"host %s\"\n%s", verb, usage)
}

func ensureBinaries(l layout.Layout, kind string, versions []string) error {
	source := binaries.Source{Mode: environment("EXA_BINARIES", "auto"), ModuleDir: os.Getenv("EXA_KUBE_MODULE"), Log: filepath.Join(l.Cache, "build.log"),
		KubeBaseURL: environment("EXA_KUBE_BASE_URL", "https://dl.k8s.io/release"),
		EtcdBaseURL: environment("EXA_ETCD_BASE_URL", "https://github.com/etcd-io/etcd/releases/download")}
	for _, version := range versions {
		ensure, folder := source.Kubernetes, l.Kube(version)
		if kind == "etcd" {
			ensure, folder = source.Etcd, l.Etcd(version)
		}
		start := time.Now()
		how, err := ensure(version, folder)
		if err != nil {
			return err
		}
		fmt.Printf("  · %s %s: %s, %.1f s\n", kind, version, how, time.Since(start).Seconds())
	}
	return nil
}

func pushImages(l layout.Layout, kubeVersion, etcdVersion, pause, busybox string) error {
	return progress.Step("images of Kubernetes "+kubeVersion+", etcd "+etcdVersion, func() error {
		return errors.Join(images.PushKubernetes(registry.Address, l.Kube(kubeVersion), kubeVersion),
			images.PushEtcd(registry.Address, l.Etcd(etcdVersion), etcdVersion),
			images.PushTools(registry.Address, pause, busybox, l.Kube(kubeVersion), kubeVersion))
	})
}

func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func first(args []string) (string, []string) {
	if len(args) == 0 {
		return "", nil
	}
	return args[0], args[1:]
}
