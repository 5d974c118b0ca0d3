package rooms

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	mostCharacters = 160
	mostColumns    = 4
)

// unreadable names the lines of a text that are too long, or belong to a table with too many columns. A picture may be as wide.
func unreadable(text string) []int {
	var lines []int
	for i, line := range strings.Split(text, "\n") {
		columns := strings.Count(strings.Trim(line, "| "), " | ") + 1
		if utf8.RuneCountInString(line) > mostCharacters || strings.HasPrefix(line, "|") && columns > mostColumns {
			lines = append(lines, i+1)
		}
	}
	return lines
}

func TestDesignsCanBeReadWithoutScrolling(t *testing.T) {
	var files []string
	for _, pattern := range []string{"CONTRIBUTING.md", "dist-scheduler/*/DESIGN.md", "testbed/DESIGN.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: nothing is there, %v", pattern, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range unreadable(string(content)) {
			t.Errorf("%s:%d: longer than %d characters, or a table of more than %d columns. Break the line, or make the table a list.", file, line, mostCharacters, mostColumns)
		}
	}
}

func TestLongLinesAndWideTablesAreFound(t *testing.T) {
	text := strings.Repeat("ä", mostCharacters) + "\n" + strings.Repeat("ä", mostCharacters+1) + "\n| a | b | c | d |\n| a | b | c | d | e |\n"
	if got := unreadable(text); len(got) != 2 || got[0] != 2 || got[1] != 4 {
		t.Errorf("got %v, want lines 2 and 4", got)
	}
}
