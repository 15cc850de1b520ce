package repocheck_test

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// scriptLines is the maximum length of a script: Go decides, a script compares and sets.
const scriptLines = 55

var scriptName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*\.lua$`)

// scripts checks that every Redis script says what it is for, what it takes and what
// it returns, is short, and, but for those of integrations, is embedded by a Go file beside it.
func scripts(t *testing.T, tree fs.FS) (findings []string) {
	for _, name := range files(t, tree, "*.lua") {
		for _, finding := range headerFindings(read(t, tree, name)) {
			findings = append(findings, name+": "+finding)
		}
		if !scriptName.MatchString(path.Base(name)) {
			findings = append(findings, name+": the name is not in snake_case")
		}
		if strings.HasPrefix(name, "integrations/") { // for an owner to run
			continue
		}
		beside := harness.Must(fs.Glob(tree, path.Dir(name)+"/*.go"))(t)
		embeds := regexp.MustCompile(`(?m)^//go:embed (.* )?` + regexp.QuoteMeta(path.Base(name)) + `( .*)?$`)
		embedded := false
		for _, file := range beside {
			embedded = embedded || !strings.HasSuffix(file, "_test.go") && embeds.MatchString(read(t, tree, file))
		}
		if !embedded {
			findings = append(findings, name+": no Go file beside it has //go:embed "+path.Base(name))
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
