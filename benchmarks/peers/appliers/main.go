// Appliers beside each other: each brings the same objects into a new cluster of its own, and is then asked to do so again.
//
// An applier is a process that stays (it gets the line "apply", and answers with one line when it is done), a process that stays and watches, or one that
// ends when it is done. Requests are those of the applier's user in the audit log of the kube-apiserver.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

type figures struct {
	wall             time.Duration
	reads, writes    int
	server, applier  time.Duration
	residentMegabyte int64
	webhook          string
}

// applier has words with KUBECONFIG and FOLDER in them.
type applier struct {
	name  string
	words []string
	stays bool
	// It puts drift right by itself.
	watches bool
	// Its end leaves an archive of classes behind, with which users have it.
	archives bool
}

// process is an applier that stays.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func main() {
	sizes := flag.String("sizes", "56,500,5000", "objects")
	store := flag.String("store", "", "command of the store")
	apiserver := flag.String("apiserver", "", "binary of kube-apiserver")
	kubectl := flag.String("kubectl", "", "binary of kubectl")
	flux := flag.String("flux", "", "binary of the applier with Flux's library")
	cliUtils := flag.String("cli-utils", "", "binary of the applier with cli-utils")
	following := flag.String("following", "", "command of the engine that watches")
	exactl := flag.String("exactl", "", "command of exactl")
	only := flag.String("only", "", "names of appliers, with commas")
	goals := flag.Bool("goals", false, "end with 1 if the engine that watches misses a goal that no busy machine explains")
	hooked := flag.Bool("webhook", false, "a webhook is asked about every write, and its calls are counted")
	flag.Parse()
	all := []applier{
		{name: "exaplane", words: append(strings.Fields(*following), "KUBECONFIG", "FOLDER"), stays: true, watches: true, archives: true},
		{name: "exactl", words: append(strings.Fields(*exactl), "apply", "--kubeconfig=KUBECONFIG", "--source=bench", "-f", "FOLDER"), archives: true},
		{name: "kubectl", words: []string{*kubectl, "--kubeconfig=KUBECONFIG", "apply", "--server-side", "--force-conflicts", "-f", "FOLDER"}},
		{name: "flux-ssa", words: []string{*flux, "KUBECONFIG", "FOLDER"}, stays: true},
		{name: "cli-utils", words: []string{*cliUtils, "KUBECONFIG", "FOLDER"}, stays: true},
	}
	for _, one := range all {
		if one.archives && chosen(*only, one.name) {
			if _, err := measure(one, 10, strings.Fields(*store), *apiserver, false, io.Discard); err != nil {
				stop(fmt.Errorf("%s makes its archive of classes: %w", one.name, err))
			}
		}
	}
	missed := false
	fmt.Printf("%-10s %7s %-10s %9s %7s %7s %7s %10s %10s %8s\n", "applier", "objects", "work", "ms", "reads", "writes", "webhook", "server ms", "own ms", "RSS MiB")
	for _, size := range strings.Split(*sizes, ",") {
		var objects int
		if _, err := fmt.Sscan(size, &objects); err != nil {
			stop(fmt.Errorf("-sizes: '%s' must be numbers with commas; write 56,500,5000: %w", *sizes, err))
		}
		for _, one := range all {
			if !chosen(*only, one.name) {
				continue
			}
			seen, err := measure(one, objects, strings.Fields(*store), *apiserver, *hooked, os.Stdout)
			if err != nil {
				stop(fmt.Errorf("%s with %d objects: %w", one.name, objects, err))
			}
			if one.watches {
				missed = !reached(seen) || missed
			}
		}
	}
	if *goals && missed {
		os.Exit(1)
	}
}

func chosen(only, name string) bool {
	return only == "" || strings.Contains(","+only+",", ","+name+",")
}

// The most memory that the engine may have had at once, MiB.
const mostResident = 200

// reached says which goals of the engine were missed.
func reached(seen map[string]*figures) bool {
	missed := []string{}
	if again := seen["unchanged"]; again.reads+again.writes > 0 {
		missed = append(missed, fmt.Sprintf("an unchanged apply sends no request, and not %d", again.reads+again.writes))
	}
	if anew := seen["restart"]; anew.writes > 0 {
		missed = append(missed, fmt.Sprintf("a new process writes nothing, and not %d times", anew.writes))
	}
	for work, one := range seen {
		if one.residentMegabyte > mostResident {
			missed = append(missed, fmt.Sprintf("%s takes %d MiB at most, and not %d", work, mostResident, one.residentMegabyte))
		}
	}
	for _, one := range missed {
		fmt.Println("goal missed:", one)
	}
	return len(missed) == 0
}

