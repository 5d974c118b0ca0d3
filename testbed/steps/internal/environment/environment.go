// Package environment describes what a result depends on besides the files of the tree: tools, this machine's system, and settings.
package environment

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// settings are the variables that change what steps do. The launcher sets others itself, from files that are inputs, and the runner EXA_BRIEF_PODS.
var settings = []string{
	// What is built, and by which tools.
	"EXA_BINARIES", "EXA_CLASSES", "EXA_KUBE_BASE_URL", "EXA_ETCD_BASE_URL", "EXA_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS", "GOFLAGS", "GODEBUG", "DOCKER_HOST",
	// What tests look at, and how many of it.
	"DEMO_HOST", "DEMO_NAMESPACE", "EXA_ENGINE_HEAP", "EXA_PEER_LIMIT", "EXA_PICTURES", "EXA_TESTS", "DAMAGES", "FIRST", "FIRST_SECTORS", "JCSTRESS", "JVM", "SEED", "SIG_SCHEDULING_KUBERNETES",
	"SUITE_FLAGS",
}

// packages are Debian's, whose programs the test bed runs; as in testbed/launch/common.sh. Those that one step alone runs stand in steps.yaml.
var packages = []string{"containerd", "runc", "iproute2", "nftables", "conntrack", "socat", "maven", "jq", "busybox-static", "containernetworking-plugins", "tayga", "ndppd", "dhcpcd-base", "libc6"}

// Describe asks each tool for its version.
func Describe() (string, error) {
	java, err := os.ReadFile(filepath.Join(os.Getenv("JAVA_HOME"), "release"))
	if err != nil {
		return "", fmt.Errorf("the JDK does not say its version: %w", err)
	}
	golang, err := exec.Command("go", "version").Output()
	if err != nil {
		return "", fmt.Errorf("go does not say its version: %w", err)
	}
	kernel, err := exec.Command("uname", "-srm").Output()
	if err != nil {
		return "", fmt.Errorf("uname: %w", err)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s%s%s%d cores\n", java, golang, kernel, runtime.NumCPU())
	text.WriteString(installed())
	text.WriteString(set())
	return text.String(), nil
}

// set are the settings with their values.
func set() string {
	var text strings.Builder
	for _, name := range settings {
		fmt.Fprintf(&text, "%s=%q\n", name, os.Getenv(name))
	}
	return text.String()
}

// installed are the versions of Debian's packages; on another distribution, what the programs themselves say.
func installed() string {
	if text := Packages(packages); text != "" {
		return text
	}
	var text strings.Builder
	for _, program := range []string{"containerd", "runc", "mvn"} {
		out, _ := exec.Command(program, "--version").CombinedOutput()
		text.Write(out)
	}
	return text.String()
}

// Packages are the versions of Debian's packages, those that are installed, one a line. There is none on another distribution.
func Packages(names []string) string {
	query := append([]string{"--show", "--showformat=${Package} ${Version}\n"}, names...)
	// It fails when one of them is missing, and lists the others all the same.
	out, _ := exec.Command("dpkg-query", query...).Output()
	if len(out) == 0 {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}
