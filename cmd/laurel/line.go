package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A runner is a command that does something itself.
type runner interface {
	Run(ctx context.Context, std streams) error
}

// rootFlags are those of all commands.
type rootFlags struct {
	Help        bool `short:"h"`
	HelpAll     bool `hidden:""`
	JSON        bool
	ShowVersion bool `name:"version"`
}

// A line is the program for one command line.
type line struct {
	rootFlags
	root      *cobra.Command
	std       streams
	manual    map[string]chapter
	arguments map[*cobra.Command][]*parameter
	outcome   error // of the command that ran
}

// A parameter is a flag or an argument: a field, described by its tag.
type parameter struct {
	command  *cobra.Command
	name     string
	tag      reflect.StructTag
	argument bool
	required bool
	target   reflect.Value
}

// command makes a command from a pointer to a struct, which is a runner if the command does something.
func (l *line) command(above *cobra.Command, name string, fields any) *cobra.Command {
	c := &cobra.Command{Use: name, Args: l.take, PersistentPreRunE: environment, SuggestionsMinimumDistance: 2}
	if above != nil {
		above.AddCommand(c)
	}
	c.Short, c.Long = l.manual[chapterOf(c)].line, l.manual[chapterOf(c)].text
	c.RunE = func(*cobra.Command, []string) error {
		if does, ok := fields.(runner); ok {
			l.outcome = does.Run(c.Context(), l.std)
			return nil
		}
		var below []string
		for _, child := range c.Commands() {
			below = append(below, child.Name())
		}
		if len(below) > 5 {
			below = append(below[:5], "...")
		}
		return errors.New("a command is missing here: " + strings.Join(below, ", "))
	}
	c.PersistentFlags().SortFlags = false
	l.add(c, reflect.ValueOf(fields).Elem())
	return c
}

// add reads the fields of a struct; those of embedded ones are the command's own.
func (l *line) add(c *cobra.Command, fields reflect.Value) {
	for i := range fields.NumField() {
		field, value := fields.Type().Field(i), fields.Field(i)
		has := func(key string) bool {
			_, ok := field.Tag.Lookup(key)
			return ok
		}
		p := &parameter{command: c, name: field.Tag.Get("name"), tag: field.Tag, target: value}
		if p.name == "" {
			p.name = dashed(field.Name)
		}
		switch {
		case field.Tag.Get("flag") == "-":
		case field.Anonymous || has("embed"):
			if value.Kind() == reflect.Pointer && value.IsNil() {
				value.Set(reflect.New(value.Type().Elem()))
			}
			for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
				value = value.Elem()
			}
			l.add(c, value)
		case !field.IsExported():
		case has("cmd"):
			l.command(c, p.name, value.Addr().Interface())
		case has("arg"):
			p.argument, p.required = true, !has("optional")
			if len(l.arguments[c]) == 0 {
				c.ValidArgs = p.words()
			}
			l.arguments[c] = append(l.arguments[c], p)
		default:
			if text := field.Tag.Get("default"); text != "" {
				_ = p.Set(text)
			}
			flag := c.PersistentFlags().VarPF(p, p.name, field.Tag.Get("short"), l.told(c, "--"+p.name))
			if flag.Hidden = has("hidden"); p.bare() {
				flag.NoOptDefVal = "true"
			}
			if p.required = has("required"); p.required {
				_ = c.MarkPersistentFlagRequired(p.name) // it is there
			}
		}
	}
}

