package httpapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/forum/people"
	"laurel/shared/store/final"
)

// boardReader reads boards wherever they are, at one moment.
//
// A period is closed, becomes final by its manifest in the table, and then leaves the view. So the view's
// answer for a period that is due counts only if the period is not final afterwards either; else the
// table has it whole. A period that is not due is in Redis, and costs one round trip as if nothing was final.
type boardReader struct {
	*api
	now   board.Moment
	today board.Date
}

// reader returns a reader of now.
func (a *api) reader() boardReader {
	now := board.MomentOf(a.Now())
	return boardReader{a, now, a.Ledger.Calendar().Date(now)}
}

// present returns the present period of a board's window: of a contest the one of the rules.
func (r boardReader) present(name string, w board.Window) board.Period {
	return r.Ledger.Rules().Period(name, w, r.today)
}

// formerContest says whether a period is a contest that the rules do not have any more: it is final, or was given up.
func (r boardReader) formerContest(p board.Period) bool {
	return p.Window() == board.Contest && r.present(p.Board(), board.Contest) != p
}

// runs says whether standings tell of a present period: of a contest from its first day until it is final. Of one that
// is due that takes a read of the head.
func (r boardReader) runs(ctx context.Context, p board.Period) (bool, error) {
	if p.Window() != board.Contest || !r.due(p) {
		return p.First() <= r.today, nil
	}
	head, err := r.Items.Head(ctx)
	return err == nil && !head.Life.Final(p), err //nolint:wrapcheck // it says all
}

// due is whether the nightly run may have moved the period.
func (r boardReader) due(p board.Period) bool {
	return board.Due(p, r.today, r.HotDays, r.HotMonths)
}

// ended is whether the period is over.
func (r boardReader) ended(p board.Period) bool {
	return p.Window().Ends() && p.Last() < r.today
}

// settled reads something of a board of a period wherever that is: stored, if it is final, or live, perhaps with
// nobody. The error for a period that is not stored wraps final.ErrNotFinal.
func settled[T any](
	r boardReader, p board.Period, stored func() (T, error), live func() (page T, nobody bool, err error),
) (T, error) {
	if former := r.formerContest(p); former || r.due(p) {
		page, err := stored()
		switch {
		case !errors.Is(err, final.ErrNotFinal):
			return page, err
		case former:
			return page, newProblem(CodeUnknownPeriod, fmt.Sprintf("no such contest of %s: it has %s",
				p.Board(), r.present(p.Board(), board.Contest)))
		}
	}
	page, nobody, err := live()
	// One with nobody that is not due may have been moved when less was hot.
	if err == nil && (r.due(p) || nobody && r.ended(p)) {
		if moved, err := stored(); !errors.Is(err, final.ErrNotFinal) {
			return moved, err
		}
	}
	return page, err
}

// read reads a piece of a board.
func (r boardReader) read(ctx context.Context, v board.View) (board.Page, error) {
	stored := v // nothing moves there any more: the entries after a place are those after its rank
	stored.Offset, stored.After = max(v.Offset, v.After.Rank), board.Place{}
	page, err := settled(r, v.Period, func() (board.Page, error) { return r.Finals.Read(ctx, stored) },
		func() (board.Page, bool, error) {
			page, err := r.View.Read(ctx, v)
			return page, page.Total == 0, err
		})
	if page.Final {
		page.Period = v.Period
	}
	if err == nil {
		err = r.complete(ctx, v, &page)
	}
	return page, err
}

// readOwn reads a user's standings on boards in their current periods, as that
// user sees them: a hidden user has the place that the user would take. Boards that are not whole are left out.
func (r boardReader) readOwn(ctx context.Context, user string, views []board.View) ([]people.OwnStanding, error) {
	standings, err := r.People.OwnStandings(ctx, user, views)
	if err != nil {
		return nil, err
	}
	for i := range standings {
		own := &standings[i]
		v := board.View{Board: own.Board, Period: own.Period, User: user}
		if own.Of != nil {
			if err := r.addTeamRank(ctx, v, &own.Standing); err != nil {
				return nil, err
			}
			continue
		}
		if err := r.addRanks(ctx, v, &board.Page{Standing: &own.Standing}); err != nil {
			return nil, err
		}
	}
	return standings, nil
}

// readCurrent reads pieces of boards in their current periods, all in one trip. A contest, which may be final, is read
// by itself.
func (r boardReader) readCurrent(ctx context.Context, views []board.View) ([]board.Page, error) {
	if len(views) == 1 && views[0].Period.Window() == board.Contest {
		page, err := r.read(ctx, views[0])
		pages := []board.Page{page}
		if err == nil {
			err = r.addToEnter(ctx, views, pages)
		}
		return pages, err
	}
	pages, err := r.View.ReadAll(ctx, views)
	if err != nil {
		return nil, err
	}
	for i, v := range views {
		if err := r.complete(ctx, v, &pages[i]); err != nil {
			return nil, err
		}
	}
	return pages, r.addToEnter(ctx, views, pages)
}

