// Command bench answers two questions about Laurel:
//
//	go run ./internal/bench simulate  the front page on days of a busy site (docs/articles.md); needs redis-server
//	go run ./internal/bench cost      what a forum costs in AWS in a month (docs/costs.md)
//
// Its tests measure what a user takes in Redis and in the table (make bench), and its benchmark what a request
// costs in two versions (make bench-http).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// commands are the tool's.
var commands = map[string]func(context.Context, invocation) error{
	"simulate": simulate, "cost": cost,
}

// An invocation is of a command: its flags, which it declares and then parses, and where
// its figures and its progress go.
type invocation struct {
	*flag.FlagSet
	args       []string
	out, notes io.Writer
}

// parse reads the flags. Nothing may follow them.
func (c invocation) parse() error {
	if err := c.Parse(c.args); err != nil {
		return err
	}
	if c.NArg() > 0 {
		return fmt.Errorf("unexpected argument %s", c.Arg(0))
	}
	return nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run runs the command that the first argument names.
func run(ctx context.Context, args []string, out, notes io.Writer) error {
	name := strings.Join(args[:min(1, len(args))], "")
	do := commands[name]
	if do == nil {
		return fmt.Errorf("usage: bench %s [flags]", strings.Join(slices.Sorted(maps.Keys(commands)), "|"))
	}
	flags := flag.NewFlagSet("bench "+name, flag.ContinueOnError)
	flags.SetOutput(notes)
	if err := do(ctx, invocation{flags, args[1:], out, notes}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
