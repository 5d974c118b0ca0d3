// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"strings"
	"testing"
)

// Sentences that the product had, and the part of each that is found.
var bad = []struct{ text, problem string }{
	{"All is as the spec says.", "All is as"},
	{"Kubernetes brings back pods; the user looks at what is named when it stays.", "what is named"},
	{"see 'kubectl describe deployment X' if it stays so.", "it stays"},
	{"It stays so only where pods don't run.", "stays so"},
	{"Nothing is said that the version does not know.", "Nothing is said"},
	{"Secret demo-ca is not there yet.", "is not there"},
	{"There is no flag; the user sets one of these.", "the user sets"},
	{"The last attempt failed. The administrator looks at the log.", "The administrator looks"},
	{"a store keeps what it has", "what it"},
	{"tell the store who comes first, and of whom", "who comes"},
	{"an etcd of ours in memory", "of ours"},
	{"values in the place of the model's", "in the place of"},
	{"all components start anew", "anew"},
	{"the dearest client is named", "dearest"},
	{"a bug that 1.37 mended", "mended"},
	{"immutable but for resources", "but for"},
	{"What becomes of the claim when the StoreShard is deleted.", "begins with a clause"},
	{strings.Repeat("word ", 31) + "end.", "32 words"},
	{"one idea here; another idea there; a third idea last.", "2 semicolons"},
}

func TestBadSentencesAreFound(t *testing.T) {
	for _, sample := range bad {
		found := checkJava("A.java", `class A { String a = "`+sample.text+`"; }`)
		hit := sample.problem == ""
		for _, one := range found {
			hit = hit || strings.Contains(one.problem, sample.problem)
		}
		if !hit {
			t.Errorf("%q is not found in %q: %v", sample.problem, sample.text, found)
		}
		if inMarkdown := checkMarkdown("A.md", "- "+sample.text+"\n"); sample.problem != "" && len(inMarkdown) == 0 {
			t.Errorf("nothing is found in Markdown: %q", sample.text)
		}
	}
}

func TestGoodSentencesPass(t *testing.T) {
	for _, text := range []string{
		"Everything matches the spec.",
		"If this persists for 5 minutes, check the objects named above.",
		"Store %s does not serve. Check 'kubectl describe storeshard %s -n %s and a very long command that has many many words in it'.",
		"spec.version: must not be lower than status.version.applied; restore a backup into a new control plane instead",
		"What does the store need for this to work at all times?",
	} {
		if found := checkProse(line(text), false); len(found) > 0 {
			t.Errorf("%q: %v", text, found)
		}
	}
}

func line(words string) text {
	return text{file: "A.java", line: 1, words: words}
}

// Literals are joined over '+' and expressions, comments are no text, and code is none either.
func TestJavaLiterals(t *testing.T) {
	source := `
// "All is as in a comment"
/* "All is as in a comment" */
class A {
  @Rule("self.a == 'what it is'")
  String a = "All is" + " as the"
      + name("who " + "comes first") + " spec \"says\".";
  char b = '"';
  String c = """
      What it is that this text block has, and no reader likes to read.
      """;
}`
	var read []string
	for _, one := range javaTexts("A.java", source) {
		read = append(read, one.words)
	}
	for _, want := range []string{`All is as theX spec "says".`, "who comes first"} {
		if !contains(read, want) {
			t.Errorf("%q is not among %q", want, read)
		}
	}
	lines := map[int]bool{}
	for _, one := range checkJava("A.java", source) {
		lines[one.line] = true
	}
	if !lines[6] || !lines[7] || !lines[9] || len(lines) != 3 {
		t.Errorf("found in lines %v, and the texts are in 6, 7 and 9", lines)
	}
}

func contains(all []string, one string) bool {
	for _, each := range all {
		if each == one {
			return true
		}
	}
	return false
}

func TestMarkdownRules(t *testing.T) {
	long := strings.Repeat("word ", 33)
	for _, sample := range []struct{ file, content, problem string }{
		{"A.md", strings.Repeat("é ", 81) + "\n", "characters in a line"},
		{"A.md", "```\n" + strings.Repeat("x ", 81) + "\n```\n", "characters in a line"},
		{"A.md", "a line that goes on\nto say what it is\n", "what it"},
		{"A.md", "- one point\n- " + long[:120] + "\n  " + long[:60] + "\n", "words without an end"},
		{"A.md", "| a | b |\n|---|---|\n| x | is not there |\n", "is not there"},
		{"m/DESIGN.md", "| a | b | c | d | e |\n|---|---|---|---|---|\n", "5 columns"},
		{"docs/reports/A.md", strings.Repeat("é ", 81) + "\n", "characters in a line"},
	} {
		found := checkMarkdown(sample.file, sample.content)
		if !strings.Contains(fmt.Sprint(found), sample.problem) {
			t.Errorf("%q is not found in %q: %v", sample.problem, sample.content, found)
		}
	}
	for _, sample := range []struct{ file, content string }{
		{"A.md", "| a | " + strings.Repeat("fact; ", 40) + " |\n"},
		{"A.md", "https://example.org/" + strings.Repeat("x", 170) + "\n"},
		{"A.md", "| a | b | c | d | e |\n|---|---|---|---|---|\n"},
		{"A.md", "Write \"does not exist\", not \"is not there\".\n"},
		{"A.md", "| before | after |\n|---|---|\n| All is as the spec says. | Everything matches the spec. |\n"},
		{"A.md", "A list:\n\n- one\n- " + long[:100] + "\n- " + long[:100] + "\n"},
		{"docs/reports/A.md", "What was mended is not there any more, on that day.\n"},
	} {
		if found := checkMarkdown(sample.file, sample.content); len(found) > 0 {
			t.Errorf("%q: %v", sample.content, found)
		}
	}
}
