// Package rooms holds that every package of some modules says what is in it and what it does not know.
package rooms

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../../../.."

var modules = []string{"controlplane-store", "tuning"}

var javadoc = regexp.MustCompile(`(?s)^/\*\*(.*?)\*/\s*package\s+([a-z0-9.]+);\s*$`)

// problem says what a package-info lacks; nothing if it has two sentences and the package's name.
func problem(content, want string) string {
	match := javadoc.FindStringSubmatch(content)
	if match == nil {
		return "has no Javadoc before the package"
	}
	if match[2] != want {
		return "is of the package " + match[2] + ", not " + want
	}
	text := strings.TrimSpace(regexp.MustCompile(`\n \* ?`).ReplaceAllString("\n"+strings.TrimSpace(match[1]), " "))
	sentences := regexp.MustCompile(`[^.]\.( [A-Z]|$)`).FindAllString(text, -1)
	if len(sentences) != 2 || !strings.HasSuffix(text, ".") {
		return "needs two sentences: what is in the room, and what it does not know"
	}
	return ""
}

func TestEveryRoomSaysWhatItIsAndWhatItDoesNotKnow(t *testing.T) {
	rooms := 0
	for _, module := range modules {
		source := filepath.Join(root, module, "src/main/java")
		err := filepath.WalkDir(source, func(folder string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			classes, err := filepath.Glob(filepath.Join(folder, "[A-Z]*.java"))
			if err != nil || len(classes) == 0 {
				return err
			}
			rooms++
			name, _ := filepath.Rel(source, folder)
			file := filepath.Join(folder, "package-info.java")
			content, err := os.ReadFile(file)
			if err != nil {
				t.Errorf("%s: write a package-info.java with two sentences: what is in the room, and what it does not know", name)
			} else if why := problem(string(content), strings.ReplaceAll(name, "/", ".")); why != "" {
				t.Errorf("%s/%s/package-info.java %s", module, name, why)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if rooms < 20 {
		t.Errorf("only %d rooms were looked at", rooms)
	}
}

func TestWhatLacksSomethingIsFound(t *testing.T) {
	for content, want := range map[string]string{
		"/** It is a room. It knows nobody. */\npackage a.b;\n":              "",
		"/**\n * It is a room\n * of a. It knows nobody.\n */\npackage a.b;": "",
		"/** It is a room. */\npackage a.b;\n":                               "two sentences",
		"/** It is. It knows. It more. */\npackage a.b;\n":                   "two sentences",
		"/** It is a room. It knows nobody */\npackage a.b;\n":               "two sentences",
		"package a.b;\n": "no Javadoc",
		"/** It is a room. It knows nobody. */\npackage a.c;\n": "not a.b",
	} {
		got := problem(content, "a.b")
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q", content, got, want)
		}
	}
}
