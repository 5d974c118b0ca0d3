// SPDX-License-Identifier: Apache-2.0
package main

import "regexp"

// kinds are ways of saying that the product had in texts for users, each with the plain words. Pages for developers may have them.
var kinds = []phrase{
	never(`, as ('[^']*'|\S+?)( (or|and|for) ('[^']*'|\S+?))*([.;,:)]+(\s|$)|\s\(|$)`, "'for example'").
		but(`^, as (before|usual|well|always|expected|described|documented|planned|such|follows|above|below|now|today|root)\b`),
	never(`\bas by\b|, as with X`, "'for example with'"),
	never(`\b(is|are|was|were) of\b`, "'belongs to', 'has', 'was written by'"),
	never(`\bno more([.,;:!?)]|$| until\b| since\b)`, "'no longer'"),
	never(`\bwho \w+ (the|a|an|its|it)\b[^.;]*\bha(s|ve) to\b|\bwho set\b`, "the imperative: 'Check the controller that owns …'"),
	never(`\b(if|when|while) the (message|condition|reason|state|problem|error) stays\b`, "'if this persists for 5 minutes'"),
	never(`\bends? too (early|soon)\b`, "'is incomplete'"),
}

// internals are words of the sources that say little to users. They are looked for in texts of programs.
var internals = []phrase{
	never(`\bremarks?\b`, "'message'"),
	never(`\bnobody\b`, "who: 'the operator does not', 'is not renewed'"),
	never(`\blook(s|ed|ing)? (at|after|into|through)\b|\b(good|bad|last|first|next|some) looks?\b|\blooks in a row\b|\blooks again\b`, "'check', 'process', 'evaluate'"),
	never(`\b(these|last|full|its|their|server's) words\b|\bwords (of|about|say)\b`, "'message'"),
	never(`\b(a|the|each|every|next|first|one|this|slow) pass(es)?\b|\bpasses (of|over)\b`, "'reconciliation'"),
	never(`\bgoes on\b|\bgo on (as|with|without|after|by)\b|\b(to|can|will|must|may|others|agents|pods|writes|evictions) go on\b`, "'continue'"),
}

// but leaves out what the pattern finds and the other pattern finds in that.
func (p phrase) but(pattern string) phrase {
	p.except = regexp.MustCompile(`(?i)` + pattern)
	return p
}

// find returns the first hit, empty for none.
func (p phrase) find(words string) string {
	for _, hit := range p.pattern.FindAllString(words, -1) {
		if p.except == nil || !p.except.MatchString(hit) {
			return hit
		}
	}
	return ""
}

// checkKinds applies the rules for texts that users read.
func checkKinds(t text) []finding {
	return checkPhrases(t, kinds)
}

// checkStrings applies the rules for texts of programs, beside those of sentences.
func checkStrings(t text) []finding {
	return append(checkKinds(t), checkPhrases(t, internals)...)
}
