package boards_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
)

// people are users with ids that are hard on keys.
var people = []string{
	"ada", "bob", "{0}", "a:b", `q"uote'`, "100%s", "🙂", "مرحبا", "}:pages:x", "-1", "007",
	"é", "a b", "z", "Z", "3:abc",
}

// A comparison is a store and the reference with the expected answers.
type comparison struct {
	t        *testing.T
	rng      *rand.Rand
	forum    stream.Forum
	client   redis.UniversalClient
	ledger   *ledger.Ledger
	store    *live.Store
	shards   int
	ref      *reference.Ledger
	hidden   map[string]bool
	excluded map[string]bool
	shadowed map[string]bool // when not excluded
}

func newComparison(t *testing.T, seed uint64, shards int) *comparison {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 31))
	forum, err := stream.NewForum(rng)
	if err != nil {
		t.Fatal(err)
	}
	w := &comparison{
		t: t, rng: rng, forum: forum, client: testserver.Redis(t), ledger: ledger.New(forum.Rules, forum.Calendar),
		shards: shards, ref: reference.New(forum.Rules, forum.Calendar),
		hidden: map[string]bool{}, excluded: map[string]bool{}, shadowed: map[string]bool{},
	}
	w.store = live.New(w.client, w.ledger, shards)
	return w
}

// live has people do things, reported by eight writers at once.
func (w *comparison) live(n int) {
	w.t.Helper()
	acts := w.forum.Activities(w.rng, n, people)
	for _, a := range acts {
		if !w.excluded[a.User] {
			w.ref.Add(a)
		}
	}
	harness.RecordAll(w.t, w.client, w.ledger, w.shards, 8, stream.Deliver(w.rng, acts, 40))
}

// changeStatus changes the status of some people, several at once.
func (w *comparison) changeStatus() {
	w.t.Helper()
	var wg sync.WaitGroup
	defer wg.Wait()
	for _, user := range people {
		hide, exclude := w.rng.IntN(4) == 0, w.rng.IntN(6) == 0
		if hide {
			w.hidden[user] = !w.hidden[user]
		}
		if exclude {
			w.excluded[user], w.shadowed[user] = !w.excluded[user], w.rng.IntN(2) == 0
		}
		hidden, excluded, shadowed := w.hidden[user], w.excluded[user], w.shadowed[user] && !w.excluded[user]
		w.ref.SetHidden(user, hidden || shadowed)
		w.ref.SetExcluded(user, excluded)
		wg.Go(func() {
			if err := w.store.SetHidden(w.t.Context(), user, hidden); err != nil {
				w.t.Error(err)
			}
		})
		wg.Go(func() {
			store := live.New(w.client, w.ledger, w.shards)
			err := store.SetExclusion(w.t.Context(), user, excluded)
			if shadowed {
				err = errors.Join(err, store.Shadow(w.t.Context(), user))
			}
			if err != nil {
				w.t.Error(err)
			}
		})
	}
}

// replace gives some people another follow list.
func (w *comparison) replace() {
	w.t.Helper()
	for range 4 {
		user := people[w.rng.IntN(len(people))]
		var targets []string
		for range w.rng.IntN(12) {
			if id := people[w.rng.IntN(len(people))]; id != user && !slices.Contains(targets, id) {
				targets = append(targets, id)
			}
		}
		at := w.forum.Calendar.Start(w.forum.From + board.Date(w.rng.IntN(w.forum.Days)))
		err := w.store.ReplaceFollowing(w.t.Context(), user, targets, at)
		switch {
		case w.excluded[user]:
			if !errors.Is(err, ledger.ErrExcluded) {
				w.t.Errorf("the list of an excluded user: %v", err)
			}
		case err != nil:
			w.t.Error(err)
		default:
			w.ref.Replace(user, targets, at)
		}
	}
}

// compare holds every read against the reference, on some periods of all windows.
func (w *comparison) compare() {
	w.t.Helper()
	for _, name := range w.forum.Rules.Boards() {
		for _, window := range w.forum.Rules.Windows(name) {
			periods := w.ref.Periods(name, window)
			w.rng.Shuffle(len(periods), func(i, j int) { periods[i], periods[j] = periods[j], periods[i] })
			for _, p := range periods[:min(len(periods), 3)] {
				what := fmt.Sprintf("%s %s, %d shards", name, p, w.shards)
				if diff := cmp.Diff(w.ref.Board(name, p), harness.ReadWhole(w.t, w.store, name, p, 7),
					cmpopts.EquateEmpty()); diff != "" {
					w.t.Fatalf("board %s (-reference +store):\n%s", what, diff)
				}
				for _, user := range people {
					w.compareStandings(name, p, user)
					w.compareFriends(name, p, user)
				}
			}
		}
	}
	for _, user := range people {
		w.compareList(user)
	}
}

func (w *comparison) compareStandings(name string, p board.Period, user string) {
	w.t.Helper()
	v := board.View{Board: name, Period: p, User: user}
	if diff := cmp.Diff(w.ref.Standing(name, p, user), *harness.Read(w.t, w.store, v).Standing); diff != "" {
		w.t.Fatalf("standing of %s on %s %s (-reference +store):\n%s", user, name, p, diff)
	}
	own, err := w.store.OwnStandings(w.t.Context(), user, []board.View{v})
	if err != nil {
		w.t.Fatal(err)
	}
	if diff := cmp.Diff(w.ref.OwnStanding(name, p, user), own[0]); diff != "" {
		w.t.Fatalf("standing of %s on %s %s for oneself, hidden %v, excluded %v (-reference +store):\n%s", user, name, p,
			w.hidden[user], w.excluded[user], diff)
	}
}

func (w *comparison) compareFriends(name string, p board.Period, user string) {
	w.t.Helper()
	want := w.ref.Friends(name, p, user)
	for _, limit := range []int64{1, 1 + w.rng.Int64N(8), 100} {
		got, err := w.store.Friends(w.t.Context(), board.View{Board: name, Period: p, User: user, Limit: limit})
		if err != nil {
			w.t.Fatal(err)
		}
		if diff := cmp.Diff(want[:min(limit, int64(len(want)))], got.Friends); diff != "" || got.Total != int64(len(want)) {
			w.t.Fatalf("the first %d friends of %s on %s %s, hidden %v: total %d, want %d (-reference +store):\n%s",
				limit, user, name, p, w.hidden[user], got.Total, len(want), diff)
		}
	}
}

func (w *comparison) compareList(user string) {
	w.t.Helper()
	want := w.ref.Following(user)
	var got []string
	for {
		page, err := w.store.Following(w.t.Context(), user, int64(len(got)), 3)
		if err != nil {
			w.t.Fatal(err)
		}
		if page.Total != int64(len(want)) {
			w.t.Fatalf("%s follows %d, want %d", user, page.Total, len(want))
		}
		if len(page.Users) == 0 {
			break
		}
		got = append(got, page.Users...)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		w.t.Fatalf("%s follows (-reference +store):\n%s", user, diff)
	}
}

// Every read equals the reference while people follow, hide, are excluded, come
// back and replace their lists, in one shard or several, by many writers.
func TestPeopleAgreeWithTheReference(t *testing.T) {
	t.Parallel()
	const episode = 1_200
	for i := range max(testserver.Soak(t, 14_400)/episode, 1) {
		w := newComparison(t, uint64(i), 1+3*(i%2))
		for range 4 {
			w.live(episode / 4)
			w.replace()
			w.changeStatus()
			w.compare()
		}
		if t.Failed() {
			t.Fatalf("episode %d in %s, %d shards", i, w.forum.Calendar.Zone(), w.shards)
		}
	}
}
