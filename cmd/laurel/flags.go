package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"laurel/shared/run/app"
	"laurel/shared/run/operate"
)

type helpCommand struct {
	Command []string `arg:"" optional:""`
	line    *line
}

// Run shows the help of a command.
func (h helpCommand) Run(context.Context, streams) error {
	c, rest, _ := h.line.root.Find(h.Command)
	if len(rest) > 0 {
		return operate.Usage("%s", usage(c, unexpected(c, rest[0])))
	}
	return h.line.showHelp(c)
}

//go:embed manual.txt
var manualText string

// A chapter is help's text about a command.
type chapter struct {
	line, text string            // beside its name in the list, and above its flags
	flags      map[string]string // by the written form: --flag or <argument>
}

// readManual reads chapters: "= name", a line, paragraphs, and flags with indented lines.
func readManual(text string) map[string]chapter {
	chapters := map[string]chapter{}
	for _, section := range strings.Split(text, "\n= ")[1:] {
		name, rest, _ := strings.Cut(section, "\n")
		p, flag := chapter{flags: map[string]string{}}, ""
		p.line, rest, _ = strings.Cut(rest, "\n")
		for line := range strings.SplitSeq(rest, "\n") {
			switch {
			case (strings.HasPrefix(line, "--") || strings.HasPrefix(line, "<")) && !strings.Contains(line, " "):
				flag = line
			case flag != "":
				p.flags[flag] = strings.TrimSpace(p.flags[flag] + " " + strings.TrimSpace(line))
			default:
				p.text += line + "\n"
			}
		}
		p.text = strings.Trim(p.text, "\n")
		chapters[name] = p
	}
	return chapters
}

// chapterOf returns the name of a command's chapter, which is that of the command without laurel.
func chapterOf(c *cobra.Command) string { return strings.TrimPrefix(c.CommandPath(), "laurel ") }

// told returns the manual's text about a parameter: that of the command, one above, or several.
func (l *line) told(c *cobra.Command, written string) string {
	for ; c != nil; c = c.Parent() {
		if text := l.manual[chapterOf(c)].flags[written]; text != "" {
			return text
		}
	}
	return l.manual["several commands"].flags[written]
}

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish"`
	root  *cobra.Command
}

// Run prints the script.
func (c completionCommand) Run(_ context.Context, std streams) error {
	var script strings.Builder
	write := map[string]func(io.Writer) error{
		"bash": func(w io.Writer) error { return c.root.GenBashCompletionV2(w, true) },
		"zsh":  c.root.GenZshCompletion,
		"fish": func(w io.Writer) error { return c.root.GenFishCompletion(w, true) },
	}
	if err := write[c.Shell](&script); err != nil {
		return err
	}
	return std.show(struct {
		Shell  string `json:"shell"`
		Script string `json:"script"`
	}{c.Shell, script.String()}, script.String())
}

// settingFlags are the flags of groups of settings, made of their descriptions.
type settingFlags struct {
	groups []app.Group
	Flags  any `embed:""`
}

// flagsOf returns the flags of groups, in a struct: the field of a setting has the name of its variable.
func flagsOf(groups ...app.Group) settingFlags {
	var fields []reflect.StructField
	for _, g := range groups {
		for _, s := range app.Settings(g) {
			if s.Flag == "" {
				continue
			}
			tag := fmt.Sprintf("name:%q env:%q group:%q placeholder:%q", s.Flag, s.Env, g, s.Placeholder)
			kind := reflect.TypeFor[string]()
			if s.Switch {
				kind = reflect.TypeFor[toggle]()
			}
			fields = append(fields, reflect.StructField{Name: s.Env, Type: kind, Tag: reflect.StructTag(tag)})
		}
	}
	return settingFlags{groups, reflect.New(reflect.StructOf(fields)).Interface()}
}

// read returns the values of the settings.
func (f settingFlags) read(flags given, needs ...app.Need) (*app.Config, error) {
	source := app.Source{Groups: f.groups, Flags: flags, Needs: needs}
	c, err := app.Read(source)
	lookup, known, failed := app.Service("/", c.Data)
	if failed != nil {
		return c, operate.Usage("%w", failed)
	}
	if known {
		source.Lookup = lookup
		c, err = app.Read(source)
	}
	if err != nil {
		return c, operate.Usage("%w", err)
	}
	return c, nil
}

// given are the texts of the flags on a command line. (Those of the environment are read, too; errors name the one of
// the two that was given.)
type given map[string]string

// toggle is a flag that needs no value, whose variable may be set to nothing. Its value is checked with the rest.
type toggle string
