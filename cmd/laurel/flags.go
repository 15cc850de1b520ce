package main

import (
	"cmp"
	"embed"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/posener/complete"
	"github.com/willabides/kongplete"

	"laurel/shared/run/app"
	"laurel/shared/run/operate"
)

// helpCommand is for the list of commands; asHelp comes before it.
type helpCommand struct {
	Command []string `arg:"" optional:"" predictor:"command"`
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
func describe(chapters map[string]chapter, node *kong.Node, name string, above ...chapter) {
	own := chapters[name]
	node.Help, node.Detail = own.line, own.text
	find := func(written string, v *kong.Value) {
		for _, c := range append([]chapter{own}, above...) {
			v.Help = cmp.Or(v.Help, c.flags[written])
		}
	}
	for _, f := range node.Flags {
		find("--"+f.Name, f.Value)
	}
	for _, p := range node.Positional {
		find("<"+p.Name+">", p)
	}
	for _, child := range node.Children {
		full := strings.TrimPrefix(name+" "+child.Name, "laurel ")
		describe(chapters, child, full, append([]chapter{own}, above...)...)
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
func (c completionCommand) Run(std streams) error {
	script, err := completions.ReadFile("completion/" + c.Shell)
	if err != nil {
		return err
	}
	return std.show(struct {
		Shell  string `json:"shell"`
		Script string `json:"script"`
	}{c.Shell, string(script)}, string(script))
}

// completeLine answers a shell that asks for the words of a line, and then ends the process.
func completeLine(parser *kong.Kong) {
	if os.Getenv("COMP_LINE") == "" {
		return
	}
	var names []string
	for _, command := range parser.Model.Children {
		names = append(names, command.Name)
	}
	kongplete.Complete(parser,
		kongplete.WithPredictor("file", complete.PredictFiles("*")),
		kongplete.WithPredictor("command", complete.PredictSet(names...)))
}

// settingFlags are the flags of groups of settings, made of their descriptions.
type settingFlags struct {
	groups []app.Group
	kong.Plugins
}

// flagsOf returns the flags of groups. kong reads a struct: the field of a setting has the name of its variable.
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
	return settingFlags{groups, kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}}
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

// given are the texts of the flags on a command line. (kong has read those of the environment, too; errors name the
// one of the two that was given.)
type given map[string]string

func givenOn(line *kong.Context) given {
	flags := given{}
	for _, part := range line.Path {
		if part.Flag != nil && part.Flag.Target.Kind() == reflect.String {
			flags[part.Flag.Name] = part.Flag.Target.String()
		}
	}
	return flags
}

// toggle is a flag that needs no value, whose variable may be set to nothing. Its value is checked with the rest.
type toggle string

// IsBool tells the parser that no value need follow.
func (*toggle) IsBool() bool { return true }

// Decode reads the flag.
func (t *toggle) Decode(decoding *kong.DecodeContext) error {
	if decoding.Scan.Peek().Type != kong.FlagValueToken {
		*t = "true"
		return nil
	}
	return decoding.Scan.PopValueInto("true or false", (*string)(t))
}
