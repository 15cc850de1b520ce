package nightly

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

const (
	// inFlight is the age from which a row is committed, or never will be. The proof of
	// a day begins so long before it.
	inFlight = 10 * time.Minute
	// proofRows is the number of rows that are sorted by user at once.
	proofRows = 250_000
	// proofUsers and proofBatch limit the users and rows that are merged in one pipeline.
	proofUsers, proofBatch = 500, 5_000
	// listsAtOnce is the number of follow lists that are read at once, listsWritten of
	// those that are written concurrently.
	listsAtOnce, listsWritten = 50, 16
)

// Merger merges rows into the pages; pages.Store is one.
type Merger interface {
	MergeSound(ctx context.Context, users []pages.UserRows, whole bool) (changed int64, damaged []string, err error)
	UnmergedIn(ctx context.Context, users []pages.UserRows, at redisstore.LivePeriod) ([]pages.UserRows, error)
	FollowLists(ctx context.Context, users ...string) ([]pages.FollowList, error)
}

// State is what is not derived from activities; state.Store is one.
type State interface {
	Erased(ctx context.Context) (map[uint64]board.Moment, error)
	Begun(ctx context.Context) (board.Moment, error)
	SetFollows(ctx context.Context, list state.FollowList) error
	Cursor(ctx context.Context, of string) (string, error)
	SetCursor(ctx context.Context, of, at string) error
}

// Proof counts what the proof of the journal has read and mended.
type Proof struct {
	Days    int     `json:"days"`
	Rows    int64   `json:"rows"`
	Users   int64   `json:"users"`  // of each 250,000 rows
	Mended  int64   `json:"mended"` // rows that Redis did not have: 0 on a good night
	Seconds float64 `json:"seconds"`
}

// proof merges the rows of the journal into the pages, sorted by user.
type proof struct {
	*run
	erased  ledger.Erased
	rows    []ledger.Row
	damaged map[string]bool // users whose pages are
}

// prove proves the rows that arrived from one moment on and before another.
func (p *proof) prove(ctx context.Context, from, until board.Moment) error {
	began := time.Now()
	p.rows = p.rows[:0]
	err := p.Journal.Read(ctx, from, until, func(arrival board.Moment, rows []ledger.Row) error {
		for i := range rows {
			if p.keeps(arrival, &rows[i]) {
				p.rows = append(p.rows, rows[i])
			}
		}
		if len(p.rows) < proofRows {
			return nil
		}
		return p.merge(ctx)
	})
	if err == nil {
		err = p.merge(ctx)
	}
	p.result.Proof.Seconds += time.Since(began).Seconds()
	return err
}

// keeps says whether a row is kept that is not of a user who was erased after it, and
// takes follows of such users out of it.
func (p *proof) keeps(arrival board.Moment, row *ledger.Row) bool {
	row.Arrived = arrival
	return p.erased.Keep(row)
}

// merge merges the rows that were read, and empties them.
func (p *proof) merge(ctx context.Context) error {
	var batch []pages.UserRows
	size := 0
	flush := func() error {
		if size == 0 {
			return nil
		}
		if !p.clock.fits(0) {
			return errTime
		}
		if err := p.mergeUsers(ctx, batch); err != nil {
			return err
		}
		p.result.Proof.Rows += int64(size)
		p.result.Proof.Users += int64(len(batch))
		batch, size = batch[:0], 0
		return nil
	}
	for user := range pages.ByUser(p.rows) {
		batch, size = append(batch, user), size+len(user.Rows)
		if len(batch) < proofUsers && size < proofBatch {
			continue
		}
		if err := flush(); err != nil {
			return err
		}
	}
	if err := flush(); err != nil {
		return err
	}
	clear(p.rows)
	p.rows = p.rows[:0]
	return nil
}

// mergeUsers merges the rows of some users, then writes their follow lists to the table if
// rows have changed them. It notes users with damaged pages, and leaves them.
func (p *proof) mergeUsers(ctx context.Context, users []pages.UserRows) error {
	mended, damaged, err := p.Merger.MergeSound(ctx, users, false)
	p.result.Proof.Mended += mended
	for _, user := range damaged {
		p.damaged[user] = true
	}
	if err != nil {
		return err
	}
	return p.keepFollows(ctx, users)
}

func (p *proof) keepFollows(ctx context.Context, users []pages.UserRows) error {
	var followers []string
	for _, u := range users {
		followed := func(row ledger.Row) bool { return row.Changed&ledger.Follow != 0 }
		if !p.damaged[u.User] && slices.ContainsFunc(u.Rows, followed) {
			followers = append(followers, u.User)
		}
	}
	for some := range slices.Chunk(followers, listsAtOnce) {
		for again := true; again; {
			err := p.writeFollows(ctx, some)
			if err != nil {
				return err
			}
			if again, err = p.erasedMeanwhile(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *proof) writeFollows(ctx context.Context, users []string) error {
	lists, err := p.Merger.FollowLists(ctx, users...)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(listsWritten)
	for _, list := range lists {
		group.Go(func() error { return p.State.SetFollows(ctx, state.FollowList(list)) })
	}
	return group.Wait()
}

// erasedMeanwhile reads the tombstones again, and says whether there are others. An
// erasure goes over the table after it has put its tombstone, so what was written before
// another tombstone is seen is written again, and what is written after is erased.
func (p *proof) erasedMeanwhile(ctx context.Context) (bool, error) {
	erased, err := p.State.Erased(ctx)
	if err != nil || maps.Equal(p.erased, erased) {
		return false, err
	}
	p.erased = erased
	return true, nil
}

// damage is the error of users whose rows could not be merged.
func (p *proof) damage() error {
	if len(p.damaged) == 0 {
		return nil
	}
	return fmt.Errorf("%w: the pages of %d users; `laurel audit` names them", redisstore.ErrStored, len(p.damaged))
}

// proven returns a day's first moment that its proof covers, and the first after it.
func proven(day board.Date) (from, until board.Moment) {
	return journal.StartOf(day).Add(-inFlight), journal.StartOf(day + 1)
}
