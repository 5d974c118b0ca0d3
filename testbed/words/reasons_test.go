// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"sort"
	"strings"
	"testing"
)

// A user who searches the documentation for a reason or a condition finds it, and no page names one that does not exist.
func TestEveryReasonHasARunbook(t *testing.T) {
	files, err := tree("../..", func(file string) bool { return isForUsers(file) || strings.HasPrefix(file, api) })
	if err != nil {
		t.Fatal(err)
	}
	if v := words(files); len(v.reasons) < 60 || len(v.conditions) < 30 {
		t.Fatalf("read %d reasons and %d conditions from %s, and there are more", len(v.reasons), len(v.conditions), api)
	}
	for _, one := range checkReasons(files) {
		t.Error(one)
	}
}

// Each page of an incident, by the first table of docs/README.md, has what its reader looks for.
func TestPagesOfIncidentsAreComplete(t *testing.T) {
	files, err := tree("../..", isForUsers)
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(files["docs/README.md"], "| task |")
	pages := 0
	for _, one := range linksOf("docs/README.md", table) {
		page := "docs/" + one.target
		if page == reference {
			continue
		}
		pages++
		for what, text := range map[string]string{"the symptom": "ou see", "the cause": "ause", "commands": "```", "the reason": "reason"} {
			if !strings.Contains(files[page], text) {
				t.Errorf("%s does not say %s (%q)", page, what, text)
			}
		}
	}
	if pages < 8 {
		t.Errorf("%d pages of incidents were read, and there are more", pages)
	}
}

func TestConstants(t *testing.T) {
	source := `package a;
/** Not, These; */
public enum Reason {
  // First, Comment
  AsExpected,
  @Deprecated StoreDataLost, /* Gone, */
  WithValue("text"),
  Last;
  private final int Other = 1;
}`
	if got := fmt.Sprint(constants(source)); got != "[AsExpected StoreDataLost WithValue Last]" {
		t.Errorf("read as %s", got)
	}
	if got := fmt.Sprint(constants("public enum A { One, Two }")); got != "[One Two]" {
		t.Errorf("read as %s", got)
	}
	if got := constants("public record A(String One) {}"); got != nil {
		t.Errorf("a record is read as %v", got)
	}
}

func TestMissingAndInventedReasonsAreFound(t *testing.T) {
	files := map[string]string{
		api + "Reason.java":         "enum Reason { AsExpected, DiskLost, DiskSlow, NotInTable, OtherPage }",
		api + "ConditionType.java":  "enum ConditionType { DiskReady, Available }",
		api + "PoolCondition.java":  "enum PoolCondition { TreeFormed }",
		api + "StoreCondition.java": "enum StoreCondition { DataIntact }",
		api + "StoreShard.java":     "public class StoreShard {}",
		reference: "`DiskReady` `Available` `TreeFormed`\n\n| `DiskLost` | x | [a](a.md#x) |\n| `OtherPage` | x | [b](b.md) |\n" +
			"| `DiskSlow` | x | [a](a.md) |\n",
		"docs/a.md":         "`DiskLost` of a `StoreShard`; `NotInTable`, `OtherPage`, 'type==\"Gone\"' `DiskFast` `--for=condition=Available` `spec.version`\n",
		"docs/b.md":         "",
		"docs/reports/c.md": "`OfYesterday`",
		"x/DESIGN.md":       "`SomeClass`",
	}
	var found []string
	for _, one := range checkReasons(files) {
		found = append(found, strings.Fields(one.problem)[0]+" "+one.file)
	}
	sort.Strings(found)
	want := []string{
		"DiskFast docs/a.md", // in a page, and not in the API
		"DiskSlow " + api + "Reason.java",
		"DiskSlow " + reference, // its page does not have it
		"Gone docs/a.md",
		"NotInTable " + reference,
		"OtherPage " + reference,
		"condition " + reference, // DataIntact
	}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
}
