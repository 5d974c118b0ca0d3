package runner

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"exaplane.io/testbed/steps/internal/plan"
)

// A Deriver runs the functions of derived inputs, each once for the same contents of what it is made from.
type Deriver struct {
	Home string

	mutex sync.Mutex
	known map[string]string
}

// Derive returns what the function printed.
func (d *Deriver) Derive(input plan.Derived, key string) (string, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if value, ok := d.known[key]; ok {
		return value, nil
	}
	c := exec.Command("bash", filepath.Join(d.Home, "testbed/launch/steps.sh"), "step_"+input.Run)
	c.Dir, c.Env, c.Stderr = d.Home, append(os.Environ(), "EXA_HOME="+d.Home), os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("step_%s: %w", input.Run, err)
	}
	if d.known == nil {
		d.known = map[string]string{}
	}
	d.known[key] = string(out)
	return string(out), nil
}
