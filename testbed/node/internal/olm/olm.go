// Package olm makes images of the Operator Lifecycle Manager, of bundles and of catalogs, as their Dockerfiles do.
package olm

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"exaplane.io/testbed/node/internal/images"
)

// configsAt is where the catalog's Dockerfile copies its blobs.
const configsAt = "/configs"

// labelLine is a line of a Dockerfile that a bundle has.
var labelLine = regexp.MustCompile(`(?m)^LABEL ([^=\s]+)=(.*)$`)

// Push puts the Operator Lifecycle Manager of a version and opm into the registry under their upstream paths. The programs are in two folders.
func Push(registry, programs, parts, busybox, version string) error {
	util := []images.Entry{{From: busybox, At: "/bin/busybox"}, {At: "/bin/cp", Link: "busybox"}}
	for program, folder := range map[string]string{"olm": programs, "catalog": programs, "package-server": parts, "cpb": parts} {
		util = append(util, images.Entry{From: filepath.Join(folder, program), At: "/bin/" + program})
	}
	slices.SortFunc(util, func(a, b images.Entry) int { return strings.Compare(a.At, b.At) })
	config := v1.Config{Env: []string{"PATH=/bin"}, User: images.Nobody}
	if err := (images.Image{Layers: [][]images.Entry{util}, Config: config}).Push(registry, "operator-framework/olm:v"+version); err != nil {
		return err
	}
	return withTemporary(func(temporary images.Entry) error {
		return (images.Image{Layers: [][]images.Entry{opm(programs, parts), {temporary}}, Config: config}).Push(registry, "operator-framework/opm:v"+version)
	})
}

// withTemporary gives a folder /tmp in which everybody may write.
func withTemporary(push func(temporary images.Entry) error) error {
	root, err := os.MkdirTemp("", "exaplane-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	if err := os.Chmod(root, os.ModeSticky|0o777); err != nil {
		return err
	}
	return push(images.Entry{From: root, At: "/tmp"})
}

// opm serves a catalog; OLM asks by the other program whether it does.
func opm(programs, parts string) []images.Entry {
	return []images.Entry{{From: filepath.Join(programs, "opm"), At: "/bin/opm"}, {From: filepath.Join(parts, "grpc_health_probe"), At: "/bin/grpc_health_probe"}}
}

// PushBundle puts a bundle into the registry as its Dockerfile makes it.
func PushBundle(registry, folder, path string) error {
	dockerfile, err := os.ReadFile(filepath.Join(folder, "bundle.Dockerfile"))
	if err != nil {
		return err
	}
	labels := labelsOf(string(dockerfile))
	if len(labels) == 0 {
		return fmt.Errorf("%s has no line LABEL NAME=VALUE, so OLM would not know the bundle; generate the bundle again", filepath.Join(folder, "bundle.Dockerfile"))
	}
	entries := []images.Entry{{From: filepath.Join(folder, "manifests"), At: "/manifests"}, {From: filepath.Join(folder, "metadata"), At: "/metadata"}}
	return (images.Image{Layers: [][]images.Entry{entries}, Config: v1.Config{Labels: labels}}).Push(registry, path)
}

func labelsOf(dockerfile string) map[string]string {
	labels := map[string]string{}
	for _, line := range labelLine.FindAllStringSubmatch(dockerfile, -1) {
		labels[line[1]] = line[2]
	}
	return labels
}

// PushCatalog puts a folder of blobs into the registry as catalog.Dockerfile makes it, without the cache: opm makes that when the pod starts.
func PushCatalog(registry, programs, parts, folder, path string) error {
	config := v1.Config{
		Env: []string{"PATH=/bin"}, User: images.Nobody,
		Entrypoint: []string{"/bin/opm"}, Cmd: []string{"serve", configsAt, "--cache-dir=/tmp/cache", "--cache-enforce-integrity=false"},
		Labels: map[string]string{"operators.operatorframework.io.index.configs.v1": configsAt},
	}
	return withTemporary(func(temporary images.Entry) error {
		return (images.Image{Layers: [][]images.Entry{opm(programs, parts), {temporary, {From: folder, At: configsAt}}}, Config: config}).Push(registry, path)
	})
}
