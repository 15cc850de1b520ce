// Command bench answers four questions about Laurel:
//
//	go run ./internal/bench simulate  the front page on days of a busy site (docs/articles.md)
//	go run ./internal/bench cost      the cost of a forum in AWS in a month (docs/costs.md)
//	go run ./internal/bench load      which part of a stack in AWS ends first as load grows (docs/costs.md)
//	go run ./internal/bench hostile   how long readers wait beside many standings and slow readers
//
// Its tests measure the size of a user in Redis and in the table (make bench), and its benchmarks the cost of a
// request in two versions (make bench-http) and beside other leaderboards (make bench-peers).
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
	do := map[string]func(invocation) error{"simulate": simulate, "cost": cost, "load": loads, "hostile": hostile}[name]
	if do == nil {
		return errors.New("usage: bench cost|hostile|load|simulate [flags]")
	}
	flags := flag.NewFlagSet("bench "+name, flag.ContinueOnError)
	flags.SetOutput(notes)
	return do(invocation{flags, args[1:], out})
}

// The forums of the guide: users who are active in a month, their activities, and reads.
var examples = []forum{
	{Users: 1_000, Activities: 300_000, Reads: 3_000_000},
	{Users: 100_000, Activities: 10_000_000, Reads: 100_000_000},
	{Users: 1_000_000, Activities: 100_000_000, Reads: 1_000_000_000},
}

var errCDN = errors.New("-kept is from 0 to 100, and -waf requires -cdn")

// cost prints the monthly cost of a forum in AWS, from public prices and from measurements;
// without flags the table in docs/costs.md.
func cost(c invocation) error {
	f := forum{Batch: 1}
	c.Int64Var(&f.Users, "users", 0, "`users` who are active in a month")
	c.Int64Var(&f.Activities, "activities", 0, "`activities` a month")
	c.Int64Var(&f.Reads, "reads", 0, "`reads` a month")
	c.Int64Var(&f.Batch, "batch", 1, "`activities` that a request reports")
	c.BoolVar(&f.Queued, "queue", false, "the backend sends them to the queue")
	c.BoolVar(&f.CDN, "cdn", false, "a CDN is before the API")
	c.Int64Var(&f.Kept, "kept", keptReads, "`percent` of the reads that the CDN answers")
	c.BoolVar(&f.WAF, "waf", false, "the CDN has a rate rule")
	c.BoolVar(&f.Balancer, "alb", false, "reads pass a load balancer")
	c.BoolVar(&f.Tasks, "tasks", false, "two tasks of laurel serve on Fargate instead of functions")
	if err := c.parse(); err != nil {
		return err
	}
	if f.Users < 0 || f.Activities < 0 || f.Reads < 0 || f.Batch < 1 || f.Batch > maxBatch {
		return fmt.Errorf("no number is below 0, and -batch is from 1 to %d", maxBatch)
	}
	if f.Kept < 0 || f.Kept > percent || f.WAF && !f.CDN {
		return errCDN
	}
	forums := []forum{f}
	if c.NFlag() == 0 {
		forums = examples
	}
	return writeBill(c.out, forums)
}
