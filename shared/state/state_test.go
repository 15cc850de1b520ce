package state_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/redisstore"
	"laurel/shared/state"
	"laurel/shared/table"
	"laurel/shared/table/dynamo"
)

// onBoth runs a test on an embedded store and on a table.
func onBoth(t *testing.T, test func(t *testing.T, items table.Store, s *state.Store)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		items := harness.Memory(t, time.Now)
		test(t, items, state.New(items, time.Now))
	})
	t.Run("table", func(t *testing.T) {
		t.Parallel()
		endpoint, name := testserver.Table(t)
		items, err := dynamo.Open(t.Context(), dynamo.Options{Name: name, Endpoint: endpoint})
		if err != nil {
			t.Fatal(err)
		}
		test(t, items, state.New(items, time.Now))
	})
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// collect returns all that a sequence has, by a key.
func collect[V any](t *testing.T, all iter.Seq2[V, error], key func(V) string) map[string]V {
	t.Helper()
	found := map[string]V{}
	for v, err := range all {
		check(t, err)
		found[key(v)] = v
	}
	return found
}

func compare(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestStampIsWrittenOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, _ table.Store, s *state.Store) {
		t.Helper()
		if stamp, err := s.Stamp(t.Context()); stamp != nil || err != nil {
			t.Errorf("stamp %v, %v of an empty table", stamp, err)
		}
		var first, all sync.Map
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				mine := redisstore.Stamp{Format: 1, Shards: 2, Zone: "Europe/Berlin", Generation: int64(i)}
				now, err := s.PutFirst(t.Context(), mine)
				if err != nil {
					t.Error(err)
				}
				all.Store(now, true)
				first.Store(now == mine, now)
			})
		}
		wg.Wait()
		n := 0
		all.Range(func(_, _ any) bool { n++; return true })
		winner, _ := first.Load(true)
		stamp, err := s.Stamp(t.Context())
		check(t, err)
		if n != 1 || *stamp != winner {
			t.Errorf("%d stamps were first; stored %v, winner %v", n, stamp, winner)
		}
		next := *stamp
		next.Generation = 99
		check(t, s.ReplaceStamp(t.Context(), *stamp, next))
		check(t, s.ReplaceStamp(t.Context(), *stamp, next)) // the answer was lost
		other := next
		other.Generation = 100
		if err := s.ReplaceStamp(t.Context(), *stamp, other); !errors.Is(err, table.ErrExists) {
			t.Errorf("replace a stamp that is not there: %v", err)
		}
	})
}

