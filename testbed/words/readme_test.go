// SPDX-License-Identifier: Apache-2.0
package main

import (
	"regexp"
	"strings"
	"testing"
)

// The README, and the pages that begin where the README ends. ReadmeE2E runs their commands.
var readmePages = []string{"README.md", "docs/try.md", "docs/tools.md", "docs/install.md"}

// Who runs the commands of these pages that ReadmeE2E leaves out: a file of a test or a step, and what it says there.
var ofOtherTests = map[string][2]string{
	"./exa up":                               {"testbed/launch/steps/cluster.sh", "install_operator"},
	"./exa test":                             {"testbed/launch/test.sh", "cmd_test()"},
	"./exa down":                             {"testbed/launch/steps/cluster.sh", "testbed down"},
	"./exa host add w1":                      {"testbed/e2e/src/test/java/io/exaplane/e2e/Demo.java", `"host", "add"`},
	"./exa kubectl delete pod demo-events-0": {"testbed/e2e/src/test/java/io/exaplane/e2e/HealingE2E.java", "demo-events-0"},
	"./exa kubectl scale cpl demo --replicas=3":                                            {"testbed/e2e/src/test/java/io/exaplane/e2e/NodeJoinE2E.java", `"scale", "cpl"`},
	"./exa kubernetes 1.36.3":                                                              {"testbed/launch/steps/cluster.sh", "testbed binaries kube \"$version\""},
	"./exa kubectl annotate cpl demo exaplane.io/allow-deletion=demo":                      {"testbed/e2e/src/test/java/io/exaplane/e2e/Bed.java", `"annotate"`},
	"./exa kubectl delete cpl demo":                                                        {"testbed/e2e/src/test/java/io/exaplane/e2e/Bed.java", `"delete", "cpl"`},
	"./exa image $registry/operator:0.1.0 $registry/store:0.1.0 $registry/scheduler:0.1.0": {"testbed/launch/steps/cluster.sh", "ensure_operator_image"},
	"./exa bench nodes --context lab --count 1000":                                         {"testbed/tuning/src/test/java/io/exaplane/testbed/tuning/LoadProcessTest.java", `"nodes",`},
	"./exa bench fleet --count 50":                                                         {"testbed/fleet/src/test/java/io/exaplane/testbed/fleet/ExactlBench.java", "exactl bench fleet"},
	"./exa scheduler --kubeconfig FILE":                                                    {"testbed/tuning/src/test/java/io/exaplane/testbed/tuning/MonitoredFleet.java", "--kubeconfig="},
	"./exa store --data-dir=DIR":                                                           {"testbed/tuning/src/test/java/io/exaplane/testbed/tuning/MonitoredFleet.java", "--data-dir="},
	"./exa tune --kubernetes-version 1.37 --nodes 60000":                                   {"cli/src/test/java/io/exaplane/cli/ReadmeCommandsTest.java", `"tune"`},
	"./exa plan --from 1000 --to 1000000 -o svg > plan.svg":                                {"cli/src/test/java/io/exaplane/cli/ReadmeCommandsTest.java", `"plan"`},
	"./exa addr plan --provider aws --nodes 30000":                                         {"cli/src/test/java/io/exaplane/cli/ReadmeCommandsTest.java", `"addr"`},
	"./exa lists --metrics METRICS --audit-log audit.log*.gz":                              {"cli/src/test/java/io/exaplane/cli/ReadmeCommandsTest.java", `"lists"`},
	"./exa simulate -f cluster.json -o table":                                              {"cli/src/test/java/io/exaplane/cli/ReadmeCommandsTest.java", `"simulate"`},
}

// Each command of these pages is run: by ReadmeE2E from the page, or by the test that is named here.
func TestEveryCommandOfTheReadmeIsRun(t *testing.T) {
	const e2e = "testbed/e2e/src/test/java/io/exaplane/e2e/ReadmeE2E.java"
	wanted := map[string]bool{e2e: true}
	for _, page := range readmePages {
		wanted[page] = true
	}
	for _, proof := range ofOtherTests {
		wanted[proof[0]] = true
	}
	files, err := tree("../..", func(file string) bool { return wanted[file] })
	if err != nil {
		t.Fatal(err)
	}
	pages := ""
	for _, page := range readmePages {
		if !strings.Contains(files[e2e], `"`+page+`"`) {
			t.Errorf("ReadmeE2E does not run the commands of %s", page)
		}
		pages += files[page]
	}
	_, left, _ := strings.Cut(files[e2e], "OF_OTHER_TESTS =")
	left, _, _ = strings.Cut(left, ");")
	out := regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(left, -1)
	if len(out) != len(ofOtherTests) {
		t.Errorf("ReadmeE2E leaves out %d commands, and %d have a test here", len(out), len(ofOtherTests))
	}
	for _, match := range out {
		proof, known := ofOtherTests[match[1]]
		if !known || !strings.Contains(files[proof[0]], proof[1]) {
			t.Errorf("%q: no test is known to run it; ReadmeE2E leaves it out", match[1])
		}
		if !strings.Contains(pages, match[1]) {
			t.Errorf("%q is on none of %v any more", match[1], readmePages)
		}
	}
}

// One screen says what Exaplane is, for whom, and what to type.
func TestTheReadmeIsOneScreen(t *testing.T) {
	const sample = "config/samples/controlplane.yaml"
	files, err := tree("../..", func(file string) bool { return file == "README.md" || file == sample })
	if err != nil {
		t.Fatal(err)
	}
	page := files["README.md"]
	if lines := strings.Count(page, "\n"); lines > 60 {
		t.Errorf("%d lines; move what a newcomer does not need first to a page of docs", lines)
	}
	if links := linksOf("README.md", page); len(links) != 4 {
		t.Errorf("%d links, not four: %v", len(links), links)
	}
	typed := regexp.MustCompile(`(?m)^\./exa \w+`).FindAllString(page, -1)
	if strings.Join(typed, ", ") != "./exa up, ./exa test" {
		t.Errorf("the commands are %v, not the two that a newcomer types", typed)
	}
	if !strings.Contains(page, "```yaml\n"+files[sample]+"```") {
		t.Errorf("the README does not show %s as it is", sample)
	}
	first, _, _ := strings.Cut(page, "```")
	for _, word := range []string{"Kubernetes operator", "for platform teams"} {
		if !strings.Contains(first, word) {
			t.Errorf("the first paragraph does not say %q", word)
		}
	}
}
