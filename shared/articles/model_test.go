package articles_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/article/reference"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/live"
)

var articleGroupNames = []string{"a", "b", "a:hot", "é", "日本 {x}"}

// Any sequence of what can be done to articles leaves the store as the reference
// says, at the end and in between.
func TestArticlesAreTheReferences(t *testing.T) {
	t.Parallel()
	noon := harness.At(t, "2026-11-20T12:00")
	users := []string{"ann", "bob", "eve", "9", "日本"}
	names := []string{"1", "2", "10", "a b", "é"}
	moments := []board.Moment{
		noon, noon + 1, noon + 999, noon + 432_000, noon + 7*articleDay - 1, noon + 7*articleDay,
		noon + 8*articleDay,
	}
	steps := []string{"create", "put", "show", "vote", "vote", "vote", "vote", "delete", "erase"}
	client := testserver.Redis(t)
	rapid.Check(t, func(rt *rapid.T) {
		if err := client.FlushDB(t.Context()).Err(); err != nil {
			rt.Fatal(err)
		}
		store := live.New(client, harness.UTC(), 1)
		press, site := store.Articles(), reference.New(harness.UTC().Rules().Articles())
		id, user := rapid.SampledFrom(names), rapid.SampledFrom(users)
		moment := rapid.SampledFrom(moments)
		in := rapid.SliceOfNDistinct(rapid.SampledFrom(articleGroupNames), 0, 3, rapid.ID[string])
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			switch rapid.SampledFrom(steps).Draw(rt, "step") {
			case "create":
				a := published(id.Draw(rt, "id"), user.Draw(rt, "author"), rapid.SampledFrom(moments[:4]).Draw(rt, "at"),
					article.SortGroups(in.Draw(rt, "groups"))...)
				_, _, err := press.Create(t.Context(), a)
				if there := site.Create(a); there != (err == nil) {
					rt.Errorf("created %q: %v, want %v", a.ID, err, there)
				}
			case "put":
				a, _, _ := site.Article(id.Draw(rt, "id"))
				a = a.With(rapid.SampledFrom([]string{"A title", "Another"}).Draw(rt, "title"), "", in.Draw(rt, "groups"))
				_, err := edit(t.Context(), press, a)
				if there := site.Change(a.ID, a.Title, a.Link, a.Groups...); there != (err == nil) {
					rt.Errorf("put %q: %v, want %v", a.ID, err, there)
				}
			case "show":
				a, _, _ := site.Article(id.Draw(rt, "id"))
				listed := rapid.Bool().Draw(rt, "listed")
				now, err := press.Edit(t.Context(), articles.Edit{Article: a, Listed: &listed})
				if there := site.Show(a.ID, listed); there != (err == nil) || (there && now.Unlisted == listed) {
					rt.Errorf("listed %q %t: %+v, %v, want %v", a.ID, listed, now, err, there)
				}
			case "vote":
				var acts []activity.Activity
				for range rapid.IntRange(1, 6).Draw(rt, "votes") {
					act := activity.Activity{
						User:   user.Draw(rt, "user"),
						Action: rapid.SampledFrom([]string{"like", "like", "unlike", "visit"}).Draw(rt, "action"),
						Target: id.Draw(rt, "id"), At: moment.Draw(rt, "at"),
					}
					if act.Action == "like" {
						act.Restores = rapid.IntRange(0, 3).Draw(rt, "restores") == 0
					}
					acts = append(acts, act)
					vote(site, act)
				}
				for _, r := range store.Record(t.Context(), acts, harness.History) {
					if r.Err != nil {
						rt.Fatal(r.Err)
					}
				}
			case "delete":
				gone := id.Draw(rt, "id")
				_, err := press.Delete(t.Context(), gone, noon)
				if there := site.Delete(gone); there != (err == nil) {
					rt.Errorf("deleted %q: %v, want %v", gone, err, there)
				}
			case "erase":
				who := user.Draw(rt, "user")
				if _, err := press.Erase(t.Context(), who); err != nil {
					rt.Fatal(err)
				}
				site.Forget(who)
			}
			if rapid.IntRange(0, 3).Draw(rt, "look") == 0 {
				compareSite(t, rt, store, site, articleGroupNames, users, moment.Draw(rt, "now"))
			}
		}
		compareSite(t, rt, store, site, articleGroupNames, users, moment.Draw(rt, "now"))
	})
}

