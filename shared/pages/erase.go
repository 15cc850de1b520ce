package pages

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

//go:embed erase.lua
var eraseSource string

// scanCount is about how many follow lists one step of an erasure looks into.
const scanCount = 500

// Removed counts what an erasure has removed, by where it was.
type Removed struct {
	Boards     int64 // live periods that the user was on
	Pages      int64 // of the user's ledger, the follow list and the status among them
	Months     int64 // that the user had pages of
	Followed   int64 // users on the user's own follow list
	Lists      int64 // follow lists of others
	Suppressed int64 // 1 when the user was hidden or excluded
	Profiles   int64 // 1 when there was a copy of the profile
}

// Plus adds up what was removed.
func (r Removed) Plus(more Removed) Removed {
	return Removed{
		Boards: r.Boards + more.Boards, Pages: r.Pages + more.Pages, Months: r.Months + more.Months,
		Followed: r.Followed + more.Followed, Lists: r.Lists + more.Lists,
		Suppressed: r.Suppressed + more.Suppressed, Profiles: r.Profiles + more.Profiles,
	}
}

// An ErasureStep is what one step of an erasure has come to.
type ErasureStep struct {
	Removed Removed
	Next    string                  // where the next step goes on, "" after the last
	Waiting []redisstore.LivePeriod // closed periods that the user is still on, of the first step
	At      board.Moment            // of the tombstone, of the first step; 0 without a table
}

// EraseUser erases a user from everything that is live, in as many steps as that
// takes. See EraseStep.
func (s *Store) EraseUser(ctx context.Context, user string) (ErasureStep, error) {
	var whole ErasureStep
	for {
		step, err := s.EraseStep(ctx, user, whole.Next)
		whole.Removed = whole.Removed.Plus(step.Removed)
		whole.Waiting = append(whole.Waiting, step.Waiting...)
		if whole.Next = step.Next; err != nil || whole.Next == "" {
			return whole, err
		}
	}
}

// EraseStep does the step of an erasure that from names, "" for the first, which
// removes all of the user's own; the others go over the follow lists of everybody
// else, some at a time. Each can be done again: an erasure that was cut off goes on
// with the step that failed, or begins anew. What others have earned by following
// the user stays. The first step puts a tombstone, in the table and then into every shard,
// before it erases what it has read before: what arrived up to its moment is erased, and
// recording refuses it; what is reported later starts from nothing.
//
// A closed period is the archive's and left alone: who is still on one has to be
// erased from the archive when the period is there, and then here once more.
func (s *Store) EraseStep(ctx context.Context, user, from string) (ErasureStep, error) {
	step, err := s.eraseStep(ctx, user, from)
	if err == nil && step.Next == "" && s.statuses != nil {
		_, _, until, _ := s.parseStep(from)
		if err = s.buried(redisstore.WhenFull(ctx), user, until.Add(-ledger.MaxAhead)); err != nil {
			step.Next = from
		}
	}
	return step, err
}

func (s *Store) eraseStep(ctx context.Context, user, from string) (ErasureStep, error) {
	ctx = redisstore.WhenFull(ctx)
	if from == "" {
		step, err := s.eraseOwn(ctx, user, func(ctx context.Context) (at, until board.Moment, err error) {
			return s.bury(ctx, user)
		})
		if err != nil {
			return ErasureStep{}, err
		}
		return step, nil
	}
	shard, cursor, until, err := s.parseStep(from)
	if err != nil {
		return ErasureStep{Next: from}, err
	}
	followers, next, err := s.followers(ctx, user, shard, cursor)
	step := ErasureStep{Next: from}
	for _, follower := range followers {
		if err = s.unlist(ctx, follower, user, until); err != nil {
			break
		}
		step.Removed.Lists++
	}
	if err != nil {
		return step, err
	}
	switch {
	case next != 0:
		step.Next = listsStep(shard, next, until)
	case shard+1 < s.redis.Shards():
		step.Next = listsStep(shard+1, 0, until)
	default:
		step.Next = ""
	}
	return step, nil
}

// listsStep names the step that goes over follow lists of a shard from a cursor, and takes
// out of them what was up to a moment.
func listsStep(shard int, cursor uint64, until board.Moment) string {
	return fmt.Sprintf("lists %d %d %d", shard, cursor, until)
}

func (s *Store) parseStep(from string) (shard int, cursor uint64, until board.Moment, err error) {
	n, err := fmt.Sscanf(from, "lists %d %d %d", &shard, &cursor, &until)
	if n == 3 && err == nil && shard >= 0 && shard < s.redis.Shards() {
		return shard, cursor, until, nil
	}
	return 0, 0, 0, fmt.Errorf("%w: %q is not a step of an erasure", redisstore.ErrStored, from)
}

// eraseOwn removes what is the user's own. bury returns the tombstone's moment, and that up to
// which others are to forget the user.
func (s *Store) eraseOwn(ctx context.Context, user string,
	bury func(context.Context) (at, until board.Moment, err error),
) (ErasureStep, error) {
	if err := s.locks.lock(ctx, user); err != nil {
		return ErasureStep{}, redisstore.Unavailable("wait for the user's lock", err)
	}
	defer s.locks.unlock(user)
	var step ErasureStep
	for attempt := 1; attempt <= redisstore.MaxAttempts; attempt++ {
		p, err := s.readPerson(ctx, user)
		if err != nil {
			return step, err
		}
		at, until, err := bury(ctx)
		if err != nil {
			return step, err
		}
		var boards []string
		var closed []redisstore.LivePeriod
		for _, at := range p.periods {
			if p.open.Has(at.Board, at.Period) {
				closed = append(closed, at)
			} else {
				boards = append(boards, redisstore.BoardKey(p.shard, at.Board, at.Period))
			}
		}
		removed, done, err := s.eraseFrom(ctx, p, boards)
		step.Removed = step.Removed.Plus(removed)
		if err != nil {
			return step, err
		}
		if done {
			step.At, step.Next = at, listsStep(0, 0, until)
			step.Waiting, err = s.stillOn(ctx, p, closed)
			return step, err
		}
		redisstore.BackOff(ctx, attempt)
	}
	return step, fmt.Errorf("%w: %d attempts", redisstore.ErrBusy, redisstore.MaxAttempts)
}

