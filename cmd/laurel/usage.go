package main

import (
	"fmt"
	"go/doc/comment"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"laurel/shared/run/app"
)

// everyFlag is the flag that has help show the flags of settings, too.
const everyFlag = "--help-all"

// asHelp turns "help import", and an empty command line, into the flag.
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

// showHelp writes the help of a command. An operator's command shows its own flags and those that name the stores,
// and with every the rest.
func showHelp(out io.Writer, c *command, every bool) error {
	whole := []string{"", "serve", "dev", "token"} // the settings are their own flags
	every = every || slices.Contains(whole, c.name)
	p := &sheet{width: min(widthOf(out), 110)}
	called := strings.TrimSpace("laurel " + c.name)
	p.print("", "Usage: "+called+summary(c))
	p.paragraphs(c.line)
	p.paragraphs(c.text)
	var rows [][2]string
	for _, a := range c.arguments {
		rows = append(rows, [2]string{a.written(), a.help})
	}
	p.section("Arguments:", rows)
	rows = nil
	for _, child := range c.below {
		rows = append(rows, [2]string{child.name, child.line})
	}
	p.section("Commands:", rows)
	hidden := p.flags(c, every)
	if c.above == nil {
		p.print("", "", `Run "laurel <command> --help" for more information on a command.`)
	}
	if hidden {
		p.print("", "", called+" "+everyFlag+" shows the settings of the forum and its periods, too.")
	}
	_, err := io.WriteString(out, p.text.String())
	return err
}

// summary returns the words after a command's name.
func summary(c *command) string {
	var out strings.Builder
	optional := 0
	for _, flag := range slices.Concat(c.allFlags()...) {
		if flag.required {
			out.WriteString(" " + flag.written())
		}
	}
	for _, a := range c.arguments {
		written := a.written()
		if !a.required {
			optional++
			written = strings.TrimSuffix(written, "]")
		}
		out.WriteString(" " + written)
	}
	out.WriteString(strings.Repeat("]", optional))
	if len(c.below) > 0 {
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
func (p *sheet) flags(c *command, every bool) (hidden bool) {
	var titles []string
	groups := map[string][][2]string{}
	for _, level := range c.allFlags() {
		begun := map[string]bool{}
		for _, flag := range level {
			title := flag.tag.Get("group")
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
			written := flag.written()
			switch {
			case flag.short != "":
				written = flag.short + ", " + written
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
func helpOf(p *parameter) string {
	if p.tag.Get("env") == "" {
		return p.help
	}
	variable := " ($" + p.tag.Get("env") + ")"
	if text, one := strings.CutSuffix(p.help, "."); one && !strings.HasSuffix(text, ".") {
		return text + variable + "."
	}
	return p.help + variable
}

// usage returns the text of a fault of the command line: the fault, and the help with the remedy.
func usage(c *command, err error) string {
	if c.above == nil {
		return err.Error() + "\nlaurel help lists the commands"
	}
	return err.Error() + "\nlaurel help " + c.name + " shows its arguments and flags"
}
