// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// read checks every file of the working tree that users read: Java sources of the product, and Markdown.
func read(root string) ([]finding, error) {
	listed, err := exec.Command("git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	var found []finding
	for _, file := range strings.Fields(string(listed)) {
		check := checker(file)
		if check == nil {
			continue
		}
		content, err := os.ReadFile(filepath.Join(root, file))
		if os.IsNotExist(err) {
			continue // deleted and not committed yet
		}
		if err != nil {
			return nil, err
		}
		found = append(found, check(file, string(content))...)
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
