// Package plan is what testbed/steps/steps.yaml says: the steps of './exa test', their tiers, budgets, needs and inputs.
package plan

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Tier includes those before it.
type Tier string

const (
	Fast    Tier = "fast"
	Default Tier = "default"
	Long    Tier = "long"
)

var tiers = []Tier{Fast, Default, Long}

// Includes says whether a run of tier t runs a step of tier other.
func (t Tier) Includes(other Tier) bool {
	return slices.Index(tiers, other) <= slices.Index(tiers, t)
}

// A Step is one named part of a run. Its command is a function in testbed/launch/steps.
type Step struct {
	Name string `yaml:"name"`
	// Run is the function without 'step_' in front; empty for the one of the step's name.
	Run string `yaml:"run"`
	// Title is one line for people.
	Title string `yaml:"title"`
	// Tier is empty for a preparation, which runs when a step needs it.
	Tier          Tier    `yaml:"tier"`
	BudgetMinutes float64 `yaml:"budgetMinutes"`
	// Cores is about four fifths of the mean number of cores that the step was seen to use; steps run beside each other when the sum fits the machine.
	Cores float64 `yaml:"cores"`
	// Requests is the CPU in thousandths of a core that the step's pods ask of the cluster's node, at most at one time and besides those that are always there.
	Requests int `yaml:"requests"`
	// Needs are steps that end well before this one starts.
	Needs []string `yaml:"needs"`
	// After are steps that end before this one starts, however they end, when they run at all.
	After []string `yaml:"after"`
	// Holds are names that only one running step can hold.
	Holds []string `yaml:"holds"`
	// Undo is a step below that runs in the end whenever this one runs.
	Undo string `yaml:"undo"`
	// Always says that a result of this step is never kept.
	Always bool `yaml:"always"`
	// Inputs are patterns, '@set', 'module:FOLDER' for a Maven module and what it is made from, or 'derived:NAME'. Of patterns that match a file, the last one decides.
	Inputs []string `yaml:"inputs"`
	// Packages are Debian's packages that this step alone runs: their versions count for its kept results, and for no other step's.
	Packages []string `yaml:"packages"`
	// Variables are given to the step's function.
	Variables map[string]string `yaml:"variables"`
}

// Function is the name of the shell function that is the step's command.
func (s *Step) Function() string {
	run := s.Run
	if run == "" {
		run = strings.NewReplacer("-", "_", ".", "_").Replace(s.Name)
	}
	return "step_" + run
}

// IsPreparation says that the step makes what others need, and counts as a test only when it fails.
func (s *Step) IsPreparation() bool { return s.Tier == "" }

// IsOver says that a run of so many seconds took longer than the step's budget. Preparations have none.
func (s *Step) IsOver(seconds float64) bool {
	return !s.IsPreparation() && seconds > s.BudgetMinutes*60
}

// ChooseTests makes it run only test classes that match a regular expression. The result of such a run is not kept.
func (s *Step) ChooseTests(classes string) {
	s.Always = true
	s.Variables = maps.Clone(s.Variables)
	if s.Variables == nil {
		s.Variables = map[string]string{}
	}
	s.Variables["EXA_TESTS"] = classes
}

// IsPart says that somebody chose some of the step's tests.
func (s *Step) IsPart() bool { return s.Variables["EXA_TESTS"] != "" }

// A Derived input is what a function prints. It stands for the files that it is made from: a change in them that prints the same changes nothing.
type Derived struct {
	Run  string   `yaml:"run"`
	From []string `yaml:"from"`
}

// A Plan is all steps in the order in which they start, the named sets of inputs, and derived inputs.
type Plan struct {
	// Room is the CPU in thousandths of a core that pods of steps that run beside each other may ask of the cluster's node.
	Room    int                 `yaml:"room"`
	Sets    map[string][]string `yaml:"sets"`
	Derived map[string]Derived  `yaml:"derived"`
	Steps   []*Step             `yaml:"steps"`
}