// Of statuses that many change at once none is lost; who has none is not listed; what is
// removed leaves nothing.
func TestStatuses(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, items table.Store, s *state.Store) {
		t.Helper()
		var wg sync.WaitGroup
		for writer := range 4 {
			wg.Go(func() {
				for n := range 40 {
					err := s.ChangeStatus(t.Context(), fmt.Sprint("user ", n%20), func(page string, _ bool) (string, error) {
						return page + string(rune('a'+writer)), nil
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		statuses := collect(t, s.Statuses(t.Context()), func(s state.Status) string { return s.User })
		for user, status := range statuses {
			for writer := range 4 {
				if n := strings.Count(status.Page, string(rune('a'+writer))); n != 2 {
					t.Errorf("%s: %q has %d changes of writer %d, want 2", user, status.Page, n, writer)
				}
			}
		}
		if len(statuses) != 20 {
			t.Errorf("%d statuses, want 20", len(statuses))
		}
		none := func(string, bool) (string, error) { return "", nil }
		check(t, s.ChangeStatus(t.Context(), "user 1", none))
		check(t, s.ChangeStatus(t.Context(), "user 1", none))
		check(t, s.ChangeStatus(t.Context(), "user 1", func(page string, known bool) (string, error) {
			if page != "" || !known { // a writer that has read before meets what is removed
				t.Errorf("after none: %q, known %v", page, known)
			}
			return "", nil
		}))
		erase(t, s, "user 2")
		erase(t, s, "user 2")
		if n := len(collect(t, s.Statuses(t.Context()), func(s state.Status) string { return s.User })); n != 18 {
			t.Errorf("%d statuses, want 18", n)
		}
		check(t, s.ChangeStatus(t.Context(), "user 1", func(page string, _ bool) (string, error) {
			return page + "again", nil
		}))
		got := collect(t, s.Statuses(t.Context()), func(s state.Status) string { return s.User })["user 1"].Page
		compare(t, "status after none", "again", got)
		wrong := errors.New("wrong")
		err := s.ChangeStatus(t.Context(), "x", func(string, bool) (string, error) { return "y", wrong })
		if !errors.Is(err, wrong) {
			t.Errorf("error %v", err)
		}
	})
}

func TestClosed(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, _ table.Store, s *state.Store) {
		t.Helper()
		for i, c := range []struct {
			text  string
			known bool
			next  string
		}{{"", false, ""}, {"", true, "a"}, {"a", true, "b"}, {"b", true, ""}, {"", true, ""}} {
			text, known, err := s.Closed(t.Context())
			check(t, err)
			check(t, s.ChangeClosed(t.Context(), func(was string, wasKnown bool) (string, error) {
				if was != text || wasKnown != known {
					t.Errorf("%d: change gets %q %v, Closed %q %v", i, was, wasKnown, text, known)
				}
				return c.next, nil
			}))
			if text != c.text || known != c.known {
				t.Errorf("%d: %q %v, want %q %v", i, text, known, c.text, c.known)
			}
		}
	})
}

func TestArticles(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, items table.Store, s *state.Store) {
		t.Helper()
		want := map[string]article.Page{}
		for n := range 30 {
			p := article.Page{Version: fmt.Sprintf("v%07d", n), State: article.State(n % 3), Article: article.Article{
				ID: fmt.Sprint("id ", n), Author: "ann", Title: "T", Published: harness.At(t, "2026-11-20T12:00"),
			}}
			if p.State != article.Voting {
				p.Votes = int64(n)
			}
			want[p.ID] = p
			check(t, s.ChangeArticle(t.Context(), p.ID, func(string, bool) (string, error) { return p.EncodeKept(), nil }))
		}
		id := func(p article.Page) string { return p.ID }
		compare(t, "articles", want, collect(t, s.Articles(t.Context()), id))
		check(t, s.RemoveArticle(t.Context(), "id 7"))
		delete(want, "id 7")
		compare(t, "articles", want, collect(t, s.Articles(t.Context()), id))

		check(t, s.ChangeArticle(t.Context(), "id 3", func(string, bool) (string, error) { return "damage", nil }))
		var failed, good int
		for _, err := range s.Articles(t.Context()) {
			if err == nil {
				good++
			} else if failed++; !errors.Is(err, state.ErrDamaged) {
				t.Error(err)
			}
		}
		if failed != 1 || good != len(want)-1 {
			t.Errorf("%d damaged and %d good articles", failed, good)
		}
	})
}

// randomID is an id that cannot be compressed much.
func randomID(rng *rand.Rand) string {
	b := make([]byte, 64)
	for i := range b {
		b[i] = byte('0' + rng.IntN(75))
	}
	return string(b)
}

// Lists of any size come back, also those that take several items, and replacing one
// leaves nothing of it.
func TestFollows(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, items table.Store, s *state.Store) {
		t.Helper()
		rng := rand.New(rand.NewPCG(1, 2))
		large := state.FollowList{User: "large"}
		for range 5_000 {
			large.IDs = append(large.IDs, randomID(rng))
		}
		page := make([]byte, 20_000*20)
		for i := range page {
			page[i] = byte(rng.Uint32())
		}
		large.Page = string(page)
		want := map[string]state.FollowList{
			"large": large, "large\u00e9": {User: "large\u00e9", Page: "p", IDs: []string{"a"}},
			"only page": {User: "only page", Page: "q"},
		}
		user := func(l state.FollowList) string { return l.User }
		for range 2 {
			for _, list := range want {
				check(t, s.SetFollows(t.Context(), list))
			}
			compare(t, "lists", want, collect(t, s.Follows(t.Context()), user))
		}
		large.IDs[0], large.Page = "other", "page"
		want["large"] = large
		check(t, s.SetFollows(t.Context(), large))
		check(t, s.SetFollows(t.Context(), state.FollowList{User: "only page"}))
		delete(want, "only page")
		compare(t, "lists", want, collect(t, s.Follows(t.Context()), user))
		for u := range want {
			erase(t, s, u)
			erase(t, s, u)
		}
		for n := range 16 {
			left, err := items.Ascend(t.Context(), fmt.Sprintf("FOLLOWS#%02d", n), "", "\U0010FFFF", 10)
			check(t, err)
			for _, item := range left {
				t.Errorf("%q with %d bytes is left", item.Sort, len(item.Data))
			}
		}
	})
}

