package reports

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"exaplane.io/testbed/steps/internal/results"
)

func read(t *testing.T, files map[string]string) *Counts {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	counts, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

func TestJUnitsReports(t *testing.T) {
	counts := read(t, map[string]string{
		"TEST-A.xml": `<?xml version="1.0"?><testsuite name="A" tests="3"><properties/><testcase name="good()" classname="x.A" time="1.5"/>
			<testcase name="bad(int)[2]" classname="x.A" time="0.5"><failure message="wanted 1" type="E">wanted 1
 at x.A</failure></testcase><testcase name="broken()" classname="x.A" time="0"><error message="no server"/></testcase></testsuite>`,
		"TEST-B.xml": `<testsuite name="B"><testcase name="left()" classname="x.B" time="1,200.5"><skipped/></testcase></testsuite>`,
	})
	var failed []string
	for _, f := range counts.Failures {
		failed = append(failed, f.Test)
	}
	if counts.Passed != 1 || !slices.Equal(failed, []string{"x.A.bad(int)[2]", "x.A.broken"}) || !slices.Equal(counts.Skipped, []string{"x.B.left"}) {
		t.Errorf("%+v", counts)
	}
	if !strings.Contains(counts.Failures[0].Message, "wanted 1") {
		t.Errorf("message: %q", counts.Failures[0].Message)
	}
	if c := counts.Classes; len(c) != 2 || c[0].Name != "x.B" || c[0].Seconds != 1200.5 || c[1].Tests != 3 || c[1].Seconds != 2 {
		t.Errorf("classes: %+v", c)
	}
}

func TestAClassTellsWhereItsSecondsWent(t *testing.T) {
	const report = `<testsuite name="A"><testcase name="a()" classname="x.A" time="2"/><testcase name="b()" classname="x.B" time="1"/></testsuite>`
	counts := read(t, map[string]string{"TEST-A.xml": report, "one.spent": "x.A\t10.500\t4.000\t0.500\nx.Left\t1.0\t0.0\t0.0\n", "two.spent": "x.A\t1.000\t0.500\t0.000\n"})
	if c := counts.Classes; len(c) != 2 || c[0].Spent == nil || *c[0].Spent != (results.Spent{Whole: 11.5, Starts: 4.5, Waits: 0.5}) || c[1].Spent != nil {
		t.Errorf("%+v", c)
	}
}

func TestALineOfSecondsThatIsCutIsAnError(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.spent"), []byte("x.A\t10.500\t4"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(folder); err == nil {
		t.Error("no error")
	}
}

func TestALogOfGoTest(t *testing.T) {
	counts := read(t, map[string]string{"a.gotest": "=== RUN   TestA\n--- PASS: TestA (0.10s)\n    --- PASS: TestA/one (0.00s)\n    --- FAIL: TestB/two (0.20s)\n--- FAIL: TestB (1.00s)\n--- SKIP: TestC (0.00s)\nFAIL\nFAIL\tx/y\t1.1s\n"})
	if counts.Passed != 2 || len(counts.Failures) != 2 || len(counts.Skipped) != 0 {
		t.Errorf("%+v", counts)
	}
}

func TestAPackageThatFailsWithoutATestIsAFailure(t *testing.T) {
	counts := read(t, map[string]string{"a.gotest": "--- PASS: TestA (0.10s)\nFAIL\tx/y [build failed]\n"})
	if counts.Passed != 1 || len(counts.Failures) != 1 {
		t.Errorf("%+v", counts)
	}
}

func TestAReportThatIsCutIsAnError(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "TEST-A.xml"), []byte(`<testsuite name="A"><testcase name="a"`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(folder); err == nil {
		t.Error("no error")
	}
}

func TestNoReportsAreNoTests(t *testing.T) {
	if counts := read(t, nil); counts.Any() {
		t.Errorf("%+v", counts)
	}
}
