package fair_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/fair"
	"laurel/shared/forum/recording"
	"laurel/shared/store/table/embedded"
)

const rules = `{"boards": {"activity": {"windows": ["month"]}}, "fair": {"acts": 10, "share": 50}, "versions": [
{"actions": {
	"like": {"undo": "unlike", "board": "activity", "points": 1, "entry": "month", "by": ["service"]},
	"liked": {"undo": "unliked", "board": "activity", "points": 1, "entry": "month", "byOther": true, "by": ["service"]},
	"follow": {"undo": "unfollow", "board": "activity", "points": 1, "entry": "month", "target": "user",
		"by": ["service"]}}}]}`

// A planted forum has acts to be recorded.
type planted struct {
	*harness.Forum
	t    *testing.T
	word string // like in the giver's ledger, or liked in the receiver's
	acts []activity.Activity
	next int
}

func plant(t *testing.T, word string) *planted {
	t.Helper()
	parsed := harness.Must(activity.ParseRules([]byte(rules)))(t)
	f := harness.NewForum(t, harness.Setup{
		Ledger: ledger.New(parsed, board.NewCalendar(time.UTC)), Table: embedded.New(time.Now), Now: harness.Noon,
	})
	return &planted{Forum: f, t: t, word: word}
}

// gives adds n acts of one person for another, each on a post of its own.
func (p *planted) gives(from, to string, n int) {
	for range n {
		p.next++
		a := activity.Activity{User: from, Other: to, Action: p.word, Target: fmt.Sprint("p", p.next)}
		if a.At = board.MomentOf(p.Now).Add(-time.Duration(p.next%40) * time.Hour); p.word == "liked" {
			a.User, a.Other = to, from
		}
		p.acts = append(p.acts, a)
	}
}

func (p *planted) find() fair.Result {
	p.t.Helper()
	for some := range slices.Chunk(p.acts, 5_000) {
		results, err := p.Recorder.Record(p.t.Context(), some, recording.Arrival{Now: board.MomentOf(p.Now)})
		harness.OK(p.t, err)
		for _, r := range results {
			harness.OK(p.t, r.Err)
		}
	}
	p.acts = nil
	found, err := fair.Run(p.t.Context(), fair.Options{
		Items: p.Items, Ledger: p.Ledger, Clock: func() time.Time { return p.Now }, Log: slog.New(slog.DiscardHandler),
	}, func(int64) {})
	harness.OK(p.t, errors.Join(err))
	return found
}

// ring adds a ring: each gives acts to the next ones of it, and some to others.
func (p *planted) ring(name string, n int) (people []string) {
	for i := range n {
		people = append(people, fmt.Sprintf("%s%02d", name, i))
	}
	for i, giver := range people {
		for next := 1; next <= min(n-1, 3); next++ {
			p.gives(giver, people[(i+next)%n], 10)
		}
		p.gives(giver, fmt.Sprint("m", i), 1)
	}
	slices.Sort(people)
	return people
}

// crowd adds an honest forum: everybody gives to many.
func (p *planted) crowd(rng *rand.Rand, n int) {
	for i := range n {
		for range rng.IntN(12) {
			if other := rng.IntN(n); other != i {
				p.gives(fmt.Sprint("m", i), fmt.Sprint("m", other), 1)
			}
		}
	}
}

