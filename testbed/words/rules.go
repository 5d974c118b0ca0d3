// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	mostWords      = 30
	mostCharacters = 160
	mostColumns    = 4
	mostSemicolons = 1
	fewestWords    = 3 // less is a label and no sentence
)

// A finding is a place that breaks a rule.
type finding struct {
	file    string
	line    int
	problem string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.problem)
}

// A phrase is never right in a text for users, except where it is also the other pattern; instead says what is.
type phrase struct {
	pattern *regexp.Regexp
	instead string
	except  *regexp.Regexp // nil for none
}

func never(pattern, instead string) phrase {
	return phrase{pattern: regexp.MustCompile(`(?i)` + pattern), instead: instead}
}

// Inverted and elliptic sentences as this product had them, and words that only look English.
var phrases = []phrase{
	never(`\bstays? so\b|\b(if|when|while) (it|this|that) stays\b`, "'if this persists'"),
	never(`\bwhat is (named|advised|said|there|known|kept|told|asked)\b`, "the noun: 'the objects named above'"),
	never(`\bwhat (it|he)\b|\bwhat they (have|had|need|are|say|know|do|would|want|take|lack|mean|found|find|hold|read|see|cost|serve)\b`, "the noun: 'the files that the store needs'"),
	never(`\bwhat (runs|stands|comes|goes|stays)\b`, "the noun: 'running components'"),
	never(`\ball (is|that was|that is) as\b|\ball is\b`, "'everything matches'"),
	never(`\b(nothing|nobody|none) is said\b|\bis said (to|by|and)\b|\bare said\b`, "name who says it"),
	never(`\b(is|are|was|were) (not |never |still |no longer )?there\b`, "'exists', 'does not exist', 'is missing'"),
	never(`\bthere (is|are|was) none\b`, "'there is no' and the noun"),
	never(`\b(to|for|of|with|by|from|before) who\b|\bwho (comes|goes|polls|deletes|wants|asks|looks|watches|writes|needs)\b`, "the noun: 'clients that poll'"),
	never(`\bof (ours|yours|theirs)\b|\bof (its|their) own\b`, "'Exaplane's', 'its own', 'your'"),
	never(`\bin the place of\b`, "'instead of'"),
	never(`\bas to the time\b|\bin hand\b|\bhad better\b|\bas it will\b|\bcomes? to nothing\b`, "plain words"),
	never(`\banew\b`, "'again', 'new'"),
	never(`\b(dear|dearest|dearer)\b`, "'expensive'"),
	never(`\bmend(s|ed|ing)?\b`, "'fix'"),
	never(`\bthe (user|administrator|cluster's administrator) (sets|looks|gives|writes|corrects|removes|makes|restores|deletes|lowers|raises|ends|puts|names|annotates|mends|upgrades)\b`, "the imperative: 'set', 'check'"),
	never(`\b(is|are) looked at\b|\bis made (of|by)\b`, "the active voice"),
	never(`\b(is|are) to be (changed|made|had|done|placed|measured|found|shown)\b`, "'must', 'the change'"),
	never(`\bbut for\b`, "'except'"),
	never(`\bmakes? (it|them) (new|again)\b`, "'creates'"),
	never(`\bas (many|much) as it (takes|wants)\b`, "a number"),
	never(`\bwhere (none|that|it) (is|does|do|has)\b.*\bit is\b`, "'if'"),
	never(`\bsuch as these\b|\bthese of\b|\bthose of it\b`, "the noun"),
	never(`\bis no (field|flag|input|YAML|JSON|Kubernetes)\b|\bis not any more\b`, "'is not a'"),
	never(`\bwith words\b|\bunasked\b|\bmisspelt ones among\b`, "plain words"),
}

var (
	code       = regexp.MustCompile("`[^`]*`")
	hyperlink  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	command    = regexp.MustCompile(`'(kubectl|etcdctl|etcdutl|curl|exactl|\./exa|oc|[a-z]+ --)[^']*'`)
	format     = regexp.MustCompile(`%(\d+\$)?[-,+0-9.]*[sdfeoxvqwtT]`)
	boundaries = regexp.MustCompile(`[.!?:]["')*_]*\s+|\n|%n|⏎`)
	aWord      = regexp.MustCompile(`[\pL\pN]`)
	quotation  = regexp.MustCompile(`"[^"]*"`)
	question   = regexp.MustCompile(`^(What|Who)\s`)
)

func codeFree(text string) string {
	return code.ReplaceAllString(text, "X")
}