func erase(t *testing.T, s *state.Store, user string) {
	t.Helper()
	_, err := s.EraseUser(t.Context(), user)
	check(t, err)
}

func bury(t *testing.T, s *state.Store, user string, at board.Moment) {
	t.Helper()
	_, err := s.PutTombstone(t.Context(), user, at)
	check(t, err)
}

// The latest moment stays, and so long that it can be looked up.
func TestTombstones(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, _ table.Store, s *state.Store) {
		t.Helper()
		now := board.MomentOf(time.Now())
		s.KeepTombstones(time.Hour)
		for _, at := range []board.Moment{now - 5, now, now - 3} {
			bury(t, s, "ann", at)
		}
		bury(t, s, "bob", now-7)
		bury(t, s, "old", now.Add(-2*time.Hour))
		got, err := s.Tombstones(t.Context())
		check(t, err)
		compare(t, "tombstones", map[state.UserHash]board.Moment{
			state.HashOf("ann"): now, state.HashOf("bob"): now - 7,
		}, got)
	})
}

// A void changes by what it was, and is gone without text.
func TestVoids(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, _ table.Store, s *state.Store) {
		t.Helper()
		for _, target := range []string{"v", "a page", strings.Repeat("\u00e9", 64), "v", "gone", "gone"} {
			check(t, s.ChangeVoid(t.Context(), target, func(text string, known bool) (string, error) {
				if target == "gone" && known {
					return "", nil
				}
				return text + "1", nil
			}))
		}
		var got []string
		check(t, s.EachVoid(t.Context(), func(target, text string) error {
			got = append(got, target+" "+text)
			return nil
		}))
		compare(t, "voids", []string{"a page 1", "v 11", strings.Repeat("\u00e9", 64) + " 1"}, got)
	})
}

// unavailable is a table that fails.
type unavailable struct{ table.Store }

func (unavailable) Get(context.Context, ...table.Key) ([]table.Item, error) {
	return nil, table.ErrUnavailable
}

func (unavailable) Ascend(context.Context, string, string, string, int) ([]table.Item, error) {
	return nil, table.ErrUnavailable
}

func TestUnavailable(t *testing.T) {
	t.Parallel()
	s := state.New(unavailable{}, time.Now)
	_, err := s.Stamp(t.Context())
	_, _, closed := s.Closed(t.Context())
	_, stones := s.Tombstones(t.Context())
	var statuses error
	for _, err := range s.Statuses(t.Context()) {
		statuses = err
	}
	for i, err := range []error{err, closed, stones, statuses, s.SetFollows(t.Context(), state.FollowList{User: "ann"})} {
		if !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// The earliest beginning of the journal is kept; a damaged one is not known.
func TestTheJournalBeginsOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, items table.Store, _ *state.Store) {
		t.Helper()
		now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		s := state.New(items, func() time.Time { return now })
		if begun, err := s.Begun(t.Context()); begun != 0 || err != nil {
			t.Errorf("before: %d, %v", begun, err)
		}
		for _, step := range []struct {
			later time.Duration
			want  string
		}{{0, "11:50"}, {time.Hour, "11:50"}, {-2 * time.Hour, "10:50"}} {
			now = now.Add(step.later)
			check(t, s.Begin(t.Context()))
			begun, err := s.Begun(t.Context())
			if got := begun.Time().UTC().Format("15:04"); err != nil || got != step.want {
				t.Errorf("it began at %s, %v; want %s", got, err, step.want)
			}
		}
		key := table.Key{Partition: "STATE", Sort: "journal"}
		there, err := items.Get(t.Context(), key)
		check(t, err)
		check(t, items.Replace(t.Context(), table.Item{Key: key, Data: []byte("?")}, there[0].Data))
		check(t, s.Begin(t.Context()))
		if begun, err := s.Begun(t.Context()); begun != 0 || err != nil {
			t.Errorf("damaged: %d, %v", begun, err)
		}
	})
}
