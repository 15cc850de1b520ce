package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"laurel/shared/night"
	"laurel/shared/operate"
)

type recoverCommand struct{ operatorFlags }

// Help is what the command's help says beside its flags.
func (recoverCommand) Help() string {
	return `Looks what is wrong with the stores: Redis that was emptied, lacks something or is full, periods that are
closed and not final, imports in progress, reopened periods, a table that was restored to an earlier moment. It
says what it has found and what it does about it, a sentence each, does it in the right order, and ends with an
audit. It can be run at any time, interrupted, and run again. Exits with 1 when something differs at the end, or
no audit could be made.

  laurel recover --redis redis://localhost:6379 --dynamodb http://localhost:8000`
}

// Run recovers.
func (c recoverCommand) Run(ctx context.Context, std streams, flags given) error {
	o, err := c.operator(ctx, std, flags)
	if err != nil {
		return err
	}
	defer o.close()
	var done recovered
	err = o.perform(ctx, std, performance{
		name: "recover", arguments: operate.Recover{}, found: func(text json.RawMessage) {
			var f night.Finding
			if err := json.Unmarshal(text, &f); err == nil && !std.json {
				_, _ = fmt.Fprintln(std.out, f.Says, f.Does)
			}
		},
	}, &done.Recovered)
	if err == nil {
		err = std.show(done)
	}
	if err == nil && (done.Audit == nil || done.Audit.Differ > 0) {
		return errFound
	}
	return err
}

// recovered is what a recovery found and did; text has the findings before.
type recovered struct{ night.Recovered }

func (r recovered) write(out io.Writer) error {
	if len(r.Findings) == 0 {
		_, _ = fmt.Fprintln(out, "Nothing is wrong.")
	}
	if r.Audit == nil {
		_, err := fmt.Fprintln(out, "Redis cannot be reached: no audit was made.")
		return err
	}
	_, err := fmt.Fprintf(out, "The audit of %d people: %s.\n", r.Audit.People, differences(r.Audit.Differ))
	return err
}
