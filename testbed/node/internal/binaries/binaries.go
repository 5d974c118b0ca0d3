// Package binaries puts the real Kubernetes and etcd binaries of one version into the cache: official release binaries with their published
// checksums when they can be downloaded, else built from the Go modules.
package binaries

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Components are the Kubernetes binaries that the test bed needs.
var Components = []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy", "kubectl"}

// EtcdCommands are the binaries of etcd that the test bed needs.
var EtcdCommands = []string{"etcd", "etcdctl", "etcdutl"}

// Source is where binaries come from.
type Source struct {
	Mode        string // auto, download or build
	KubeBaseURL string // as https://dl.k8s.io/release
	EtcdBaseURL string // as https://github.com/etcd-io/etcd/releases/download
	ModuleDir   string // testbed/kube
	Log         string // where the compiler's output goes
}

// Kubernetes ensures the components of a version in the folder and says how: "cached", "downloaded" or "built". The folder appears whole or not at all.
func (s Source) Kubernetes(version, folder string) (string, error) {
	return s.ensure(folder, Components[0], "kube-"+minor(version),
		func(into string) error { return s.downloadKubernetes(version, into) },
		func(into, modfile string) error { return s.buildKubernetes(version, into, modfile) })
}

// Etcd ensures etcd, etcdctl and etcdutl of a version, as Kubernetes does.
func (s Source) Etcd(version, folder string) (string, error) {
	return s.ensure(folder, EtcdCommands[len(EtcdCommands)-1], "etcd-"+minor(version),
		func(into string) error { return s.downloadEtcd(version, into) },
		func(into, modfile string) error {
			for _, command := range EtcdCommands {
				if err := s.build(into, modfile, "", command); err != nil {
					return err
				}
			}
			return nil
		})
}

// ensure makes a folder unless it is there with a file that the test bed did not always want. Each caller makes its own beside it, so that two may at the same time.
func (s Source) ensure(folder, file, module string, download func(string) error, build func(string, string) error) (string, error) {
	if _, err := os.Stat(filepath.Join(folder, file)); err == nil {
		return "cached", nil
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return "", err
	}
	partial, err := os.MkdirTemp(filepath.Dir(folder), filepath.Base(folder)+".partial-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(partial)
	how := "downloaded"
	switch s.Mode {
	case "download":
		err = download(partial)
	case "build":
		how, err = "built", s.buildModule(module, partial, build)
	case "auto":
		if downloadErr := download(partial); downloadErr != nil {
			var refused *ChecksumError
			if errors.As(downloadErr, &refused) {
				return "", downloadErr // a wrong checksum is an attack or a broken mirror: never paper over it
			}
			how, err = "built", errors.Join(os.RemoveAll(partial), os.Mkdir(partial, 0o700), s.buildModule(module, partial, build))
		}
	default:
		err = fmt.Errorf("EXA_BINARIES=%q: must be auto, download or build", s.Mode)
	}
	if err != nil {
		return "", err
	}
	if err := os.Chmod(partial, 0o755); err != nil {
		return "", err
	}
	if os.Rename(partial, folder) == nil {
		return how, nil
	}
	if _, err := os.Stat(filepath.Join(folder, file)); err == nil {
		return how, nil // another one was faster
	}
	return how, errors.Join(os.RemoveAll(folder), os.Rename(partial, folder))
}

func (s Source) buildModule(module, into string, build func(string, string) error) error {
	modfile := filepath.Join(s.ModuleDir, "mods", module+".mod")
	if _, err := os.Stat(modfile); err != nil {
		return fmt.Errorf("no %s: this version can't be built; write the file with testbed/kube/mods/generate, or set EXA_BINARIES=download", modfile)
	}
	return build(into, modfile)
}

func (s Source) buildKubernetes(version, into, modfile string) error {
	parts := strings.SplitN(version, ".", 3)
	variables := "k8s.io/component-base/version"
	flags := fmt.Sprintf("-X %[1]s.gitVersion=v%[2]s -X %[1]s.gitMajor=%[3]s -X %[1]s.gitMinor=%[4]s", variables, version, parts[0], parts[1])
	if err := s.build(into, modfile, flags, "hyperkube"); err != nil {
		return err
	}
	for _, c := range Components {
		if err := os.Symlink("hyperkube", filepath.Join(into, c)); err != nil {
			return err
		}
	}
	return s.isVersion(filepath.Join(into, "kubelet"), version)
}

// isVersion guards against a modfile of another patch version than was asked for.
func (s Source) isVersion(binary, version string) error {
	out, err := exec.Command(binary, "--version").Output()
	if err == nil && !strings.Contains(string(out), version) {
		err = fmt.Errorf("%s says %q, wanted %s", binary, strings.TrimSpace(string(out)), version)
	}
	return err
}

func (s Source) build(into, modfile, linkFlags, command string) error {
	log, err := os.OpenFile(s.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	c := exec.Command("go", "build", "-mod=readonly", "-modfile="+modfile, "-trimpath", "-ldflags=-s -w "+linkFlags, "-o", filepath.Join(into, command), "./"+command)
	c.Dir, c.Env, c.Stdout, c.Stderr = s.ModuleDir, append(os.Environ(), "CGO_ENABLED=0"), log, log
	fmt.Fprintf(log, "%s %s\n", time.Now().Format(time.RFC3339), strings.Join(c.Args, " "))
	if err := c.Run(); err != nil {
		return fmt.Errorf("go build of %s failed (%w): see %s; it needs about 6 GB of disk and a Go module proxy", command, err, s.Log)
	}
	return nil
}

func minor(version string) string {
	return version[:strings.LastIndexByte(version, '.')]
}
