package repocheck_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	targetLine    = regexp.MustCompile(`(?m)^([a-zA-Z][\w-]*)[^:=\n]*:(?:[^=\n].*)?$`)
	commandUsage  = regexp.MustCompile(`(?m)^Usage: laurel ([a-z][\w-]*)`)
	makeCommand   = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*make ([a-zA-Z][\w-]*)`)
	laurelCommand = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*(?:go run \./cmd/laurel|(?:\./)?(?:bin/)?laurel) ([a-z][\w-]*)`)
	goRunCommand  = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*go run \./(\S+)`)
)

// commands checks that the commands in documents' fenced blocks exist: targets of
// make, commands of laurel (those of its manual), programs that go run starts.
// TestReadmeExamplesGiveTheAnswersShown in cmd/laurel runs the console examples.
func commands(t *testing.T, tree fs.FS) (findings []string) {
	targets := firstGroups(targetLine, read(t, tree, "Makefile"))
	manual := firstGroups(commandUsage, read(t, tree, "cmd/laurel/testdata/script/help.txtar"))
	for _, name := range files(t, tree, "*.md") {
		_, lines := fences(read(t, tree, name))
		for _, line := range lines {
			if m := makeCommand.FindStringSubmatch(line); m != nil && !slices.Contains(targets, m[1]) {
				findings = append(findings, fmt.Sprintf("%s: make has no target %s", name, m[1]))
			}
			if m := laurelCommand.FindStringSubmatch(line); m != nil && !slices.Contains(manual, m[1]) {
				findings = append(findings, fmt.Sprintf("%s: laurel has no command %s", name, m[1]))
			}
			if m := goRunCommand.FindStringSubmatch(line); m != nil {
				if _, err := fs.Stat(tree, m[1]+"/main.go"); err != nil {
					findings = append(findings, fmt.Sprintf("%s: no program in %s", name, m[1]))
				}
			}
		}
	}
	return findings
}

// writtenError is an error of a package in a code span, as far as it is fixed text.
var writtenError = regexp.MustCompile("`([a-z]+: [a-z ]+[a-z])")

// errorTexts checks that the errors in documents are errors of the code.
func errorTexts(t *testing.T, tree fs.FS) (findings []string) {
	var code strings.Builder
	for _, name := range files(t, tree, "*.go") {
		if strings.HasPrefix(name, "shared/") && !strings.HasSuffix(name, "_test.go") {
			code.WriteString(read(t, tree, name))
		}
	}
	for _, name := range files(t, tree, "*.md") {
		for _, text := range firstGroups(writtenError, read(t, tree, name)) {
			if !strings.Contains(code.String(), `"`+text) {
				findings = append(findings, fmt.Sprintf("%s: no error %q in the code", name, text))
			}
		}
	}
	return findings
}

var (
	writtenPath = regexp.MustCompile("`((?:shared|cmd|internal|functions|integrations)/[\\w./-]+)`")
	writtenFunc = regexp.MustCompile("`([\\w./-]+\\.go)`, `(\\w+)`:")
)

// places checks that the files that documents name are there, and the functions in them.
func places(t *testing.T, tree fs.FS) (findings []string) {
	for _, name := range files(t, tree, "*.md") {
		if strings.HasPrefix(name, "docs/adr/") || name == "CHANGELOG.md" { // these tell what was
			continue
		}
		text := read(t, tree, name)
		for _, path := range firstGroups(writtenPath, text) {
			if _, err := fs.Stat(tree, strings.TrimSuffix(path, "/")); err != nil {
				findings = append(findings, fmt.Sprintf("%s: no %s", name, path))
			}
		}
		for _, m := range writtenFunc.FindAllStringSubmatch(text, -1) {
			if !regexp.MustCompile(`(?m)^func (\(.*\) )?` + m[2] + `\(`).MatchString(read(t, tree, m[1])) {
				findings = append(findings, fmt.Sprintf("%s: no function %s in %s", name, m[2], m[1]))
			}
		}
	}
	return findings
}

// firstGroups returns the first group of every match.
func firstGroups(pattern *regexp.Regexp, text string) (all []string) {
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		all = append(all, match[1])
	}
	return all
}

// fences returns a document without what its fences have, and the lines of these, without a prompt.
func fences(text string) (prose string, lines []string) {
	inside := false
	for line := range strings.Lines(text) {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "```"):
			inside = !inside
		case inside:
			lines = append(lines, strings.TrimPrefix(trimmed, "$ "))
		default:
			prose += line
		}
	}
	return prose, lines
}

// A plugin stays small: an owner can read it before installing it.
func TestPluginsInPHPAreSmall(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile(`^\s*[^\s/*]`) // neither blank nor a comment
	for plugin, most := range map[string]int{"wordpress": 440, "flarum": 590, "phpbb": 860} {
		lines := 0
		for _, name := range files(t, repository, "*.php") {
			if !strings.HasPrefix(name, "integrations/"+plugin+"/laurel/") || strings.Contains(name, "/language/") {
				continue
			}
			for line := range strings.Lines(read(t, repository, name)) {
				if code.MatchString(line) {
					lines++
				}
			}
		}
		if lines == 0 || lines > most {
			t.Errorf("the plugin for %s has %d lines, want at most %d", plugin, lines, most)
		}
	}
}
