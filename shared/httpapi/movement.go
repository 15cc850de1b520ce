package httpapi

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"laurel/shared/board"
	"laurel/shared/final"
)

// Ranks on final boards are cached as long as such boards may be (cacheFinal).
const (
	ranksFor  = 5 * time.Minute
	mostRanks = 20_000
)

// A rankCache has ranks on final boards in the process. All of them go at once, when they
// are too old or too many.
type rankCache struct {
	mu    sync.Mutex
	until time.Time
	ranks map[rankOf]int64 // 0 for who is not on the board
}

type rankOf struct {
	board  string
	period board.Period
	user   string
}

// addRanks puts the ranks in the period before on a page: on the standings of the view's
// Users and, for movement, of all who are on it. A live board came with those that Redis
// knows; the others are read from the table, all at once.
func (r boardReader) addRanks(ctx context.Context, v board.View, page *board.Page) error {
	if v.Movement && page.Previous == nil {
		page.Previous = map[string]int64{}
	}
	if v.Period.Window() == board.All || (len(v.Users) == 0 && !v.Movement) {
		return nil
	}
	before := v.Period.Prev()
	users := slices.Clone(v.Users)
	if v.Movement {
		users = append(users, page.Users()...)
	}
	if !page.Final && !r.due(before) { // it was moved only if less was hot, and the period is over
		ranked := func(user string) bool { return page.Previous[user] > 0 }
		if users = slices.DeleteFunc(users, ranked); !r.ended(v.Period) {
			return nil
		}
	}
	if len(users) == 0 {
		return nil
	}
	ranks, err := r.ranks(ctx, v.Board, before, users)
	if errors.Is(err, final.ErrNotFinal) {
		if !page.Final {
			return nil
		}
		ranks, err = r.liveRanks(ctx, v.Board, before, users)
	}
	if err != nil {
		return err
	}
	for i, user := range v.Users {
		if rank := ranks[user]; rank > 0 {
			page.Standings[i].PreviousRank = &rank
		}
	}
	if v.Movement {
		for user, rank := range ranks {
			if rank > 0 {
				page.Previous[user] = rank
			}
		}
	}
	return nil
}

// ranks returns the ranks of users on a final board, 0 for who is not on it. The error wraps
// final.ErrNotFinal if there is none.
func (r boardReader) ranks(ctx context.Context, name string, p board.Period, users []string) (
	map[string]int64, error,
) {
	cache := &r.ranked
	ranks := make(map[string]int64, len(users))
	var missing []string
	cache.mu.Lock()
	if now := r.Now(); now.After(cache.until) || len(cache.ranks) > mostRanks {
		cache.until, cache.ranks = now.Add(ranksFor), map[rankOf]int64{}
	}
	for _, user := range users {
		rank, there := cache.ranks[rankOf{name, p, user}]
		if ranks[user] = rank; !there {
			missing = append(missing, user)
		}
	}
	cache.mu.Unlock()
	if len(missing) == 0 {
		return ranks, nil
	}
	found, err := r.Finals.Ranks(ctx, name, p, missing)
	if err != nil {
		return nil, err
	}
	cache.mu.Lock()
	defer cache.mu.Unlock()
	for _, user := range missing {
		ranks[user] = found[user]
		cache.ranks[rankOf{name, p, user}] = found[user]
	}
	return ranks, nil
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
	for i, user := range users {
		ranks[user] = page.Standings[i].Rank
	}
	return ranks, nil
}
