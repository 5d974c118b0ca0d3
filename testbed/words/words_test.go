// SPDX-License-Identifier: Apache-2.0
package main

import (
	"strings"
	"testing"
)

// Every text of the product keeps the rules of docs/style.md, outside of the exceptions.
func TestTextsKeepTheRules(t *testing.T) {
	found, listed := findings(t)
	for _, one := range found {
		if !excepted(listed, one.file) {
			t.Error(one)
		}
	}
}

// An exception that is not needed any more has to go, so that the list only shrinks.
func TestEveryExceptionIsNeeded(t *testing.T) {
	found, listed := findings(t)
	for _, exception := range listed {
		needed := false
		for _, one := range found {
			needed = needed || exception.covers(one.file)
		}
		if !needed {
			t.Errorf("exceptions: %s keeps the rules now; remove its line", exception.path)
		}
	}
}

// The files that matter most are read: a check that reads nothing finds nothing.
func TestTheTreeIsRead(t *testing.T) {
	for _, file := range []string{"README.md", "docs/style.md", "tuning/DESIGN.md", "operator/src/main/java/A.java", "crds/src/main/java/A.java", "dist-scheduler/app/src/main/java/A.java"} {
		if checker(file) == nil {
			t.Errorf("%s is not read", file)
		}
	}
	for _, file := range []string{"operator/src/test/java/A.java", "testbed/machine/src/main/java/A.java", "pom.xml"} {
		if checker(file) != nil {
			t.Errorf("%s is read, and no user sees it", file)
		}
	}
}

func findings(t *testing.T) ([]finding, []exception) {
	t.Helper()
	found, err := read("../..")
	if err != nil {
		t.Fatal(err)
	}
	listed, err := exceptions("exceptions")
	if err != nil {
		t.Fatal(err)
	}
	return found, listed
}

func excepted(listed []exception, file string) bool {
	for _, exception := range listed {
		if exception.covers(file) {
			return true
		}
	}
	return false
}

func TestExceptionsNeedAReason(t *testing.T) {
	file := t.TempDir() + "/exceptions"
	write(t, file, "# held by others\noperator/DESIGN.md\n")
	if _, err := exceptions(file); err == nil || !strings.Contains(err.Error(), "has no reason") {
		t.Errorf("an exception without a reason passes: %v", err)
	}
	write(t, file, "operator/DESIGN.md  being rewritten\n")
	listed, err := exceptions(file)
	if err != nil || len(listed) != 1 || !listed[0].covers("operator/DESIGN.md") || listed[0].covers("operator/DESIGN.md2") {
		t.Errorf("read as %v, %v", listed, err)
	}
	if folder := (exception{"operator", "r"}); !folder.covers("operator/src/A.java") || folder.covers("operators/A.java") {
		t.Error("a folder covers the files below it and no others")
	}
}
