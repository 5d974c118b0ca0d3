// SPDX-License-Identifier: Apache-2.0
// Package main reads what the product says to its users, and finds sentences that are hard to read: docs/style.md has the rules.
package main

import (
	"strings"
	"unicode"
)

// text is what one place of a file says to its reader: a string literal, or several that are joined by '+', or a paragraph.
type text struct {
	file string
	line int
	// Expressions between literals, and %s and the like, are the word X.
	words string
	// lines are set for text blocks and for Markdown only.
	lines []string
}

type token struct {
	kind byte // 's' a literal, 'b' a text block, otherwise the character itself; 'w' a word or number
	word string
	line int
}

// javaTexts returns the string literals of a Java source. Literals that '+' joins are one text, and so are their operands' own literals beside it.
func javaTexts(file, source string) []text {
	var found []text
	collect(file, tokens(source, `"`), &found)
	return found
}

// tokens reads a source with comments and quotes as in Java. The quotes that begin a string are given; one that is not there begins a character.
func tokens(source, quotes string) []token {
	var tokens []token
	line := 1
	for i := 0; i < len(source); {
		rest := source[i:]
		length := 1
		switch {
		case strings.HasPrefix(rest, "//"):
			length = upTo(rest, "\n", 0)
		case strings.HasPrefix(rest, "/*"):
			length = upTo(rest, "*/", 2) + 2
		case strings.HasPrefix(rest, `"""`):
			length = upTo(rest, `"""`, 3) + 3
			tokens = append(tokens, token{'b', rest[3 : length-3], line})
		case rest[0] == '`' && strings.Contains(quotes, "`"):
			length = upTo(rest, "`", 1) + 1
			tokens = append(tokens, token{'b', rest[1 : length-1], line})
		case rest[0] == '"' || rest[0] == '\'':
			length = literal(rest)
			if strings.ContainsRune(quotes, rune(rest[0])) {
				tokens = append(tokens, token{'s', unescaped(rest[1 : length-1]), line})
			}
		case unicode.IsLetter(rune(rest[0])) || unicode.IsDigit(rune(rest[0])) || rest[0] == '_':
			for length < len(rest) && (unicode.IsLetter(rune(rest[length])) || unicode.IsDigit(rune(rest[length])) || rest[length] == '_' || rest[length] == '.') {
				length++
			}
			tokens = append(tokens, token{'w', rest[:length], line})
		case !unicode.IsSpace(rune(rest[0])):
			tokens = append(tokens, token{rest[0], rest[:1], line})
		}
		length = min(length, len(rest))
		line += strings.Count(rest[:length], "\n")
		i += length
	}
	return tokens
}

func upTo(text, end string, from int) int {
	at := strings.Index(text[from:], end)
	if at < 0 {
		return len(text) - len(end)
	}
	return from + at
}

// literal returns the length of the literal at the start, with its quotes.
func literal(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, " ", `\"`, `"`, `\'`, "'", `\\`, `\`)

func unescaped(text string) string {
	return escapes.Replace(text)
}

// collect appends the texts of the tokens, and of what stands in parentheses between them.
func collect(file string, tokens []token, found *[]text) {
	for i := 0; i < len(tokens); i++ {
		switch tokens[i].kind {
		case 'b':
			*found = append(*found, text{file, tokens[i].line, tokens[i].word, strings.Split(tokens[i].word, "\n")})
		case 's':
			one := text{file: file, line: tokens[i].line, words: tokens[i].word}
			i++
			for i < len(tokens) && tokens[i].kind == '+' {
				end := operand(tokens, i+1)
				if end == i+2 && tokens[i+1].kind == 's' {
					one.words += tokens[i+1].word
				} else {
					one.words += "X"
					collect(file, tokens[i+1:end], found)
				}
				i = end
			}
			i--
			*found = append(*found, one)
		}
	}
}

// operand returns the index behind the operand of '+' that begins at from.
func operand(tokens []token, from int) int {
	depth := 0
	for i := from; i < len(tokens); i++ {
		switch tokens[i].kind {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
			if depth < 0 {
				return i
			}
		case '+', ',', ';', '?', ':':
			if depth == 0 {
				return i
			}
		}
	}
	return len(tokens)
}