// eraseFrom takes a user off boards, some at a time, and with the last of them
// removes everything else, all under the version that was read; done is false when
// the pages or the closed-period set have changed.
func (s *Store) eraseFrom(ctx context.Context, p person, boards []string) (removed Removed, done bool, err error) {
	for last := false; !last; {
		part := boards[:min(len(boards), statusPart)]
		boards = boards[len(part):]
		last = len(boards) == 0
		keys := []string{
			redisstore.PagesKey(p.shard, p.user), redisstore.ClosedKey(p.shard), redisstore.FriendsKey(p.shard, p.user),
			redisstore.ListsKey(p.shard), redisstore.SuppressedKey(p.shard), redisstore.ProfilesKey(p.shard),
		}
		months := p.allMonths()
		for _, m := range months {
			keys = append(keys, redisstore.MonthKey(p.shard, m))
		}
		whole := "0"
		if last {
			whole = "1"
		}
		c := &redisstore.Call{
			Script: s.scripts.erase, Keys: append(keys, part...),
			Args: []any{p.version, p.closed.Version(), p.user, len(months), whole},
		}
		s.redis.Run(ctx, c)
		reply, err := c.Cmd.Result()
		if err != nil {
			return removed, false, redisstore.Unavailable("erase a user", err)
		}
		if reply == redisstore.Changed {
			return removed, false, nil
		}
		now, err := parseRemoved(reply)
		if removed = removed.Plus(now); err != nil {
			return removed, false, err
		}
	}
	return removed, true, nil
}

func parseRemoved(reply any) (r Removed, err error) {
	counts, _ := reply.([]any)
	into := []*int64{&r.Boards, &r.Pages, &r.Months, &r.Followed, &r.Suppressed, &r.Profiles}
	if len(counts) != len(into) {
		return r, redisstore.Unreadable("an erasure's answer is not of six parts")
	}
	for i, n := range into {
		*n, _ = counts[i].(int64)
	}
	return r, nil
}

// allMonths lists the months whose index may have the user.
func (p person) allMonths() []board.MonthOf {
	months := map[board.MonthOf]bool{}
	for key := range p.pages {
		name := key.String()
		if day, err := board.ParseDate(name); err == nil {
			months[day.Month()] = true
		} else if month, err := board.ParsePeriod(board.Month, name); err == nil {
			months[month.First().Month()] = true
		}
	}
	return slices.Sorted(maps.Keys(months))
}

// stillOn returns the periods that the user is on.
func (s *Store) stillOn(ctx context.Context, p person, periods []redisstore.LivePeriod) (on []redisstore.LivePeriod,
	err error,
) {
	if len(periods) == 0 {
		return nil, nil
	}
	pipe := s.redis.Client().Pipeline()
	scores := make([]*redis.FloatCmd, len(periods))
	for i, at := range periods {
		scores[i] = pipe.ZScore(ctx, redisstore.BoardKey(p.shard, at.Board, at.Period), p.user)
	}
	_, _ = pipe.Exec(ctx)
	for i, score := range scores {
		switch err := score.Err(); {
		case err == nil:
			on = append(on, periods[i])
		case !errors.Is(err, redis.Nil):
			return nil, redisstore.Unavailable("look for a user", err)
		}
	}
	return on, nil
}

// followers goes over some of a shard's follow lists, from a cursor to the next,
// and returns the users whose page may know the user, or whose list has the user.
func (s *Store) followers(ctx context.Context, user string, shard int, cursor uint64) (followers []string, next uint64,
	err error,
) {
	owners, next, err := s.redis.Client().SScan(ctx, redisstore.ListsKey(shard), cursor, "", scanCount).Result()
	if err != nil {
		return nil, 0, redisstore.Unavailable("go over the follow lists", err)
	}
	pipe := s.redis.Client().Pipeline()
	pages, scores := make([]*redis.StringCmd, len(owners)), make([]*redis.FloatCmd, len(owners))
	for i, owner := range owners {
		pages[i] = pipe.HGet(ctx, redisstore.PagesKey(shard, owner), ledger.FollowsPage().String())
		scores[i] = pipe.ZScore(ctx, redisstore.FriendsKey(shard, owner), user)
	}
	cmds, _ := pipe.Exec(ctx)
	if err := redisstore.FirstError(cmds...); err != nil {
		return nil, 0, redisstore.Unavailable("look into a follow list", err)
	}
	hash := codec.Hash(user)
	for i, owner := range owners {
		if scores[i].Err() == nil || ledger.MayKnow(pages[i].Val(), hash) {
			followers = append(followers, owner)
		}
	}
	return followers, next, nil
}

// unlist takes what was up to a moment of a user out of somebody's follow list.
func (s *Store) unlist(ctx context.Context, follower, user string, until board.Moment) error {
	return s.changeFollows(ctx, follower, func(t *task, friends []string) (c ledger.Changes, none ledger.Row, err error) {
		page := t.pages[ledger.FollowsPage()]
		if page == "" && len(friends) == 0 {
			return c, none, nil // erased meanwhile: a commit would bring the key back
		}
		c, err = ledger.ForgetFollow(page, user, until)
		return c, none, err
	})
}
