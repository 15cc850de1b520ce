// Command bench answers two questions about Laurel:
//
//	go run ./internal/bench simulate  the front page on days of a busy site (docs/articles.md)
//	go run ./internal/bench cost      what a forum costs in AWS in a month (docs/costs.md)
//
// Its tests measure what a user takes in Redis and in the table (make bench).
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// An invocation is of a command: its flags, which it declares and then parses, and where
// its figures go.
type invocation struct {
	*flag.FlagSet
	args []string
	out  io.Writer
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
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run runs the command that the first argument names.
func run(args []string, out, notes io.Writer) error {
	name := strings.Join(args[:min(1, len(args))], "")
	do := map[string]func(invocation) error{"simulate": simulate, "cost": cost}[name]
	if do == nil {
		return errors.New("usage: bench cost|simulate [flags]")
	}
	flags := flag.NewFlagSet("bench "+name, flag.ContinueOnError)
	flags.SetOutput(notes)
	return do(invocation{flags, args[1:], out})
}