// plain is the text as it is read: code, commands and values are one word each.
func plain(words string) string {
	words = codeFree(words)
	words = hyperlink.ReplaceAllString(words, "$1")
	words = command.ReplaceAllString(words, "X")
	words = strings.ReplaceAll(words, "%%", "%")
	return format.ReplaceAllString(words, "X")
}

// sentences splits at ends of sentences and at colons.
func sentences(words string) []string {
	var all []string
	from := 0
	for _, end := range boundaries.FindAllStringIndex(words, -1) {
		all = append(all, strings.TrimSpace(words[from:end[1]]))
		from = end[1]
	}
	return append(all, strings.TrimSpace(words[from:]))
}

func count(words string) int {
	count := 0
	for _, field := range strings.Fields(words) {
		if aWord.MatchString(field) {
			count++
		}
	}
	return count
}

// checkProse applies the rules of sentences. In lists of facts, such as cells of tables, semicolons may stand between all of them.
func checkProse(t text, facts bool) []finding {
	var found []finding
	say := func(problem string, arguments ...any) {
		found = append(found, finding{t.file, t.line, fmt.Sprintf(problem, arguments...)})
	}
	found = append(found, checkPhrases(t, phrases)...)
	for _, sentence := range sentences(plain(t.words)) {
		if semicolons := strings.Count(sentence, "; "); semicolons > mostSemicolons && !facts {
			say("%d semicolons in one sentence: write several: %q", semicolons, beginning(sentence))
		}
		for _, part := range strings.Split(sentence, "; ") {
			if words := count(part); words > mostWords {
				say("%d words without an end, more than %d: write several sentences: %q", words, mostWords, beginning(part))
			}
		}
		if question.MatchString(sentence) && !strings.HasSuffix(sentence, "?") && count(sentence) > 6 {
			say("begins with a clause in place of a noun: put the subject first: %q", beginning(sentence))
		}
	}
	return found
}

// checkPhrases finds phrases outside of quotations.
func checkPhrases(t text, all []phrase) []finding {
	var found []finding
	unquoted := quotation.ReplaceAllString(plain(t.words), "X")
	for _, each := range all {
		if hit := each.find(unquoted); hit != "" {
			found = append(found, finding{t.file, t.line, fmt.Sprintf("%q: write %s", hit, each.instead)})
		}
	}
	return found
}

func beginning(words string) string {
	fields := strings.Fields(words)
	return strings.Join(fields[:min(len(fields), 8)], " ")
}

// prose tells whether a literal of a program is a text for people, and no code, key or pattern.
func prose(words string) bool {
	return count(words) >= fewestWords && !notProse.MatchString(words)
}

var notProse = regexp.MustCompile(`\bself\.|\bhas\(|<svg|<text|<poly|<circle|-----BEGIN|\\S|\(\?|"kind":|apiVersion:|charset=|\[A-Za-z|^\W*$`)

// checkJava applies the rules to the literals of a source.
func checkJava(file, source string) []finding {
	var found []finding
	for _, t := range javaTexts(file, source) {
		if prose(t.words) {
			found = append(found, checkProse(t, false)...)
			found = append(found, checkStrings(t)...)
		}
	}
	return found
}

// Reports say on their date what was measured; nobody rewrites them, so only their lines are checked.
const records = "docs/reports/"

// checkMarkdown applies the rules to a page. Only DESIGN.md has a limit of columns.
func checkMarkdown(file, content string) []finding {
	var found []finding
	p := markdown(file, content)
	if strings.HasPrefix(file, records) {
		p.prose, p.cells = nil, nil
	}
	for _, t := range p.prose {
		found = append(found, checkProse(t, false)...)
	}
	for _, t := range p.cells {
		found = append(found, checkProse(t, true)...)
	}
	if isForUsers(file) {
		for _, t := range append(p.prose, p.cells...) {
			found = append(found, checkKinds(t)...)
		}
	}
	for _, t := range p.lines {
		characters := utf8.RuneCountInString(t.words)
		if characters > mostCharacters && len(strings.Fields(t.words)) > 1 {
			found = append(found, finding{file, t.line, fmt.Sprintf("%d characters in a line, more than %d: break the line", characters, mostCharacters)})
		}
	}
	for _, r := range p.rows {
		if strings.HasSuffix(file, "DESIGN.md") && r.columns > mostColumns {
			found = append(found, finding{file, r.line, fmt.Sprintf("%d columns in a table, more than %d: make two tables or a list", r.columns, mostColumns)})
			break
		}
	}
	return found
}
