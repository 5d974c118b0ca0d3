package machine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"exaplane.io/testbed/node/internal/progress"
)

// Remove stops all that runs on the machine and removes the machine. It can be called again after a call that was cut off.
func (m Machine) Remove() error {
	p := m.processes()
	err := errors.Join(p.Stop(m.process("kubelet"), stopGrace), p.Stop(m.process("kube-proxy"), stopGrace))
	if m.Alive("containerd") == nil {
		m.removeContainers()
	}
	err = errors.Join(err, p.Stop(m.process("containerd"), 10*time.Second), m.killShims(), m.removeNetwork(), unmountBelow(m.dir()), m.removeCgroups())
	results, _ := filepath.Glob("/var/lib/cni/results/" + m.Namespace() + "-*")
	for _, r := range results {
		err = errors.Join(err, os.Remove(r))
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(m.dir())
}

// removeContainers ends every container through containerd, so that each shim ends by itself; what fails here killShims does.
func (m Machine) removeContainers() {
	list, _ := m.ctr("containers", "list", "--quiet")
	var all sync.WaitGroup
	for id := range strings.FieldsSeq(list) {
		all.Go(func() {
			_, _ = m.ctr("tasks", "delete", "--force", id)
			_, _ = m.ctr("containers", "delete", id)
		})
	}
	all.Wait()
}

// killShims ends the shims of this machine's containerd, known by its socket in their arguments, and what runs in the machine's cgroups.
func (m Machine) killShims() error {
	return progress.Until(3*time.Minute, "containers of "+m.Name+" ending", func() error {
		left := 0
		for _, pid := range processesWith(m.socket()) {
			left++
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		for _, dir := range cgroupDirs(cgroupMount, m.cgroup()) {
			content, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
			for field := range strings.FieldsSeq(string(content)) {
				if pid, err := strconv.Atoi(field); err == nil {
					left++
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		}
		if left > 0 {
			return fmt.Errorf("%d processes are left", left)
		}
		return nil
	})
}

func (m Machine) removeCgroups() error {
	return progress.Until(time.Minute, "cgroups of "+m.Name+" going", func() error {
		var err error
		for _, dir := range cgroupDirs(cgroupMount, m.cgroup()) {
			err = errors.Join(err, syscall.Rmdir(dir))
		}
		return err
	})
}

// processesWith lists the processes that have the text in their arguments, this one left out.
func processesWith(text string) []int {
	var pids []int
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		if arguments, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline")); strings.Contains(string(arguments), text) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// mountsBelow lists the mount points in a folder, the newest first, as /proc/self/mountinfo has them.
func mountsBelow(folder string) []string {
	var mounts []string
	content, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(content)) {
		if fields := strings.Fields(line); len(fields) > 4 && strings.HasPrefix(fields[4], folder+"/") {
			mounts = append([]string{fields[4]}, mounts...)
		}
	}
	return mounts
}

func unmountBelow(folder string) error {
	var err error
	for _, mount := range mountsBelow(folder) {
		if e := syscall.Unmount(mount, syscall.MNT_DETACH); e != nil {
			err = errors.Join(err, fmt.Errorf("umount %s: %w", mount, e))
		}
	}
	return err
}

// Leftovers lists what of the test bed is still there, in words; after a removal it is empty.
func Leftovers(state string) []string {
	left := NetworkLeftovers()
	for _, mount := range mountsBelow(state) {
		left = append(left, "mount "+mount)
	}
	for _, pid := range processesWith(state + "/") {
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		left = append(left, fmt.Sprintf("process %d %s", pid, strings.TrimSpace(string(name))))
	}
	groups, _ := filepath.Glob(cgroupMount + "/*/exa-*")
	unified, _ := filepath.Glob(cgroupMount + "/exa-*")
	for _, g := range append(groups, unified...) {
		left = append(left, "cgroup "+g)
	}
	return left
}
