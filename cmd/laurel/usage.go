package main

import (
	"fmt"
	"go/doc/comment"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"laurel/shared/run/app"
)

// ofSettings are the groups of flags that an operator seldom gives: a server, a folder and a function have them.
var ofSettings = []string{app.Forum.String(), app.Schedule.String()}

// showHelp writes the help of a command. An operator's command shows its own flags and those that name the stores,
// and with --help-all the rest.
func (l *line) showHelp(c *cobra.Command) error {
	whole := []string{"laurel", "serve", "dev", "token"} // the settings are their own flags
	every := l.HelpAll || slices.Contains(whole, c.Name())
	p := &sheet{width: min(widthOf(l.std.out), 110)}
	p.print("", "Usage: "+c.CommandPath()+l.summary(c))
	p.paragraphs(c.Short)
	p.paragraphs(c.Long)
	var rows [][2]string
	for _, a := range l.arguments[c] {
		rows = append(rows, [2]string{a.written(), l.told(c, "<"+a.name+">")})
	}
	p.section("Arguments:", rows)
	rows = nil
	for _, child := range c.Commands() {
		rows = append(rows, [2]string{chapterOf(child), child.Short})
	}
	p.section("Commands:", rows)
	hidden := p.flags(c, every)
	if !c.HasParent() {
		p.print("", "", `Run "laurel <command> --help" for more information on a command.`)
	}
	if hidden {
		p.print("", "", c.CommandPath()+" --help-all shows the settings of the forum and its periods, too.")
	}
	_, err := io.WriteString(l.std.out, p.text.String())
	return err
}

// levels are the flags of the commands above a command, and its own.
func levels(c *cobra.Command) (all [][]*pflag.Flag) {
	if c.HasParent() {
		all = levels(c.Parent())
	}
	var own []*pflag.Flag
	c.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			own = append(own, f)
		}
	})
	return append(all, own)
}

// about returns the parameter that a flag sets.
func about(f *pflag.Flag) *parameter { return f.Value.(*parameter) }

// summary returns the words after a command's name.
func (l *line) summary(c *cobra.Command) string {
	var out strings.Builder
	optional := 0
	for _, flag := range slices.Concat(levels(c)...) {
		if p := about(flag); p.required {
			out.WriteString(" " + p.written())
		}
	}
	for _, a := range l.arguments[c] {
		written := a.written()
		if !a.required {
			optional++
			written = strings.TrimSuffix(written, "]")
		}
		out.WriteString(" " + written)
	}
	out.WriteString(strings.Repeat("]", optional))
	if c.HasSubCommands() {
		out.WriteString(" <command>")
	}
	return out.String() + " [flags]"
}

// A sheet is text in lines of a width.
type sheet struct {
	text  strings.Builder
	width int
}

func (p *sheet) print(indent string, lines ...string) {
	for _, text := range lines {
		p.text.WriteString(strings.TrimRight(indent+text, " ") + "\n")
	}
}

// wrapped returns the lines of a text; those that are indented stay as they are.
func wrapped(text string, width int) []string {
	reader := comment.Parser{ // words in brackets are no links
		LookupPackage: func(string) (string, bool) { return "", false },
		LookupSym:     func(string, string) bool { return false },
	}
	printer := comment.Printer{TextCodePrefix: "    ", TextWidth: width}
	return strings.Split(strings.TrimRight(string(printer.Text(reader.Parse(text))), "\n"), "\n")
}

func (p *sheet) paragraphs(text string) {
	if text != "" {
		p.print("", "")
		p.print("", wrapped(text, p.width)...)
	}
}

// section prints a title, and rows of two columns under it.
func (p *sheet) section(title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	p.print("", "", title)
	width, left := p.width-2, 0
	most := max(375*width/1000, 30)
	for _, row := range rows {
		if n := len(row[0]); n < most {
			left = max(left, n)
		}
	}
	for _, row := range rows {
		lines := wrapped(row[1], width-left-4)
		first := row[0]
		if len(first) < most {
			first = fmt.Sprintf("%-*s    %s", left, first, lines[0])
			lines = lines[1:]
		}
		p.print("  ", first)
		p.print(strings.Repeat(" ", left+6), lines...)
	}
}

// flags prints the flags of a command in their groups, and says if some are left out.
func (p *sheet) flags(c *cobra.Command, every bool) (hidden bool) {
	var titles []string
	groups := map[string][][2]string{}
	for _, level := range levels(c) {
		begun := map[string]bool{}
		for _, flag := range level {
			title := about(flag).tag.Get("group")
			if !every && slices.Contains(ofSettings, title) {
				hidden = true
				continue
			}
			rows, known := groups[title]
			if !known {
				titles = append(titles, title)
			} else if !begun[title] {
				rows = append(rows, [2]string{})
			}
			begun[title] = true
			written := about(flag).written()
			switch {
			case flag.Shorthand != "":
				written = "-" + flag.Shorthand + ", " + written
			case title == "": // that of --help
				written = "    " + written
			}
			groups[title] = append(rows, [2]string{written, helpOf(flag)})
		}
	}
	for _, title := range titles {
		name := title
		if title == "" {
			name = "Flags:"
		}
		p.section(name, groups[title])
	}
	return hidden
}

// widthOf returns the width of a terminal, which the variable COLUMNS can set.
func widthOf(out io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		return n
	}
	if file, ok := out.(*os.File); ok {
		if n, _, err := term.GetSize(int(file.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 80
}

// helpOf returns the help of a flag with its variable. Its last point stays where it is one of three.
func helpOf(flag *pflag.Flag) string {
	env := about(flag).tag.Get("env")
	if env == "" {
		return flag.Usage
	}
	variable := " ($" + env + ")"
	if text, one := strings.CutSuffix(flag.Usage, "."); one && !strings.HasSuffix(text, ".") {
		return text + variable + "."
	}
	return flag.Usage + variable
}

// usage returns the text of a fault of the command line: the fault, and the help with the remedy.
func usage(c *cobra.Command, err error) string {
	if !c.HasParent() {
		return err.Error() + "\nlaurel help lists the commands"
	}
	return err.Error() + "\nlaurel help " + chapterOf(c) + " shows its arguments and flags"
}
