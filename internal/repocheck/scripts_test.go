package repocheck_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// scriptLines is the maximum length of a script: Go decides, a script compares and sets.
const scriptLines = 55

// scripts checks that every Redis script says what it is for, what it takes and what
// it returns, and is short.
func scripts(t *testing.T, tree fs.FS) (findings []string) {
	for _, name := range files(t, tree, "*.lua") {
		for _, finding := range headerFindings(read(t, tree, name)) {
			findings = append(findings, name+": "+finding)
		}
	}
	return findings
}

// headerFindings checks a script's length and its header: the comment that it begins
// with.
func headerFindings(text string) (findings []string) {
	if n := strings.Count(text, "\n"); n > scriptLines {
		findings = append(findings, fmt.Sprintf("%d lines, want at most %d", n, scriptLines))
	}
	header := regexp.MustCompile(`\A(--.*\n)*`).FindString(text)
	if !regexp.MustCompile(`\A-- [A-Z][a-z]`).MatchString(header) || strings.HasPrefix(header, "-- Returns") {
		findings = append(findings, "the first line does not say what it is for")
	}
	for _, section := range []string{"KEYS", "ARGV", "Returns"} {
		if !strings.Contains(header, "\n-- "+section) {
			findings = append(findings, "the header has no line that begins with "+section)
		}
	}
	return findings
}
