// Package run starts commands and long-running processes, and stops the latter by the identity it recorded.
package run

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Command runs a command to its end and returns what it printed to standard output; an error carries its standard error.
func Command(name string, args ...string) (string, error) {
	return Input("", name, args...)
}

// Input is Command with the given text on the command's standard input.
func Input(stdin, name string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	c := exec.Command(name, args...)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &out, &errs
	if err := c.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}

// Processes keeps a pid file per process name in one folder and a log per name in another.
type Processes struct{ Pids, Logs string }

// Start starts a process in a session of its own unless the one recorded under that name still runs.
func (p Processes) Start(name string, env []string, command ...string) error {
	if _, alive := p.pid(name); alive {
		return nil
	}
	if err := errors.Join(os.MkdirAll(p.Pids, 0o755), os.MkdirAll(p.Logs, 0o755)); err != nil {
		return err
	}
	log, err := os.OpenFile(p.LogFile(name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	c := exec.Command(command[0], command[1:]...)
	c.Env = append(os.Environ(), env...)
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	started, err := startTime(c.Process.Pid)
	if err != nil {
		return fmt.Errorf("start %s: it ended at once; see %s", name, p.LogFile(name))
	}
	return os.WriteFile(p.file(name), fmt.Appendf(nil, "%d %s\n", c.Process.Pid, started), 0o644)
}

// StartAs is Start, except that a process that runs by another command ends first, within the grace time. What hands over to the rest of a command, as nsenter
// does at its begin, is not compared.
func (p Processes) StartAs(name string, grace time.Duration, command ...string) error {
	if pid, alive := p.pid(name); alive {
		running, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil {
			return err
		}
		if strings.HasSuffix("\x00"+strings.Join(command, "\x00")+"\x00", "\x00"+string(running)) {
			return nil
		}
		if err := p.Stop(name, grace); err != nil {
			return err
		}
	}
	return p.Start(name, nil, command...)
}

// Alive returns an error that names the log when the named process does not run.
func (p Processes) Alive(name string) error {
	if _, alive := p.pid(name); !alive {
		return fmt.Errorf("%s is not running; its log is %s", name, p.LogFile(name))
	}
	return nil
}

// Stop ends the named process: TERM, and KILL when it is still there after the grace time. A process that is gone is no error.
func (p Processes) Stop(name string, grace time.Duration) error {
	pid, alive := p.pid(name)
	if alive {
		_ = syscall.Kill(pid, syscall.SIGTERM)
		for end := time.Now().Add(grace); alive && time.Now().Before(end); _, alive = p.pid(name) {
			time.Sleep(50 * time.Millisecond)
		}
		if alive {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			for end := time.Now().Add(time.Minute); alive && time.Now().Before(end); _, alive = p.pid(name) {
				time.Sleep(20 * time.Millisecond)
			}
		}
		if alive {
			return fmt.Errorf("%s (pid %d) does not end", name, pid)
		}
	}
	if err := os.Remove(p.file(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Names lists the processes that have a pid file, running or not.
func (p Processes) Names() []string {
	files, _ := filepath.Glob(filepath.Join(p.Pids, "*.pid"))
	names := make([]string, 0, len(files))
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".pid"))
	}
	return names
}

func (p Processes) file(name string) string    { return filepath.Join(p.Pids, name+".pid") }
func (p Processes) LogFile(name string) string { return filepath.Join(p.Logs, name+".log") }

// pid returns the recorded pid, and whether the process with that pid is the one that was started: a pid may have been used again.
func (p Processes) pid(name string) (int, bool) {
	content, err := os.ReadFile(p.file(name))
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(content))
	if len(fields) != 2 {
		return 0, false
	}
	pid, err := strconv.Atoi(fields[0])
	if err != nil {
		return 0, false
	}
	// A child of ours that has ended stays a zombie until it is waited for.
	_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	started, err := startTime(pid)
	return pid, err == nil && started == fields[1]
}

// startTime is field 22 of /proc/PID/stat: clock ticks since boot at which the process started. A zombie counts as gone.
func startTime(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	after := string(stat[bytes.LastIndexByte(stat, ')')+1:])
	fields := strings.Fields(after)
	if len(fields) < 20 || fields[0] == "Z" {
		return "", os.ErrProcessDone
	}
	return fields[19], nil
}
