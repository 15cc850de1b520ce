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
	r.mendIndexes(w)
	w.Place(r.Shard, r.User, r.Scores)
	in.redis.Apply(ctx, w)
	done, _, err = w.Done("repair")
	return done, err
}

// mendIndexes enters the user into the indexes that lack the user, and strikes the
// user out of those with no business of the user's.
func (r Repair) mendIndexes(w *redisstore.Write) {
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
	if r.Away != nil {
		put(redisstore.SuppressedKey(r.Shard), *r.Away)
	}
}
