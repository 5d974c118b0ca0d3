package options

import (
	"slices"
	"strings"
	"testing"

	"exaplane.io/testbed/steps/internal/plan"
)

func TestOptions(t *testing.T) {
	for words, want := range map[string]Options{
		"":                       {Tier: plan.Default},
		"--fast":                 {Tier: plan.Fast},
		"--long":                 {Tier: plan.Long},
		"--again":                {Tier: plan.Default, Again: true},
		"--only a b --again":     {Tier: plan.Default, Only: []string{"a", "b"}, Again: true},
		"--sealed --only a":      {Tier: plan.Default, Only: []string{"a"}, Sealed: true},
		"--list":                 {Tier: plan.Default, Command: List},
		"--table":                {Tier: plan.Default, Command: Table},
		"--table --long":         {Tier: plan.Long, Command: Table},
		"--only a --tests XTest": {Tier: plan.Default, Only: []string{"a"}, Tests: "XTest"},
	} {
		got, err := Parse(strings.Fields(words))
		if err != nil || got.Tier != want.Tier || got.Again != want.Again || got.Sealed != want.Sealed || got.Command != want.Command || got.Tests != want.Tests || !slices.Equal(got.Only, want.Only) {
			t.Errorf("%q: %+v, %v", words, got, err)
		}
	}
}

func TestWrongOptionsSayWhatToDo(t *testing.T) {
	for _, words := range []string{"--quick", "fast", "--fast --long", "--fast --only a", "--only", "--only --again", "--tests X", "--only a --tests"} {
		if _, err := Parse(strings.Fields(words)); err == nil || !strings.Contains(err.Error(), "next: ") {
			t.Errorf("%q: %v", words, err)
		}
	}
}
