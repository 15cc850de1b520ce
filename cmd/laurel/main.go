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

	"github.com/redis/go-redis/v9/logging"
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
	logging.Disable() // of Redis: its logged errors are returned, too
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

// rootFlags are those of all commands.
type rootFlags struct {
	Help        bool `short:"-h"`
	JSON        bool
	ShowVersion bool `name:"version"`
}

// commands are laurel with its subcommands, in the order in which help lists them, with the settings that each reads.
func commands(all *rootFlags) *command {
	root := newCommand(nil, "", all)
	further := furtherCommands()
	named := func(name string, fields any) {
		if fields != nil {
			root.below = append(root.below, newCommand(root, name, fields))
		}
	}
	o := operatorFlags{settingFlags: flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule)}
	dev := flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule, app.Access)
	named("dev", &devCommand{settingFlags: dev})
	named("serve", further["serve"])
	named("import", &importCommand{operatorFlags: o})
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
	named("completion", &completionCommand{})
	named("help", &helpCommand{})
	return root
}

// run is the whole command: it returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	var all rootFlags
	root := commands(&all)
	chapters := readManual(manualText)
	describe(chapters, root, "laurel", chapters["several commands"])
	if text, asked := lineAtCursor(); asked {
		for _, word := range root.proposals(text) {
			_, _ = fmt.Fprintln(std.out, word)
		}
		return 0
	}
	line, err := readLine(root, asHelp(args))
	switch {
	case err != nil:
	case all.Help:
		return exitOf(std, showHelp(std.out, line.command, slices.Contains(args, everyFlag)))
	case all.ShowVersion:
		_, err := fmt.Fprintln(std.out, thisVersion())
		return exitOf(std, err)
	default:
		err = line.complete()
	}
	if err != nil {
		_, _ = fmt.Fprintf(std.err, "laurel: %s\n", usage(line.command, err))
		return exitUsage
	}
	std.json, std.flags = all.JSON, line.given
	return exitOf(std, line.command.does.Run(ctx, std))
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
