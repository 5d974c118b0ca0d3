package images

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

const binPath = "/usr/local/bin"

var componentConfig = v1.Config{Env: []string{"PATH=" + binPath + ":/usr/bin:/bin"}, WorkingDir: "/"}

// PushKubernetes puts the control plane's components of one version into the registry under the paths that registry.k8s.io has them at.
func PushKubernetes(registry, folder, version string) error {
	for _, component := range []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler"} {
		image := Image{Layers: componentLayers(folder, component), Config: componentConfig}
		if err := image.Push(registry, fmt.Sprintf("%s:v%s", component, version)); err != nil {
			return err
		}
	}
	return nil
}

// PushEtcd puts etcd into the registry under its upstream path; "-0" is upstream's build number.
func PushEtcd(registry, folder, version string) error {
	image := Image{Layers: [][]Entry{{
		{From: filepath.Join(folder, "etcd"), At: binPath + "/etcd"}, {From: filepath.Join(folder, "etcdctl"), At: binPath + "/etcdctl"},
	}}, Config: componentConfig}
	return image.Push(registry, "etcd:"+version+"-0")
}

// PushProgram puts an image of one static program, which is its entry point, into the registry under the path.
func PushProgram(registry, program, path string) error {
	at := "/" + strings.SplitN(filepath.Base(path), ":", 2)[0]
	return (Image{Layers: [][]Entry{{{From: program, At: at}}}, Config: v1.Config{Entrypoint: []string{at}, User: "65535:65535"}}).Push(registry, path)
}

// PushTools puts the pause image and two small images for test workloads into the registry: busybox, and busybox with kubectl.
func PushTools(registry, pause, busybox, kubeFolder, kubeVersion string) error {
	if err := PushProgram(registry, pause, "pause:3.10"); err != nil {
		return err
	}
	tools := []Entry{{From: busybox, At: "/bin/busybox"}}
	for _, applet := range []string{"sh", "cat", "echo", "sleep", "wget", "nc", "hostname", "ls", "httpd", "id", "tar", "rm"} {
		tools = append(tools, Entry{At: "/bin/" + applet, Link: "busybox"})
	}
	config := v1.Config{Env: []string{"PATH=" + binPath + ":/bin"}, Cmd: []string{"sh"}}
	if err := (Image{Layers: [][]Entry{tools}, Config: config}).Push(registry, "exaplane/busybox:1"); err != nil {
		return err
	}
	kubectl := append(componentLayers(kubeFolder, "kubectl"), tools)
	return (Image{Layers: kubectl, Config: config}).Push(registry, "exaplane/kubectl:"+kubeVersion)
}

// componentLayers gives a multi-call binary a layer of its own, which all components then share, and the component's name a link to it.
func componentLayers(folder, component string) [][]Entry {
	link, err := os.Readlink(filepath.Join(folder, component))
	if err != nil {
		return [][]Entry{{{From: filepath.Join(folder, component), At: binPath + "/" + component}}}
	}
	return [][]Entry{
		{{From: filepath.Join(folder, link), At: binPath + "/" + link}},
		{{At: binPath + "/" + component, Link: link}},
	}
}
