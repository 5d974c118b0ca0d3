package results

import (
	"os"
	"path/filepath"
	"slices"
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
	if r := s.Last("a"); r != nil {
		t.Errorf("last: %v", r)
	}
	if err := s.Note(&Result{Step: "a", Passed: 28}); err != nil {
		t.Fatal(err)
	}
	if r := s.Last("a"); r == nil || r.Passed != 28 {
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

func TestTestsThatFailedInTurnsAreAllRemembered(t *testing.T) {
	s := Store{t.TempDir()}
	for _, failed := range [][]string{{"A.b"}, {"A.a"}, {"A.b"}} {
		if err := s.Keep("k", &Result{Step: "a", Passed: 1, Failed: 1, Failures: failed}); err != nil {
			t.Fatal(err)
		}
	}
	if r := s.FailedBefore("k"); r == nil || !slices.Equal(r.Failures, []string{"A.a", "A.b"}) {
		t.Errorf("failed before: %v", r)
	}
}

func TestFlakyTestsAreRecordedByKeyAndListed(t *testing.T) {
	s := Store{t.TempDir()}
	if all := s.AllFlaky(); len(all) != 0 || s.Flaky("k1") != nil {
		t.Errorf("nothing was recorded: %v", all)
	}
	now := time.Now()
	for key, at := range map[string]time.Time{"k1": now.Add(-time.Hour), "k2": now} {
		if err := s.KeepFlaky(key, "step-"+key, []string{"A.a"}, at); err != nil {
			t.Fatal(err)
		}
	}
	if r := s.Flaky("k1"); r == nil || r.Step != "step-k1" || s.Flaky("k3") != nil {
		t.Errorf("of k1: %v", r)
	}
	if all := s.AllFlaky(); len(all) != 2 || all[0].Step != "step-k2" {
		t.Errorf("all: %v", all)
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
