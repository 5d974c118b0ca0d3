// Package results keeps, outside the tree and for this machine, what steps came to: passed ones by the key of their inputs, failures by the same, and how long each took.
package results

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	// Failures are the names of tests that failed; with a key, of all that failed with it until now.
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
	// Spent is nil for a class that does not tell it.
	Spent *Spent `json:"spent,omitempty"`
}

// Spent says where the seconds of a class went, by the thread that ran the class.
type Spent struct {
	// Whole is the time with what comes before and after the tests.
	Whole float64 `json:"whole"`
	// Starts are waits for processes that begin, until they serve.
	Starts float64 `json:"starts"`
	// Waits are those for what others do in their own time: controllers, clocks, probes.
	Waits float64 `json:"waits"`
}

// A Store is a folder of results.
type Store struct{ Folder string }

// Kept is the result of a run that passed with this key, or nil.
func (s Store) Kept(key string) *Result { return s.read("passed", key) }

// FailedBefore is the last result of a run that failed with this key, or nil.
func (s Store) FailedBefore(key string) *Result { return s.read("failed", key) }

// Last is the newest run of a step, whatever it came to, or nil.
func (s Store) Last(step string) *Result { return s.read("last", step) }

// Flaky is the record of tests that failed with this key before the step passed with it, or nil.
func (s Store) Flaky(key string) *Result { return s.read("flaky", key) }

// AllFlaky are the records of flaky tests of the last month, the newest first.
func (s Store) AllFlaky() []*Result {
	files, _ := filepath.Glob(s.file("flaky", "*"))
	var all []*Result
	for _, file := range files {
		if r := s.read("flaky", strings.TrimSuffix(filepath.Base(file), ".json")); r != nil {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *Result) int { return b.Ended.Compare(a.Ended) })
	return all
}

// Keep writes down what a step came to with a key. A run that failed takes away what a run before it with the same key passed, and its tests are remembered beside those that failed
// with the key before: whatever passes then is flaky, and is not kept.
func (s Store) Keep(key string, r *Result) error {
	before := s.FailedBefore(key)
	if r.Failed > 0 {
		err := os.Remove(s.file("passed", key))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		failed := *r
		if before != nil {
			failed.Failures = slices.Concat(before.Failures, r.Failures)
			slices.Sort(failed.Failures)
			failed.Failures = slices.Compact(failed.Failures)
		}
		return errors.Join(err, s.write("failed", key, &failed))
	}
	if before != nil {
		return nil
	}
	return s.write("passed", key, r)
}

// KeepFlaky records that tests failed with a key at a time, and passed with it now.
func (s Store) KeepFlaky(key, step string, tests []string, now time.Time) error {
	return s.write("flaky", key, &Result{Step: step, Ended: now, Failures: tests})
}

// Note writes down what the newest run of a step came to, and how long it took.
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
