// Package options reads the options of './exa test'.
package options

import (
	"fmt"
	"strings"

	"exaplane.io/testbed/steps/internal/plan"
)

// A Command is what to do besides running steps.
type Command int

const (
	RunSteps Command = iota
	List
	Table
	Classes
)

// Options of one call.
type Options struct {
	Command Command
	Tier    plan.Tier
	Only    []string
	Again   bool
	Sealed  bool
	// Tests is a regular expression of the classes to run of the steps in Only.
	Tests string
}

const next = "\n  next: run './exa test', './exa test --fast', './exa test --long', './exa test --only NAME…' (with '--again' or '--sealed'), or './exa test --list'"

// Parse reads the words behind 'test'.
func Parse(words []string) (Options, error) {
	o := Options{Tier: plan.Default}
	tiers := 0
	for i := 0; i < len(words); i++ {
		switch word := words[i]; word {
		case "--fast":
			o.Tier, tiers = plan.Fast, tiers+1
		case "--long":
			o.Tier, tiers = plan.Long, tiers+1
		case "--again":
			o.Again = true
		case "--sealed":
			o.Sealed = true
		case "--list":
			o.Command = List
		case "--table":
			o.Command = Table
		case "--classes":
			o.Command = Classes
		case "--only":
			for i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
				i++
				o.Only = append(o.Only, words[i])
			}
			if len(o.Only) == 0 {
				return o, fmt.Errorf("'--only' needs the names of steps%s", next)
			}
		case "--tests":
			if i++; i < len(words) {
				o.Tests = words[i]
			}
			if o.Tests == "" || len(o.Only) == 0 {
				return o, fmt.Errorf("'--tests' needs the name of a test class, and '--only' with a step before it%s", next)
			}
		default:
			return o, fmt.Errorf("unknown option '%s' of 'test'%s", word, next)
		}
	}
	if tiers > 1 || tiers == 1 && len(o.Only) > 0 {
		return o, fmt.Errorf("'--fast', '--long' and '--only' exclude each other; got '%s'%s", strings.Join(words, " "), next)
	}
	return o, nil
}
