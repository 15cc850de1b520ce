package house

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// scriptLines is how long a script may be: fewer than this. Go decides, a script
// compares and sets.
const scriptLines = 80

var (
	scriptName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*\.lua$`)
	sections   = []string{"KEYS", "ARGV", "Returns"}
)

// Scripts checks that every Redis script says what it is for, what it takes and
// what it returns, is short, and is embedded by a Go file beside it.
func Scripts(tree fs.FS) (faults []string, err error) {
	paths, err := files(tree, "*.lua")
	if err != nil {
		return nil, err
	}
	parsed, err := sources(tree)
	if err != nil {
		return nil, err
	}
	for _, name := range paths {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		for _, fault := range scriptFaults(string(text)) {
			faults = append(faults, name+": "+fault)
		}
		if !under(name, "shared/live") {
			faults = append(faults, name+": scripts belong to shared/live")
		}
		if !scriptName.MatchString(path.Base(name)) {
			faults = append(faults, name+": scripts are called in_snake_case.lua")
		}
		if !slices.ContainsFunc(parsed, func(file source) bool { return embeds(file, name) }) {
			faults = append(faults, name+": no Go file beside it has //go:embed "+path.Base(name))
		}
	}
	return faults, nil
}

func scriptFaults(text string) (faults []string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) >= scriptLines {
		faults = append(faults, fmt.Sprintf("%d lines; fewer than %d are enough for what is Redis's to do", len(lines), scriptLines))
	}
	var header []string
	for _, line := range lines {
		comment, ok := strings.CutPrefix(line, "--")
		if !ok {
			break
		}
		header = append(header, strings.TrimSpace(comment))
	}
	isSection := func(line string) bool {
		return slices.ContainsFunc(sections, func(section string) bool { return strings.HasPrefix(line, section) })
	}
	if len(header) == 0 || header[0] == "" || isSection(header[0]) {
		faults = append(faults, "the first line does not say what it is for")
	}
	for _, section := range sections {
		if !slices.ContainsFunc(header, func(line string) bool { return strings.HasPrefix(line, section) }) {
			faults = append(faults, "the header has no line that begins with "+section)
		}
	}
	return faults
}

// embeds is whether a Go file beside the script embeds it by its name.
func embeds(file source, script string) bool {
	if file.test() || file.dir() != path.Dir(script) {
		return false
	}
	for _, group := range file.syntax.Comments {
		for _, comment := range group.List {
			if names, ok := strings.CutPrefix(comment.Text, "//go:embed "); ok && slices.Contains(strings.Fields(names), path.Base(script)) {
				return true
			}
		}
	}
	return false
}
