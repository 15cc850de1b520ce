package main

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
)

func small(seed uint64) Scale {
	return Scale{Days: 4, Articles: 30, Good: 5, Votes: 40, Seed: seed}
}

// The same seed is the same site, another one is another.
func TestASeedIsASite(t *testing.T) {
	t.Parallel()
	one := NewSite(small(7))
	if diff := cmp.Diff(one, NewSite(small(7))); diff != "" {
		t.Errorf("the site differs:\n%s", diff)
	}
	if cmp.Equal(one.Likes, NewSite(small(8)).Likes) {
		t.Error("another seed is the same site")
	}
}

// What the store shows at each hour is a plain sort of what has happened by then.
func TestTheListsAreAPlainSort(t *testing.T) {
	t.Parallel()
	for _, votesPerDay := range []int64{200, 20} {
		site := NewSite(small(1))
		rules, err := Rules(activity.Default(), votesPerDay)
		if err != nil {
			t.Fatal(err)
		}
		days := 0
		store, err := open(t.Context(), testserver.Redis(t), rules)
		if err != nil {
			t.Fatal(err)
		}
		samples, err := Run(t.Context(), site, store, func(over int) { days = over })
		if err != nil || days != 4 || len(samples) != 4*24 {
			t.Fatalf("%d days, %d samples, %v", days, len(samples), err)
		}
		for _, sample := range samples {
			if diff := cmp.Diff(plain(site, votesPerDay, sample.At), sample.Hot); diff != "" {
				t.Fatalf("%d votes a day, at %s (-sort +store):\n%s", votesPerDay, sample.At, diff)
			}
		}
	}
}

// plain sorts the articles that are there at a moment by the formula, written down
// once more.
func plain(site *Site, votesPerDay int64, at board.Moment) []string {
	votes := map[string]int64{}
	for _, like := range site.Likes {
		if like.At < at {
			votes[like.Target]++
		}
	}
	score := func(a Publication) int64 {
		return int64(a.Published)/1000 + 86_400/votesPerDay*(1+votes[a.ID])
	}
	there := slices.DeleteFunc(slices.Clone(site.Articles), func(a Publication) bool { return a.Published >= at })
	slices.SortStableFunc(there, func(a, b Publication) int {
		if d := score(b) - score(a); d != 0 {
			return int(d)
		}
		return article.CompareNew(a.Article, b.Article)
	})
	ids := []string{}
	for _, a := range there[:min(Depth, len(there))] {
		ids = append(ids, a.ID)
	}
	return ids
}

// A site is as large as it says, and its good articles have the votes they should.
func TestASiteIsAsLargeAsItSays(t *testing.T) {
	t.Parallel()
	site := NewSite(small(3))
	votes, users := map[string]int{}, map[string]bool{}
	published := map[string]board.Moment{}
	good := 0
	for _, a := range site.Articles {
		published[a.ID] = a.Published
		if a.Good {
			good++
		}
	}
	for _, like := range site.Likes {
		votes[like.Target]++
		if key := like.Target + " " + like.User; users[key] {
			t.Errorf("%s voted twice", key)
		} else {
			users[key] = true
		}
		if age := like.At - published[like.Target]; age < 0 || age > 86_400_000 {
			t.Errorf("a vote for %s at the age of %d ms", like.Target, age)
		}
	}
	if len(published) != 4*30 || good != 4*5 {
		t.Errorf("%d articles, %d good", len(published), good)
	}
	for _, a := range site.Articles {
		if n := votes[a.ID]; a.Good && (n < 40 || n > 60) {
			t.Errorf("the good %s has %d votes", a.ID, n)
		}
	}
}
