package recovery

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

var (
	// ErrNeverFinal is wrapped if a period of the window "all" is to be reopened.
	ErrNeverFinal = errors.New("recovery: the window all is never final")
	// ErrMonthFinal is wrapped if a day or week is to be reopened whose month is final.
	ErrMonthFinal = errors.New("recovery: the month is final: reopen it first")
	// ErrSeals is wrapped if the journal does not have what the copy of a month shows.
	ErrSeals = errors.New("recovery: the journal does not have all of the period")
)

const (
	maxDifferences = 1_000 // that Reopen names
	rawFor         = 34    // days for which the journal has rows that are not sealed
)

// A Reopening is what to reopen.
type Reopening struct {
	Board  string
	Period board.Period
	Apply  bool // else nothing is changed
}

// Reopened says what reopening a period has come to, or would.
type Reopened struct {
	Applied     bool         `json:"applied"`
	Was         bool         `json:"was"`        // it was reopened before, and is live
	Users       int64        `json:"users"`      // on the board, by their entries
	Rows        int64        `json:"rows"`       // of the period
	Copy        int64        `json:"copy"`       // users on the archive's copy
	Erased      int64        `json:"erased"`     // of these, who was erased
	Suppressed  int64        `json:"suppressed"` // of these, who is hidden or excluded now
	Added       int64        `json:"added"`      // not on the copy: who was hidden or excluded then, mostly
	Summaries   int64        `json:"summaries"`  // who keeps the summary of a day, as the journal has not all of it
	Damaged     int64        `json:"damaged"`    // whose pages are
	Differs     int64        `json:"differs"`    // users on both with other scores
	Differences []Difference `json:"differences,omitempty"`
	Seconds     float64      `json:"seconds"`
}

// A Difference is a user's score on the archive's copy, and by the entries.
type Difference struct {
	User    string `json:"user"`
	Copy    int64  `json:"copy"`
	Entries int64  `json:"entries"`
}

// Reopen makes a final period live again, from the journal: the users' pages of a month, or
// the page of a day whose month is live, come back from the seals, and the board is made of
// the pages. The archive's copy stays, is compared with the board, and is what is read
// until the next night replaces it. While this runs the period is closed; it opens when
// all is there. It may be interrupted and done again at any time, beside everything else.
//
// A month opens with its ledger, its other boards and its days stay final. The error wraps
// archive.ErrNotFinal, ErrNeverFinal, ErrMonthFinal, ErrSeals, or redisstore.ErrStamp if
// Redis is not whole. Nothing has changed then.
func Reopen(ctx context.Context, o Options, what Reopening) (Reopened, error) {
	began := time.Now()
	r := &reopening{rebuild: open(o), LivePeriod: redisstore.LivePeriod{Board: what.Board, Period: what.Period}}
	err := r.do(ctx, what.Apply)
	r.told.Seconds = time.Since(began).Seconds()
	if err != nil {
		return r.told, fmt.Errorf("recovery: reopen %s: %w", redisstore.PeriodName(what.Board, what.Period), err)
	}
	r.Log.InfoContext(ctx, "period is reopened", "board", what.Board, "period", what.Period.String(), "applied",
		r.told.Applied, "users", r.told.Users, "rows", r.told.Rows, "differs", r.told.Differs)
	return r.told, nil
}

// Refill puts what the journal has of a period that was reopened into Redis again, and who is
// on the archive's copy by what the pages have summed up, which
// changes nothing unless Redis has lost some of it. The night does it before it replaces
// the archive's copy, when the period is closed.
func Refill(ctx context.Context, o Options, name string, p board.Period) error {
	r := &reopening{rebuild: open(o), LivePeriod: redisstore.LivePeriod{Board: name, Period: p}}
	err := r.begin(ctx)
	if err == nil {
		err = r.reading(ctx, func() error { return r.fillAgain(ctx) })
	}
	if err != nil {
		return fmt.Errorf("recovery: refill %s: %w", redisstore.PeriodName(name, p), err)
	}
	return nil
}

// A reopening is the state of reopening a period.
type reopening struct {
	*rebuild
	redisstore.LivePeriod
	days    []journal.Sealed
	copied  map[string]board.Packed // the archive's copy, without those who were met
	unseen  []string                // users on the copy of whom there are no rows
	compare bool
	told    Reopened
}

func (r *reopening) do(ctx context.Context, apply bool) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	if err := r.allowed(); err != nil {
		return err
	}
	if err := r.readCopy(ctx); err != nil {
		return err
	}
	return r.reading(ctx, func() error {
		if err := r.check(ctx); err != nil || !apply {
			return err
		}
		return r.apply(ctx)
	})
}

func (r *reopening) begin(ctx context.Context) error {
	stamp, err := r.expectStamp(ctx)
	if err != nil {
		return err
	}
	if r.lost = r.live.Parts(); stamp != nil {
		if err := r.live.CheckStamp(ctx); err != nil {
			return err
		}
	}
	if err := r.readTombstones(ctx); err != nil {
		return err
	}
	return r.readClosed(ctx)
}

// allowed refuses what cannot be right.
func (r *reopening) allowed() error {
	if r.Period.Window() == board.All {
		return ErrNeverFinal
	}
	if r.Period.Window() > board.Week {
		return nil
	}
	for _, day := range []board.Date{r.Period.First(), r.Period.Last()} {
		if month := board.PeriodOf(board.Month, day); r.closed.Has("", month) {
			return fmt.Errorf("%w: %s", ErrMonthFinal, month)
		}
	}
	return nil
}

