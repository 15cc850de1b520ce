package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/night"
	"laurel/shared/operate"
)

// namedDifferences is the number of differences that are shown.
const namedDifferences = 20

type reopenCommand struct {
	Period string `arg:"" help:"The day, week, month or year: 2026-11-20, 2026-W47, 2026-11 or 2026."`
	Apply  bool   `help:"Do it. Without this, nothing is changed."`
	operatorFlags
}

// Help is what the command's help says beside its flags.
func (reopenCommand) Help() string {
	return `Makes a final period live again, on every board. Without --apply it only compares the boards that would be live
with those that are stored, and says what differs, each with its reason. The stored boards are what is read until
the next nightly run makes the period final again; raise HOT_DAYS or HOT_MONTHS of that run to keep it live
longer. A day or a week can be reopened while its month is live. A day that was closed takes no entries by day.

  laurel reopen 2026-11-20 --redis redis://localhost:6379 --dynamodb http://localhost:8000`
}

// Run reopens the period.
func (c reopenCommand) Run(ctx context.Context, std streams, flags given) error {
	var p board.Period
	if err := p.UnmarshalText([]byte(c.Period)); err != nil || p.Window() == board.All {
		return usageError{fmt.Errorf("%q is not a period such as 2026-11-20, 2026-W47, 2026-11 or 2026", c.Period)}
	}
	o, err := c.operator(ctx, std, flags)
	if err != nil {
		return err
	}
	defer o.close()
	var told reopened
	what := performance{name: "reopen", arguments: operate.Reopen{Period: p, Apply: c.Apply}}
	if err := o.perform(ctx, std, what, &told.Reopened); err != nil {
		return explainReopen(p, err)
	}
	return std.show(told)
}

// explainReopen says what to do about an error.
func explainReopen(p board.Period, err error) error {
	switch {
	case errors.Is(err, night.ErrNotFinal):
		return textError(fmt.Sprintf("%s is not final: it is live, or on its way", p))
	case errors.Is(err, night.ErrLedgers):
		return fmt.Errorf("%w; the final boards stay as they are", err)
	case errors.Is(err, context.Canceled):
		return textError("interrupted; run it again")
	default:
		return err
	}
}

// reopened is what differs, and whether it was done.
type reopened struct{ night.Reopened }

func (r reopened) write(out io.Writer) error {
	if r.Was {
		_, err := fmt.Fprintf(out, "%s is reopened already\n", r.Period)
		return err
	}
	for i, d := range r.Differences {
		if i == namedDifferences {
			_, _ = fmt.Fprintf(out, "and %d more\n", len(r.Differences)-namedDifferences)
			break
		}
		_, _ = fmt.Fprintf(out, "%s: %s has %s, would have %s: %s\n", d.Board, orNobody(d.User), importer.Thousands(d.Final),
			importer.Thousands(d.Ledger), d.Why)
	}
	what := "would be live again; --apply does it"
	if r.Applied {
		what = "is live again until the next nightly run"
	}
	_, err := fmt.Fprintf(out, "%s: %s; %s\n", r.Period, differences(r.Total()), what)
	return err
}

// orNobody names who was erased.
func orNobody(user string) string {
	if user == "" {
		return "somebody who was erased"
	}
	return user
}
