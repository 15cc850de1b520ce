package app

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/erasure"
	"laurel/shared/export"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/people"
	"laurel/shared/redisstore"
	"laurel/shared/state"
	"laurel/shared/table"
)

// Kept is what a deployment keeps in its table beside Redis: the final boards, the
// articles that have left the lists, what users are called, the erasures, and the state
// that is not derived from activities.
type Kept struct {
	Archive  *archive.Archive
	Articles *archive.Articles
	People   *people.People
	Eraser   *erasure.Eraser
	Export   *export.Exporter
	Journal  *journal.Journal
	State    *state.Store
	Stamps   *Stamps // nil: the table forgets more than Redis

	table table.Store
	clock func() time.Time
}

// tombstonesFor is for how long tombstones of erasures are kept: a month longer than the
// journal.
func tombstonesFor(journalMonths int) time.Duration {
	return time.Duration(journalMonths+1) * 31 * 24 * time.Hour
}

// Keep wires what is in a table, beside a live store, of a forum with these rules, whose
// journal is kept for so many months. The live store writes there first from now on.
func Keep(
	items table.Store, store *live.Store, l *ledger.Ledger, journalMonths int, log *slog.Logger, clock func() time.Time,
) *Kept {
	k := keep(items, store, l, journalMonths, log, clock)
	k.first(store, l, nil)
	return k
}

// first has a live store write into the table first, and expect its stamp.
func (k *Kept) first(store *live.Store, l *ledger.Ledger, took func(time.Duration)) {
	store.KeepIn(k.State)
	store.Keep(journalOf{k.Journal, k.clock, took})
	k.Stamps = &Stamps{redis: store.Redis(), state: k.State, want: redisstore.Stamp{
		Format: redisstore.Format, Shards: store.Shards(), Zone: l.Calendar().Zone().String(),
	}}
}

func keep(
	items table.Store, store *live.Store, l *ledger.Ledger, journalMonths int, log *slog.Logger, clock func() time.Time,
) *Kept {
	durable, rows := state.New(items, clock), journal.New(items)
	durable.KeepTombstones(tombstonesFor(journalMonths))
	final, articles := archive.New(items), archive.NewArticles(items)
	names := &people.People{Table: archive.NewProfiles(items), Copies: store, Articles: store.Articles(), Log: log}
	k := &Kept{
		Archive: final, Articles: articles, People: names, Journal: rows, State: durable, table: items,
		clock: clock,
		Eraser: erasure.New(erasure.Options{
			Live: store, Archive: final, People: names, Series: erasure.SeriesOf(l.Rules()),
			Articles: store.Articles(), FinalArticles: articles, Follows: durable, Journal: rows,
			Closed: closedSeries(durable), Keep: tombstonesFor(journalMonths),
		}),
	}
	store.Know(struct {
		*people.People
		*archive.Articles
	}{names, articles})
	k.Export = &export.Exporter{
		Live: store, Ledger: l, Archive: final, Articles: articles, People: names, Eraser: k.Eraser, Journal: rows,
		Begun: durable.Begun,
	}
	return k
}

// closedSeries returns the boards and windows that have had a closed period, also those
// that the rules have no more.
func closedSeries(kept *state.Store) func(context.Context) ([]archive.Series, error) {
	return func(ctx context.Context) (all []archive.Series, err error) {
		text, _, err := kept.Closed(ctx)
		if err != nil {
			return nil, err
		}
		closed, err := board.ParseClosed(text)
		if err != nil {
			return nil, err
		}
		for name, p := range closed.Periods() {
			if _, mark := redisstore.IsMark(name); name == "" || mark {
				continue
			}
			if one := (archive.Series{Board: name, Window: p.Window()}); !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
		return all, nil
	}
}

// journalOf is the journal as recording uses it: what a request puts there arrives when
// it is put, as a day that has been sealed gets no more.
type journalOf struct {
	*journal.Journal
	now  func() time.Time
	took func(time.Duration) // nil: nothing is told
}

// Begin chooses where the rows of one request go.
func (j journalOf) Begin() func(context.Context, []ledger.Row) error {
	entry := j.NewEntry(board.MomentOf(j.now()))
	return func(ctx context.Context, rows []ledger.Row) error {
		if began := time.Now(); j.took != nil {
			defer func() { j.took(time.Since(began)) }()
		}
		return entry.Put(ctx, rows...)
	}
}

// Erase begins to erase a user, or goes on, as a message asks for it that was sent at
// a moment. idle says that there is nothing left to do just now.
func (k *Kept) Erase(ctx context.Context, user string, sent board.Moment) (idle bool, err error) {
	if k.Stamps != nil {
		if err := k.Stamps.Ready(ctx); err != nil {
			return false, err
		}
	}
	erased, err := k.Eraser.EraseAsked(ctx, user, sent)
	if err != nil && k.Stamps != nil && k.Stamps.Stale(ctx, err) {
		erased, err = k.Eraser.EraseAsked(ctx, user, sent)
	}
	return err == nil && erasure.Idle(erased), err
}
