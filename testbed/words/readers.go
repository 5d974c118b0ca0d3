// SPDX-License-Identifier: Apache-2.0
package main

import (
	"regexp"
	"strings"
)

// Texts of programs that are not Java, and of files that users read beside Markdown.

// checkTexts applies the rules to texts that a reader found in a file. Texts of several columns, such as help, are lists of facts.
func checkTexts(read func(file, content string) []text) func(file, content string) []finding {
	return func(file, content string) []finding {
		var found []finding
		for _, t := range read(file, content) {
			if prose(t.words) {
				found = append(found, checkProse(t, t.lines != nil)...)
				found = append(found, checkStrings(t)...)
			}
		}
		return found
	}
}

var (
	// Functions of the launcher and of the join script that write to a person.
	tells   = regexp.MustCompile(`(?m)(?:^\s*|[;&|{(!)]\s*|\b(?:then|else|do)\s+)(say|note|fail|bad|warn|lament|complain|step|echo|printf|wrong_option|client_say)\s+`)
	heredoc = regexp.MustCompile(`<<-?['"]?(TEXT)['"]?[ \t]*\n`)
	remark  = regexp.MustCompile(`(?m)^[ \t]*#.*$`)
	name    = regexp.MustCompile(`^\$(\w+|[#@*?!$-])`)
)

// shellTexts returns the quoted arguments of functions that write to a person, and the help in here-documents. Values are the word X.
func shellTexts(file, source string) []text {
	var found []text
	for _, at := range heredoc.FindAllStringIndex(source, -1) {
		body, _, _ := strings.Cut(source[at[1]:], "\nTEXT")
		found = append(found, text{file, lineOf(source, at[0]), body, strings.Split(body, "\n")})
	}
	source = remark.ReplaceAllStringFunc(source, func(comment string) string { return strings.Repeat(" ", len(comment)) })
	for _, at := range tells.FindAllStringIndex(source, -1) {
		for i := at[1]; i < len(source) && !strings.ContainsRune("\n;&|})<>#", rune(source[i])); {
			switch {
			case source[i] == ' ' || source[i] == '\t':
				i++
			case strings.HasPrefix(source[i:], "\\\n"):
				i += 2
			case source[i] == '"' || source[i] == '\'':
				words, end := shellLiteral(source, i)
				found = append(found, text{file: file, line: lineOf(source, i), words: words})
				i = end
			default:
				for i < len(source) && !strings.ContainsRune(" \t\n;&|})\"'", rune(source[i])) {
					i++
				}
			}
		}
	}
	return found
}

func lineOf(source string, at int) int {
	return strings.Count(source[:at], "\n") + 1
}

// shellLiteral returns the literal at from, and the index behind its closing quote.
func shellLiteral(source string, from int) (string, int) {
	quote := source[from]
	var words strings.Builder
	i := from + 1
	for i < len(source) && source[i] != quote {
		length := 1
		switch {
		case quote == '\'':
			words.WriteByte(source[i])
		case source[i] == '\\' && i+1 < len(source):
			words.WriteByte(source[i+1])
			length = 2
		case strings.HasPrefix(source[i:], "$("):
			words.WriteByte('X')
			length = enclosed(source[i+1:], '(', ')') + 1
		case strings.HasPrefix(source[i:], "${"):
			words.WriteByte('X')
			length = enclosed(source[i+1:], '{', '}') + 1
		case name.MatchString(source[i:]):
			words.WriteByte('X')
			length = len(name.FindString(source[i:]))
		default:
			words.WriteByte(source[i])
		}
		i += length
	}
	return strings.ReplaceAll(words.String(), `\n`, "\n"), min(i+1, len(source))
}

// enclosed returns the length of what the first bracket encloses, with both brackets.
func enclosed(source string, open, shut byte) int {
	depth := 0
	for i := 0; i < len(source); i++ {
		switch source[i] {
		case open:
			depth++
		case shut:
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(source)
}

// goTexts returns the string literals of a Go source; those that '+' joins are one text.
func goTexts(file, source string) []text {
	var found []text
	var statements []token
	for i, each := range tokens(source, "`\"") {
		if i > 0 && each.line > statements[len(statements)-1].line && !strings.ContainsRune("+([{,", rune(statements[len(statements)-1].kind)) {
			statements = append(statements, token{';', ";", each.line}) // the end of a line ends a statement
		}
		statements = append(statements, each)
	}
	collect(file, statements, &found)
	return found
}

// scriptTexts returns the string literals of a script of the console.
func scriptTexts(file, source string) []text {
	var found []text
	collect(file, tokens(source, "`\"'"), &found)
	return found
}

var (
	invisible = regexp.MustCompile(`(?s)<(script|style|svg)\b.*?</(script|style|svg)>|<code>.*?</code>|<!.*?>`)
	attribute = regexp.MustCompile(`\b(?:aria-label|title|placeholder|alt)="([^"]*)"`)
	action    = regexp.MustCompile(`(?s)\{[^{}\n]*\}`)
	inText    = regexp.MustCompile(`</?(a|b|em|i|span|strong)\b[^>]*>`)
	element   = regexp.MustCompile(`(?s)<[^>]*>`)
)

// htmlTexts returns the text of each element of a template, and the attributes that people hear or see. Values are the word X.
func htmlTexts(file, source string) []text {
	keepLines := func(each string) string { return "X" + strings.Repeat("\n", strings.Count(each, "\n")) }
	var found []text
	for _, at := range attribute.FindAllStringSubmatchIndex(source, -1) {
		found = append(found, text{file: file, line: lineOf(source, at[2]), words: action.ReplaceAllString(source[at[2]:at[3]], "X")})
	}
	source = invisible.ReplaceAllStringFunc(source, keepLines)
	source = action.ReplaceAllString(inText.ReplaceAllString(source, ""), "X")
	line, from := 1, 0
	add := func(until int) {
		part := source[from:until]
		words := strings.TrimLeft(part, " \t\n")
		if words != "" {
			begins := line + strings.Count(part[:len(part)-len(words)], "\n")
			found = append(found, text{file: file, line: begins, words: strings.Join(strings.Fields(words), " ")})
		}
		line += strings.Count(part, "\n")
	}
	for _, at := range element.FindAllStringIndex(source, -1) {
		add(at[0])
		line += strings.Count(source[at[0]:at[1]], "\n")
		from = at[1]
	}
	add(len(source))
	return found
}

var directive = regexp.MustCompile(`\{\{.*?\}\}`)

// notesTexts returns the paragraphs of the notes that Helm prints. Lines with an indentation are commands.
func notesTexts(file, source string) []text {
	return paragraphs(file, source, func(line string) (string, bool) {
		if strings.HasPrefix(line, "{{-") {
			return "", false
		}
		return directive.ReplaceAllString(line, "X"), line != "" && !strings.HasPrefix(line, " ")
	})
}

// commentTexts returns the comments of a YAML file that users edit.
func commentTexts(file, source string) []text {
	return paragraphs(file, source, func(line string) (string, bool) {
		words, isComment := strings.CutPrefix(strings.TrimSpace(line), "#")
		return strings.TrimSpace(words), isComment
	})
}

// paragraphs joins lines that follow each other and are wanted.
func paragraphs(file, source string, wanted func(line string) (string, bool)) []text {
	var found []text
	isOpen := false
	for i, line := range strings.Split(source, "\n") {
		words, is := wanted(line)
		switch {
		case is && isOpen:
			found[len(found)-1].words += " " + words
		case is:
			found = append(found, text{file: file, line: i + 1, words: words})
		}
		isOpen = is
	}
	return found
}
