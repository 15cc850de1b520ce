package main

import (
	"errors"
	"fmt"
)

// The forums of the guide: users who are active in a month, their activities, and reads.
var examples = []forum{
	{Users: 1_000, Activities: 300_000, Reads: 3_000_000},
	{Users: 100_000, Activities: 10_000_000, Reads: 100_000_000},
	{Users: 1_000_000, Activities: 100_000_000, Reads: 1_000_000_000},
}

var errCDN = errors.New("-kept is from 0 to 100, and -waf requires -cdn")

// cost prints what a forum costs in AWS in a month, from public prices and from what was
// measured; without flags the table in docs/costs.md.
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
