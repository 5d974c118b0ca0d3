// Package inputs finds the files that a step depends on, and makes a key of their contents. Two runs with the same key had the same inputs.
package inputs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"exaplane.io/testbed/steps/internal/plan"
)

// A Tree is the contents of a checkout: for each file that git tracks or would track, a hash over its mode and its bytes, or over its target if it is a link.
type Tree map[string]string

// ReadTree reads every file once.
func ReadTree(root string) (Tree, error) {
	list := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("git can't list the files of %s, which the keys of results are made from: %w", root, err)
	}
	tree := Tree{}
	for _, name := range bytes.Split(bytes.TrimRight(out, "\x00"), []byte{0}) {
		hash, err := hashFile(filepath.Join(root, string(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not yet committed
		}
		if err != nil {
			return nil, err
		}
		tree[string(name)] = hash
	}
	return tree, nil
}

func hashFile(file string) (string, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return "", err
	}
	var content []byte
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(file)
		if err != nil {
			return "", err
		}
		content = []byte(target)
	} else if content, err = os.ReadFile(file); err != nil {
		return "", err
	}
	return hashContent(info.Mode(), content), nil
}

func hashContent(mode fs.FileMode, content []byte) string {
	sum := sha256.New()
	// Of permissions, git keeps whether a file can be executed.
	fmt.Fprintf(sum, "%v %v\n", mode&fs.ModeSymlink != 0, mode&0o100 != 0)
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

// Keys makes the keys of a plan's steps on one tree.
type Keys struct {
	Plan    *plan.Plan
	Modules *Modules
	// Environment is what a result depends on besides files: versions of tools, settings.
	Environment string
	// Settings is what the run itself decides, such as how its pods are. What is derived does not depend on that.
	Settings string
	// Packages returns the versions of the packages that one step alone runs. It is asked anew for each key: a step above may have installed them.
	Packages func(names []string) string
	// Derive runs the function of a derived input and returns what it printed; it is called at most once for the same contents of what the input is made from.
	Derive func(d plan.Derived, key string) (string, error)
}

// Files are the names of a step's inputs, in order. An input that matches no file is an error: it was misspelt, or has moved.
func (k *Keys) Files(tree Tree, step *plan.Step) ([]string, error) {
	files, err := k.files(tree, step.Inputs)
	if err != nil {
		return nil, fmt.Errorf("step %s: %w", step.Name, err)
	}
	return files, nil
}

// Declared are the step's files and those that its derived inputs are made from: all that it may read.
func (k *Keys) Declared(tree Tree, step *plan.Step) ([]string, error) {
	all, err := k.Files(tree, step)
	for _, input := range k.Plan.Patterns(step.Inputs) {
		if name, ok := strings.CutPrefix(input, "derived:"); ok && err == nil {
			var more []string
			more, err = k.files(tree, k.Plan.Derived[name].From)
			all = append(all, more...)
		}
	}
	sort.Strings(all)
	return slices.Compact(all), err
}

func (k *Keys) files(tree Tree, inputs []string) ([]string, error) {
	patterns, err := k.patterns(inputs)
	if err != nil {
		return nil, err
	}
	used := make([]bool, len(patterns))
	var files []string
	for name := range tree {
		wanted := false
		for i, p := range patterns {
			if p.covers(name) {
				used[i], wanted = true, !p.exclude
			}
		}
		if wanted {
			files = append(files, name)
		}
	}
	for i, p := range patterns {
		if !used[i] && !p.optional {
			return nil, fmt.Errorf("input %q is no file or folder", p.path)
		}
	}
	sort.Strings(files)
	return files, nil
}

// Key is the same for the same contents of all inputs, the same step and the same environment, and differs when any of them does.
func (k *Keys) Key(tree Tree, step *plan.Step) (string, error) {
	files, err := k.Files(tree, step)
	if err != nil {
		return "", err
	}
	return k.keyOf(tree, step, files)
}

// OfAll is the key of a step that may read any file of the tree. Such a step has no kept result; the key says that nothing has changed since the step failed.
func (k *Keys) OfAll(tree Tree, step *plan.Step) (string, error) {
	return k.keyOf(tree, step, slices.Sorted(maps.Keys(tree)))
}

func (k *Keys) keyOf(tree Tree, step *plan.Step, files []string) (string, error) {
	definition, err := json.Marshal(step)
	if err != nil {
		return "", err
	}
	about := string(definition) + "\n" + k.Settings
	if len(step.Packages) > 0 {
		about += "\n" + k.Packages(step.Packages)
	}
	for _, input := range k.Plan.Patterns(step.Inputs) {
		if name, ok := strings.CutPrefix(input, "derived:"); ok {
			value, err := k.derived(tree, name)
			if err != nil {
				return "", fmt.Errorf("step %s: derived input %s: %w", step.Name, name, err)
			}
			about += "\n" + value
		}
	}
	return k.key(tree, about, files), nil
}

func (k *Keys) derived(tree Tree, name string) (string, error) {
	d := k.Plan.Derived[name]
	files, err := k.files(tree, d.From)
	if err != nil {
		return "", err
	}
	return k.Derive(d, k.key(tree, d.Run, files))
}

func (k *Keys) key(tree Tree, about string, files []string) string {
	text := fmt.Appendf(nil, "%s\n%s\n", about, k.Environment)
	for _, file := range files {
		text = append(append(append(strconv.AppendQuote(text, file), ' '), tree[file]...), '\n')
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// A pattern is a file, a folder, or a shell pattern of files; with '!' in front it takes out what those before it put in.
type pattern struct {
	path              string
	exclude, optional bool
	// inside is how the names of a folder's files begin. isShell says that the path is a shell pattern. Each file of the tree is compared with each pattern.
	inside  string
	isShell bool
}

func patternOf(path string) pattern {
	return pattern{path: path, inside: path + "/", isShell: strings.ContainsAny(path, "*?[")}
}

func (p pattern) covers(name string) bool {
	if name == p.path || strings.HasPrefix(name, p.inside) {
		return true
	}
	if !p.isShell {
		return false
	}
	// A pattern without a folder is one of names in any folder, as in .gitignore.
	if !strings.Contains(p.path, "/") {
		matches, err := filepath.Match(p.path, filepath.Base(name))
		return err == nil && matches
	}
	// It may name a folder above.
	for ; name != "."; name = filepath.Dir(name) {
		if matches, err := filepath.Match(p.path, name); err == nil && matches {
			return true
		}
	}
	return false
}

func (k *Keys) patterns(inputs []string) ([]pattern, error) {
	var patterns []pattern
	for _, input := range k.Plan.Patterns(inputs) {
		if folder, ok := strings.CutPrefix(input, "module:"); ok {
			sources, err := k.Modules.Sources(folder)
			if err != nil {
				return nil, err
			}
			for _, source := range sources {
				// A module of tests alone has no src/main.
				p := patternOf(source)
				p.optional = true
				patterns = append(patterns, p)
			}
		} else if !strings.HasPrefix(input, "derived:") {
			path, exclude := strings.CutPrefix(input, "!")
			p := patternOf(path)
			p.exclude = exclude
			patterns = append(patterns, p)
		}
	}
	return patterns, nil
}
