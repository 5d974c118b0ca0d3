// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"testing"
)

// Every reader reads what people see, with the line, and nothing else.
func TestReadersReadTextsForPeople(t *testing.T) {
	for _, sample := range []struct {
		name, source string
		read         func(file, source string) []text
		want         []string
	}{
		{"shell", `#!/bin/sh
# say "a comment that nobody sees"
say "done  node $NODE is Ready after $(($(now) - START)) s" 'and a second text'
[ -e "$1" ] || fail 13 "the file ${1:-none} is missing." \
  "Check it."
x=$(cat "a file that is read")
cat <<'TEXT'
Usage: ./exa COMMAND
  up   create a cluster
TEXT
echo "it has a \"quoted\" part" >&2
`, shellTexts, []string{
			"7 Usage: ./exa COMMAND\n  up   create a cluster", "3 done  node X is Ready after X s", "3 and a second text",
			"4 the file X is missing.", "5 Check it.", `11 it has a "quoted" part`,
		}},
		{"go", "package a\n// a comment\nvar b = \"one \" + \"text\" + c(\"and its part\")\nvar d = 'x'\nconst e = `a raw\ntext`\n", goTexts, []string{
			"3 and its part", "3 one textX", "5 a raw\ntext",
		}},
		{"script", "var a = {lost: \"Connection lost.\", over: 'This page has ended.'}; // no \"text\"\n", scriptTexts, []string{
			"1 Connection lost.", "1 This page has ended.",
		}},
		{"html", "<p id=\"{id}\">Get a token\nwith <code>kubectl x</code> {#if a}now{/if}.</p>\n<nav aria-label=\"All pages\"><a href=\"/\">Home</a></nav>\n<script>no text</script>\n", htmlTexts, []string{
			"3 All pages", "1 Get a token with X XnowX.", "3 Home", "4 X",
		}},
		{"notes", "Version {{ .A }} is here.\n{{- if not .B }}\n\nThe types are\nmissing:\n  kubectl get crd\n{{- end }}\n", notesTexts, []string{
			"1 Version X is here.", "4 The types are missing:",
		}},
		{"values", "# Number of operators.\n# One leads.\nreplicas: 2 # no text\n\nimages:\n  # Image of stores.\n  store: a\n", commentTexts, []string{
			"1 Number of operators. One leads.", "6 Image of stores.",
		}},
	} {
		var read []string
		for _, one := range sample.read("a", sample.source) {
			read = append(read, fmt.Sprintf("%d %s", one.line, one.words))
		}
		if fmt.Sprintf("%q", read) != fmt.Sprintf("%q", sample.want) {
			t.Errorf("%s:\nread %q\nwant %q", sample.name, read, sample.want)
		}
	}
}

// A bad sentence is found in each kind of file, and columns of help may have semicolons.
func TestFilesBesideJavaAreHeldToTheRules(t *testing.T) {
	for _, sample := range []struct {
		file, content string
		findings      int
	}{
		{"exa", "fail \"the file is of another store\"\n", 1},
		{"exa", "cat <<'TEXT'\n  store   show the use of a store; delete by key; see a page\nTEXT\n", 0},
		{"testbed/launch/a.sh", "step \"nobody waits for it\"\n", 1},
		{"operator/src/main/resources/nodepool/join/a.sh", "bad 3 host \"two words\" \"Look at the log.\"\n", 1},
		{"operator/src/main/resources/templates/console/a.html", "<p>The session stays so for hours.</p>\n", 1},
		{"operator/src/main/resources/console/a.js", "say('The stream ended too soon, and it ends too soon again');\n", 1},
		{"config/helm/exaplane/templates/NOTES.txt", "The operator is not there yet.\n", 1},
		{"config/helm/exaplane/values.yaml", "# Time, as 30m.\na: b\n", 1},
		{"testbed/node/a.go", "package a\nvar b = \"the registry is not there\"\n", 1},
		{"testbed/steps/a.go", "package a\nvar b = \"a step that has `code` and %v\"\n", 0},
	} {
		check := checker(sample.file)
		if check == nil {
			t.Errorf("%s is not read", sample.file)
			continue
		}
		if found := check(sample.file, sample.content); len(found) != sample.findings {
			t.Errorf("%d findings, want %d: %s %v", len(found), sample.findings, sample.file, found)
		}
	}
}
