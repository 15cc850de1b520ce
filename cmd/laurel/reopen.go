package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/operate"
	"laurel/shared/recovery"
)

// namedDifferences is the number of differences that are shown.
const namedDifferences = 20

type reopenCommand struct {
	Board  string `arg:"" help:"The board, such as activity."`
	Period string `arg:"" help:"The day, week, month or year: 2026-11-20, 2026-W47, 2026-11 or 2026."`
	Apply  bool   `help:"Do it. Without this, nothing is changed."`
	operatorFlags
}

// Help is what the command's help says beside its flags.
func (reopenCommand) Help() string {
	return `Makes a final period live again: what users did in it comes back from the journal, and the board follows from
that. Without --apply it only compares the board that would be live with the archive's copy, and says what
differs. The copy stays, and is what is read, until the next nightly run makes the period final again; raise
HOT_DAYS or HOT_MONTHS of that run to keep it live longer. A day or a week can be reopened while its month is
live; the days and the other boards of a month stay final. It waits for a nightly run to end, and can be
interrupted and run again at any time.

  laurel reopen activity 2026-11-20 --redis redis://localhost:6379 --dynamodb http://localhost:8000`
}

// Run reopens the period.
func (c reopenCommand) Run(ctx context.Context, std streams, flags given) error {
	var p board.Period
	if err := p.UnmarshalText([]byte(c.Period)); err != nil || p.Window() == board.All {
		return usageError{fmt.Errorf("%q is not a period such as 2026-11-20, 2026-W47, 2026-11 or 2026", c.Period)}
	}
	o, err := c.operator(ctx, flags)
	if err != nil {
		return err
	}
	defer o.close()
	told := reopened{Period: c.Board + " " + p.Window().String() + " " + c.Period}
	what := operate.Reopen{Board: c.Board, Period: p, Apply: c.Apply}
	if err := o.perform(ctx, std, performance{name: "reopen", arguments: what}, &told.Reopened); err != nil {
		return explainReopen(told.Period, err)
	}
	return std.show(told)
}

// explainReopen says what to do about an error.
func explainReopen(name string, err error) error {
	switch {
	case errors.Is(err, archive.ErrNotFinal):
		return textError(fmt.Sprintf("the archive has no %s: it is live, or nobody was on it", name))
	case errors.Is(err, recovery.ErrSeals):
		return fmt.Errorf("%w; the archive's copy stays as it is: see docs/archive.md, Reopening a period", err)
	case errors.Is(err, context.Canceled):
		return textError("interrupted; run it again, it goes on where it was")
	default:
		return err
	}
}

// reopened is a period that was opened, or would be.
type reopened struct {
	Period string `json:"period"` // with its board
	recovery.Reopened
}

func (told reopened) write(out io.Writer) error {
	n := importer.Thousands
	_, _ = fmt.Fprintf(out, "%s: %s users by their entries, of which the journal has %s; %s on the archive's copy\n",
		told.Period, n(told.Users), n(told.Rows), n(told.Copy))
	for _, line := range []struct {
		count int64
		text  string
	}{
		{told.Erased, "on the copy were erased"},
		{told.Suppressed, "on the copy are hidden or excluded now"},
		{told.Added, "are not on the copy: they were hidden or excluded, or gained points since"},
		{told.Summaries, "keep the day's score, and get too_late for more entries by day: the journal has not all of them"},
		{told.Damaged, "have damaged pages, and are left out: laurel audit names them"},
		{told.Differs, "have another score than on the copy"},
	} {
		if line.count > 0 {
			_, _ = fmt.Fprintf(out, "  %s %s\n", n(line.count), line.text)
		}
	}
	for _, d := range told.Differences[:min(namedDifferences, len(told.Differences))] {
		_, _ = fmt.Fprintf(out, "    %q: %s, on the copy %s\n", d.User, n(d.Entries), n(d.Copy))
	}
	outcome := "nothing was changed: --apply reopens it"
	if told.Applied {
		outcome = "it is live until the next nightly run; the archive's copy is read until then"
	}
	_, err := fmt.Fprintln(out, outcome)
	return err
}
