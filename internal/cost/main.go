// Command cost prints what a forum costs in AWS in a month, from public prices and from
// what was measured:
//
//	go run ./internal/cost -users 100000 -activities 10000000 -reads 100000000
//
// Without flags it prints the table in docs/deploy.md: three forums, what one doubling of
// each costs, and a million activities more.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

// The forums of the guide: users who are active in a month, their activities, and reads.
var examples = []forum{
	{Users: 1_000, Activities: 300_000, Reads: 3_000_000},
	{Users: 100_000, Activities: 10_000_000, Reads: 100_000_000},
	{Users: 1_000_000, Activities: 100_000_000, Reads: 1_000_000_000},
}

var errCDN = errors.New("-kept is from 0 to 100, and -waf requires -cdn")

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("cost", flag.ContinueOnError)
	f := forum{Batch: 1}
	flags.Int64Var(&f.Users, "users", 0, "`users` who are active in a month")
	flags.Int64Var(&f.Activities, "activities", 0, "`activities` a month")
	flags.Int64Var(&f.Reads, "reads", 0, "`reads` a month")
	flags.Int64Var(&f.Batch, "batch", 1, "`activities` that a request reports")
	flags.BoolVar(&f.Queued, "queue", false, "the backend sends them to the queue")
	flags.BoolVar(&f.CDN, "cdn", false, "a CDN is before the API")
	flags.Int64Var(&f.Kept, "kept", keptReads, "`percent` of the reads that the CDN answers")
	flags.BoolVar(&f.WAF, "waf", false, "the CDN has a rate rule")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if f.Users < 0 || f.Activities < 0 || f.Reads < 0 || f.Batch < 1 || f.Batch > maxBatch {
		return fmt.Errorf("no number is below 0, and -batch is from 1 to %d", maxBatch)
	}
	if f.Kept < 0 || f.Kept > percent || f.WAF && !f.CDN {
		return errCDN
	}
	forums := []forum{f}
	if flags.NFlag() == 0 {
		forums = examples
	}
	return writeTable(out, forums)
}
