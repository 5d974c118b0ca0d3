package results

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestAPassedResultIsKeptByItsKey(t *testing.T) {
	s := Store{t.TempDir()}
	if err := s.Keep("k1", &Result{Step: "a", Passed: 27}); err != nil {
		t.Fatal(err)
	}
	if r := s.Kept("k1"); r == nil || r.Passed != 27 {
		t.Errorf("kept: %v", r)
	}
	if r := s.Kept("k2"); r != nil {
		t.Errorf("another key has %v", r)
	}
	if r := s.Last("a"); r == nil || r.Passed != 27 {
		t.Errorf("last: %v", r)
	}
}

func TestAFailureIsNeverKeptAndTakesAwayWhatPassed(t *testing.T) {
	s := Store{t.TempDir()}
	for _, r := range []*Result{{Step: "a", Passed: 2}, {Step: "a", Passed: 1, Failed: 1, Failures: []string{"A.b"}}} {
		if err := s.Keep("k", r); err != nil {
			t.Fatal(err)
		}
	}
	if r := s.Kept("k"); r != nil {
		t.Errorf("kept: %v", r)
	}
	// A run that passes with the same inputs shows that the test is flaky: it is not kept either.
	if err := s.Keep("k", &Result{Step: "a", Passed: 2}); err != nil {
		t.Fatal(err)
	}
	if r := s.Kept("k"); r != nil {
		t.Errorf("a flaky step was kept: %v", r)
	}
	if r := s.FailedBefore("k"); r == nil || r.Failures[0] != "A.b" {
		t.Errorf("failed before: %v", r)
	}
}

func TestAResultThatCantBeReadIsNone(t *testing.T) {
	s := Store{t.TempDir()}
	if err := s.Keep("k", &Result{Step: "a", Passed: 2}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Folder, "passed/k.json"), []byte(`{"step":`), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := s.Kept("k"); r != nil {
		t.Errorf("kept: %v", r)
	}
}

func TestWhatNothingAskedForInAMonthIsRemoved(t *testing.T) {
	s := Store{t.TempDir()}
	for _, key := range []string{"old", "used"} {
		if err := s.Keep(key, &Result{Step: key, Passed: 1}); err != nil {
			t.Fatal(err)
		}
		long := time.Now().Add(-keptFor - time.Hour)
		if err := os.Chtimes(filepath.Join(s.Folder, "passed", key+".json"), long, long); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Used("used"); err != nil {
		t.Fatal(err)
	}
	if err := s.Prune(); err != nil {
		t.Fatal(err)
	}
	if s.Kept("old") != nil || s.Kept("used") == nil {
		t.Error("the wrong one was removed")
	}
	if err := (Store{filepath.Join(s.Folder, "none")}).Prune(); err != nil {
		t.Errorf("no folder yet: %v", err)
	}
}
