// SPDX-License-Identifier: Apache-2.0
package main

import (
	"regexp"
	"strings"
)

// A page is what the rules read of a Markdown file.
type page struct {
	prose    []text // paragraphs, list items, block quotes
	headings []text
	cells    []text // of tables, without those below a head 'before', which are quotations
	rows     []row
	lines    []text // all lines but rows of tables, those in fences included
}

type row struct {
	line, columns int
}

var (
	fence = regexp.MustCompile("^\\s*(```|~~~)")
	item  = regexp.MustCompile(`^\s*([-*]|\d+\.)\s+`)
	rule  = regexp.MustCompile(`^[\s|:-]+$`)
)

// markdown reads a file. A list item with its following lines is one text, and so is a cell.
func markdown(file, content string) page {
	var p page
	var open *text
	end := func() {
		if open != nil {
			p.prose = append(p.prose, *open)
		}
		open = nil
	}
	fenced := false
	var heads []string // of the table that is open
	for i, line := range strings.Split(content, "\n") {
		number := i + 1
		trimmed := strings.TrimSpace(line)
		table := !fenced && strings.HasPrefix(trimmed, "|")
		if !table {
			heads = nil
			p.lines = append(p.lines, text{file: file, line: number, words: line})
		}
		switch {
		case fence.MatchString(line):
			fenced = !fenced
			end()
		case fenced:
		case table:
			end()
			cells := strings.Split(strings.Trim(strings.ReplaceAll(codeFree(trimmed), `\|`, "/"), "|"), "|")
			p.rows = append(p.rows, row{number, len(cells)})
			if heads == nil {
				heads = cells
			}
			if !rule.MatchString(trimmed) {
				for column, cell := range cells {
					if column < len(heads) && strings.TrimSpace(heads[column]) == "before" {
						continue
					}
					p.cells = append(p.cells, text{file: file, line: number, words: strings.TrimSpace(cell)})
				}
			}
		case trimmed == "":
			end()
		case strings.HasPrefix(trimmed, "#"):
			end()
			p.headings = append(p.headings, text{file: file, line: number, words: strings.TrimLeft(trimmed, "# ")})
		case item.MatchString(line):
			end()
			open = &text{file: file, line: number, words: item.ReplaceAllString(line, "")}
		case open == nil:
			open = &text{file: file, line: number, words: trimmed}
		default:
			open.words += " " + trimmed
		}
	}
	end()
	return p
}
