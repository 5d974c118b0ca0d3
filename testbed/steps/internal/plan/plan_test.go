package plan

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const small = `
sets: {both: [a, b]}
steps:
- {name: made, title: t, cores: 1}
- {name: quick, title: t, tier: fast, budgetMinutes: 1, cores: 1, always: true}
- {name: up, title: t, tier: default, budgetMinutes: 1, cores: 1, needs: [made], always: true, undo: down}
- {name: on-it, title: t, tier: default, budgetMinutes: 1, cores: 1, needs: [up], inputs: ['@both', c]}
- {name: hours, title: t, tier: long, budgetMinutes: 1, cores: 1, inputs: [a]}
- {name: down, title: t, tier: default, budgetMinutes: 1, cores: 1, after: [on-it], always: true}
`

func parsed(t *testing.T, text string) *Plan {
	t.Helper()
	p, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(steps []*Step) string {
	var all []string
	for _, s := range steps {
		all = append(all, s.Name)
	}
	return strings.Join(all, " ")
}

func TestATierIncludesThoseBeforeIt(t *testing.T) {
	p := parsed(t, small)
	for tier, want := range map[Tier]string{Fast: "quick", Default: "quick up on-it down", Long: "quick up on-it hours down"} {
		if got := names(p.ForTier(tier)); got != want {
			t.Errorf("%s: %s", tier, got)
		}
	}
}

func TestAStepBringsWhatItNeedsAndWhatUndoesThat(t *testing.T) {
	p := parsed(t, small)
	steps, err := p.Named([]string{"on-it"})
	if err != nil || names(p.WithNeeds(steps)) != "made up on-it down" {
		t.Fatal(err, names(p.WithNeeds(steps)))
	}
	if _, err := p.Named([]string{"made"}); err == nil {
		t.Error("a preparation is no step to ask for")
	}
}

func TestSetsAreTakenApart(t *testing.T) {
	p := parsed(t, small)
	if got := p.Patterns(p.Step("on-it").Inputs); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Error(got)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	good := "name: a, title: t, tier: fast, budgetMinutes: 1, cores: 1, always: true"
	for step, want := range map[string]string{
		strings.Replace(good, "name: a", "name: A", 1):                    "step name",
		strings.Replace(good, "tier: fast", "tier: slow", 1):              `tier "slow"`,
		strings.Replace(good, "budgetMinutes: 1, ", "", 1):                "no budgetMinutes",
		strings.Replace(good, ", cores: 1", "", 1):                        "no cores",
		good + ", requests: 1":                                            "from 0 to room, which is 0",
		strings.Replace(good, ", always: true", "", 1):                    "no inputs",
		strings.Replace(good, ", title: t", "", 1):                        "no title",
		good + ", needs: [b]":                                             `names "b"`,
		good + ", after: [a]":                                             `names "a"`,
		good + ", undo: b":                                                `undo names "b"`,
		strings.Replace(good, "always: true", "inputs: ['@b']", 1):        `no set "b"`,
		strings.Replace(good, "always: true", "inputs: ['derived:b']", 1): `no derived input "b"`,
		good + ", budget: 1":                                              "field budget not found",
		good + "}\n- {" + good:                                            "used twice",
	} {
		if _, err := Parse([]byte("steps:\n- {" + step + "}\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, wanted %s", step, err, want)
		}
	}
}

const home = "../../../.."

func TestEveryStepHasItsFunctionAndEveryFunctionIsAStep(t *testing.T) {
	p, err := Load(filepath.Join(home, "testbed/steps/steps.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(home, "testbed/launch/steps/*.sh"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	defined := map[string]bool{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^(step_\w+)\(\)`).FindAllSubmatch(content, -1) {
			defined[string(m[1])] = false
		}
	}
	for name, d := range p.Derived {
		if _, ok := defined["step_"+d.Run]; !ok {
			t.Errorf("derived input %s: there is no function step_%s", name, d.Run)
		}
		defined["step_"+d.Run] = true
	}
	for _, s := range p.Steps {
		if _, ok := defined[s.Function()]; !ok {
			t.Errorf("step %s: there is no function %s", s.Name, s.Function())
		}
		defined[s.Function()] = true
	}
	for function, used := range defined {
		if !used {
			t.Errorf("no step runs %s", function)
		}
	}
}
