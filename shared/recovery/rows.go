package recovery

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

const (
	usersAtOnce  = 200   // of a chunk, which is merged in two round trips
	rowsAtOnce   = 4_000 // with so many a chunk is full, too
	chunksAtOnce = 4
	rawDays      = 70 // for which the journal may have what is not sealed
	draftFor     = 24 * time.Hour
	aheadFor     = 10 * time.Minute // so long after Now something may have arrived: Now is the schedule's time
)

// saveEvery is how many rows are read until it is saved how far Redis is filled.
var saveEvery = 100_000 //nolint:gochecknoglobals // fewer in tests

// rows merges the journal's rows, sorted by user: all rows of a user at once, so that
// those of days that are final find each other (ledger.Merge's whole). Merging them into
// pages that an interrupted rebuild has left changes nothing, as they are all there are.
// It starts with the user after the last one whose rows that rebuild has merged into all
// parts: what is lost is not written meanwhile, so there are no others.
func (r *rebuild) rows(ctx context.Context) error {
	first := max(r.firstDay(), journal.DayOf(r.since)-1)
	return r.reading(ctx, first, func(days []journal.Sealed) error { return r.mergeDays(ctx, days) })
}

// reading calls do with the days of the journal from the first on, whose drafts are there as
// long as it runs.
func (r *rebuild) reading(ctx context.Context, first board.Date, do func([]journal.Sealed) error) (err error) {
	days, err := r.days(ctx, first)
	defer func() { err = errors.Join(err, r.Journal.Discard(context.WithoutCancel(ctx), days...)) }()
	if err != nil {
		return err
	}
	return do(days)
}

func (r *rebuild) mergeDays(ctx context.Context, days []journal.Sealed) (err error) {
	var all int64
	for _, day := range days {
		all += day.Rows
	}
	from := r.Slice.from()
	if !r.stamped {
		if from, err = r.live.Redis().Filled(ctx, r.lost); err != nil {
			return err
		}
	}
	m := r.merging(ctx, true, func(done int64) { r.progress("rows", done, all) })
	err = r.Journal.ByUser(ctx, days, func(user string, rows []ledger.Row) error {
		if user <= from {
			return nil
		}
		err := m.add(user, rows)
		m.since += len(rows)
		over := err == nil && r.Slice.over(user)
		if err != nil || (!over && (m.since < saveEvery || r.stamped)) {
			return err
		}
		if err := m.wait(); err != nil {
			return err
		}
		m.start(ctx)
		if !r.stamped {
			err = r.live.Redis().SetFilled(ctx, r.lost, user)
		}
		if err == nil && over {
			err = ErrPaused
		}
		return err
	})
	err = errors.Join(err, m.wait())
	r.result.Users, r.result.Rows = m.users, m.done.Load()
	r.result.Damaged += m.damaged.Load()
	return err
}

// days returns the sealed days of arrival from the first on, and drafts of the others, from
// when the journal began.
// Follows in drafts keep their ids, as the list that is kept may not have
// them. Today is a draft even when it is sealed: more may have arrived.
func (r *rebuild) days(ctx context.Context, first board.Date) ([]journal.Sealed, error) {
	today := journal.DayOf(r.Now)
	sealed, err := r.Journal.SealedDays(ctx, first, today-1)
	if err != nil {
		return nil, err
	}
	days := sealed
	compact := func(arrival board.Moment, row ledger.Row) (ledger.Row, bool) {
		keep := arrival > r.erased.Until(row.User)
		if row.Changed&ledger.Follow != 0 {
			return row, keep
		}
		return r.Ledger.Compact(row), keep
	}
	begun, err := r.State.Begun(ctx)
	if err != nil {
		return days, err
	}
	from := max(begun, journal.StartOf(max(first, today-rawDays)))
	for day := journal.DayOf(from); day <= journal.DayOf(r.Now.Add(aheadFor)); day++ {
		if slices.ContainsFunc(sealed, func(s journal.Sealed) bool { return s.Day == day }) {
			continue
		}
		draft, err := r.Journal.Draft(ctx, day, from, compact, r.Now.Add(draftFor).Time().Unix())
		days = append(days, draft)
		if err != nil {
			return days, err
		}
		r.progress("drafts", int64(day-today+rawDays), rawDays)
	}
	return days, nil
}

