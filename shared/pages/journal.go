package pages

import (
	"context"
	"fmt"
	"slices"

	"laurel/shared/ledger"
)

// A Journal keeps what was accepted. Begin chooses where the rows of one request go and
// returns what puts them there, in place of those that it has put before: when that
// returns without an error, they are kept for good.
type Journal interface {
	Begin() (put func(ctx context.Context, rows []ledger.Row) error)
}

// Keep has every change put into a journal before it is committed. It is called before
// the first request.
func (s *Store) Keep(journal Journal) { s.journal = journal }

// An entry is what the journal has of a request.
type entry struct {
	journal Journal // nil: there is none
	put     func(context.Context, []ledger.Row) error
	rows    []ledger.Row
}

// keep puts the rows of a request into the journal, unless it has the same: all of them,
// also those that are committed, as they take the place of those before.
func (e *entry) keep(ctx context.Context, rows []ledger.Row) error {
	if e.journal == nil || slices.EqualFunc(rows, e.rows, sameRow) {
		return nil
	}
	if e.put == nil {
		e.put = e.journal.Begin()
	}
	if err := e.put(ctx, rows); err != nil {
		return fmt.Errorf("pages: keep in the journal: %w", err)
	}
	e.rows = rows
	return nil
}

// sameRow compares rows of the same request.
func sameRow(a, b ledger.Row) bool {
	return a.Activity == b.Activity && a.Changed == b.Changed && a.Page == b.Page && a.Key == b.Key &&
		slices.Equal(a.Listed, b.Listed) && slices.Equal(a.Unlisted, b.Unlisted)
}

// rowsOf returns what the activities of tasks change, as far as they are decided.
func rowsOf(tasks []*task) []ledger.Row {
	n := 0
	for _, t := range tasks {
		n += len(t.activities) + len(t.voided)
	}
	rows := make([]ledger.Row, 0, n)
	for _, t := range tasks {
		d := ledger.Decision{Changed: t.changed, Voided: t.voided}
		rows = d.AppendRows(rows, t.activities)
	}
	return rows
}
