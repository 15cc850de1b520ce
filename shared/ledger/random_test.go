package ledger_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
)

// memory is a store that keeps what Decide says: pages and boards in maps.
type memory struct {
	ledger *ledger.Ledger
	pages  map[string]ledger.Pages
	boards allBoards // none is empty
	points map[string]int64
	lists  map[string]map[string]bool // whom a user follows
	closed *board.Closed
	voids  map[string]board.Moment
	rows   map[string][]ledger.Row // the journal, by user
}

type allBoards = map[string]map[board.Period]map[string]board.Packed

func newMemory(l *ledger.Ledger) *memory {
	return &memory{
		ledger: l, pages: map[string]ledger.Pages{}, boards: allBoards{}, points: map[string]int64{},
		lists: map[string]map[string]bool{}, voids: map[string]board.Moment{},
		rows: map[string][]ledger.Row{},
	}
}

// defaults is the ledger of a forum in UTC with the default rules.
func defaults() *ledger.Ledger { return ledger.New(activity.Default(), board.NewCalendar(time.UTC)) }

// samePeriods compares values with periods and keys of pages.
var samePeriods = cmp.Options{
	cmp.Comparer(func(a, b board.Period) bool { return a == b }),
	cmp.Comparer(func(a, b ledger.PageKey) bool { return a == b }),
}

func (s *memory) record(t tb, acts []activity.Activity, arrival ledger.Arrival) []ledger.Receipt {
	t.Helper()
	byUser := map[string][]int{}
	for i, a := range acts {
		byUser[a.User] = append(byUser[a.User], i)
	}
	receipts := make([]ledger.Receipt, len(acts))
	for user, mine := range byUser {
		var theirs []activity.Activity
		for _, i := range mine {
			theirs = append(theirs, acts[i])
		}
		d := decideOn(t, s.ledger, s.pagesOf(user), s.closed, s.voids, arrival, theirs...)
		for i, r := range d.Receipts {
			receipts[mine[i]] = r
			s.points[user] += r.Points
		}
		s.rows[user] = append(s.rows[user], d.Rows(theirs)...)
		s.write(user, d.Changes)
	}
	return receipts
}

// decide decides on activities with those of a user's pages that they need.
func decide(
	t tb, l *ledger.Ledger, pages ledger.Pages, closed *board.Closed, arrival ledger.Arrival, acts ...activity.Activity,
) ledger.Decision {
	t.Helper()
	return decideOn(t, l, pages, closed, nil, arrival, acts...)
}

func decideOn(
	t tb, l *ledger.Ledger, pages ledger.Pages, closed *board.Closed, voids map[string]board.Moment,
	arrival ledger.Arrival, acts ...activity.Activity,
) ledger.Decision {
	t.Helper()
	d, err := l.Decide(some(pages, l.Needs(acts, arrival)), closed, voids, acts, arrival)
	if err != nil {
		t.Fatalf("Decide: %v", err)
	}
	return d
}

// some returns the pages of keys.
func some(pages ledger.Pages, keys []ledger.PageKey) ledger.Pages {
	needed := ledger.Pages{}
	for _, key := range keys {
		needed[key] = pages[key]
	}
	return needed
}

// pagesOf returns a user's pages, to be written to.
func (s *memory) pagesOf(user string) ledger.Pages {
	if s.pages[user] == nil {
		s.pages[user] = ledger.Pages{}
	}
	return s.pages[user]
}

// void declares a target void up to a moment, and passes over everybody's pages.
func (s *memory) void(t tb, target string, until board.Moment) {
	t.Helper()
	s.voidAll(t, map[string]board.Moment{target: until})
}

// voidAll declares targets void, and passes over everybody's pages once.
func (s *memory) voidAll(t tb, voids map[string]board.Moment) {
	t.Helper()
	for target, until := range voids {
		s.voids[target] = max(s.voids[target], until)
	}
	for user, pages := range s.pages {
		changes, rows, err := s.ledger.Void(user, pages, s.closed, voids)
		if err != nil {
			t.Fatalf("Void: %v", err)
		}
		s.rows[user] = append(s.rows[user], rows...)
		s.write(user, changes)
	}
}

// tb is what the helpers need of testing.TB; rapid.T has it too.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
}

// join adds to whom a user follows.
func (s *memory) join(user string, ids ...string) {
	if s.lists[user] == nil {
		s.lists[user] = map[string]bool{}
	}
	for _, id := range ids {
		s.lists[user][id] = true
	}
}