// Ranks on final boards are cached as long as such boards may be (cacheFinal).
const (
	ranksFor  = 5 * time.Minute
	mostRanks = 20_000
)

// A rankCache has ranks on final boards in the process. All of them go at once, when they are too old or too many.
type rankCache struct {
	mu    sync.Mutex
	until time.Time
	ranks map[rankOf]int64 // 0 for a user who is not on the board
}

type rankOf struct {
	board.ID
	user string
}

// addRanks puts the ranks in the period before on a page: on its standings and, for movement, of all who are
// on it. A live board came with those that Redis knows of a period that is live; the others are read from the
// table, all at once.
func (r boardReader) addRanks(ctx context.Context, v board.View, page *board.Page) error {
	if v.Movement && page.Previous == nil {
		page.Previous = map[string]int64{}
	}
	if !v.Period.Window().Tiles() {
		return nil
	}
	asked, standings := slices.Clone(v.Users), []*board.Standing{}
	for i := range page.Standings {
		standings = append(standings, &page.Standings[i])
	}
	if page.Standing != nil {
		asked, standings = append(asked, v.User), append(standings, page.Standing)
	}
	before := v.Period.Prev()
	moved := !page.Final && r.due(before) // so that Redis may know of some alone
	var users []string
	for i, user := range asked {
		if moved || standings[i].PreviousRank == nil {
			users = append(users, user)
		}
	}
	for _, user := range page.Users() {
		if v.Movement && (moved || page.Previous[user] == 0) {
			users = append(users, user)
		}
	}
	// A period that is neither due nor over was not moved.
	if len(users) == 0 || !page.Final && !moved && !r.ended(v.Period) {
		return nil
	}
	ranks, err := r.ranks(ctx, v.Board, before, users)
	if errors.Is(err, final.ErrNotFinal) {
		if !page.Final {
			return nil
		}
		ranks, err = r.liveRanks(ctx, v.Board, before, users) // it was opened again
	}
	if err != nil {
		return err
	}
	for i, user := range asked {
		if rank := ranks[user]; rank > 0 {
			standings[i].PreviousRank = &rank
		}
	}
	for _, user := range users {
		if rank := ranks[user]; v.Movement && rank > 0 {
			page.Previous[user] = rank
		}
	}
	return nil
}

// ranks returns the ranks of users on a final board, 0 for a user who is not on it. The error wraps
// final.ErrNotFinal if there is none. A rank that was read before is not shown once any process has erased the
// user.
func (r boardReader) ranks(ctx context.Context, name string, p board.Period, users []string) (
	map[string]int64, error,
) {
	ranks, kept, err := r.keptRanks(ctx, name, p, users)
	if err != nil || len(kept) == 0 {
		return ranks, err
	}
	present, err := r.Finals.Present(ctx, p, kept)
	for user := range present {
		if !present[user] {
			ranks[user] = 0
		}
	}
	return ranks, err
}

// keptRanks is ranks as the process has them, and the users whose ranks it had before.
func (r boardReader) keptRanks(ctx context.Context, name string, p board.Period, users []string) (
	ranks map[string]int64, kept []string, err error,
) {
	cache := &r.ranked
	ranks = make(map[string]int64, len(users))
	var missing []string
	cache.mu.Lock()
	if now := r.Now(); now.After(cache.until) || len(cache.ranks) > mostRanks {
		cache.until, cache.ranks = now.Add(ranksFor), map[rankOf]int64{}
	}
	for _, user := range users {
		rank, isKept := cache.ranks[rankOf{board.ID{Board: name, Period: p}, user}]
		if ranks[user] = rank; !isKept {
			missing = append(missing, user)
		} else if rank > 0 {
			kept = append(kept, user)
		}
	}
	cache.mu.Unlock()
	if len(missing) == 0 {
		return ranks, kept, nil
	}
	found, err := r.Finals.Ranks(ctx, name, p, missing)
	if err != nil {
		return nil, nil, err
	}
	cache.mu.Lock()
	defer cache.mu.Unlock()
	for _, user := range missing {
		ranks[user] = found[user]
		cache.ranks[rankOf{board.ID{Board: name, Period: p}, user}] = found[user]
	}
	return ranks, kept, nil
}

// liveRanks returns the ranks of users on a board that was opened again.
func (r boardReader) liveRanks(ctx context.Context, name string, p board.Period, users []string) (
	map[string]int64, error,
) {
	page, err := r.View.Read(ctx, board.View{Board: name, Period: p, Users: users})
	if err != nil {
		return nil, err
	}
	ranks := make(map[string]int64, len(users))
	for i, s := range page.Standings { // there is none if the board has become one of teams
		ranks[users[i]] = s.Rank
	}
	return ranks, nil
}
