package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/article"
	"laurel/shared/board"
)

func small(seed uint64) Scale {
	return Scale{Days: 4, Articles: 30, Good: 5, Votes: 40, Seed: seed}
}

// What the store shows at each hour is a plain sort of what has happened by then.
func TestTheListsAreAPlainSort(t *testing.T) {
	t.Parallel()
	for _, votesPerDay := range []int64{200, 20} {
		site := NewSite(small(1))
		rules := harness.Must(votesWorthADay(votesPerDay))(t)
		a := harness.Must(newApp(t.Context(), testserver.Redis(t), rules, start))(t)
		samples, err := replay(t.Context(), site, a.Recorder)
		if err != nil || len(samples) != 4*24 {
			t.Fatalf("%d samples, %v", len(samples), err)
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
	for _, a := range there[:min(Page, len(there))] {
		ids = append(ids, a.ID)
	}
	return ids
}

// The same seed gives the same table.
func TestFrontPage(t *testing.T) {
	t.Parallel()
	args := strings.Fields("simulate -days 4 -articles 60 -good 3 -votes 40 -votes-per-day 40,20 -seed 9")
	simulated := func() string {
		var out bytes.Buffer
		harness.OK(t, run(t.Context(), args, &out, io.Discard))
		return out.String()
	}
	table := simulated()
	for _, piece := range []string{
		"60 articles a day, 3 of them good: 40 votes or more within a day; ", " votes in 4 days; seed 9\n",
		"  votes a day  good  after a day", "\n           40     3  ", "\n           20     3  ",
	} {
		if !strings.Contains(table, piece) {
			t.Errorf("no %q in\n%s", piece, table)
		}
	}
	if again := simulated(); again != table {
		t.Errorf("the same seed gives\n%s\nafter\n%s", again, table)
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"simulate -days 3":              "-days is at least 4",
		"simulate -good 2000":           "-good at most -articles",
		"simulate -votes 0":             "the others 1",
		"simulate -votes-per-day 200,7": "votesPerDay: 7 does not divide 86400",
		"simulate -votes-per-day two":   `-votes-per-day: "two" is not a number`,
		"simulate front-page":           "unexpected argument front-page",
		"cost -batch 101":               "-batch is from 1 to 100",
		"cost -users -1":                "no number is below 0",
		"cost -waf":                     "-waf requires -cdn",
		"":                              "usage: bench cost|simulate",
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
