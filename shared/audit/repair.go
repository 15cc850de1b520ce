package audit

import (
	"context"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// A Repair is what to write over what is there of a user.
type Repair struct {
	Holding
	Pages  []ledger.Page
	Enter  []board.MonthOf // indexes that the user is missing in
	Strike []board.MonthOf // indexes that the user has no business in
	Scores []ledger.Move

	Unfollow []string // whom the user's set has and the follows page has not
	Listed   *bool    // whether the user belongs into the index of who follows somebody
	Away     *bool    // and into that of who is hidden or excluded; nil: it is right
}

// Empty says whether there is nothing to write.
func (r Repair) Empty() bool {
	return len(r.Pages)+len(r.Enter)+len(r.Strike)+len(r.Scores)+len(r.Unfollow) == 0 && r.Listed == nil && r.Away == nil
}

// repairPart is how many scores one commit writes, or whom it takes off a follow
// list, far below what a script can take.
const repairPart = 1_000

// Repair writes all of it, if the pages and what is closed are still those of the
// holding; done is false when they are not.
func (in *Inspector) Repair(ctx context.Context, r Repair) (done bool, err error) {
	for len(r.Scores) > repairPart {
		part := Repair{Holding: r.Holding, Scores: r.Scores[:repairPart]}
		if done, err := in.repairOnce(ctx, part); err != nil || !done {
			return done, err
		}
		r.Scores = r.Scores[repairPart:]
	}
	for len(r.Unfollow) > repairPart {
		part := Repair{Holding: r.Holding, Unfollow: r.Unfollow[:repairPart]}
		if done, err := in.repairOnce(ctx, part); err != nil || !done {
			return done, err
		}
		r.Unfollow = r.Unfollow[repairPart:]
	}
	return in.repairOnce(ctx, r) // the pages last: they change the version
}

func (in *Inspector) repairOnce(ctx context.Context, r Repair) (done bool, err error) {
	indexes, enter := r.indexes()
	keys := append([]string{redisstore.PagesKey(r.Shard, r.User), redisstore.ClosedKey(r.Shard), redisstore.PeriodsKey(r.Shard), redisstore.FriendsKey(r.Shard, r.User)}, indexes...)
	args := []any{r.version, redisstore.NewVersion(), r.closedVersion, r.User, len(indexes), len(r.Pages), len(r.Unfollow)}
	for _, in := range enter {
		args = append(args, in)
	}
	for _, id := range r.Unfollow {
		args = append(args, id)
	}
	for _, p := range r.Pages {
		args = append(args, p.Key.String(), p.Data)
	}
	for _, m := range r.Scores {
		keys = append(keys, redisstore.BoardKey(r.Shard, m.Board, m.Period))
		args = append(args, redisstore.PackedArg(m.Packed), redisstore.PeriodName(m.Board, m.Period))
	}
	c := &redisstore.Call{Script: in.repair, Keys: keys, Args: args}
	in.redis.Run(ctx, c)
	reply, err := c.Cmd.Int64()
	if err != nil {
		return false, redisstore.Unavailable("repair", err)
	}
	return reply == redisstore.Done, nil
}

// indexes lists the keys of the indexes that are wrong, and for each 1 when the
// user is to be entered, 0 when struck out.
func (r Repair) indexes() (keys []string, enter []int) {
	put := func(key string, in bool) {
		keys = append(keys, key)
		if enter = append(enter, 0); in {
			enter[len(enter)-1] = 1
		}
	}
	for _, m := range r.Enter {
		put(redisstore.MonthKey(r.Shard, m), true)
	}
	for _, m := range r.Strike {
		put(redisstore.MonthKey(r.Shard, m), false)
	}
	if r.Listed != nil {
		put(redisstore.ListsKey(r.Shard), *r.Listed)
	}
	if r.Away != nil {
		put(redisstore.SuppressedKey(r.Shard), *r.Away)
	}
	return keys, enter
}
