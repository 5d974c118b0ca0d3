// Package progress prints each step of the test bed with the time it took.
package progress

import (
	"fmt"
	"time"
)

// Step runs one named step and prints its name when it starts and its seconds when it ends; an error is returned with the step's name.
func Step(name string, work func() error) error {
	start := time.Now()
	fmt.Printf("  · %s", name)
	if err := work(); err != nil {
		fmt.Printf(" ✗ %.1f s\n", time.Since(start).Seconds())
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Printf(" ✓ %.1f s\n", time.Since(start).Seconds())
	return nil
}

const pollInterval = 500 * time.Millisecond

// Until polls a condition until it holds or the deadline passes; the error then carries the last reason why it did not hold.
func Until(deadline time.Duration, what string, holds func() error) error {
	end := time.Now().Add(deadline)
	for {
		err := holds()
		if err == nil {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s did not happen within %s: %w", what, deadline, err)
		}
		time.Sleep(pollInterval)
	}
}
