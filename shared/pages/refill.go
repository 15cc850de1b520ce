package pages

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// Refilled is what a user has in a period that is reopened.
type Refilled struct {
	User       string
	Packed     board.Packed // by the pages with the rows, 0 for nothing
	Suppressed bool         // hidden or excluded, and so not on the board
	Summary    bool         // the rows are fewer than what the pages have summed up, and were left out
}

// Refill merges rows of a period that is being reopened, or was, into the pages as if it
// was open, and puts the users on its board: in two round trips and one more for each
// conflict. The rows are all that there are of the users in the period. Without write it
// changes nothing. It may be done again, and beside requests. The error wraps
// redisstore.ErrNotReopening if the period is not being reopened any more.
func (s *Store) Refill(ctx context.Context, at redisstore.LivePeriod, users []UserRows, write bool) (
	[]Refilled, error,
) {
	at.Total = 0
	refilled := make([]Refilled, len(users))
	merges := make([]*merge, len(users))
	for i, u := range users {
		needs := s.ledger.MergeNeeds(u.Rows)
		for _, key := range append(s.ledger.ScoreNeeds([]board.Period{at.Period}), ledger.StatusPage()) {
			if !slices.Contains(needs, key) {
				needs = append(needs, key)
			}
		}
		m := s.merge(u.User, needs)
		m.decide = func([]string) (c ledger.Changes, err error) {
			if set := m.closed; write && !set.Reopening(at.Board, at.Period) && !set.Reopened(at.Board, at.Period) {
				return c, fmt.Errorf("%w: %s", redisstore.ErrNotReopening, redisstore.PeriodName(at.Board, at.Period))
			}
			refilled[i], c, err = s.refill(m, at, u)
			return c, err
		}
		merges[i] = m
	}
	votes := s.articles.Ballots()
	if write {
		return refilled, s.mergeAll(ctx, merges, votes)
	}
	if err := s.readMerges(ctx, merges, votes.ReadIn); err != nil {
		return nil, err
	}
	for _, m := range merges {
		if _, err := s.decideMerge(m); err != nil {
			return nil, err
		}
	}
	return refilled, nil
}

// refill works out what the rows of a user change.
func (s *Store) refill(m *merge, at redisstore.LivePeriod, u UserRows) (r Refilled, c ledger.Changes, err error) {
	open := redisstore.Opened(m.closed.Periods, at.Board, at.Period)
	was, err := s.scoreIn(m.pages, open, at)
	if err == nil {
		c, err = s.ledger.Merge(m.pages, open, nil, u.Rows, true)
	}
	if err != nil {
		return r, c, err
	}
	status, err := ledger.OpenUserStatus(m.pages[ledger.StatusPage()])
	if err != nil {
		return r, c, err
	}
	after := maps.Clone(m.pages)
	for _, page := range c.Pages {
		after[page.Key] = page.Data
	}
	r = Refilled{User: u.User, Suppressed: status.Suppressed()}
	if r.Packed, err = s.scoreIn(after, open, at); err != nil {
		return r, c, err
	}
	if r.Summary = r.Packed.Score() < was.Score(); r.Summary {
		r.Packed, c = was, ledger.Changes{}
	}
	if c.Empty() && r.Packed == 0 {
		return r, c, nil
	}
	of := func(m ledger.Move) bool { return m.Board == at.Board && m.Period == at.Period }
	c.Scores = slices.DeleteFunc(c.Scores, of)
	move := ledger.Move{Board: at.Board, Period: at.Period}
	if !r.Suppressed {
		move.Packed = r.Packed
	}
	c.Scores = append(c.Scores, move)
	return r, c, nil
}

// scoreIn returns what pages have in a period that is open.
func (s *Store) scoreIn(pages ledger.Pages, open *board.Closed, at redisstore.LivePeriod) (board.Packed, error) {
	moves, err := s.ledger.Scores(pages, open)
	for _, m := range moves {
		if m.Board == at.Board && m.Period == at.Period {
			return m.Packed, err
		}
	}
	return 0, err
}
