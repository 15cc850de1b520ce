package boards

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

//go:embed read_suppressed.lua
var readSuppressedSource string

// An absence is what a user who is hidden or excluded has by the pages, and what is
// closed. The zero absence is that of who is neither.
type absence struct {
	status ledger.UserStatus
	scores []ledger.Move
	closed *redisstore.ClosedSet
}

// supplies says whether the user is told a place on a board, on it or not. What is
// closed is as it is, and an excluded user has no place.
func (a absence) supplies(name string, p board.Period) bool {
	return a.status.Supplied() && p != board.Period{} && !a.closed.Periods.Has(name, p)
}

// packed is what a user is told to have on a board though not on it, 0 for nothing.
func (a absence) packed(name string, p board.Period) board.Packed {
	if !a.supplies(name, p) {
		return 0
	}
	at := slices.IndexFunc(a.scores, func(m ledger.Move) bool { return m.Board == name && m.Period == p })
	if at < 0 {
		return 0
	}
	return a.scores[at].Packed
}

// readAbsence reads what views need of a user who is hidden or excluded. Other scripts and
// commands are sent in the same round trip.
func (s *Store) readAbsence(ctx context.Context, user string, views []board.View, beside []*redisstore.Call,
	others func(redis.Pipeliner),
) (a absence, err error) {
	var periods []board.Period
	for _, v := range views {
		periods = append(periods, v.Period)
		if before := previous(v.Period); before != (board.Period{}) {
			periods = append(periods, before)
		}
	}
	needs := append(s.ledger.ScoreNeeds(periods), ledger.StatusPage())
	shard := s.redis.ShardOf(user)
	c := &redisstore.Call{
		Script: s.scripts.readSuppressed,
		Keys:   []string{redisstore.PagesKey(shard, user), redisstore.SuppressedKey(shard), redisstore.ClosedKey(shard)},
		Args:   []any{user},
	}
	for _, key := range needs {
		c.Args = append(c.Args, key.String())
	}
	s.redis.RunBeside(ctx, append(slices.Clone(beside), c), others)
	reply, err := c.Cmd.Slice()
	if err != nil {
		return a, redisstore.Unavailable("read a user's status", err)
	}
	if len(reply) == 0 {
		return a, nil
	}
	if len(reply) != 1+len(needs) {
		return a, redisstore.Unreadable(fmt.Sprintf("%d pages instead of %d", len(reply)-1, len(needs)))
	}
	value, _ := reply[0].(string)
	if a.closed, err = s.redis.ReadClosed(shard, value); err != nil {
		return a, err
	}
	pages := ledger.Pages{}
	for i, key := range needs {
		page, there := reply[1+i].(string)
		pages[key] = ledger.StoredPage(page, there)
	}
	if a.status, err = ledger.OpenUserStatus(pages[ledger.StatusPage()]); err == nil {
		a.scores, err = s.ledger.Scores(pages, a.closed.Periods)
	}
	if err != nil {
		return absence{}, redisstore.Damaged(user, err)
	}
	return a, nil
}

// OwnStandings reads where a user stands on several boards, as the user is told: a
// hidden or shadowed one learns the place that the user would have. Only the views' boards and
// periods are looked at. It takes one round trip, a deliberate exception apart: a
// second one for a user who is hidden, and those of boards in several shards.
func (s *Store) OwnStandings(ctx context.Context, user string, views []board.View) ([]board.Standing, error) {
	views = slices.Clone(views)
	var calls []*redisstore.Call
	for i := range views {
		views[i] = board.View{Board: views[i].Board, Period: views[i].Period, User: user}
		if s.redis.Shards() == 1 {
			calls = append(calls, s.boardCall(views[i], unnamed))
		}
	}
	own, err := s.readAbsence(ctx, user, views, calls, func(redis.Pipeliner) {})
	if err != nil {
		return nil, err
	}
	pages, err := s.ownPages(ctx, views, calls)
	if err != nil {
		return nil, err
	}
	standings := make([]board.Standing, len(views))
	for i, page := range pages {
		standings[i] = *page.Standing
	}
	if !own.status.Supplied() {
		return standings, nil
	}
	return standings, s.supply(ctx, own, views, standings)
}

// ownPages reads the views as anybody sees them, of one shard from calls that have
// been made.
func (s *Store) ownPages(ctx context.Context, views []board.View, calls []*redisstore.Call) ([]Page, error) {
	if s.redis.Shards() > 1 {
		return s.readSharded(ctx, views)
	}
	return s.parsePages(views, calls)
}

// supply puts the places that a hidden user would have into standings.
func (s *Store) supply(ctx context.Context, own absence, views []board.View, standings []board.Standing) error {
	calls := make([][]*aroundCall, len(views))
	for i, v := range views {
		sp := &spot{user: v.User, packed: own.packed(v.Board, v.Period), past: own.packed(v.Board, previous(v.Period))}
		calls[i] = s.askAround(v, 1, sp)
	}
	s.redis.Run(ctx, scriptsOf(calls...)...)
	read := around{copies: map[string]string{}, past: map[string]board.Packed{}}
	for i := range views {
		if len(calls[i]) == 0 {
			continue
		}
		for _, c := range calls[i] {
			if err := s.takeAround(c, &read); err != nil {
				return err
			}
		}
		sp, was := calls[i][0].spots[0], &standings[i]
		if sp.past != 0 {
			was.PreviousRank = new(sp.previousRank())
		}
		if sp.packed == 0 {
			continue
		}
		var beforeThat int64
		if was.PreviousRank != nil {
			beforeThat = *was.PreviousRank
		}
		me := board.Place{Entry: board.Entry{User: sp.user, Packed: sp.packed}}
		*was = standAmong(sp.near, me, sp.before+1, was.Total+1, beforeThat)
	}
	return nil
}

// standAmong is the standing that a place would have among its neighbours.
func standAmong(near []board.Place, me board.Place, rank, total, previousRank int64) board.Standing {
	near = append(near, me)
	slices.SortFunc(near, board.ComparePlaces)
	at := slices.IndexFunc(near, func(p board.Place) bool { return p.User == me.User })
	for i := range near {
		near[i].Rank = rank + int64(i-at)
	}
	standing, _ := board.Stand(near, rank, total, previousRank, 0)
	return *standing
}