func stop(err error) {
	fmt.Fprintln(os.Stderr, "error:", err)
	os.Exit(1)
}

func measure(one applier, objects int, store []string, apiserver string, hooked bool, out io.Writer) (map[string]*figures, error) {
	folder, err := os.MkdirTemp("/dev/shm", "appliers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	cluster, err := start(folder, store, apiserver)
	if err != nil {
		return nil, err
	}
	defer cluster.stop()
	if hooked {
		if err := cluster.listen(); err != nil {
			return nil, err
		}
	}
	manifests := filepath.Join(folder, "manifests")
	if err := write(manifests, objects, ""); err != nil {
		return nil, err
	}
	words := make([]string, len(one.words))
	for at, word := range one.words {
		words[at] = strings.NewReplacer("KUBECONFIG", cluster.kubeconfig, "FOLDER", manifests).Replace(word)
	}
	all := map[string]*figures{}
	var running *process
	defer func() { running.end() }()
	for _, work := range []string{"first", "unchanged", "drifted", "changed", "restart"} {
		switch work {
		case "drifted":
			if err := cluster.drift(); err != nil {
				return nil, err
			}
		case "changed":
			if err := write(manifests, objects, "changed"); err != nil {
				return nil, err
			}
		case "restart":
			running.end()
			running = nil
		}
		var seen *figures
		if one.stays {
			seen, running, err = cluster.ask(running, words, work == "drifted" && one.watches)
		} else {
			seen, err = cluster.once(words)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", work, err)
		}
		if err := cluster.check(objects, work); err != nil {
			return nil, fmt.Errorf("%s: %w", work, err)
		}
		all[work] = seen
		fmt.Fprintf(out, "%-10s %7d %-10s %9.1f %7d %7d %7s %10d %10d %8d\n", one.name, objects, work, float64(seen.wall.Microseconds())/1000,
			seen.reads, seen.writes, seen.webhook, seen.server.Milliseconds(), seen.applier.Milliseconds(), seen.residentMegabyte)
	}
	return all, nil
}

// What an applier still does behind its answer counts too: the engine writes its inventory a second later, or somewhat more on a busy machine.
const behind = 3 * time.Second

func (c *cluster) once(words []string) (*figures, error) {
	c.forget()
	server := cpu(c.apiserver.Process.Pid)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), "HOME="+c.folder)
	from := time.Now()
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", words[0], err, last(said))
	}
	seen := &figures{wall: time.Since(from)}
	time.Sleep(behind)
	seen.server = cpu(c.apiserver.Process.Pid) - server
	seen.applier = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	seen.residentMegabyte = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
	seen.webhook = c.webhook.words()
	return seen, c.count(seen)
}

func (c *cluster) ask(running *process, words []string, watches bool) (*figures, *process, error) {
	server := cpu(c.apiserver.Process.Pid)
	var own time.Duration
	// Of an applier that watches, the time counts from the drift.
	if !watches {
		c.forget()
		c.since = time.Now()
	}
	if running == nil {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Env = append(os.Environ(), "HOME="+c.folder)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, nil, err
		}
		running = &process{cmd, in, bufio.NewReader(out)}
	} else {
		own = cpu(running.cmd.Process.Pid)
	}
	if watches {
		if err := c.awaitRight(); err != nil {
			return nil, running, err
		}
	} else {
		if _, err := fmt.Fprintln(running.in, "apply"); err != nil {
			return nil, running, err
		}
		line, err := running.out.ReadString('\n')
		if !strings.HasPrefix(line, "done") {
			return nil, running, errors.Join(fmt.Errorf("it said '%s', and not done", strings.TrimSpace(line)), err)
		}
	}
	seen := &figures{wall: time.Since(c.since)}
	time.Sleep(behind)
	seen.server = cpu(c.apiserver.Process.Pid) - server
	seen.applier = cpu(running.cmd.Process.Pid) - own
	seen.residentMegabyte = resident(running.cmd.Process.Pid)
	seen.webhook = c.webhook.words()
	return seen, running, c.count(seen)
}

func (p *process) end() {
	if p == nil {
		return
	}
	p.in.Close()
	// One that does not end by itself is killed.
	late := time.AfterFunc(10*time.Second, func() { _ = p.cmd.Process.Kill() })
	_ = p.cmd.Wait()
	late.Stop()
}

func last(said []byte) string {
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
