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
)

// A runner is a command that does something itself.
type runner interface {
	Run(ctx context.Context, std streams) error
}

// A command is a word of the line, with its flags and arguments: the fields of a struct.
type command struct {
	name       string // with those above it, such as pull answer
	line, text string // in help
	above      *command
	flags      []*parameter
	arguments  []*parameter
	below      []*command
	does       runner // nil: only those below do something
}

// A parameter is a flag or an argument: a field, described by its tag.
type parameter struct {
	name, short string
	help        string
	tag         reflect.StructTag
	argument    bool
	required    bool
	set         bool // by the line, the environment or its default
	target      reflect.Value
}

// newCommand makes a command from a pointer to a struct, which is a runner if the command does something.
func newCommand(above *command, name string, fields any) *command {
	c := &command{name: name, above: above}
	if above != nil {
		c.name = strings.TrimSpace(above.name + " " + name)
	}
	c.does, _ = fields.(runner)
	c.add(reflect.ValueOf(fields).Elem())
	return c
}

// add reads the fields of a struct; those of embedded ones are its own.
func (c *command) add(fields reflect.Value) {
	for i := range fields.NumField() {
		field, value := fields.Type().Field(i), fields.Field(i)
		has := func(key string) bool {
			_, ok := field.Tag.Lookup(key)
			return ok
		}
		name := field.Tag.Get("name")
		if name == "" {
			name = dashed(field.Name)
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
			c.add(value)
		case !field.IsExported():
		case has("cmd"):
			c.below = append(c.below, newCommand(c, name, value.Addr().Interface()))
		case has("arg"):
			c.arguments = append(c.arguments, &parameter{
				name: name, tag: field.Tag, argument: true, required: !has("optional"), target: value,
			})
		default:
			c.flags = append(c.flags, &parameter{
				name: "--" + name, short: field.Tag.Get("short"), tag: field.Tag, required: has("required"), target: value,
			})
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

// allFlags are those of the commands above a command, and its own.
func (c *command) allFlags() (levels [][]*parameter) {
	if c.above != nil {
		levels = c.above.allFlags()
	}
	return append(levels, c.flags)
}

// flag finds a flag as it is written.
func (c *command) flag(written string) *parameter {
	for _, f := range slices.Concat(c.allFlags()...) {
		if f.name == written || f.short != "" && f.short == written {
			return f
		}
	}
	return nil
}

// word returns the last word of a command's name.
func (c *command) word() string { return c.name[strings.LastIndexByte(c.name, ' ')+1:] }

// child finds the command below, by its word.
func (c *command) child(word string) *command {
	i := slices.IndexFunc(c.below, func(b *command) bool { return b.word() == word })
	if i < 0 {
		return nil
	}
	return c.below[i]
}

// bare says that a flag needs no value.
func (p *parameter) bare() bool {
	return p.target.Kind() == reflect.Bool || p.target.Type() == reflect.TypeFor[toggle]()
}

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
		return p.name
	}
	if placeholder := p.tag.Get("placeholder"); placeholder != "" {
		return p.name + "=" + placeholder
	}
	return p.name + "=STRING"
}

// take sets a parameter.
func (p *parameter) take(text string) error {
	p.set = true
	fault := func(kind string) error { return fmt.Errorf("%s: expected %s but got %q", p.name, kind, text) }
	switch field := p.target.Addr().Interface().(type) {
	case *bool:
		switch strings.ToLower(text) {
		case "true", "1", "yes":
			*field = true
		case "false", "0", "no":
			*field = false
		default:
			return fault("true or false")
		}
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fault("a whole number")
		}
		*field = n
	case **int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fault("a whole number")
		}
		*field = &n
	case *time.Duration:
		d, err := time.ParseDuration(text)
		if err != nil {
			return fault("a duration such as 90s")
		}
		*field = d
	case *[]string:
		*field = append(*field, text)
	case *map[string]string:
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return fault(p.tag.Get("placeholder"))
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

// A line has the command that was read, and the texts of the flags that were given.
type line struct {
	command *command
	given   given
	words   int // arguments
}

// readLine reads the words of a line into the fields of a command. The line is as far as it was read.
func readLine(root *command, args []string) (*line, error) {
	l := &line{command: root, given: given{}}
	for only := false; len(args) > 0; {
		word := args[0]
		args = args[1:]
		switch {
		case !only && word == "--":
			only = true
		case only || word == "-" || !strings.HasPrefix(word, "-"):
			if err := l.argument(word); err != nil {
				return l, err
			}
		default:
			rest, err := l.flag(word, args)
			if err != nil {
				return l, err
			}
			args = rest
		}
	}
	return l, nil
}

// flag takes a flag, and the word after it if that is its value.
func (l *line) flag(word string, rest []string) ([]string, error) {
	name, text, ok := strings.Cut(word, "=")
	flag := l.command.flag(name)
	switch {
	case flag == nil:
		var names []string
		for _, f := range slices.Concat(l.command.allFlags()...) {
			names = append(names, f.name)
		}
		return nil, fmt.Errorf("unknown flag %s%s", name, meant(name, names))
	case ok:
	case flag.bare():
		text = "true"
	case len(rest) == 0:
		return nil, fmt.Errorf("%s has no value after it", name)
	case strings.HasPrefix(rest[0], "-") && rest[0] != "-":
		return nil, fmt.Errorf("%s has no value after it; perhaps try %s=%q?", name, name, rest[0])
	default:
		text, rest = rest[0], rest[1:]
	}
	if err := flag.take(text); err != nil {
		return nil, err
	}
	if flag.target.Kind() == reflect.String {
		text = flag.target.String()
	}
	l.given[strings.TrimPrefix(flag.name, "--")] = text
	return rest, nil
}

// argument takes an argument, or the name of a command below.
func (l *line) argument(word string) error {
	if all := l.command.arguments; l.words < len(all) {
		if !all[l.words].many() {
			l.words++
			return all[l.words-1].take(word)
		}
		return all[l.words].take(word)
	}
	if child := l.command.child(word); child != nil {
		l.command = child
		return nil
	}
	var names []string
	for _, child := range l.command.below {
		names = append(names, child.word())
	}
	return fmt.Errorf("unexpected argument %s%s", word, meant(word, names))
}

// complete takes further values from the environment, or else the default, and finds parts that are missing.
func (l *line) complete() error {
	var missing []string
	flags := slices.Concat(l.command.allFlags()...)
	for _, flag := range flags {
		if env := flag.tag.Get("env"); env != "" && !flag.set {
			if text, ok := os.LookupEnv(env); ok {
				if err := flag.take(text); err != nil {
					return fmt.Errorf("%w (from $%s)", err, env)
				}
			}
		}
		if text := flag.tag.Get("default"); text != "" && !flag.set {
			if err := flag.take(text); err != nil {
				panic(err) // the tag is wrong
			}
		}
		if flag.required && !flag.set {
			missing = append(missing, flag.written())
		}
	}
	for _, a := range l.command.arguments {
		if words := a.words(); a.set && words != nil && !slices.Contains(words, a.target.String()) {
			return fmt.Errorf(`%s must be one of "%s" but got %q`, a.written(), strings.Join(words, `","`), a.target)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return fmt.Errorf("missing flags: %s", strings.Join(missing, ", "))
	}
	if err := l.commandMissing(); err != nil {
		return err
	}
	return together(flags)
}

// commandMissing finds arguments that are missing, or a command.
func (l *line) commandMissing() error {
	var missing []string
	for _, a := range l.command.arguments {
		if a.required && !a.set {
			missing = append(missing, a.written())
		}
	}
	switch {
	case len(missing) > 1:
		return fmt.Errorf("%s are missing", strings.Join(missing, " "))
	case len(missing) > 0:
		return fmt.Errorf("%s is missing", missing[0])
	case l.command.does != nil:
		return nil
	}
	for _, child := range l.command.below {
		missing = append(missing, child.word())
	}
	if len(missing) > 5 {
		missing = append(missing[:5], "...")
	}
	return errors.New("a command is missing here: " + strings.Join(missing, ", "))
}

// together finds flags of which only one may be given.
func together(flags []*parameter) error {
	seen := map[string]string{}
	for _, flag := range flags {
		one := flag.tag.Get("xor")
		if one == "" || !flag.set {
			continue
		}
		if seen[one] != "" {
			return fmt.Errorf("%s and %s can't be used together", seen[one], flag.name)
		}
		seen[one] = flag.name
	}
	return nil
}

// meant asks if a word that is not known is one of those that begin with it, or differ by two letters.
func meant(word string, all []string) string {
	var near []string
	for _, one := range all {
		if strings.HasPrefix(one, word) || distance(one, word) <= 2 {
			near = append(near, strconv.Quote(one))
		}
	}
	switch len(near) {
	case 0:
		return ""
	case 1:
		return ", did you mean " + near[0] + "?"
	default:
		return ", did you mean one of " + strings.Join(near, ", ") + "?"
	}
}

// distance is Levenshtein's, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := corner
			if a[i] != b[j] {
				changed++
			}
			corner = row[j+1]
			row[j+1] = min(changed, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}
