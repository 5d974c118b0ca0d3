// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"sort"
	"strings"
	"testing"
)

// Every command of ./exa that a page names exists, with its options.
func TestCommandsExist(t *testing.T) {
	files, err := tree("../..", func(file string) bool {
		return isForUsers(file) || file == "CONTRIBUTING.md" || file == "exa" || strings.HasSuffix(file, ".java") && strings.Contains(file, "/src/main/")
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range checkCommands(files) {
		t.Error(one)
	}
}

func TestInventedCommandsAreFound(t *testing.T) {
	found := checkCommands(map[string]string{
		"exa":                       "cat <<'TEXT'\nUsage: ./exa COMMAND\n\n  up      create\n  host add HOST\n  host list | host remove HOST\n  tune [OPTIONS]   or --down\nTEXT\n}\n",
		"cli/src/main/java/A.java":  `@Option(names = "--nodes")`,
		"docs/a.md":                 "`./exa up` `./exa tune --nodes 5` ./exa tune --knots 5 # --other\n`./exa fly` `./exa host add w1 --wings` `./exa tune --help`\n",
		"dist-scheduler/app/A.java": "",
	})
	var problems []string
	for _, one := range found {
		problems = append(problems, fmt.Sprintf("%d %s", one.line, one.problem))
	}
	sort.Strings(problems)
	if want := "[1 './exa tune' has no option --knots 2 './exa fly' does not exist]"; fmt.Sprint(problems) != want {
		t.Errorf("found %v\nwant  %s", problems, want)
	}
}
