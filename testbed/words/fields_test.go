// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"strings"
	"testing"
)

// Every field that a page for users names is one of the API.
func TestFieldsExist(t *testing.T) {
	files, err := tree("../..", func(file string) bool { return isForUsers(file) || strings.HasPrefix(file, definitions) })
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range checkFields(files) {
		t.Error(one)
	}
}

func TestInventedFieldsAreFound(t *testing.T) {
	found := checkFields(map[string]string{
		definitions + "a.yaml": "  properties:\n    storage:\n      stores:\n    type: string\n",
		"docs/a.md":            "`spec.storage.stores` `spec.storage.shelves` `spec.unschedulable` spec.nothing\n",
		"x/DESIGN.md":          "`spec.nothing`",
	})
	if len(found) != 1 || !strings.Contains(fmt.Sprint(found), "no field shelves") {
		t.Errorf("found %v", found)
	}
}
