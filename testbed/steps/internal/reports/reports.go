// Package reports counts what test runners wrote: JUnit's XML, where its classes' seconds went, and the log of 'go test -v'.
package reports

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"exaplane.io/testbed/steps/internal/results"
)

// Counts are the tests of a step.
type Counts struct {
	Passed   int
	Failures []Failure
	Skipped  []string
	Classes  []results.Class
}

// A Failure is a test that failed, and the beginning of why.
type Failure struct{ Test, Message string }

const messageLines = 12

type suite struct {
	Name  string     `xml:"name,attr"`
	Cases []testCase `xml:"testcase"`
}

type testCase struct {
	Name    string    `xml:"name,attr"`
	Class   string    `xml:"classname,attr"`
	Time    string    `xml:"time,attr"`
	Failure *problem  `xml:"failure"`
	Error   *problem  `xml:"error"`
	Skipped *struct{} `xml:"skipped"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Read counts all reports in a folder: *.xml by JUnit, *.spent by SpentReport of testbed/machine, *.gotest by go test -v.
func Read(folder string) (*Counts, error) {
	counts := &Counts{}
	classes := map[string]*results.Class{}
	spent := map[string]results.Spent{}
	err := filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir():
			return err
		case strings.HasSuffix(file, ".xml"):
			return counts.junit(file, classes)
		case strings.HasSuffix(file, ".spent"):
			return readSpent(file, spent)
		case strings.HasSuffix(file, ".gotest"):
			return counts.goTest(file, classes)
		}
		return nil
	})
	for _, c := range classes {
		if s, ok := spent[c.Name]; ok {
			c.Spent = &s
		}
		counts.Classes = append(counts.Classes, *c)
	}
	sort.Slice(counts.Classes, func(i, j int) bool { return counts.Classes[i].Seconds > counts.Classes[j].Seconds })
	return counts, err
}

// Any says whether there was a test at all.
func (c *Counts) Any() bool { return c.Passed+len(c.Failures)+len(c.Skipped) > 0 }

func (c *Counts) junit(file string, classes map[string]*results.Class) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var s suite
	if err := xml.Unmarshal(content, &s); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, t := range s.Cases {
		seconds, _ := strconv.ParseFloat(strings.ReplaceAll(t.Time, ",", ""), 64)
		name := t.Class + "." + strings.TrimSuffix(t.Name, "()")
		add(classes, t.Class, seconds)
		switch {
		case t.Failure != nil:
			c.fail(name, t.Failure.Message+"\n"+t.Failure.Text)
		case t.Error != nil:
			c.fail(name, t.Error.Message+"\n"+t.Error.Text)
		case t.Skipped != nil:
			c.Skipped = append(c.Skipped, name)
		default:
			c.Passed++
		}
	}
	return nil
}

// readSpent reads lines of a class, its seconds, and those of starts and of waits, between tabs. A class that ran in several processes has their sum.
func readSpent(file string, spent map[string]results.Spent) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(content)) {
		var s results.Spent
		name, seconds, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if _, err := fmt.Sscan(seconds, &s.Whole, &s.Starts, &s.Waits); err != nil {
			return fmt.Errorf("%s: %q: %w", file, line, err)
		}
		before := spent[name]
		spent[name] = results.Spent{Whole: before.Whole + s.Whole, Starts: before.Starts + s.Starts, Waits: before.Waits + s.Waits}
	}
	return nil
}

func (c *Counts) fail(test, message string) {
	lines := strings.Split(strings.TrimSpace(message), "\n")
	if len(lines) > messageLines {
		lines = lines[:messageLines]
	}
	c.Failures = append(c.Failures, Failure{test, strings.Join(lines, "\n")})
}

func add(classes map[string]*results.Class, name string, seconds float64) {
	if classes[name] == nil {
		classes[name] = &results.Class{Name: name}
	}
	classes[name].Tests++
	classes[name].Seconds += seconds
}

var (
	goResult  = regexp.MustCompile(`^ *--- (PASS|FAIL|SKIP): (\S+) \(([0-9.]+)s\)`)
	goPackage = regexp.MustCompile(`^(?:ok|FAIL)\s+(\S+)\s`)
)

// goTest counts subtests too. A skip of a peer's test is the peer's own and is not counted.
func (c *Counts) goTest(file string, classes map[string]*results.Class) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 64<<20)
	failedPackages, failed := 0, 0
	for scanner.Scan() {
		line := scanner.Text()
		if p := goPackage.FindStringSubmatch(line); p != nil && strings.HasPrefix(line, "FAIL") {
			failedPackages++
		}
		m := goResult.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if !strings.HasPrefix(line, " ") {
			seconds, _ := strconv.ParseFloat(m[3], 64)
			add(classes, m[2], seconds)
		}
		switch m[1] {
		case "PASS":
			c.Passed++
		case "FAIL":
			failed++
			c.fail(m[2], "see the step's log")
		}
	}
	if failedPackages > 0 && failed == 0 {
		c.fail(filepath.Base(file), "a package failed without a failed test: it does not compile, or it ended early; see the step's log")
	}
	return scanner.Err()
}
