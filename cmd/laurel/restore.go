package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"laurel/shared/app"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/nightly"
)

type restoreCommand struct {
	Board  string `arg:"" help:"The board, such as activity."`
	Window string `arg:"" help:"Its window: day, week, month or year."`
	Period string `arg:"" help:"The period, such as 2026-11-20."`
	settingFlags
}

// Help is what the command's help says beside its flags.
func (restoreCommand) Help() string {
	return `Puts a final period back into Redis, takes it out of the archive and opens it to writes: it is live again
until the next nightly run, which makes it final as it is then. Raise HOT_DAYS or HOT_MONTHS of that run to
keep it longer. It can be interrupted and done again.

  laurel restore activity day 2026-11-20 --redis redis://localhost:6379 --dynamodb http://localhost:8000`
}

// Run restores the period.
func (c restoreCommand) Run(ctx context.Context, std streams, flags given) error {
	w, err := board.ParseWindow(c.Window)
	if err != nil {
		return usageError{err}
	}
	p, err := board.ParsePeriod(w, c.Period)
	if err != nil {
		return usageError{err}
	}
	settings, err := c.read(flags, app.NeedRedis, app.NeedArchive)
	if err != nil {
		return err
	}
	if names := settings.Rules.Boards(); settings.Rules.Windows(c.Board) == nil {
		return usageError{textError(fmt.Sprintf("there is no board %q; the boards are %s", c.Board,
			strings.Join(names, ", ")))}
	}
	s, err := openStores(ctx, settings, app.Options{})
	if err != nil {
		return err
	}
	defer s.close()
	total, err := nightly.Restore(ctx, s.Store, s.Kept.Archive, c.Board, p)
	switch {
	case errors.Is(err, archive.ErrNotFinal):
		return textError(fmt.Sprintf("the archive has no %s of %s %s: it is live, or nobody was on it", c.Period, c.Board,
			c.Window))
	case errors.Is(err, context.Canceled):
		return textError("interrupted; do it again, it goes on where it was")
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(std.out, "%s %s %s is live again, with %s on it, until the next nightly run\n", c.Board, c.Window,
		c.Period, importer.Thousands(total))
	return err
}
