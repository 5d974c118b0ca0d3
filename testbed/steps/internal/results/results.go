// Package results keeps, outside the tree and for this machine, what steps came to: passed ones by the key of their inputs, failures by the same, and how long each took.
package results

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// keptFor is how long a result lasts that nothing asks for.
const keptFor = 30 * 24 * time.Hour

// A Result is what one run of a step came to.
type Result struct {
	Step    string    `json:"step"`
	Ended   time.Time `json:"ended"`
	Passed  int       `json:"passed"`
	Failed  int       `json:"failed"`
	Skipped []string  `json:"skipped,omitempty"`
	// Failures are the names of tests that failed.
	Failures   []string `json:"failures,omitempty"`
	Seconds    float64  `json:"seconds"`
	CPUSeconds float64  `json:"cpuSeconds"`
	// Slowest are the test classes that took most, with their seconds.
	Classes []Class `json:"classes,omitempty"`
}

// A Class is a test class and how long its tests took together.
type Class struct {
	Name    string  `json:"name"`
	Tests   int     `json:"tests"`
	Seconds float64 `json:"seconds"`
}

// A Store is a folder of results.
type Store struct{ Folder string }

// Kept is the result of a run that passed with this key, or nil.
func (s Store) Kept(key string) *Result { return s.read("passed", key) }

// FailedBefore is the last result of a run that failed with this key, or nil.
func (s Store) FailedBefore(key string) *Result { return s.read("failed", key) }

// Last is the newest run of a step, whatever it came to, or nil.
func (s Store) Last(step string) *Result { return s.read("last", step) }

// Keep writes a result down. A run that failed takes away what a run before it with the same key passed, and is remembered: such a step is flaky.
func (s Store) Keep(key string, r *Result) error {
	err := s.write("last", r.Step, r)
	if r.Failed > 0 {
		if removed := os.Remove(s.file("passed", key)); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
		return errors.Join(err, s.write("failed", key, r))
	}
	if s.FailedBefore(key) != nil {
		return err
	}
	return errors.Join(err, s.write("passed", key, r))
}

// Note writes down only how long a step took, of one whose result is never kept.
func (s Store) Note(r *Result) error { return s.write("last", r.Step, r) }

// Used says that a result was asked for, which keeps it longer.
func (s Store) Used(key string) error {
	now := time.Now()
	return os.Chtimes(s.file("passed", key), now, now)
}

// Prune removes results that nothing asked for in a month.
func (s Store) Prune() error {
	return filepath.WalkDir(s.Folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		info, err := entry.Info()
		if err == nil && time.Since(info.ModTime()) > keptFor {
			err = os.Remove(file)
		}
		return err
	})
}

func (s Store) file(kind, name string) string {
	return filepath.Join(s.Folder, kind, name+".json")
}

// read returns nil for a result that is not there or can't be read: the step runs then.
func (s Store) read(kind, name string) *Result {
	content, err := os.ReadFile(s.file(kind, name))
	if err != nil {
		return nil
	}
	r := &Result{}
	if json.Unmarshal(content, r) != nil {
		return nil
	}
	return r
}

// write puts a file in its place whole.
func (s Store) write(kind, name string, r *Result) error {
	content, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	file := s.file(kind, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file+".partial", content, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".partial", file)
}
