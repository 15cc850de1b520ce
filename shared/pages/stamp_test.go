package pages_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// operations are all that requests, nights and erasures do to a store, of the user ann
// and the article 1.
func operations(t *testing.T, store *live.Store) map[string]func(context.Context) error {
	t.Helper()
	noon := harness.At(t, "2026-11-20T12:00")
	day := harness.Period(t, "2026-11-20")
	view := board.View{Board: "activity", Period: day, Limit: 30}
	of := view
	of.User = "ann"
	press := store.Articles()
	one := article.Article{ID: "1", Author: "bob", Title: "One", Published: noon}
	only := func(_ any, err error) error { return err }
	return map[string]func(context.Context) error{
		"record": func(ctx context.Context) error {
			did := []activity.Activity{harness.Did(t, "ann like 2", noon)}
			return store.Record(ctx, did, ledger.Arrival{Now: noon})[0].Err
		},
		"record a vote": func(ctx context.Context) error {
			did := []activity.Activity{harness.Did(t, "ann like 1", noon)}
			return store.Record(ctx, did, ledger.Arrival{Now: noon})[0].Err
		},
		"read":       func(ctx context.Context) error { return only(store.Read(ctx, view)) },
		"read of":    func(ctx context.Context) error { return only(store.Read(ctx, of)) },
		"friends":    func(ctx context.Context) error { return only(store.Friends(ctx, of)) },
		"following":  func(ctx context.Context) error { return only(store.Following(ctx, "ann", 0, 10)) },
		"standings":  func(ctx context.Context) error { return only(store.OwnStandings(ctx, "ann", []board.View{of})) },
		"periods":    func(ctx context.Context) error { return only(store.PeriodsOf(ctx, "activity", board.Day)) },
		"total":      func(ctx context.Context) error { return only(store.Total(ctx, "activity", day)) },
		"months":     func(ctx context.Context) error { return only(store.Months(ctx)) },
		"days":       func(ctx context.Context) error { return only(store.Days(ctx, "ann", day.First(), day.Last())) },
		"status":     func(ctx context.Context) error { return only(store.Status(ctx, "ann")) },
		"profiles":   func(ctx context.Context) error { _, _, err := store.Profiles(ctx, []string{"ann"}); return err },
		"hide":       func(ctx context.Context) error { return store.SetHidden(ctx, "ann", true) },
		"exclude":    func(ctx context.Context) error { return store.SetExclusion(ctx, "ann", true) },
		"erase":      func(ctx context.Context) error { return only(store.EraseUser(ctx, "ann")) },
		"close":      func(ctx context.Context) error { return store.ClosePeriod(ctx, "activity", day) },
		"follow all": func(ctx context.Context) error { return store.ReplaceFollowing(ctx, "ann", []string{"bob"}, noon) },
		"entries": func(ctx context.Context) error {
			for _, err := range store.Entries(ctx, "activity", day) {
				return err
			}
			return nil
		},
		"create an article": func(ctx context.Context) error {
			created := one
			created.ID = "2"
			_, _, err := press.Create(ctx, created)
			return err
		},
		"put an article":    func(ctx context.Context) error { return only(press.Edit(ctx, articles.Edit{Article: one})) },
		"delete an article": func(ctx context.Context) error { return only(press.Delete(ctx, "1", noon)) },
		"get an article":    func(ctx context.Context) error { return only(press.Get(ctx, "1")) },
		"list articles": func(ctx context.Context) error {
			return only(press.List(ctx, article.View{Sort: article.Hot, Limit: 10}))
		},
		"groups": func(ctx context.Context) error { return only(press.Groups(ctx)) },
		"voted":  func(ctx context.Context) error { return only(press.Voted(ctx, "ann", []string{"1"}, noon)) },
	}
}

