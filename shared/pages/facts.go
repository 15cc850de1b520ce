package pages

import (
	"context"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// Facts tell what the rules ask of users and articles, where Redis does not have it.
type Facts interface {
	// Since returns when the accounts of users were made, by the copies of profiles that
	// Redis has, "" for one that is missing. It leaves out those of whom it is not known.
	Since(ctx context.Context, copies map[string]string) (map[string]board.Moment, error)
	// Known returns those of some articles that have left Redis.
	Known(ctx context.Context, ids ...string) (map[string]ledger.KnownArticle, error)
}

// Know has recording ask for facts. It is called before the first request.
func (s *Store) Know(facts Facts) { s.facts = facts }

// factsRead reads the facts of a batch. What Redis has comes with the pages; only a target
// that is no article in Redis, and a profile without a copy, take a read of the table: a
// deliberate exception from the round trips, of rules with targets or minAgeDays alone.
type factsRead struct {
	targets  map[string]bool
	users    map[int][]string // by shard
	articles func() (map[string]ledger.KnownArticle, error)
	profiles map[int]*redis.SliceCmd

	known map[string]ledger.KnownArticle
	since map[string]board.Moment
	err   error
}

// askFacts puts what Redis has of the facts into a pipeline, nothing if no rule asks.
func (s *Store) askFacts(ctx context.Context, pipe redis.Pipeliner, tasks []*task) *factsRead {
	f := &factsRead{targets: map[string]bool{}, users: map[int][]string{}, profiles: map[int]*redis.SliceCmd{}}
	for _, t := range tasks {
		ofAge := false
		for i := range t.activities {
			target, age := s.ledger.Asks(&t.activities[i])
			if ofAge = ofAge || age; target {
				f.targets[t.activities[i].Target] = true
			}
			t.asks = t.asks || target || age
		}
		if ofAge {
			f.users[t.shard] = append(f.users[t.shard], t.user)
		}
	}
	if len(f.targets) > 0 {
		f.articles = s.articles.AskKnown(ctx, pipe, slices.Sorted(maps.Keys(f.targets)))
	}
	for shard, users := range f.users {
		f.profiles[shard] = pipe.HMGet(ctx, redisstore.ProfilesKey(shard), users...)
	}
	return f
}

// take takes in what Redis has, and reads the rest from the table.
func (f *factsRead) take(ctx context.Context, from Facts) {
	if f.articles != nil {
		f.known, f.err = f.articles()
	}
	copies := map[string]string{}
	for shard, cmd := range f.profiles {
		if err := cmd.Err(); err != nil {
			f.err = redisstore.Unavailable("read profiles", err)
			return
		}
		for i, user := range f.users[shard] {
			copies[user], _ = cmd.Val()[i].(string)
		}
	}
	if f.err != nil || from == nil {
		return
	}
	for id := range f.known {
		delete(f.targets, id)
	}
	var err error
	if len(f.targets) > 0 {
		var left map[string]ledger.KnownArticle
		left, err = from.Known(ctx, slices.Sorted(maps.Keys(f.targets))...)
		maps.Copy(f.known, left)
	}
	if err == nil && len(copies) > 0 {
		f.since, err = from.Since(ctx, copies)
	}
	if err != nil {
		f.err = redisstore.Unavailable("read what rules ask", err)
	}
}

// give gives a task its facts.
func (f *factsRead) give(t *task) error {
	if !t.asks {
		return nil
	}
	t.facts = ledger.Facts{Articles: f.known, Since: f.since[t.user]}
	return f.err
}
