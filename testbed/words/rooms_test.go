// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"sort"
	"strings"
	"testing"
)

// A newcomer finds every room in the tables of CONTRIBUTING.md.
func TestEveryRoomHasARow(t *testing.T) {
	files, err := tree("../..", func(file string) bool { return file == contributing })
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range checkRooms(files) {
		t.Error(one)
	}
	if rooms := roomsOf(files); len(rooms) < 90 {
		t.Errorf("only %d rooms are known", len(rooms))
	}
}

func TestMissingRowsAreFound(t *testing.T) {
	const operator = "operator/src/main/java/io/exaplane/operator/"
	found := checkRooms(map[string]string{
		operator + "package-info.java":     "",
		operator + "pki/package-info.java": "",
		operator + "a/b/package-info.java": "",
		"operator/pom.xml":                 "",
		"cli/pom.xml":                      "",
		"testbed/one/pom.xml":              "",
		"testbed/two/run.sh":               "",
		"testbed/README.md":                "",
		contributing: "| room | holds |\n|---|---|\n| `elsewhere` | a table of another chapter |\n\n" + whereTo +
			"\n\n| room | holds |\n|---|---|\n| `operator` | x |\n| `operator/…/pki` | x |\n| `operator/…/gone` | x |\n" +
			"| `testbed/one`, `testbed/two` | x |\n| `cli` | x |\n| `cli` | x |\n\n## Traps\n\n| `nothing` | x |\n",
	})
	var problems []string
	for _, one := range found {
		problems = append(problems, one.problem)
	}
	sort.Strings(problems)
	all := strings.Join(problems, "\n")
	for _, want := range []string{"operator/…/gone does not exist", "write one room a row", "cli has a second row", "operator/…/a/b has no row", "testbed/one has no row", "testbed/two has no row"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not found in\n%s", want, all)
		}
	}
	if len(problems) != 6 {
		t.Errorf("found %d problems, want 6: %s", len(problems), fmt.Sprint(problems))
	}
}
