// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"
)

// A link of a page to a file of the repository, a heading of a page, or both.
type link struct {
	file, target string
	line         int
}

var (
	inline     = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)`)
	definition = regexp.MustCompile(`^\s{0,3}\[[^\]]+\]:\s+<?([^\s>]+)>?`)
	outside    = regexp.MustCompile(`^([a-z][a-z0-9+.-]*:|//)`)
	// Pages that programs name to their users.
	named = regexp.MustCompile(`\bdocs/[A-Za-z0-9_./-]+\.md\b`)
)

// linksOf returns the links of a page that lead to files of the repository. Code is no link.
func linksOf(file, content string) []link {
	var found []link
	for i, line := range visible(content) {
		line = code.ReplaceAllString(line, "")
		for _, expression := range []*regexp.Regexp{inline, definition} {
			for _, match := range expression.FindAllStringSubmatch(line, -1) {
				if !outside.MatchString(match[1]) {
					found = append(found, link{file, match[1], i + 1})
				}
			}
		}
	}
	return found
}

// visible returns the lines of a page, those in fences empty.
func visible(content string) []string {
	lines := strings.Split(content, "\n")
	fenced := false
	for i, line := range lines {
		if fence.MatchString(line) {
			fenced = !fenced
			lines[i] = ""
		} else if fenced {
			lines[i] = ""
		}
	}
	return lines
}

// anchors returns the names by which links reach the headings of a page, as GitHub makes them.
func anchors(content string) map[string]bool {
	found := map[string]bool{}
	for _, line := range visible(content) {
		head := strings.TrimLeft(line, "#")
		depth := len(line) - len(head)
		if depth == 0 || depth > 6 || !strings.HasPrefix(head, " ") {
			continue
		}
		name := anchor(head)
		free := name
		for next := 1; found[free]; next++ {
			free = fmt.Sprintf("%s-%d", name, next)
		}
		found[free] = true
	}
	return found
}

func anchor(heading string) string {
	heading = hyperlink.ReplaceAllString(strings.TrimSpace(heading), "$1")
	var name strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) || r == '-' || r == '_':
			name.WriteRune(r)
		case r == ' ':
			name.WriteRune('-')
		}
	}
	return name.String()
}

// checkLinks finds links of pages, and names of pages in programs, that lead nowhere. Files are all of the repository, by path; their content is needed for pages and programs alone.
func checkLinks(files map[string]string) []finding {
	folders := map[string]bool{".": true}
	for file := range files {
		for folder := path.Dir(file); !folders[folder]; folder = path.Dir(folder) {
			folders[folder] = true
		}
	}
	var found []finding
	for file, content := range files {
		if strings.HasSuffix(file, ".md") {
			for _, one := range linksOf(file, content) {
				if problem := broken(one, files, folders); problem != "" {
					found = append(found, finding{one.file, one.line, problem})
				}
			}
			continue
		}
		for i, line := range strings.Split(content, "\n") {
			for _, page := range named.FindAllString(line, -1) {
				if _, exists := files[page]; !exists {
					found = append(found, finding{file, i + 1, fmt.Sprintf("names %s, which does not exist", page)})
				}
			}
		}
	}
	return found
}

// broken says what is wrong with a link; empty is nothing.
func broken(one link, files map[string]string, folders map[string]bool) string {
	target, heading, _ := strings.Cut(one.target, "#")
	to := one.file
	if target != "" {
		to = path.Join(path.Dir(one.file), target)
		if strings.HasPrefix(target, "/") {
			return fmt.Sprintf("the link %s begins with '/'; write it relative to the page", one.target)
		}
	}
	content, exists := files[to]
	if !exists && !folders[to] {
		return fmt.Sprintf("the link %s leads to %s, which does not exist", one.target, to)
	}
	if heading != "" && !anchors(content)[heading] {
		return fmt.Sprintf("the link %s leads to a heading that %s does not have", one.target, to)
	}
	return ""
}
