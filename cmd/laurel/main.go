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
	"syscall"
	"time"
	_ "time/tzdata" // zones are known on machines without a database of them

	"github.com/alecthomas/kong"
	"github.com/redis/go-redis/v9"
	_ "golang.org/x/crypto/x509roots/fallback" // certificates of authorities are known in an image of nothing else

	"laurel/shared/app"
	"laurel/shared/operate"
	"laurel/shared/table"
	"laurel/shared/table/embedded"
	"laurel/shared/view"
)

func main() { program(pace{}) }

// program is the process.
func program(p pace) {
	redis.SetLogger(quiet{}) // what it logs comes back as an error, too
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, pace: p}))
}

// quiet is a logger that logs nothing.
type quiet struct{}

// Printf logs nothing.
func (quiet) Printf(context.Context, string, ...any) {}

// Exit codes.
const (
	exitDone  = 0
	exitFound = 1 // it failed, or found what should not be
	exitUsage = 2 // the command line or the environment is at fault
	exitDrops = 3 // all was loaded but rows that were dropped
)

// streams are the standard ones.
type streams struct {
	in       io.Reader
	out, err io.Writer
	json     bool // results are objects for programs
	flags    given
	pace     pace
}

// A pace is how long is waited, by the real clock; zero: as long as is right. Tests cannot wait.
type pace struct {
	step time.Duration // between the steps of a night
	tick time.Duration // between the ticks of a server
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

// commands are the subcommands, in the order in which help lists them.
type commands struct {
	Dev      devCommand                 `cmd:""`
	Serve    serveCommand               `cmd:""`
	Import   importCommand              `cmd:""`
	Pull     pullCommand                `cmd:""`
	Compare  compareCommand             `cmd:""`
	Archive  operated[*operate.Archive] `cmd:""`
	Reopen   operated[*operate.Reopen]  `cmd:""`
	Rebuild  rebuildCommand             `cmd:""`
	Recover  recoverCommand             `cmd:""`
	Audit    operated[*operate.Audit]   `cmd:""`
	Rules    rulesCommand               `cmd:""`
	Export   operated[*operate.Export]  `cmd:""`
	Erase    operated[*operate.Erase]   `cmd:""`
	Events   operated[*operate.Events]  `cmd:""`
	Pair     pairCommand                `cmd:""`
	Doctor   doctorCommand              `cmd:""`
	Settings settingsCommand            `cmd:""`
	Token    tokenCommand               `cmd:""`
	Version  versionCommand             `cmd:""`

	Completion completionCommand `cmd:""`
	Help       helpCommand       `cmd:""`

	JSON        bool
	ShowVersion kong.VersionFlag `name:"version"`
}

// newCommands returns the commands with the settings that each of them reads.
func newCommands() *commands {
	o := operatorFlags{settingFlags: flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule)}
	return &commands{
		Dev:     devCommand{settingFlags: flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule, app.Access)},
		Serve:   serveCommand{settingFlags: flagsOf(app.ServeGroups()...)},
		Token:   tokenCommand{settingFlags: flagsOf(app.Clock)},
		Import:  importCommand{operatorFlags: o},
		Archive: operated[*operate.Archive]{operatorFlags: o},
		Reopen:  operated[*operate.Reopen]{operatorFlags: o},
		Rebuild: rebuildCommand{operated[*operate.Rebuild]{operatorFlags: o}},
		Recover: recoverCommand{operated: operated[*operate.Recover]{operatorFlags: o}},
		Audit:   operated[*operate.Audit]{operatorFlags: o},
		Rules:   rulesCommand{Try: tryCommand{operated: operated[*operate.Try]{operatorFlags: o}}},
		Export:  operated[*operate.Export]{operatorFlags: o},
		Erase:   operated[*operate.Erase]{operatorFlags: o},
		Events:  operated[*operate.Events]{operatorFlags: o},
		Pair:    pairCommand{operated: operated[*operate.Pair]{operatorFlags: o}},
	}
}

// run is the whole command: it returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	all := newCommands()
	parser, err := kong.New(all,
		kong.Name("laurel"),
		kong.Vars{"version": thisVersion().String()},
		kong.Writers(std.out, std.err),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, FlagsLast: true, WrapUpperBound: 110}),
	)
	if err != nil {
		panic(err) // the structs above are wrong
	}
	describe(parser.Model.Node)
	completeLine(parser)
	command, err := parser.Parse(asHelp(args))
	if err != nil {
		_, _ = fmt.Fprintf(std.err, "laurel: %v\nlaurel help lists the commands and their flags\n", err)
		return exitUsage
	}
	std.json, std.flags = all.JSON, givenOn(command)
	command.BindTo(ctx, (*context.Context)(nil))
	command.Bind(std)
	err = command.Run()
	if told, ok := errors.AsType[exitError](err); ok || err == nil {
		return int(told)
	}
	_, _ = fmt.Fprintf(std.err, "laurel: %v%s\n", err, hint(err))
	if errors.Is(err, operate.ErrUsage) {
		return exitUsage
	}
	return exitFound
}

// An exitError is the exit code of a command that has told already what is wrong.
type exitError int

// What commands have told.
const (
	errFound   exitError = exitFound
	errDropped exitError = exitDrops // rows of an import
)

func (exitError) Error() string { return "it has told what is wrong" }

// hint says what helps where a store is refused.
func hint(err error) string {
	for _, of := range []error{table.ErrUnavailable, view.ErrUnavailable, view.ErrFilling, view.ErrFull} {
		if errors.Is(err, of) && !errors.Is(err, embedded.ErrInUse) {
			return "\nlaurel recover says what is wrong with the stores, and does what can be done"
		}
	}
	return ""
}