// Load reads and checks a plan.
func Load(file string) (*Plan, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p, err := Parse(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// Parse reads and checks a plan; a field that it does not know is an error.
func Parse(content []byte) (*Plan, error) {
	p := &Plan{}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(p); err != nil {
		return nil, err
	}
	return p, p.check()
}

func (p *Plan) check() error {
	seen := map[string]bool{}
	for _, s := range p.Steps {
		switch {
		case s.Name == "" || strings.Trim(s.Name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "":
			return fmt.Errorf("step name %q: use lower-case letters, digits, dots and dashes", s.Name)
		case seen[s.Name]:
			return fmt.Errorf("step %s: the name is used twice", s.Name)
		case s.Title == "":
			return fmt.Errorf("step %s: it has no title", s.Name)
		case !s.IsPreparation() && !slices.Contains(tiers, s.Tier):
			return fmt.Errorf("step %s: tier %q: use fast, default or long", s.Name, s.Tier)
		case !s.IsPreparation() && s.BudgetMinutes <= 0:
			return fmt.Errorf("step %s: it has no budgetMinutes", s.Name)
		case s.Cores <= 0:
			return fmt.Errorf("step %s: it has no cores", s.Name)
		case s.Requests < 0 || s.Requests > p.Room:
			return fmt.Errorf("step %s: requests %d: use a number from 0 to room, which is %d", s.Name, s.Requests, p.Room)
		case !s.IsPreparation() && !s.Always && len(s.Inputs) == 0:
			return fmt.Errorf("step %s: it has no inputs; say 'always: true' if its result is never kept", s.Name)
		}
		for _, other := range slices.Concat(s.Needs, s.After) {
			// Only names that stand above: so there is no cycle, and the order of the file is one in which steps can run.
			if !seen[other] {
				return fmt.Errorf("step %s: it names %q, which is not a step above it", s.Name, other)
			}
		}
		if s.Undo != "" && p.Step(s.Undo) == nil {
			return fmt.Errorf("step %s: undo names %q, which is no step", s.Name, s.Undo)
		}
		if err := p.checkInputs(s.Inputs); err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
		seen[s.Name] = true
	}
	return nil
}

func (p *Plan) checkInputs(inputs []string) error {
	for _, input := range p.Patterns(inputs) {
		if set, ok := strings.CutPrefix(input, "@"); ok {
			return fmt.Errorf("there is no set %q", set)
		}
		if name, ok := strings.CutPrefix(input, "derived:"); ok && p.Derived[name].Run == "" {
			return fmt.Errorf("there is no derived input %q", name)
		}
	}
	return nil
}

// Step returns the step of a name.
func (p *Plan) Step(name string) *Step {
	for _, s := range p.Steps {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Patterns are inputs with their sets taken apart, in order.
func (p *Plan) Patterns(inputs []string) []string {
	var all []string
	for _, input := range inputs {
		if set, ok := strings.CutPrefix(input, "@"); ok && p.Sets[set] != nil {
			all = append(all, p.Patterns(p.Sets[set])...)
		} else {
			all = append(all, input)
		}
	}
	return all
}

// IsDerived says whether a step has derived inputs, which are known only when what it needs has run.
func (p *Plan) IsDerived(s *Step) bool {
	return slices.ContainsFunc(p.Patterns(s.Inputs), func(input string) bool { return strings.HasPrefix(input, "derived:") })
}

// images is the step that builds and pushes the images of the cluster's pods.
const images = "images"

// HasPods says whether a step looks at pods whose images the run makes.
func (p *Plan) HasPods(s *Step) bool {
	return slices.ContainsFunc(p.WithNeeds([]*Step{s}), func(other *Step) bool { return other.Name == images })
}

// ForTier are the steps of a tier, without preparations, in order.
func (p *Plan) ForTier(tier Tier) []*Step {
	var steps []*Step
	for _, s := range p.Steps {
		if !s.IsPreparation() && tier.Includes(s.Tier) {
			steps = append(steps, s)
		}
	}
	return steps
}

// Named are the steps of these names, in the plan's order.
func (p *Plan) Named(names []string) ([]*Step, error) {
	var steps []*Step
	for _, s := range p.Steps {
		if slices.Contains(names, s.Name) && !s.IsPreparation() {
			steps = append(steps, s)
		}
	}
	for _, name := range names {
		if s := p.Step(name); s == nil || s.IsPreparation() {
			return nil, fmt.Errorf("there is no step %q: './exa test --list' shows the names", name)
		}
	}
	return steps, nil
}

// WithNeeds are these steps, all that they need and what undoes those, in the plan's order.
func (p *Plan) WithNeeds(steps []*Step) []*Step {
	wanted := map[string]bool{}
	var want func(s *Step)
	want = func(s *Step) {
		if !wanted[s.Name] {
			wanted[s.Name] = true
			for _, need := range s.Needs {
				want(p.Step(need))
			}
			if s.Undo != "" {
				want(p.Step(s.Undo))
			}
		}
	}
	for _, s := range steps {
		want(s)
	}
	var all []*Step
	for _, s := range p.Steps {
		if wanted[s.Name] {
			all = append(all, s)
		}
	}
	return all
}
