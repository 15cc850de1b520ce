package repocheck_test

import (
	_ "embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

// wordTable lists words and what to write instead; its first lines give the format.
//
//go:embed words.txt
var wordTable string

// tableLine is a line of the table: a pattern, what to write, and where the word is right.
var tableLine = regexp.MustCompile(`(?m)^([^#\n]+?) +-> (.+?)(?: +except (.+))?$`)

// withinName is where a word of a name begins.
var withinName = regexp.MustCompile(`([a-z0-9_])([A-Z])|_`)

// usedWords checks that no file uses a word of the table, in its text or within a name.
func usedWords(t *testing.T, tree fs.FS) (findings []string) {
	var patterns []*regexp.Regexp
	var all []string
	table := tableLine.FindAllStringSubmatch(wordTable, -1)
	for _, line := range table {
		patterns = append(patterns, regexp.MustCompile(`(?i)\b(?:`+line[1]+`)\b`))
		all = append(all, line[1])
	}
	some := regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
	for _, file := range files(t, tree, "*.go", "*.lua", "*.md", "*.yaml", "*.yml", "*.sh", "*.js", "*.html", "Makefile") {
		text := file + "\n" + read(t, tree, file)
		if path.Ext(file) == ".go" {
			text = withinName.ReplaceAllString(text, "$1 $2")
		}
		if !some.MatchString(text) { // most have none
			continue
		}
		for n, line := range strings.Split(text, "\n") {
			for i, word := range table {
				found := patterns[i].FindString(line)
				if found != "" && (word[3] == "" || !strings.HasPrefix(file, word[3])) {
					findings = append(findings, fmt.Sprintf("%s:%d: %q: write %s", file, n, found, word[2]))
				}
			}
		}
	}
	return findings
}
