package pages_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/articles"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/pages"
)

// journal is one in memory, which fails when it is told to.
type journal struct {
	mu      sync.Mutex
	entries [][]ledger.Row
	puts    int
	before  func(put int) error // each put; may be nil
}

// Begin adds an entry.
func (j *journal) Begin() func(context.Context, []ledger.Row) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	at := len(j.entries)
	j.entries = append(j.entries, nil)
	return func(_ context.Context, rows []ledger.Row) error {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.puts++
		if j.before != nil {
			if err := j.before(j.puts); err != nil {
				return err
			}
		}
		j.entries[at] = slices.Clone(rows)
		return nil
	}
}

// byUser returns the rows by user, in any order and some of them twice.
func (j *journal) byUser(rng *rand.Rand) []pages.UserRows {
	rows := slices.Concat(j.entries...)
	rows = append(rows, rows[:len(rows)/3]...)
	rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	var users []pages.UserRows
	for _, row := range rows {
		at := slices.IndexFunc(users, func(u pages.UserRows) bool { return u.User == row.User })
		if at < 0 {
			at = len(users)
			users = append(users, pages.UserRows{User: row.User})
		}
		users[at].Rows = append(users[at].Rows, row)
	}
	return users
}

// stateOf is what is in Redis, without the articles' pages, and the versions of the users',
// which are chance.
func stateOf(t *testing.T, store *live.Store) map[string]any {
	t.Helper()
	all := harness.Everything(t, store.Redis().Client())
	delete(all, "laurel:{articles}:pages")
	for key, value := range all {
		if strings.HasSuffix(key, ":periods") { // it keeps those that nobody is on any more
			delete(all, key)
		}
		if hash, ok := value.(map[string]string); ok && strings.Contains(key, "}:pages:") {
			delete(hash, "v")
		}
	}
	return all
}

// Promise 5: what was answered is in the journal. Merged into an empty Redis, in any
// order and some of it twice, its rows make what there was: pages, boards, follow lists
// and votes; merged into what there is, they change nothing.
func TestPromise5TheJournalHasWhatWasAnswered(t *testing.T) {
	t.Parallel()
	users := []string{"ada", "bob", "-1", "eve", "é", "u6", "u7"}
	for i := range testserver.Rounds(12, 400) {
		rng := rand.New(rand.NewPCG(uint64(i), 13))
		forum, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		l, kept, shards := ledger.New(forum.Rules, forum.Calendar), &journal{}, 1+i%3
		acts := forum.WithRestores(rng, forum.Activities(rng, 400, users))
		open := func(store *live.Store) *live.Store {
			for _, did := range acts[:9] { // what activities are about may be an article
				if did.Target == "" {
					continue
				}
				a := article.Article{ID: did.Target, Author: "zoe", Title: "A", Published: did.At}
				if _, _, err := store.Articles().Create(t.Context(), a); err != nil && !errors.Is(err, articles.ErrTaken) {
					t.Fatal(err)
				}
			}
			return store
		}
		client := testserver.Redis(t)
		stores := []*live.Store{open(live.New(client, l, shards)), live.New(client, l, shards)}
		var writers sync.WaitGroup
		batches := stream.Deliver(rng, acts, 30)
		for w, store := range stores {
			store.Keep(kept)
			writers.Go(func() {
				for n, batch := range batches {
					if n%2 != w {
						continue
					}
					for _, r := range store.Record(t.Context(), batch, harness.History) {
						if r.Err != nil {
							t.Error(r.Err)
						}
					}
					if at := batch[0].At; n%7 == 0 {
						if err := store.ReplaceFollowing(t.Context(), "ada", users[1+n%3:3+n%4], at); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		writers.Wait()
		want, rows := stateOf(t, stores[0]), kept.byUser(rng)
		if changed, err := stores[0].Merge(t.Context(), rows, false); changed != 0 || err != nil {
			t.Errorf("forum %d: %d rows have changed the pages that they are from, %v", i, changed, err)
		}
		again := open(live.New(testserver.Redis(t), l, shards))
		for chunk := range slices.Chunk(rows, 3) {
			if _, err := again.Merge(t.Context(), chunk, true); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, stateOf(t, again)); diff != "" {
			t.Fatalf("forum %d in %s, %d shards (-recorded +merged):\n%.4000s", i, forum.Calendar.Zone(), shards, diff)
		}
	}
}

var errPut = errors.New("the table is unavailable")

// Promise 5: what cannot be put into the journal is not committed: pages, boards and votes
// stay as they were, and every activity of the request says so.
func TestPromise5NothingIsCommittedWithoutTheJournal(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 2)
	noon := harness.At(t, "2026-11-20T12:00")
	a := article.Article{ID: "a1", Author: "zoe", Title: "A", Published: noon}
	if _, _, err := store.Articles().Create(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	kept := &journal{before: func(int) error { return errPut }}
	store.Keep(kept)
	before := harness.Everything(t, client)
	acts := []activity.Activity{
		harness.Did(t, "ann like a1", noon), harness.Did(t, "bob visit a1", noon), harness.Did(t, "ann follow bob", noon),
	}
	for i, r := range store.Record(t.Context(), acts, ledger.Arrival{Now: noon}) {
		if !errors.Is(r.Err, errPut) {
			t.Errorf("activity %d: %+v", i, r)
		}
	}
	if err := store.ReplaceFollowing(t.Context(), "ann", []string{"bob"}, noon); !errors.Is(err, errPut) {
		t.Errorf("a follow list: %v", err)
	}
	if diff := cmp.Diff(before, harness.Everything(t, client)); diff != "" {
		t.Errorf("something is committed (-before +after):\n%s", diff)
	}
	kept.before = nil
	harness.Record(t, store, acts...)
	if len(kept.entries[len(kept.entries)-1]) != 3 {
		t.Errorf("the journal has %+v", kept.entries)
	}
	puts := kept.puts
	for _, r := range harness.Record(t, store, acts...) {
		if r.Status != ledger.Duplicate {
			t.Errorf("again: %+v", r)
		}
	}
	if kept.puts != puts {
		t.Error("duplicates cost a put")
	}
}

// What another process commits between the decision and the commit changes what an
// activity does; the journal has the rows of what was committed, also none.
func TestAConflictIsPutAgain(t *testing.T) {
	t.Parallel()
	client, l := testserver.Redis(t), harness.UTC()
	noon := harness.At(t, "2026-11-20T12:00")
	act := harness.Did(t, "ann like a1", noon)
	other, kept := live.New(client, l, 1), &journal{}
	kept.before = func(put int) error {
		if put == 1 {
			harness.Record(t, other, act)
		}
		return nil
	}
	store := live.New(client, l, 1)
	store.Keep(kept)
	if r := harness.Record(t, store, act)[0]; r.Status != ledger.Duplicate {
		t.Errorf("%+v", r)
	}
	if kept.puts != 2 || len(kept.entries) != 1 || len(kept.entries[0]) != 0 {
		t.Errorf("%d puts, entries %+v", kept.puts, kept.entries)
	}
}
