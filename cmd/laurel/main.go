// Command laurel is Laurel for people and for CI: a development server, the
// import of history, the nightly run, the audit. `laurel help` is its manual.
package main

import (
	"context"
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

func main() {
	redis.SetLogger(quiet{}) // what it logs comes back as an error, too
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
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
	pace     pace
}

// A pace is how long is waited, by the real clock; zero: as long as is right. Tests cannot wait.
type pace struct {
	step time.Duration // between the steps of a night
	tick time.Duration // between the ticks of a server
}

// commands are the subcommands, in the order in which help lists them.
type commands struct {
	Dev     devCommand     `cmd:"" help:"Run everything in one process: nothing has to be installed."`
	Serve   serveCommand   `cmd:"" help:"Serve a forum from a server of one's own, behind a proxy."`
	Import  importCommand  `cmd:"" help:"Load history from CSV or JSON lines, plain or gzip."`
	Pull    pullCommand    `cmd:"" help:"Report what a forum's own tables or API say; for a timer beside the forum."`
	Archive archiveCommand `cmd:"" help:"Make one nightly run: what is due becomes final."`
	Reopen  reopenCommand  `cmd:"" help:"Make a final period live again until the next nightly run."`
	Rebuild rebuildCommand `cmd:"" help:"Fill a Redis that was emptied, from the table."`
	Recover recoverCommand `cmd:"" help:"Look what is wrong with the stores, and do what can be done about it."`
	Audit   auditCommand   `cmd:"" help:"Hold every live board against the ledgers that it follows from."`
	Export  exportCommand  `cmd:"" help:"Write all that is kept of a user, as JSON."`
	Erase   eraseCommand   `cmd:"" help:"Erase a user everywhere."`
	Doctor  doctorCommand  `cmd:"" help:"Look at a running Laurel from outside, and say what is wrong."`
	Token   tokenCommand   `cmd:"" help:"Sign a token of a user or the forum's backend."`
	Version versionCommand `cmd:"" help:"Say which Laurel this is."`

	Completion completionCommand `cmd:"" help:"Print what bash, zsh or fish needs to complete commands."`
	Help       helpCommand       `cmd:"" help:"This list, or what a command takes: laurel help import."`

	JSON        bool             `help:"Print the result as JSON: an object in a line."`
	ShowVersion kong.VersionFlag `name:"version" help:"Say which Laurel this is."`
}

// newCommands returns the commands with the settings that each of them reads.
func newCommands() *commands {
	return &commands{
		Dev:     devCommand{settingFlags: flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule, app.Access)},
		Serve:   serveCommand{settingFlags: flagsOf(app.Serving, app.Forum, app.Store, app.Place, app.Schedule, app.Access)},
		Token:   tokenCommand{settingFlags: flagsOf(app.Clock)},
		Import:  importCommand{operatorFlags: operators(flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule))},
		Archive: archiveCommand{operatorFlags: operators(flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule))},
		Reopen:  reopenCommand{operatorFlags: operators(flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule))},
		Rebuild: rebuildCommand{operatorFlags: operators(flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule))},
		Recover: recoverCommand{operatorFlags: operators(flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule))},
		Audit:   auditCommand{operatorFlags: operators(flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule))},
		Export:  exportCommand{operatorFlags: operators(flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule))},
		Erase:   eraseCommand{operatorFlags: operators(flagsOf(app.Forum, app.Clock, app.Store, app.Place, app.Schedule))},
	}
}

// errUsage is wrapped by the errors that are the caller's to mend.
var errUsage = operate.ErrUsage

// usageError marks an error as the caller's to mend, without changing its text.
type usageError struct{ error }

func (usageError) Is(target error) bool { return target == errUsage }

// run is the whole command: it returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	all := newCommands()
	command, code, done := parse(all, args, std)
	if done {
		return code
	}
	std.json = all.JSON
	command.BindTo(ctx, (*context.Context)(nil))
	command.Bind(std)
	command.Bind(givenOn(command))
	err := command.Run()
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFound): // it has said what
		return exitFound
	case errors.Is(err, errDropped): // it has said which
		return exitDrops
	case errors.Is(err, errUsage):
		_, _ = fmt.Fprintf(std.err, "laurel: %v\n", err)
		return exitUsage
	default:
		_, _ = fmt.Fprintf(std.err, "laurel: %v%s\n", err, hint(err))
		return exitFound
	}
}

// hint says what helps where a store is refused.
func hint(err error) string {
	switch {
	case errors.Is(err, embedded.ErrInUse):
		return ""
	case errors.Is(err, table.ErrUnavailable), errors.Is(err, view.ErrUnavailable), errors.Is(err, view.ErrFilling),
		errors.Is(err, view.ErrFull):
		return "\nlaurel recover says what is wrong with the stores, and does what can be done"
	default:
		return ""
	}
}

// errFound is the error of a command that has told already what is wrong.
var errFound = errors.New("something was found")

// errDropped is the error of an import that has told which rows it has dropped.
var errDropped = errors.New("rows were dropped")

// exited is thrown by the parser where it would end the process.
type exited int

// parse reads the command line. It is done when that was all: help was asked for,
// or the line is wrong.
func parse(all *commands, args []string, std streams) (command *kong.Context, code int, done bool) {
	defer func() {
		if thrown := recover(); thrown != nil {
			exit, ours := thrown.(exited)
			if !ours {
				panic(thrown)
			}
			code, done = int(exit), true
		}
	}()
	parser, err := kong.New(all,
		kong.Name("laurel"),
		kong.Description("Leaderboards for forums. Flags can be set by the environment too; both are listed."),
		kong.Vars{"version": thisVersion().String()},
		kong.Writers(std.out, std.err),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, FlagsLast: true, WrapUpperBound: 110}),
	)
	if err != nil {
		panic(err) // the structs above are wrong
	}
	completeLine(parser)
	command, err = parser.Parse(asHelp(args))
	if err != nil {
		_, _ = fmt.Fprintf(std.err, "laurel: %v\nlaurel help lists the commands and their flags\n", err)
		return nil, exitUsage, true
	}
	return command, 0, false
}

// asHelp makes "help import" and nothing at all what the parser knows: a flag.
func asHelp(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(args[1:len(args):len(args)], "--help")
	default:
		return args
	}
}

// helpCommand is for the list of commands; asHelp comes before it.
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command." predictor:"command"`
}
