package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"laurel/shared/run/app"
)

// everyFlag is the flag that has help show the flags of settings, too.
const everyFlag = "--help-all"

// asHelp turns "help import", and an empty command line, into the parser's flag.
func asHelp(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		args = append(args[1:len(args):len(args)], "--help")
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == everyFlag {
			args[i] = "--help"
		}
	}
	return args
}

// ofSettings are the groups of flags that an operator seldom gives: a server, a folder and a function have them.
var ofSettings = []string{app.Forum.String(), app.Schedule.String()}

// showHelp returns a printer of help. An operator's command shows its own flags and those that name the stores, and
// with --help-all the rest.
func showHelp(args *[]string) kong.HelpPrinter {
	return func(options kong.HelpOptions, line *kong.Context) error {
		hidden := false
		whole := []string{"serve", "dev", "token"} // the settings are their own flags
		command := line.Selected()
		if command != nil && !slices.Contains(*args, everyFlag) && !slices.Contains(whole, command.Name) {
			for _, flag := range command.Flags {
				if flag.Group != nil && slices.Contains(ofSettings, flag.Group.Key) {
					flag.Hidden, hidden = true, true
				}
			}
		}
		if err := kong.DefaultHelpPrinter(options, line); err != nil || !hidden {
			return err
		}
		_, err := fmt.Fprintf(line.Stdout, "\n%s %s shows the settings of the forum and its periods, too.\n",
			line.Selected().FullPath(), everyFlag)
		return err
	}
}

// helpOf returns the help of a flag with its variable. Its last point stays where it is one of three.
func helpOf(v *kong.Value) string {
	if v.Tag == nil || len(v.Tag.Envs) == 0 {
		return v.Help
	}
	variable := " ($" + strings.Join(v.Tag.Envs, ", $") + ")"
	if text, one := strings.CutSuffix(v.Help, "."); one && !strings.HasSuffix(text, ".") {
		return text + variable + "."
	}
	return v.Help + variable
}

// The parser's own words for missing parts of a line.
var (
	valueMissing   = regexp.MustCompile(`^(--[a-z-]+): expected .* but got "EOL"`)
	commandMissing = regexp.MustCompile(`^expected (?:one of )?("[^<].*)$`)
	wordMissing    = regexp.MustCompile(`^expected "(<.*>)"$`)
)

// usage returns the text of a fault of the command line: the fault, and the help with the remedy.
func usage(err error) string {
	text := err.Error()
	if m := valueMissing.FindStringSubmatch(text); m != nil {
		text = m[1] + " has no value after it"
	} else if m := wordMissing.FindStringSubmatch(text); m != nil {
		text = m[1] + " is missing"
		if strings.Contains(m[1], " ") {
			text = m[1] + " are missing"
		}
	} else if m := commandMissing.FindStringSubmatch(text); m != nil {
		text = "a command is missing here: " + strings.ReplaceAll(m[1], `"`, "")
	}
	var named []string
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok && wrong.Context != nil {
		for _, part := range wrong.Context.Path {
			if part.Command != nil {
				named = append(named, part.Command.Name)
			}
		}
	}
	if len(named) == 0 {
		return text + "\nlaurel help lists the commands"
	}
	return text + "\nlaurel help " + strings.Join(named, " ") + " shows its arguments and flags"
}
