package images

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

const binPath = "/usr/local/bin"

// Nobody is a user without rights.
const Nobody = "65535:65535"

var componentConfig = v1.Config{Env: []string{"PATH=" + binPath + ":/usr/bin:/bin"}, WorkingDir: "/"}

// PushKubernetes puts the control plane's components of one version into the registry under the paths that registry.k8s.io has them at.
func PushKubernetes(registry, folder, version string) error {
	for _, component := range []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"} {
		layers := componentLayers(folder, component)
		if component == "kube-proxy" {
			nft, err := hostProgram("nft")
			if err != nil {
				return err
			}
			layers = append(layers, nft)
		}
		if err := (Image{Layers: layers, Config: componentConfig}).Push(registry, fmt.Sprintf("%s:v%s", component, version)); err != nil {
			return err
		}
	}
	return nil
}

// hostProgram is a program of this host with the libraries that it loads, at the places where the loader looks for them.
func hostProgram(name string) ([]Entry, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("the image needs %s: %w; install the package that has it", name, err)
	}
	out, err := exec.Command("ldd", path).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) && strings.Contains(string(failed.Stderr), "not a dynamic executable") {
		out, err = nil, nil // it loads none
	}
	if err != nil {
		return nil, fmt.Errorf("ldd %s: %w", path, err)
	}
	entries := []Entry{{From: path, At: binPath + "/" + name}}
	for _, library := range loaded(string(out)) {
		entries = append(entries, Entry{From: library, At: library})
	}
	for i := range entries {
		if entries[i].From, err = filepath.EvalSymlinks(entries[i].From); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// loaded are the files that ldd names: "libc.so.6 => /lib/libc.so.6 (0x…)", and the loader itself.
func loaded(ldd string) []string {
	var paths []string
	for line := range strings.Lines(ldd) {
		for _, word := range strings.Fields(line) {
			if strings.HasPrefix(word, "/") {
				paths = append(paths, word)
			}
		}
	}
	return paths
}

// PushEtcd puts etcd into the registry under its upstream path; "-0" is upstream's build number.
func PushEtcd(registry, folder, version string) error {
	image := Image{Layers: [][]Entry{{
		{From: filepath.Join(folder, "etcd"), At: binPath + "/etcd"}, {From: filepath.Join(folder, "etcdctl"), At: binPath + "/etcdctl"},
	}}, Config: componentConfig}
	return image.Push(registry, "etcd:"+version+"-0")
}

// PushProgram puts an image of one static program, which is its entry point, into the registry under the path. The program runs as the user.
func PushProgram(registry, program, path, user string) error {
	at := "/" + strings.SplitN(filepath.Base(path), ":", 2)[0]
	return (Image{Layers: [][]Entry{{{From: program, At: at}}}, Config: v1.Config{Entrypoint: []string{at}, User: user}}).Push(registry, path)
}

// PushTools puts the pause image and two small images for test workloads into the registry: busybox, and busybox with kubectl.
func PushTools(registry, pause, busybox, kubeFolder, kubeVersion string) error {
	if err := PushProgram(registry, pause, "pause:3.10", Nobody); err != nil {
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