// Promise 9: what was emptied, whole or in part, or was filled as something else, is
// refused by every operation, and nothing is written.
func TestPromise9RefuseWhatWasEmptied(t *testing.T) {
	t.Parallel()
	filled := redisstore.Stamp{Format: redisstore.Format, Shards: 2, Zone: "Europe/Berlin", Generation: 1<<40 - 1}
	ofArticles := func(name string) bool { return name == "record a vote" || strings.Contains(name, "article") }
	for name, damage := range map[string]struct {
		do func(*redis.Client, *live.Store)
		of func(operation string) bool // which operations meet it
	}{
		"emptied":         {func(c *redis.Client, _ *live.Store) { c.FlushDB(t.Context()) }, nil},
		"another refill":  {func(_ *redis.Client, s *live.Store) { s.Redis().Expect(&redisstore.Stamp{Generation: 7}) }, nil},
		"without a stamp": {func(_ *redis.Client, s *live.Store) { s.Redis().Expect(&redisstore.Stamp{}) }, nil},
		"the user's shard": {func(c *redis.Client, s *live.Store) {
			c.Del(t.Context(), c.Keys(t.Context(), redisstore.ClosedKey(s.ShardOf("ann"))[:9]+"*").Val()...)
		}, func(operation string) bool {
			return !ofArticles(operation) && operation != "groups" && operation != "voted"
		}},
		"articles": {func(c *redis.Client, _ *live.Store) {
			c.Del(t.Context(), c.Keys(t.Context(), "laurel:{articles}*").Val()...)
		}, func(operation string) bool {
			return ofArticles(operation) || operation == "groups" || operation == "voted"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := testserver.Redis(t)
			store := live.New(client, harness.UTC(), 2)
			if err := store.Redis().WriteStamp(t.Context(), filled); err != nil {
				t.Fatal(err)
			}
			store.Redis().Expect(&filled)
			all := operations(t, store)
			one := article.Article{ID: "1", Author: "bob", Title: "One", Published: harness.At(t, "2026-11-20T12:00")}
			if _, _, err := store.Articles().Create(t.Context(), one); err != nil {
				t.Fatal(err)
			}
			harness.Record(t, store, harness.Did(t, "ann visit 1", harness.At(t, "2026-11-20T12:00")))
			damage.do(client, store)
			state := harness.Everything(t, client)
			for _, operation := range slices.Sorted(maps.Keys(all)) {
				if damage.of != nil && !damage.of(operation) {
					continue
				}
				err := all[operation](t.Context())
				if !errors.Is(err, redisstore.ErrStamp) || !errors.Is(err, redisstore.ErrUnavailable) {
					t.Errorf("%s: %v", operation, err)
				}
				now := harness.Everything(t, client)
				if operation == "record a vote" { // the pages are written, the vote fails, and the answer is an error
					state = now
				}
				if diff := cmp.Diff(state, now); diff != "" {
					t.Fatalf("%s has written (-before +after):\n%s", operation, diff)
				}
			}
		})
	}
}

// A stamp is found in every part, survives what is done to the store, and may be
// written again.
func TestStamps(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 3)
	redisOf := store.Redis()
	if stamp, whole, err := redisOf.Stamps(t.Context()); stamp != nil || whole || err != nil {
		t.Errorf("nothing: %v, %t, %v", stamp, whole, err)
	}
	want := redisstore.Stamp{Format: redisstore.Format, Shards: 3, Zone: "UTC", Generation: 42}
	for range 2 {
		if err := redisOf.WriteStamp(t.Context(), want); err != nil {
			t.Fatal(err)
		}
	}
	redisOf.Expect(&want)
	for operation, do := range operations(t, store) {
		if err := do(t.Context()); errors.Is(err, redisstore.ErrStamp) {
			t.Errorf("%s: %v", operation, err)
		}
	}
	if err := store.DropProfiles(t.Context(), "ann", "bob", "eve"); err != nil {
		t.Error(err)
	}
	if stamp, whole, err := redisOf.Stamps(t.Context()); stamp == nil || *stamp != want || !whole || err != nil {
		t.Errorf("after all operations: %v, %t, %v", stamp, whole, err)
	}
	for _, key := range []string{redisstore.ClosedKey(1), redisstore.ProfilesKey(2), redisstore.ArticlesKey} {
		client.Del(t.Context(), key)
		if stamp, whole, err := redisOf.Stamps(t.Context()); stamp == nil || whole || err != nil {
			t.Errorf("without %s: %v, %t, %v", key, stamp, whole, err)
		}
		if err := redisOf.WriteStamp(t.Context(), want); err == nil {
			continue
		}
		redisOf.Expect(nil) // who fills looks for none
		if err := redisOf.WriteStamp(t.Context(), want); err != nil {
			t.Error(err)
		}
		redisOf.Expect(&want)
	}
}
