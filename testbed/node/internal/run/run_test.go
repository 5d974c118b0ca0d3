package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func processes(t *testing.T) Processes {
	t.Helper()
	return Processes{Pids: filepath.Join(t.TempDir(), "pids"), Logs: filepath.Join(t.TempDir(), "logs")}
}

func TestAProcessIsStartedOnceAndStopped(t *testing.T) {
	p := processes(t)
	if err := p.Start("sleeper", nil, "sleep", "60"); err != nil {
		t.Fatal(err)
	}
	first, _ := os.ReadFile(p.file("sleeper"))
	if err := errors.Join(p.Start("sleeper", nil, "sleep", "60"), p.Alive("sleeper")); err != nil {
		t.Fatal(err)
	}
	if second, _ := os.ReadFile(p.file("sleeper")); string(second) != string(first) {
		t.Fatalf("started again: %s then %s", first, second)
	}
	if err := p.Stop("sleeper", 5*time.Second); err != nil {
		t.Fatal(err)
	}
	if err := p.Alive("sleeper"); err == nil || !strings.Contains(err.Error(), p.LogFile("sleeper")) {
		t.Fatalf("after the stop: %v", err)
	}
	if err := p.Stop("sleeper", time.Second); err != nil {
		t.Fatalf("a second stop: %v", err)
	}
}

func TestAProcessWithAnotherCommandIsReplaced(t *testing.T) {
	p := processes(t)
	defer p.Stop("sleeper", time.Second)
	start := func(seconds string) string {
		t.Helper()
		if err := p.StartAs("sleeper", 5*time.Second, "nice", "sleep", seconds); err != nil {
			t.Fatal(err)
		}
		pid, alive := p.pid("sleeper")
		if !alive {
			t.Fatal("it does not run")
		}
		// Until nice has handed over, the command is the whole one.
		for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if words, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); string(words) == "sleep\x00"+seconds+"\x00" {
				break
			}
		}
		return strconv.Itoa(pid)
	}
	first := start("60")
	if again := start("60"); again != first {
		t.Errorf("%s was started again, as %s", first, again)
	}
	if other := start("0060"); other == first {
		t.Error("the process with the command of before stayed")
	}
}

func TestAProcessThatIgnoresTermIsKilled(t *testing.T) {
	p := processes(t)
	if err := p.Start("stubborn", nil, "sh", "-c", "trap '' TERM; while :; do sleep 1; done"); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop("stubborn", 300*time.Millisecond); err != nil {
		t.Fatal(err)
	}
}

func TestAPidThatWasUsedAgainIsLeftAlone(t *testing.T) {
	p := processes(t)
	if err := os.MkdirAll(p.Pids, 0o755); err != nil {
		t.Fatal(err)
	}
	// Process 1 is there, but did not start at that time.
	if err := os.WriteFile(p.file("other"), []byte("1 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if p.Alive("other") == nil {
		t.Fatal("process 1 was taken for ours")
	}
	if err := p.Stop("other", time.Second); err != nil {
		t.Fatal(err)
	}
}

func TestAFailedCommandSaysWhatItPrinted(t *testing.T) {
	_, err := Command("sh", "-c", "echo why >&2; exit 3")
	if err == nil || !strings.Contains(err.Error(), "why") || !strings.Contains(err.Error(), "exit status 3") {
		t.Fatal(err)
	}
}
