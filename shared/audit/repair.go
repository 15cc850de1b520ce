package audit

import (
	"context"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// A Repair is what to write for a user.
type Repair struct {
	Holding
	Pages  []ledger.Page
	Enter  []board.MonthOf // indexes without the user
	Strike []board.MonthOf // indexes with the user by mistake
	Scores []ledger.Move

	Unfollow   []string // users in the follow set that the follows page does not have
	Listed     *bool    // whether the user belongs into the index of users with a follow list; nil for no change
	Suppressed *bool    // whether the user belongs into the index of suppressed users; nil for no change
}

// Empty reports whether there is nothing to write.
func (r Repair) Empty() bool {
	return len(r.Pages)+len(r.Enter)+len(r.Strike)+len(r.Scores)+len(r.Unfollow) == 0 && r.Listed == nil &&
		r.Suppressed == nil
}

// repairPart is the number of scores or followed users in one write, far below the limits
// of a script.
const repairPart = 900

// Repair writes the repair if the pages and the closed-period set are still those of the
// holding; otherwise done is false.
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
	ctx = redisstore.WhenFull(ctx)
	w := &redisstore.Write{}
	pages := redisstore.PagesKey(r.Shard, r.User)
	next := ""
	if len(r.Pages) > 0 {
		next = redisstore.NewVersion()
	}
	w.GuardVersion(pages, redisstore.VersionField, r.version, next)
	w.GuardClosed(r.Shard, r.closed)
	if len(r.Pages) > 0 {
		set := []any{redisstore.VersionField, next}
		for _, p := range r.Pages {
			set = append(set, p.Key.String(), p.Data)
		}
		w.HSet(pages, set...)
	}
	w.ZRemAll(redisstore.FriendsKey(r.Shard, r.User), r.Unfollow)
	r.repairIndexes(w)
	w.Place(r.Shard, r.User, r.Scores)
	in.redis.Apply(ctx, w)
	done, _, err = w.Done("repair")
	return done, err
}

// repairIndexes adds the user to indexes and removes the user from others.
func (r Repair) repairIndexes(w *redisstore.Write) {
	put := func(key string, in bool) {
		if in {
			w.SAdd(key, r.User)
		} else {
			w.SRem(key, r.User)
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
	if r.Suppressed != nil {
		put(redisstore.SuppressedKey(r.Shard), *r.Suppressed)
	}
}