func (s *memory) write(user string, changes ledger.Changes) {
	if s.pages[user] == nil {
		s.pages[user] = ledger.Pages{}
	}
	for _, p := range changes.Pages {
		s.pages[user][p.Key] = p.Data
	}
	s.join(user, changes.Join...)
	for _, id := range changes.Leave {
		delete(s.lists[user], id)
	}
	for _, m := range changes.Scores {
		if m.Packed != 0 {
			put(s.boards, m.Board, m.Period, user, m.Packed)
			continue
		}
		if delete(s.boards[m.Board][m.Period], user); len(s.boards[m.Board][m.Period]) == 0 {
			delete(s.boards[m.Board], m.Period)
		}
		if len(s.boards[m.Board]) == 0 {
			delete(s.boards, m.Board)
		}
	}
}

func put(all allBoards, name string, p board.Period, user string, packed board.Packed) {
	if all[name] == nil {
		all[name] = map[board.Period]map[string]board.Packed{}
	}
	if all[name][p] == nil {
		all[name][p] = map[string]board.Packed{}
	}
	all[name][p][user] = packed
}

// following returns whom a user follows, sorted.
func (s *memory) following(user string) []string { return slices.Sorted(maps.Keys(s.lists[user])) }

// boardsOf returns every board of the reference in the shape of memory's.
func boardsOf(rules *activity.Rules, ref *reference.Ledger) allBoards {
	all := allBoards{}
	for _, name := range rules.Boards() {
		for _, w := range rules.Windows(name) {
			for _, p := range ref.Periods(name, w) {
				for _, e := range ref.Board(name, p) {
					put(all, name, p, e.User, e.Packed)
				}
			}
		}
	}
	return all
}

// Promise 1 of the design, and 2: any order, any repetition, any batches give
// the reference's boards, the same bytes of pages, and receipts that add up.
func TestPromise1OrderAndRepetitionDoNotMatter(t *testing.T) {
	t.Parallel()
	const episode = 2_000
	users := []string{"ada", "bob", "-1", "9007199254740993", "é"}
	for left, i := testserver.Soak(t, testserver.Times(150_000, 1_000_000)), 0; left > 0; i++ {
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		forum, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		acts := forum.WithRestores(rng, forum.Activities(rng, episode/(1+rng.IntN(10)), users))
		if i%4 == 0 { // some where nothing comes later that would mend what is wrong
			acts = acts[:1+rng.IntN(12)]
		}
		voids := map[string]board.Moment{}
		for range rng.IntN(3) {
			of := acts[rng.IntN(len(acts))]
			voids[of.Target] = acts[rng.IntN(len(acts))].At
		}
		l := ledger.New(forum.Rules, forum.Calendar)
		ref := reference.New(forum.Rules, forum.Calendar)
		for _, a := range acts {
			ref.Add(a)
		}
		for target, until := range voids {
			ref.Void(target, until)
		}
		arrival := ledger.Arrival{Now: board.Latest, AnyAge: true}
		var first *memory
		for range min((episode+len(acts)-1)/len(acts), 40) {
			s := newMemory(l)
			batches := stream.Deliver(rng, acts, 40)
			declared := rng.IntN(len(batches) + 1)
			for i, batch := range batches {
				if i == declared {
					s.voidAll(t, voids)
				}
				s.record(t, batch, arrival)
				left -= len(batch)
			}
			if declared == len(batches) {
				s.voidAll(t, voids)
			}
			if diff := cmp.Diff(boardsOf(forum.Rules, ref), s.boards, samePeriods); diff != "" {
				t.Fatalf("episode %d in %s: boards differ (-reference +pages):\n%.3000s", i, forum.Calendar.Zone(), diff)
			}
			for _, user := range users {
				if diff := cmp.Diff(ref.Following(user), s.following(user)); diff != "" {
					t.Fatalf("episode %d: %s follows (-reference +pages):\n%s", i, user, diff)
				}
				if got, want := s.points[user], ref.MonthPoints(user); got != want && len(voids) == 0 {
					t.Fatalf("episode %d: receipts of %s add up to %d, the month scores to %d", i, user, got, want)
				}
			}
			if first == nil {
				first = s
			} else if diff := cmp.Diff(first.pages, s.pages, samePeriods); diff != "" {
				t.Fatalf("episode %d: the same activities, other pages: %s", i, diff)
			}
		}
	}
}
