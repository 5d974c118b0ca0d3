package images

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// kubeletPrograms are programs of this machine that the entry script, the join script and the kubelet call.
var kubeletPrograms = slices.Concat(
	strings.Fields("sh awk sed grep find cmp getent curl ip nft flock mount umount nsenter setpriv unshare"),
	strings.Fields("containerd containerd-shim-runc-v2 ctr runc"),
	strings.Fields("base64 cat chmod cksum cp cut date dirname echo env expr false head id ln ls mkdir mktemp mv nohup"),
	strings.Fields("printf readlink rm rmdir seq sha256sum sleep sort stat tail test timeout touch tr true uname uniq wc"))

// kubeletPlugins are those of CNI that the join script asks for.
var kubeletPlugins = []string{"bridge", "host-local", "loopback", "portmap", "ptp"}

// PushKubelets puts an image into a registry under its full name, or writes it as a tar if the name is a path: the script, which is the entry point, kubelet and
// kube-proxy of the folder, and the programs of this machine that hosts in the container need.
func PushKubelets(kubeFolder, version, script, fullName string) error {
	programs, err := kubeletTools()
	if err != nil {
		return err
	}
	entries := map[string]bool{}
	var kubernetes []Entry
	for _, component := range []string{"kubelet", "kube-proxy"} {
		for _, layer := range componentLayers(kubeFolder, component) {
			kubernetes = appendOnce(kubernetes, entries, layer)
		}
	}
	image := Image{Layers: [][]Entry{programs, kubernetes, {{From: script, At: "/kubelets.sh"}}},
		Config: v1.Config{Entrypoint: []string{"sh", "/kubelets.sh"}, Env: componentConfig.Env, WorkingDir: "/", User: "0:0"}}
	if filepath.IsAbs(fullName) {
		return image.Write(fullName, "exaplane.io/kubelets:"+version)
	}
	built, err := image.Build()
	if err != nil {
		return err
	}
	return push(built, fullName)
}

// kubeletTools are the programs with their libraries, each file once, and the folders and files that they expect.
func kubeletTools() ([]Entry, error) {
	var all []Entry
	made := map[string]bool{}
	for _, name := range kubeletPrograms {
		program, err := hostProgram(name)
		if err != nil {
			return nil, err
		}
		all = appendOnce(all, made, program)
	}
	plugins, err := pluginFolder()
	if err != nil {
		return nil, err
	}
	for _, name := range kubeletPlugins {
		all = append(all, Entry{From: filepath.Join(plugins, name), At: "/usr/lib/cni/" + name})
	}
	return append(all, Entry{At: "/bin/sh", Link: binPath + "/sh"},
		Entry{At: "/etc/passwd", Content: []byte("root:x:0:0:root:/:/bin/sh\n")}, Entry{At: "/etc/group", Content: []byte("root:x:0:\n")},
		Entry{At: "/etc/nsswitch.conf", Content: []byte("passwd: files\ngroup: files\nhosts: files dns\n")},
		Entry{At: "/etc/os-release", Content: []byte("NAME=exaplane-kubelets\nPRETTY_NAME=\"kubelets in namespaces\"\n")},
		// Folders are in an image by the files in them.
		Entry{At: "/tmp/.folder", Content: []byte{}}, Entry{At: "/run/.folder", Content: []byte{}}, Entry{At: "/var/lib/.folder", Content: []byte{}}, Entry{At: "/var/log/.folder", Content: []byte{}}), nil
}

// appendOnce appends the entries whose paths are not made yet.
func appendOnce(to []Entry, made map[string]bool, entries []Entry) []Entry {
	for _, each := range entries {
		if !made[each.At] {
			made[each.At] = true
			to = append(to, each)
		}
	}
	return to
}

func pluginFolder() (string, error) {
	for _, folder := range []string{"/usr/lib/cni", "/opt/cni/bin"} {
		if _, err := os.Stat(filepath.Join(folder, "bridge")); err == nil {
			return folder, nil
		} else if !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("no CNI plugins are in /usr/lib/cni or /opt/cni/bin: install containernetworking-plugins")
}