// fillAgain fills the period from the journal, then with those on the copy whom it does not have.
func (r *reopening) fillAgain(ctx context.Context) error {
	if err := r.readCopy(ctx); err != nil && !errors.Is(err, archive.ErrNotFinal) {
		return err
	}
	if err := r.fill(ctx, true); err != nil {
		return err
	}
	for user := range r.copied {
		if r.erased.Until(user) == 0 {
			r.unseen = append(r.unseen, user)
		}
	}
	return r.refill(ctx, usersOf(r.unseen), true)
}

// readCopy reads the archive's copy.
func (r *reopening) readCopy(ctx context.Context) error {
	m, err := r.Archive.Manifest(ctx, r.Board, r.Period)
	if err != nil {
		return err
	}
	r.copied, r.compare = make(map[string]board.Packed, m.Total), true
	r.told.Copy, r.told.Erased = m.Total, m.Erased
	for e, err := range r.Archive.Entries(ctx, r.Board, r.Period) {
		if err != nil {
			return err
		}
		if !e.Erased() {
			r.copied[e.User] = e.Packed
		}
	}
	return nil
}

// reading calls do while the days of the journal that the period needs can be read.
func (r *reopening) reading(ctx context.Context, do func() error) error {
	if r.Period.Window() > board.Month {
		return do()
	}
	return r.rebuild.reading(ctx, r.firstDay(), func(days []journal.Sealed) error {
		r.days = days
		return do()
	})
}

// firstDay returns the first day of arrival of what is of the period.
func (r *reopening) firstDay() board.Date {
	return journal.DayOf(r.Ledger.Calendar().Start(r.Period.First())) - 1
}

// check compares what the journal has with the copy. It refuses a month that would have
// less.
func (r *reopening) check(ctx context.Context) error {
	if err := r.fill(ctx, false); err != nil {
		return err
	}
	var missing int64
	for user := range r.copied {
		switch {
		case r.erased.Until(user) > 0:
			r.told.Erased++
		case r.Period.Window() == board.Month:
			missing++
		default: // the pages have what the period is made of
			r.unseen = append(r.unseen, user)
		}
	}
	if r.Period.Window() == board.Month {
		for _, d := range r.told.Differences {
			if d.Entries < d.Copy && !r.covered() {
				missing++
			}
		}
	}
	if missing > 0 {
		return fmt.Errorf("%w: %d of %d users on the archive's copy have less by the journal, which is kept from %s on",
			ErrSeals, missing, r.told.Copy, r.kept())
	}
	slices.Sort(r.unseen)
	return r.refill(ctx, usersOf(r.unseen), false)
}

// covered says whether every day of arrival has a seal, or has its rows still.
func (r *reopening) covered() bool {
	sealed := map[board.Date]bool{}
	for _, day := range r.days {
		sealed[day.Day] = true
	}
	for day := r.firstDay() + 1; day < journal.DayOf(r.Now)-rawFor; day++ {
		if !sealed[day] {
			return false
		}
	}
	return true
}

// kept returns the first day of arrival that the journal has.
func (r *reopening) kept() board.Date {
	if len(r.days) == 0 {
		return journal.DayOf(r.Now)
	}
	return r.days[0].Day
}

// apply reopens the period. It is marked before anything of it is written, and opens last.
func (r *reopening) apply(ctx context.Context) error {
	r.compare, r.told.Applied = false, true
	r.told.Was = redisstore.WasReopened(r.closed, r.Board, r.Period) && !r.closed.Has(r.Board, r.Period)
	if _, err := r.closeAgain(ctx); err != nil { // a failover may have lost that it was reopened, too
		return err
	}
	if !r.told.Was {
		if err := r.removeAgain(ctx); err != nil {
			return err
		}
		if err := r.live.BeginReopening(ctx, r.Board, r.Period); err != nil {
			return err
		}
		err := r.Archive.Reopen(ctx, r.Board, r.Period)
		for errors.Is(err, archive.ErrExists) {
			err = r.Archive.Reopen(ctx, r.Board, r.Period)
		}
		if err != nil {
			return err
		}
	}
	if err := r.fill(ctx, true); err != nil {
		return err
	}
	if err := r.refill(ctx, usersOf(r.unseen), true); err != nil {
		return err
	}
	if err := r.eraseAgain(ctx); err != nil {
		return err
	}
	if !r.told.Was {
		if err := r.live.EndReopening(ctx, r.Board, r.Period); err != nil {
			return err
		}
	}
	return r.live.PutVoids(ctx) // what was final when they were carried out is live now
}

// removeAgain removes a board that was removed and that a failover has brought back: there may be
// users on it who were erased since. What an interrupted run has put on it stays.
func (r *reopening) removeAgain(ctx context.Context) error {
	if !redisstore.WasRemoved(r.closed, r.Board, r.Period) {
		return nil
	}
	err := r.live.RemoveBoard(ctx, r.Board, r.Period)
	if errors.Is(err, redisstore.ErrReopening) {
		return nil
	}
	return err
}

// eraseAgain erases users again who were erased while their rows were merged, by this run
// or one that was interrupted.
func (r *reopening) eraseAgain(ctx context.Context) error {
	if err := r.readTombstones(ctx); err != nil || len(r.erased) == 0 {
		return err
	}
	return r.Journal.ByUser(ctx, r.days, func(user string, rows []ledger.Row) error {
		if rows = r.ofPeriod(rows); len(rows) == 0 || len(r.filter(user, rows)) > 0 {
			return nil
		}
		filled, err := r.live.Refill(ctx, r.LivePeriod, usersOf([]string{user}), false)
		if err == nil && filled[0].Packed != 0 {
			_, err = r.live.EraseUser(ctx, user)
		}
		return err
	})
}

func usersOf(users []string) []pages.UserRows {
	all := make([]pages.UserRows, len(users))
	for i, user := range users {
		all[i].User = user
	}
	return all
}
