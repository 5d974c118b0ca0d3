package machine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const cgroupMount = "/sys/fs/cgroup"

// shares is the weight of a machine's pods on the cores. A cgroup of version 1 weighs as one thread of the processes beside it otherwise: whatever builds or tests there would leave
// the pods next to nothing.
const shares = 4 * 1024

// cgroupVersion is 2 where the unified hierarchy is mounted at the root, else 1 (hybrid included).
func cgroupVersion() int { return cgroupVersionAt(cgroupMount) }

func cgroupVersionAt(mount string) int {
	if _, err := os.Stat(filepath.Join(mount, "cgroup.controllers")); err == nil {
		return 2
	}
	return 1
}

// makeCgroups makes the kubelet's root cgroup, which it does not make itself: in every controller on v1, once on v2.
func (m Machine) makeCgroups(version int) error {
	return makeCgroupsAt(cgroupMount, m.cgroup(), version)
}

func makeCgroupsAt(mount, name string, version int) error {
	if version == 2 {
		controllers, err := os.ReadFile(filepath.Join(mount, "cgroup.controllers"))
		if err != nil {
			return err
		}
		enable := ""
		for c := range strings.FieldsSeq(string(controllers)) {
			enable += "+" + c + " "
		}
		return errors.Join(os.WriteFile(filepath.Join(mount, "cgroup.subtree_control"), []byte(enable), 0o644), os.MkdirAll(filepath.Join(mount, name), 0o755))
	}
	controllers, err := os.ReadDir(mount)
	if err != nil {
		return err
	}
	for _, c := range controllers {
		if !c.IsDir() {
			continue // cpu and cpuacct are often links to one directory
		}
		dir := filepath.Join(mount, c.Name(), name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if slices.Contains(strings.Split(c.Name(), ","), "cpu") {
			if err := os.WriteFile(filepath.Join(dir, "cpu.shares"), []byte(strconv.Itoa(shares)), 0o644); err != nil {
				return err
			}
		}
		if c.Name() != "cpuset" {
			continue
		}
		for _, file := range []string{"cpuset.cpus", "cpuset.mems"} { // empty in a new cpuset, and then no process may enter it
			parent, err := os.ReadFile(filepath.Join(mount, c.Name(), file))
			if err = errors.Join(err, os.WriteFile(filepath.Join(dir, file), parent, 0o644)); err != nil {
				return err
			}
		}
	}
	return nil
}

// cgroupDirs lists our cgroups, deepest first, so that they can be removed in that order.
func cgroupDirs(mount, name string) []string {
	var dirs []string
	roots, _ := filepath.Glob(filepath.Join(mount, "*", name))
	for _, root := range append(roots, filepath.Join(mount, name)) {
		_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				dirs = append([]string{path}, dirs...)
			}
			return nil
		})
	}
	return dirs
}
