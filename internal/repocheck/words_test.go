package repocheck_test

import (
	_ "embed"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wordTable lists words and what to write instead; its first lines give the format.
//
//go:embed words.txt
var wordTable string

// A word is a line of the table.
type word struct {
	kind    string // name or text
	pattern *regexp.Regexp
	instead string
	except  []string // the beginnings of paths where the word is right
}

func readWords(t *testing.T) (words []word) {
	t.Helper()
	format := regexp.MustCompile(`^(name|text|any) +(.+?) +-> (.+?)(?: +except (.+))?$`)
	for line := range strings.Lines(wordTable) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := format.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("words.txt: not KIND PATTERN -> WORDS: %s", line)
		}
		for _, kind := range []string{"name", "text"} {
			if m[1] == kind || m[1] == "any" {
				pattern := regexp.MustCompile(`(?i)\b(?:` + m[2] + `)\b`)
				words = append(words, word{kind, pattern, m[3], strings.Fields(m[4])})
			}
		}
	}
	return words
}

// usedWords checks that no file uses a word of the table.
func usedWords(t *testing.T, tree fs.FS) (findings []string) {
	words, suspect := readWords(t), map[string]bool{}
	var patterns []string
	for _, w := range words {
		patterns = append(patterns, w.pattern.String())
	}
	some := regexp.MustCompile(strings.Join(patterns, "|"))
	isSuspect := func(p piece) bool { // most are not, and most are not new
		is, known := suspect[p.text]
		if !known {
			is = some.MatchString(p.text)
			suspect[p.text] = is
		}
		return is
	}
	for _, file := range files(t, tree, "*.go", "*.lua", "*.md", "*.yaml", "*.yml", "*.sh", "*.js", "*.html", "Makefile") {
		all := slices.DeleteFunc(pieces(file, read(t, tree, file)), func(p piece) bool { return !isSuspect(p) })
		for _, w := range words {
			if slices.ContainsFunc(w.except, func(start string) bool { return strings.HasPrefix(file, start) }) {
				continue
			}
			for _, p := range all {
				if p.kind != w.kind {
					continue
				}
				if found := w.pattern.FindString(p.text); found != "" {
					findings = append(findings, fmt.Sprintf("%s:%d: %q: write %s", file, p.line, found, w.instead))
				}
			}
		}
	}
	return findings
}

// A piece is a name, as words with blanks between them, or a line of text.
type piece struct {
	kind string
	text string
	line int
}

// pieces returns the names of a Go file and the lines of its comments and strings;
// of other files all lines. The file's path is a name.
func pieces(file, text string) (all []piece) {
	nameWords := regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
	name := func(name string, line int) {
		all = append(all, piece{"name", strings.Join(nameWords.FindAllString(name, -1), " "), line})
	}
	lines := func(text string, from int) {
		for line := range strings.Lines(text) {
			all = append(all, piece{"text", line, from})
			from++
		}
	}
	name(file, 0)
	if path.Ext(file) != ".go" {
		lines(text, 1)
		return all
	}
	source := token.NewFileSet().AddFile(file, -1, len(text))
	var s scanner.Scanner
	s.Init(source, []byte(text), nil, scanner.ScanComments)
	for {
		pos, kind, literal := s.Scan()
		switch kind {
		case token.EOF:
			return all
		case token.IDENT:
			name(literal, source.Line(pos))
		case token.COMMENT, token.STRING:
			lines(literal, source.Line(pos))
		default: // no word
		}
	}
}