// dashed returns the words of a field's name: APIKeyFile is api-key-file.
func dashed(name string) string {
	var out strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		begins := unicode.IsUpper(r) && i > 0 &&
			(unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if begins {
			out.WriteByte('-')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// bare says that a flag needs no value.
func (p *parameter) bare() bool { return p.Type() == "bool" || p.Type() == "toggle" }

// many says that a parameter may be repeated.
func (p *parameter) many() bool { return p.target.Kind() == reflect.Slice }

// words are those of which an argument is one, if there is a list.
func (p *parameter) words() []string {
	if p.tag.Get("enum") == "" {
		return nil
	}
	return strings.Split(p.tag.Get("enum"), ",")
}

// written returns a parameter as help shows it: --name=VALUE, <name>, or [<name> ...].
func (p *parameter) written() string {
	switch {
	case p.argument && p.many() && !p.required:
		return "[<" + p.name + "> ...]"
	case p.argument && p.many():
		return "<" + p.name + "> ..."
	case p.argument && !p.required:
		return "[<" + p.name + ">]"
	case p.argument:
		return "<" + p.name + ">"
	case p.bare():
		return "--" + p.name
	}
	if placeholder := p.tag.Get("placeholder"); placeholder != "" {
		return "--" + p.name + "=" + placeholder
	}
	return "--" + p.name + "=STRING"
}

// Type is for pflag, which knows flags of type bool.
func (p *parameter) Type() string { return p.target.Type().Name() }

// String returns the value, for pflag.
func (p *parameter) String() string { return fmt.Sprint(p.target.Interface()) }

// Set takes a text. Errors are without the flag and the text, which pflag adds.
func (p *parameter) Set(text string) (err error) {
	if name, ok := strings.CutPrefix(text, "--"); ok && !p.argument && p.command.Flag(name) != nil {
		return errors.New("that is another flag; a value is missing")
	}
	switch field := p.target.Addr().Interface().(type) {
	case *bool:
		if *field, err = strconv.ParseBool(text); err != nil {
			return errors.New("neither true nor false")
		}
	case *int:
		if *field, err = strconv.Atoi(text); err != nil {
			return errors.New("not a whole number")
		}
	case **int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return errors.New("not a whole number")
		}
		*field = &n
	case *time.Duration:
		if *field, err = time.ParseDuration(text); err != nil {
			return errors.New("not a duration such as 90s")
		}
	case *[]string:
		*field = append(*field, text)
	case *map[string]string:
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return errors.New("not of the form " + p.tag.Get("placeholder"))
		}
		if *field == nil {
			*field = map[string]string{}
		}
		(*field)[key] = value
	default:
		if p.tag.Get("type") == "path" && text != "-" {
			text = expanded(text)
		}
		p.target.SetString(text)
	}
	return nil
}

// expanded returns the whole path of a file; ~ is the home folder.
func expanded(path string) string {
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(path, "~/") {
		return filepath.Join(home, path[2:])
	}
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// take takes the arguments of a command, as soon as its flags are read.
func (l *line) take(c *cobra.Command, words []string) error {
	if l.ShowVersion || l.HelpAll && c.Name() != "help" {
		return pflag.ErrHelp
	}
	var missing []string
	for _, a := range l.arguments[c] {
		n := min(len(words), 1)
		if a.many() {
			n = len(words)
		}
		if n == 0 && a.required {
			missing = append(missing, a.written())
		}
		for _, word := range words[:n] {
			_ = a.Set(word) // of texts
			if all := a.words(); all != nil && !slices.Contains(all, word) {
				return fmt.Errorf(`%s must be one of "%s" but got %q`, a.written(), strings.Join(all, `","`), word)
			}
		}
		words = words[n:]
	}
	switch {
	case len(words) > 0:
		return unexpected(c, words[0])
	case len(missing) > 1:
		return fmt.Errorf("%s are missing", strings.Join(missing, " "))
	case len(missing) > 0:
		return fmt.Errorf("%s is missing", missing[0])
	}
	l.std.json, l.std.flags = l.JSON, given{}
	c.Flags().Visit(func(f *pflag.Flag) { l.std.flags[f.Name] = f.Value.String() })
	return nil
}

// environment takes the values of flags that were not given from their variables.
func environment(c *cobra.Command, _ []string) (err error) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		p, _ := f.Value.(*parameter)
		if p == nil || f.Changed || p.tag.Get("env") == "" {
			return
		}
		if text, ok := os.LookupEnv(p.tag.Get("env")); ok {
			if fault := c.Flags().Set(f.Name, text); fault != nil && err == nil {
				err = fmt.Errorf("%w (from $%s)", fault, p.tag.Get("env"))
			}
		}
	})
	return err
}

// unexpected is the fault of a word that is no command below.
func unexpected(c *cobra.Command, word string) error {
	return fmt.Errorf("unexpected argument %s%s", word, meant(c, word))
}

// flagFault adds to pflag's error of a flag that is not known those that are near.
func flagFault(c *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	names := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra has suggestions for commands alone
	c.Flags().VisitAll(func(f *pflag.Flag) {
		names.AddCommand(&cobra.Command{Use: "--" + f.Name, Run: func(*cobra.Command, []string) {}})
	})
	return fmt.Errorf("%w%s", err, meant(names, "--"+unknown.GetSpecifiedName()))
}

// meant asks if a word that is not known is a command that is near.
func meant(c *cobra.Command, word string) string {
	if near := c.SuggestionsFor(word); len(near) > 0 {
		return `, did you mean "` + strings.Join(near, `" or "`) + `"?`
	}
	return ""
}
