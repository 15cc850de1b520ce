package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"laurel/shared/run/app"
	"laurel/shared/run/operate"
)

// helpCommand is for the list of commands; asHelp comes before it.
type helpCommand struct {
	Command []string `arg:"" optional:"" predictor:"command"`
}

// Run is for a line with a flag before the word.
func (helpCommand) Run(context.Context, streams) error {
	return operate.Usage("help is the first word: laurel help, or laurel help COMMAND")
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

// describe gives a command and those below it the texts of the manual; above are the chapters of those above.
func describe(chapters map[string]chapter, c *command, name string, above ...chapter) {
	own := chapters[name]
	c.line, c.text = own.line, own.text
	for _, p := range slices.Concat(c.flags, c.arguments) {
		written := p.name
		if p.argument {
			written = "<" + written + ">"
		}
		for _, near := range append([]chapter{own}, above...) {
			p.help = cmp.Or(p.help, near.flags[written])
		}
	}
	for _, child := range c.below {
		describe(chapters, child, child.name, append([]chapter{own}, above...)...)
	}
}

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish"`
}

// completions are the scripts, by the shell: each has laurel complete the line in COMP_LINE.
//
//go:embed completion
var completions embed.FS

// Run prints the script.
func (c completionCommand) Run(_ context.Context, std streams) error {
	script, err := completions.ReadFile("completion/" + c.Shell)
	if err != nil {
		return err
	}
	return std.show(struct {
		Shell  string `json:"shell"`
		Script string `json:"script"`
	}{c.Shell, string(script)}, string(script))
}

// proposals are the words that can follow in a line that is still written, in a shell with this Laurel.
func (c *command) proposals(text string) []string {
	words := strings.Fields(text)
	if strings.TrimRight(text, " ") != text {
		words = append(words, "")
	}
	if len(words) < 2 {
		return nil
	}
	root, typed := c, words[len(words)-1]
	var open *parameter // a flag before its value
	arguments := 0
	for _, word := range words[1 : len(words)-1] {
		name, _, ok := strings.Cut(word, "=")
		flag := c.flag(name)
		switch child := c.child(word); {
		case open != nil:
			open = nil
		case flag != nil && !ok && !flag.bare():
			open = flag
		case child != nil:
			c = child
		case !strings.HasPrefix(word, "-"):
			arguments++
		}
	}
	if name, value, ok := strings.Cut(typed, "="); ok && open == nil {
		open, typed = c.flag(name), value
	}
	var all []string
	switch {
	case open != nil:
		all = open.proposals(root, typed)
	case strings.HasPrefix(typed, "-"):
		for _, flag := range slices.Concat(c.allFlags()...) {
			all = append(all, flag.name)
		}
	case len(c.arguments) > 0:
		all = c.arguments[min(arguments, len(c.arguments)-1)].proposals(root, typed)
	default:
		for _, child := range c.below {
			all = append(all, child.word())
		}
	}
	return slices.DeleteFunc(all, func(word string) bool { return !strings.HasPrefix(word, typed) })
}

// proposals are values of a parameter: commands, files, or the words of its list.
func (p *parameter) proposals(root *command, typed string) (all []string) {
	switch p.tag.Get("predictor") {
	case "command":
		for _, child := range root.below {
			all = append(all, child.word())
		}
	case "file":
		all, _ = filepath.Glob(typed + "*")
		for i, name := range all {
			if about, err := os.Stat(name); err == nil && about.IsDir() {
				all[i] = name + string(filepath.Separator)
			}
		}
	default:
		return p.words()
	}
	return all
}

// lineAtCursor returns the line of a shell that asks for words, up to the cursor, by the variables of bash.
func lineAtCursor() (text string, asked bool) {
	text, asked = os.LookupEnv("COMP_LINE")
	offset, err := strconv.Atoi(os.Getenv("COMP_POINT"))
	if err != nil {
		offset = len(text)
	}
	return text[:max(0, min(offset, len(text)))], asked && text != ""
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
			if s.Placeholder == "FILE" || s.Placeholder == "DIR" {
				tag += ` predictor:"file"`
			}
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