// vote has the reference take an activity that may be a vote.
func vote(site *reference.Site, act activity.Activity) {
	switch {
	case act.Restores:
		site.Restore(act.User, act.Target, act.At)
	case article.IsVote(act):
		site.Like(act.User, act.Target, act.At, act.Action == "unlike")
	}
}

// Many writers at once, in four processes, create the same articles, vote and take
// votes back in any order and more than once, while articles move between groups
// and some are deleted: all of it comes to what the reference says.
func TestArticlesOfManyWriters(t *testing.T) {
	t.Parallel()
	for i := range max(testserver.Soak(t, 12_000)/3_000, 1) {
		rng := rand.New(rand.NewPCG(uint64(i), 71))
		client := testserver.Redis(t)
		stores := make([]*live.Store, 4)
		for j := range stores {
			stores[j] = live.New(client, harness.UTC(), 1+2*(i%2))
		}
		busySite(t, rng, stores, 3_000)
		if t.Failed() {
			t.Fatalf("episode %d", i)
		}
	}
}

// busySite is one episode of so many votes.
func busySite(t *testing.T, rng *rand.Rand, stores []*live.Store, votes int) {
	t.Helper()
	noon := harness.At(t, "2026-11-20T12:00")
	site := reference.New(harness.UTC().Rules().Articles())
	var users []string
	for i := range 40 {
		users = append(users, fmt.Sprint("user-", i))
	}
	someGroups := func() []string {
		var in []string
		for range rng.IntN(4) {
			in = append(in, articleGroupNames[rng.IntN(len(articleGroupNames))])
		}
		return article.SortGroups(in)
	}
	var all []article.Article
	for i := range 30 {
		all = append(all, published(fmt.Sprint(i), users[rng.IntN(10)], noon+board.Moment(rng.IntN(3)*432_000),
			someGroups()...))
		site.Create(all[i])
	}
	var wg sync.WaitGroup
	for range 8 { // several times each
		order := rng.Perm(len(all))
		store := stores[rng.IntN(len(stores))]
		wg.Go(func() {
			for _, j := range order {
				if _, _, err := store.Articles().Create(t.Context(), all[j]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()

	var acts []activity.Activity
	for range votes {
		a := all[rng.IntN(1+rng.IntN(len(all)))]
		act := activity.Activity{User: users[rng.IntN(len(users))], Action: "like", Target: a.ID, At: a.Published +
			board.Moment(rng.IntN(4)-1)*7*articleDay/2 + board.Moment(rng.IntN(5)-2)}
		switch rng.IntN(9) {
		case 0, 1, 2:
			act.Action = "unlike"
		case 3:
			act.Restores = true
		}
		acts = append(acts, act)
		vote(site, act)
	}
	batches := make(chan []activity.Activity, len(acts))
	for _, b := range stream.Deliver(rng, acts, 40) {
		batches <- b
	}
	close(batches)
	for w := range 8 {
		store := stores[w%len(stores)]
		wg.Go(func() {
			for batch := range batches {
				for _, r := range store.Record(t.Context(), batch, harness.History) {
					if r.Err != nil {
						t.Error(r.Err)
					}
				}
			}
		})
	}
	for j := range all { // one writer for each article: the last change is the one that stays
		var changes []articles.Edit
		for range rng.IntN(6) {
			to := all[j].With(fmt.Sprint("Title ", rng.IntN(100)), "", someGroups())
			changes = append(changes, articles.Edit{Article: to, Listed: []*bool{nil, new(true), new(false)}[rng.IntN(3)]})
		}
		gone := rng.IntN(8) == 0
		for _, c := range changes {
			if site.Change(c.ID, c.Title, c.Link, c.Groups...); c.Listed != nil {
				site.Show(c.ID, *c.Listed)
			}
		}
		if gone {
			site.Delete(all[j].ID)
		}
		store := stores[rng.IntN(len(stores))]
		wg.Go(func() {
			for _, c := range changes {
				if _, err := store.Articles().Edit(t.Context(), c); err != nil {
					t.Error(err)
				}
			}
			if gone {
				if _, err := store.Articles().Delete(t.Context(), all[j].ID, noon); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	compareSite(t, t, stores[0], site, articleGroupNames, users, noon+articleDay)
}
