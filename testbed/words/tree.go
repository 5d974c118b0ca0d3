// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// tree returns the files of the working tree by path; the content of those that are not wanted is empty.
func tree(root string, wanted func(file string) bool) (map[string]string, error) {
	listed, err := exec.Command("git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	files := map[string]string{}
	for _, file := range strings.Split(strings.TrimSpace(string(listed)), "\n") {
		if _, err := os.Lstat(filepath.Join(root, file)); os.IsNotExist(err) {
			continue // deleted and not committed yet
		}
		files[file] = ""
		if wanted(file) {
			content, err := os.ReadFile(filepath.Join(root, file))
			if err != nil {
				return nil, err
			}
			files[file] = string(content)
		}
	}
	return files, nil
}

// read checks every file of the working tree that users read: sources of the product, of the launcher and of the join script, the console's pages, Helm's texts, and Markdown.
func read(root string) ([]finding, error) {
	files, err := tree(root, func(file string) bool { return checker(file) != nil })
	if err != nil {
		return nil, err
	}
	var found []finding
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if check := checker(file); check != nil {
			found = append(found, check(file, files[file])...)
		}
	}
	return found, nil
}

const (
	consoles = "operator/src/main/resources/"
	chart    = "config/helm/exaplane/"
)

func checker(file string) func(file, content string) []finding {
	switch {
	case strings.HasSuffix(file, ".java") && strings.Contains(file, "/src/main/") && !strings.HasPrefix(file, "testbed/"):
		return checkJava
	case strings.HasSuffix(file, ".md"):
		return checkMarkdown
	case file == "exa" || strings.HasSuffix(file, ".sh") && !strings.Contains(file, "/src/test/"):
		return checkTexts(shellTexts)
	case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && isTool(file):
		return checkTexts(goTexts)
	case strings.HasPrefix(file, consoles):
		switch path.Ext(file) {
		case ".html":
			return checkTexts(htmlTexts)
		case ".js":
			return checkTexts(scriptTexts)
		}
	case file == chart+"templates/NOTES.txt":
		return checkTexts(notesTexts)
	case file == chart+"values.yaml":
		return checkTexts(commentTexts)
	}
	return nil
}

// isTool tells whether a Go source prints texts for people. Those with the rules quote what nobody may write.
func isTool(file string) bool {
	for _, folder := range []string{"testbed/node/", "testbed/steps/", "testbed/words/"} {
		if strings.HasPrefix(file, folder) {
			return file != "testbed/words/rules.go" && file != "testbed/words/kinds.go"
		}
	}
	return false
}
