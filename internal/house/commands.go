package house

import (
	"errors"
	"fmt"
	"go/ast"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

var targetLine = regexp.MustCompile(`(?m)^([a-zA-Z][\w-]*)[^:=\n]*:([^=\n].*)?$`)

// Targets are the targets of the Makefile, in its order.
func Targets(tree fs.FS) (targets []string, err error) {
	text, err := fs.ReadFile(tree, "Makefile")
	if err != nil {
		return nil, err
	}
	for _, match := range targetLine.FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(targets, match[1]) {
			targets = append(targets, match[1])
		}
	}
	return targets, nil
}

// Subcommands are those of the command line: the fields of its structs that are
// tagged as commands. There are none while it is not written.
func Subcommands(tree fs.FS) (names []string, err error) {
	parsed, err := sources(tree)
	if err != nil {
		return nil, err
	}
	for _, file := range parsed {
		if !under(file.dir(), "cmd/laurel") {
			continue
		}
		ast.Inspect(file.syntax, func(node ast.Node) bool {
			field, ok := node.(*ast.Field)
			if !ok || field.Tag == nil || len(field.Names) != 1 {
				return true
			}
			unquoted, err := strconv.Unquote(field.Tag.Value)
			tag := reflect.StructTag(unquoted)
			if _, command := tag.Lookup("cmd"); err != nil || !command {
				return true
			}
			name, given := tag.Lookup("name")
			if !given {
				name = kebab(field.Names[0].Name)
			}
			names = append(names, name)
			return true
		})
	}
	return names, nil
}

// kebab is a field's name as the command line spells it: OneTwo is one-two.
func kebab(name string) string {
	var spelled strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			spelled.WriteByte('-')
		}
		spelled.WriteRune(unicode.ToLower(r))
	}
	return spelled.String()
}

var (
	makeCommand   = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*make ([a-zA-Z][\w-]*)`)
	laurelCommand = regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*(?:go run \./cmd/laurel|(?:\./)?(?:bin/)?laurel) ([a-z][\w-]*)`)
)

// Commands checks that what the documents tell to type is there: in their fenced
// blocks, the targets of make and the subcommands of laurel.
func Commands(tree fs.FS) (faults []string, err error) {
	targets, err := Targets(tree)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	subcommands, err := Subcommands(tree)
	if err != nil {
		return nil, err
	}
	documents, err := files(tree, "*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range documents {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		for _, line := range fenced(string(text)) {
			if match := makeCommand.FindStringSubmatch(line); match != nil && !slices.Contains(targets, match[1]) {
				faults = append(faults, fmt.Sprintf("%s: make has no target %s", name, match[1]))
			}
			match := laurelCommand.FindStringSubmatch(line)
			if match != nil && len(subcommands) > 0 && !slices.Contains(subcommands, match[1]) {
				faults = append(faults, fmt.Sprintf("%s: laurel has no command %s", name, match[1]))
			}
		}
	}
	return faults, nil
}

// fenced are the lines within a document's fences, without a prompt.
func fenced(text string) (lines []string) {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			inside = !inside
		case inside:
			lines = append(lines, strings.TrimPrefix(line, "$ "))
		}
	}
	return lines
}
