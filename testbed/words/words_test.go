// SPDX-License-Identifier: Apache-2.0
package main

import "testing"

// Every text of the product keeps the rules of docs/style.md.
func TestTextsKeepTheRules(t *testing.T) {
	found, err := read("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range found {
		t.Error(one)
	}
}

// The files that matter most are read: a check that reads nothing finds nothing.
func TestTheTreeIsRead(t *testing.T) {
	for _, file := range []string{"README.md", "docs/style.md", "tuning/DESIGN.md", "operator/src/main/java/A.java", "crds/src/main/java/A.java", "dist-scheduler/app/src/main/java/A.java", "exa", "testbed/launch/cluster.sh",
		"operator/src/main/resources/nodepool/join/main.sh", "operator/src/main/resources/templates/console/login.html", "operator/src/main/resources/console/console.js",
		"config/helm/exaplane/templates/NOTES.txt", "config/helm/exaplane/values.yaml", "testbed/node/main.go", "testbed/steps/main.go", "testbed/words/main.go"} {
		if checker(file) == nil {
			t.Errorf("%s is not read", file)
		}
	}
	for _, file := range []string{"operator/src/test/java/A.java", "testbed/machine/src/main/java/A.java", "testbed/join/src/test/resources/host.sh", "testbed/words/rules.go", "testbed/node/main_test.go", "pom.xml"} {
		if checker(file) != nil {
			t.Errorf("%s is read, and no user sees it", file)
		}
	}
}
