// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"sort"
	"strings"
	"testing"
)

// Every link of every page leads to a file and a heading that exist, and so does every page that a program names.
func TestLinksLeadSomewhere(t *testing.T) {
	files, err := tree("../..", func(file string) bool {
		return strings.HasSuffix(file, ".md") || isProgram(file)
	})
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for file, content := range files {
		if strings.HasSuffix(file, ".md") {
			links += len(linksOf(file, content))
		}
	}
	if links < 30 {
		t.Errorf("%d links were read, and there are more", links)
	}
	for _, one := range checkLinks(files) {
		t.Error(one)
	}
}

func isProgram(file string) bool {
	return file == "exa" || strings.HasSuffix(file, ".sh") || strings.HasSuffix(file, ".java") && strings.Contains(file, "/src/main/")
}

func TestBrokenLinksAreFound(t *testing.T) {
	files := map[string]string{
		"README.md": "# Head\n\n[a](docs/a.md) [b](docs/none.md) [c](docs/a.md#two-words) [d](docs/a.md#none) [e](#head) [f](#none)\n" +
			"[g](docs) [h](https://example.org/none) `[i](none.md)` [j](/docs/a.md)\n\n[k]: docs/none2.md\n\n```\n[l](none.md)\n```\n",
		"docs/a.md":         "# Two words\n\n## The `code`, and more!\n\n## Same\n## Same\n\n[up](../README.md) [m](#the-code-and-more) [n](#same-1) [o](#same-2) [p](b.md)\n",
		"x/src/main/A.java": "see docs/a.md and docs/gone.md",
		"picture.svg":       "",
	}
	var found []string
	for _, one := range checkLinks(files) {
		found = append(found, fmt.Sprintf("%s:%d", one.file, one.line))
	}
	sort.Strings(found)
	want := "[README.md:3 README.md:3 README.md:3 README.md:4 README.md:6 docs/a.md:8 docs/a.md:8 x/src/main/A.java:1]"
	if fmt.Sprint(found) != want {
		t.Errorf("found %v\nwant  %s", found, want)
	}
}
