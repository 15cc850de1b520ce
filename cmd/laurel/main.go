// Command laurel is Laurel for people and for CI: a development server, the
// import of history, the nightly run, the audit. `laurel help` is its manual.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
	_ "time/tzdata" // zones are known on machines without a database of them

	"github.com/spf13/cobra"
	_ "golang.org/x/crypto/x509roots/fallback" // certificates of authorities are known in an image of nothing else

	"laurel/shared/run/app"
	"laurel/shared/run/operate"
	"laurel/shared/store/table"
	"laurel/shared/store/table/embedded"
	"laurel/shared/store/view"
)

func main() { program(pace{}) }

// program is the process.
func program(p pace) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, pace: p}))
}

// exitUsage is the exit code if the command line or the environment is at fault, beside those of exitError.
const exitUsage = 2

// streams are the standard ones.
type streams struct {
	in       io.Reader
	out, err io.Writer
	json     bool // results are objects for programs
	flags    given
	pace     pace
}

// A pace has the waits, by the real clock; zero is the usual wait. Tests cannot wait.
type pace struct {
	step time.Duration // between the steps of a night
	tick time.Duration // between the ticks of a server
	fill time.Duration // of a slice of a server's fill

	slice func(context.Context) // before each further slice of a fill
}

// show writes a result: text, or with --json an object in a line of its own.
func (s streams) show(object any, text string) error {
	if !s.json {
		_, err := io.WriteString(s.out, text)
		return err
	}
	out := json.NewEncoder(s.out)
	out.SetEscapeHTML(false)
	return out.Encode(object)
}

// newLine returns laurel with its subcommands, in the order in which help lists them, with the settings of each.
func newLine(std streams) *line {
	l := &line{std: std, manual: readManual(manualText), arguments: map[*cobra.Command][]*parameter{}}
	cobra.EnableCommandSorting = false
	root := l.command(nil, "laurel", &l.rootFlags)
	l.root = root
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetFlagErrorFunc(flagFault)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if l.ShowVersion {
			_, l.outcome = fmt.Fprintln(std.out, thisVersion())
			return
		}
		l.outcome = l.showHelp(c)
	})
	further := furtherCommands()
	named := func(name string, fields any) *cobra.Command {
		if fields == nil {
			return nil
		}
		return l.command(root, name, fields)
	}
	o := operatorFlags{settingFlags: flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule)}
	dev := flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule, app.Access)
	named("dev", &devCommand{settingFlags: dev})
	named("serve", further["serve"])
	named("import", &importCommand{operatorFlags: o}).MarkFlagsMutuallyExclusive("finish", "give-up")
	named("pull", further["pull"])
	named("compare", further["compare"])
	named("archive", &operated[*operate.Archive]{operatorFlags: o})
	named("reopen", &operated[*operate.Reopen]{operatorFlags: o})
	named("repair", &repairCommand{operated: operated[*operate.Repair]{operatorFlags: o}})
	named("audit", &operated[*operate.Audit]{operatorFlags: o})
	named("rules", &rulesCommand{tryCommand{operated: operated[*operate.Try]{operatorFlags: o}}})
	named("export", &operated[*operate.Export]{operatorFlags: o})
	named("erase", &operated[*operate.Erase]{operatorFlags: o})
	named("award", &operated[*operate.Award]{operatorFlags: o})
	named("exclude", &operated[*operate.Exclude]{operatorFlags: o})
	named("hide", &operated[*operate.Hide]{operatorFlags: o})
	named("show", &operated[*operate.Show]{operatorFlags: o})
	named("void", &operated[*operate.Void]{operatorFlags: o})
	named("merge", &operated[*operate.Merge]{operatorFlags: o})
	named("log", &operated[*operate.Log]{operatorFlags: o})
	named("fair", &operated[*operate.Fair]{operatorFlags: o})
	named("events", &operated[*operate.Events]{operatorFlags: o})
	named("pair", &pairCommand{operated: operated[*operate.Pair]{operatorFlags: o}})
	named("doctor", &doctorCommand{})
	named("vectors", &vectorsCommand{})
	named("settings", &settingsCommand{})
	named("token", &tokenCommand{settingFlags: flagsOf(app.Clock)})
	named("version", &versionCommand{})
	named("completion", &completionCommand{root: root})
	help := named("help", &helpCommand{line: l})
	for _, c := range root.Commands() {
		help.ValidArgs = append(help.ValidArgs, c.Name())
	}
	root.SetHelpCommand(help)
	return l
}

// run is the whole command: it returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	if len(args) == 0 {
		args = []string{"--help"}
	}
	l := newLine(std)
	l.root.SetArgs(args)
	c, err := l.root.ExecuteContextC(ctx)
	if err != nil {
		_, _ = fmt.Fprintf(std.err, "laurel: %s\n", usage(c, err))
		return exitUsage
	}
	return exitOf(std, l.outcome)
}

// exitOf writes an error, and returns the exit code.
func exitOf(std streams, err error) int {
	if told, ok := errors.AsType[exitError](err); ok || err == nil {
		return int(told)
	}
	_, _ = fmt.Fprintf(std.err, "laurel: %v%s\n", err, hint(err))
	if errors.Is(err, operate.ErrUsage) {
		return exitUsage
	}
	return int(errFound)
}

// An exitError is the exit code of a command that has already shown the reason.
type exitError int

// The outcomes that commands have shown.
const (
	errFound   exitError = 1 // a difference or a failed command
	errDropped exitError = 3 // rows of an import, all others of which were loaded
)

func (exitError) Error() string { return "the reason was shown" }

// hint returns the command that helps if a store is refused.
func hint(err error) string {
	among := func(kinds ...error) bool {
		return slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(err, kind) })
	}
	switch {
	case among(embedded.ErrInUse):
		return "\nlaurel serve or laurel dev has the folder: stop it first (systemctl stop laurel), or name another --data"
	case among(syscall.ENOSPC):
		return "\nfree space on the disk; answered reports are kept"
	case among(embedded.ErrDamaged): // its text has the remedy
		return ""
	case among(table.ErrUnavailable, view.ErrUnavailable, view.ErrFilling, view.ErrFull):
		return "\nlaurel repair finds faults of the stores, and mends those that it can"
	}
	return ""
}