// firstDay returns the first day of arrival, in UTC, that can have rows of a month whose
// pages are not removed, or votes that are not final. Months are removed in their order but
// for those that were reopened or passed by, and what has arrived in one of them was of it,
// or of one before it.
func (r *rebuild) firstDay() board.Date {
	latest, first := board.MonthOf(-1), slices.Min(append(r.passed, math.MaxInt32))
	for name, p := range r.closed.Periods() {
		month := p.First().Month()
		if name == "" && redisstore.WasRemoved(r.closed, "", p) {
			latest = max(latest, month)
		}
		if redisstore.WasReopened(r.closed, "", board.PeriodOf(board.Month, month.First())) {
			first = min(first, month)
		}
	}
	if latest < 0 {
		return 1
	}
	return journal.DayOf(min(r.voting, r.Ledger.Calendar().Start(min(first, latest+1).First()))) - 1
}

// merging merges rows of users in chunks, some at once.
type merging struct {
	*rebuild
	ctx   context.Context //nolint:containedctx // of the group
	group *errgroup.Group
	whole bool
	told  func(done int64)

	chunk       []pages.UserRows
	size        int
	since       int // rows that were read since the last start
	users       int64
	done, moved atomic.Int64 // rows that were merged, and that changed something
	damaged     atomic.Int64 // users whose pages are
}

func (r *rebuild) merging(ctx context.Context, whole bool, told func(int64)) *merging {
	m := &merging{rebuild: r, whole: whole, told: told}
	m.start(ctx)
	return m
}

// start makes the merging ready for chunks, first and after a wait.
func (m *merging) start(ctx context.Context) {
	m.group, m.ctx = errgroup.WithContext(ctx)
	m.group.SetLimit(chunksAtOnce)
	m.since = 0
}

// add adds rows of a user, of whom there are no others in the chunk.
func (m *merging) add(user string, rows []ledger.Row) error {
	if rows = m.filter(user, rows); len(rows) == 0 {
		return m.ctx.Err()
	}
	m.users++
	m.chunk = append(m.chunk, pages.UserRows{User: user, Rows: rows})
	if m.size += len(rows); len(m.chunk) >= usersAtOnce || m.size >= rowsAtOnce {
		m.flush()
	}
	return m.ctx.Err()
}

func (m *merging) flush() {
	chunk, size := m.chunk, m.size
	m.chunk, m.size = nil, 0
	if size == 0 {
		return
	}
	m.group.Go(func() error {
		err := m.merge(chunk)
		m.told(m.done.Add(int64(size)))
		return err
	})
}

// merge merges a chunk, without users whose pages are damaged.
func (m *merging) merge(chunk []pages.UserRows) error {
	moved, damaged, err := m.live.MergeSound(m.ctx, chunk, m.whole)
	m.moved.Add(moved)
	m.damaged.Add(int64(len(damaged)))
	for range damaged {
		m.Log.ErrorContext(m.ctx, "rows of a user are left out: the user's pages are damaged; audit names them")
	}
	return err
}

// addAll adds rows, which it sorts by user, and waits until they are merged.
func (m *merging) addAll(rows []ledger.Row) error {
	for u := range pages.ByUser(rows) {
		if m.add(u.User, u.Rows) != nil {
			break // the group has it
		}
	}
	return m.wait()
}

func (m *merging) wait() error {
	m.flush()
	return m.group.Wait()
}

// takes says whether the user is one of those whose parts are filled.
func (r *rebuild) takes(user string) bool { return r.only == nil || r.only(user) }

// fills says whether the user's pages are filled.
func (r *rebuild) fills(user string) bool {
	return r.takes(user) && r.lost.HasShard(r.live.ShardOf(user))
}

// filter returns the rows of a user without what was erased, and without what is of parts
// that are not lost.
func (r *rebuild) filter(user string, rows []ledger.Row) []ledger.Row {
	var keep ledger.Registers
	if r.fills(user) {
		keep = ledger.Own | ledger.Before | ledger.Follow
	}
	if r.lost.Articles && r.takes(user) {
		keep |= ledger.Vote
	}
	kept := rows[:0]
	for _, row := range rows {
		if row.Changed &= keep; row.Changed != 0 && r.erased.Keep(&row) {
			kept = append(kept, row)
		}
	}
	return kept
}
