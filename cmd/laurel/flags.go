package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"laurel/shared/app"
	"laurel/shared/operate"
)

// settingFlags are the flags of groups of settings, made of their descriptions.
type settingFlags struct {
	groups []app.Group
	kong.Plugins
}

// flagsOf returns the flags of groups. kong reads a struct: the field of a setting has
// the name of its variable.
func flagsOf(groups ...app.Group) settingFlags {
	var fields []reflect.StructField
	for _, g := range groups {
		for _, s := range app.Settings(g) {
			if s.Flag != "" {
				fields = append(fields, fieldOf(g, s))
			}
		}
	}
	return settingFlags{groups, kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}}
}

func fieldOf(g app.Group, s app.Setting) reflect.StructField {
	help, kind := s.Help, reflect.TypeFor[string]()
	if s.Default != "" {
		help = fmt.Sprintf("%s (default: %s).", strings.TrimSuffix(help, "."), s.Default)
	}
	if s.Switch {
		kind = reflect.TypeFor[toggle]()
	}
	tag := fmt.Sprintf("name:%q env:%q group:%q placeholder:%q help:%q", s.Flag, s.Env, g, s.Placeholder, help)
	if s.Placeholder == "FILE" || s.Placeholder == "DIR" {
		tag += ` predictor:"file"`
	}
	return reflect.StructField{Name: s.Env, Type: kind, Tag: reflect.StructTag(tag)}
}

// read returns what the settings say.
func (f settingFlags) read(flags given, needs ...app.Need) (*app.Config, error) {
	c, err := app.Read(app.Source{Settings: app.Settings(f.groups...), Flags: flags, Needs: needs})
	if err != nil {
		return c, operate.Usage("%w", err)
	}
	return c, nil
}

// given are the texts of the flags on a command line. (kong has taken in those of the
// environment, too; which of the two it was is for errors to name.)
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

// toggle is a flag that needs no value, whose variable may be set to nothing. What it
// says is checked with the rest.
type toggle string

// IsBool tells the parser that no value need follow.
func (*toggle) IsBool() bool { return true }

// Decode reads the flag.
func (t *toggle) Decode(from *kong.DecodeContext) error {
	if from.Scan.Peek().Type != kong.FlagValueToken {
		*t = "true"
		return nil
	}
	return from.Scan.PopValueInto("true or false", (*string)(t))
}