// Rings of 3 to 30 and serial votes in a forum of thousands are all found, with exact counts, and nothing below the
// thresholds is listed: whether the giver's ledgers tell, or the receiver's.
func TestRingsAreFound(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"like", "liked"} {
		p := plant(t, word)
		p.crowd(rand.New(rand.NewPCG(1, 2)), 4_000)
		var rings [][]string
		for _, n := range []int{3, 4, 7, 15, 30} {
			rings = append(rings, p.ring(fmt.Sprintf("ring%d-", n), n))
		}
		for _, id := range []string{"serial", "m1", "m2"} {
			if p.gives("m8", id, 1); id != "serial" { // so that each has a ledger
				p.gives(id, "m8", 1)
			}
		}
		p.gives("serial", "m1", 15)
		p.gives("serial", "m2", 15) // half of 30
		p.gives("m2", "serial", 2)
		p.gives("ghost", "ghost2", 10) // in no item, in one of the two ledgers
		p.gives("nine", "m3", 9)       // one less than the threshold
		p.gives("wide", "m4", 10)      // and 11 others
		p.gives("wide", "m5", 9)
		p.gives("wide", "m6", 2)
		for i := range 20 {
			p.gives("hub", fmt.Sprint("fan", i), 10) // a way back, and yet no fan acts mostly within one set
			p.gives(fmt.Sprint("fan", i), "hub", 10)
			p.gives(fmt.Sprint("fan", i), fmt.Sprint("m", 100+i), 6)
			p.gives(fmt.Sprint("fan", i), fmt.Sprint("m", 200+i), 5)
		}
		found := p.find()
		var groups [][]string
		for _, g := range found.Groups {
			groups = append(groups, g.People)
			if 21*g.Acts.Acts < 20*g.All || g.Undone != 0 {
				t.Errorf("%+v", g)
			}
		}
		slices.SortFunc(groups, func(a, b []string) int { return len(a) - len(b) })
		if diff := cmp.Diff(rings, groups); diff != "" {
			t.Errorf("%s: groups (-want +got): %s", word, diff)
		}
		ghosts := 0
		var pairs []string
		for _, pair := range found.Pairs {
			if strings.HasPrefix(pair.From, "#") != strings.HasPrefix(pair.To, "#") {
				ghosts++
			} else if !strings.HasPrefix(pair.From, "ring") {
				pairs = append(pairs,
					fmt.Sprintf("%s %s %d of %d back %d", pair.From, pair.To, pair.Acts.Acts, pair.All, pair.Back))
			}
		}
		want := []string{"serial m1 15 of 30 back 0", "serial m2 15 of 30 back 2"}
		if diff := cmp.Diff(want, pairs); diff != "" || ghosts != 1 {
			t.Errorf("%s: %d ghosts, pairs (-want +got): %s", word, ghosts, diff)
		}
	}
}

// Undone acts are counted as acts and told; follows are none; a void pair says so; an erased person is nobody.
func TestCountsAreExact(t *testing.T) {
	t.Parallel()
	p := plant(t, "like")
	p.gives("ann", "bob", 12)
	undone := slices.Clone(p.acts[:5])
	for i := range undone {
		undone[i].Action, undone[i].At = "unlike", board.MomentOf(p.Now)
	}
	p.acts = append(p.acts, undone...)
	p.gives("bob", "ann", 10)
	p.gives("bob", "cid", 1)
	for i := range 30 {
		follow := activity.Activity{User: "ann", Action: "follow", Target: fmt.Sprint("m", i), At: board.MomentOf(p.Now)}
		p.acts = append(p.acts, follow)
	}
	p.find()
	harness.Must(p.People.SetVoidPair(t.Context(), "bob", "ann", true, ""))(t)
	found := p.find()
	first := board.MomentOf(p.Now)
	text := func(hours int) string { return p.Ledger.Calendar().Text(first.Add(-time.Duration(hours) * time.Hour)) }
	want := []fair.Pair{
		{
			From: "ann", To: "bob", Back: 10, Void: true,
			Acts: fair.Acts{Acts: 12, All: 12, Undone: 5, First: text(12), Last: text(1)},
		},
		{
			From: "bob", To: "ann", Back: 12, Void: true,
			Acts: fair.Acts{Acts: 10, All: 11, First: text(22), Last: text(13)},
		},
	}
	if diff := cmp.Diff(want, found.Pairs); diff != "" || len(found.Groups) > 0 {
		t.Errorf("%v %s", found.Groups, diff)
	}
	harness.Must(p.People.Erase(t.Context(), "bob", 0, ""))(t)
	if found := p.find(); len(found.Pairs) > 0 {
		t.Errorf("of an erased person: %+v", found.Pairs)
	}
}

// Acts with people who were merged into one are acts with that one.
func TestMergedPeopleAreOne(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"like", "liked"} {
		p := plant(t, word)
		p.gives("ann", "bob", 6)
		p.gives("ann", "old", 6)
		p.gives("former", "ann", 8)
		p.gives("bob", "ann", 5)
		if found := p.find(); len(found.Pairs) > 0 {
			t.Errorf("%s: before: %+v", word, found.Pairs)
		}
		for _, user := range []string{"old", "former"} {
			harness.Must(p.People.Merge(t.Context(), user, "bob", ""))(t)
		}
		for range 3 {
			harness.Must(p.People.GoOnMerging(t.Context()))(t)
		}
		found := p.find()
		if len(found.Pairs) != 2 {
			t.Fatalf("%s: %+v", word, found.Pairs)
		}
		for i, want := range []struct {
			from, to string
			acts     int64
		}{{"ann", "bob", 12}, {"bob", "ann", 13}} {
			if got := found.Pairs[1-i]; got.From != want.from || got.To != want.to || got.Acts.Acts != want.acts {
				t.Errorf("%s: %+v, want %+v", word, got, want)
			}
		}
	}
}
