package rooms

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	mostCharacters = 160
	mostColumns    = 4
	// mostInCell is about half a line: two such cells still stand beside each other. A longer text is a sentence, and belongs into a list.
	mostInCell = 90
)

// A fault is a line of a text that cannot be read at a glance.
type fault struct {
	line int
	why  string
}

// unreadable are the lines of a text that are too long, and rows of tables with too many cells, or with one of more characters than these. A picture may be as wide as a line.
func unreadable(text string, inCell int) []fault {
	var faults []fault
	for i, line := range strings.Split(text, "\n") {
		if utf8.RuneCountInString(line) > mostCharacters {
			faults = append(faults, fault{i + 1, "longer than 160 characters. Break the line, or make the table a list"})
		}
		if !strings.HasPrefix(strings.TrimLeft(line, " "), "|") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) > mostColumns {
			faults = append(faults, fault{i + 1, "a table of more than 4 columns. Make the table a list"})
		}
		for _, cell := range cells {
			if utf8.RuneCountInString(strings.TrimSpace(cell)) > inCell {
				faults = append(faults, fault{i + 1, fmt.Sprintf("a cell of more than %d characters. Shorten the cell, or make the table a list", inCell)})
			}
		}
	}
	return faults
}

func TestDesignsCanBeReadWithoutScrolling(t *testing.T) {
	out, err := exec.Command("git", "-C", root, "ls-files", "CONTRIBUTING.md", "DESIGN.md", "*/DESIGN.md").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Fields(string(out))
	if len(files) < 12 {
		t.Fatalf("only %v were found", files)
	}
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		// The index of rooms has two columns, of which the second says what is in the room.
		inCell := mostInCell
		if file == "CONTRIBUTING.md" {
			inCell = mostCharacters
		}
		for _, f := range unreadable(string(content), inCell) {
			t.Errorf("%s:%d: %s.", file, f.line, f.why)
		}
	}
}

func TestLongLinesAndWideTablesAreFound(t *testing.T) {
	long := strings.Repeat("ä", mostInCell)
	for text, want := range map[string]int{
		strings.Repeat("ä", mostCharacters):      0,
		strings.Repeat("ä", mostCharacters+1):    1,
		"| a | b | c | d |":                      0,
		"| a | b | c | d | e |":                  1,
		"| " + long + " | b |":                   0,
		"| a | ä" + long + " |":                  1,
		"  | a | ä" + long + " |":                1,
		"no table: a | b | c | d | e":            0,
		"```\n" + long + "\n```":                 0,
		"| a | b | c | d | ä" + long + " |\n|x|": 2,
	} {
		if got := unreadable(text, mostInCell); len(got) != want {
			t.Errorf("%q: %v, want %d faults", text, got, want)
		}
	}
}
