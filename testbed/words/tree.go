// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
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

// read checks every file of the working tree that users read: Java sources of the product, and Markdown.
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

func checker(file string) func(file, content string) []finding {
	switch {
	case strings.HasSuffix(file, ".java") && strings.Contains(file, "/src/main/") && !strings.HasPrefix(file, "testbed/"):
		return checkJava
	case strings.HasSuffix(file, ".md"):
		return checkMarkdown
	}
	return nil
}
