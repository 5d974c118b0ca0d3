// SPDX-License-Identifier: Apache-2.0
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// An exception is a file or folder that the rules do not hold yet, with the reason.
type exception struct {
	path, reason string
}

// exceptions reads lines 'PATH  REASON'; '#' begins a comment.
func exceptions(file string) ([]exception, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	var all []exception
	for lines := bufio.NewScanner(opened); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		path, reason, _ := strings.Cut(line, " ")
		if strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s: %q has no reason; write one behind the path", file, line)
		}
		all = append(all, exception{path, strings.TrimSpace(reason)})
	}
	return all, nil
}

func (e exception) covers(file string) bool {
	return file == e.path || strings.HasPrefix(file, strings.TrimSuffix(e.path, "/")+"/")
}

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
