package journal_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/journal"
	"laurel/shared/ledger"
)

// The pages of all users are made again of what the ledger's decisions have put into the
// journal: of the entries, and of the seal with compact rows.
func TestPagesAreMadeOfTheJournal(t *testing.T) {
	t.Parallel()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	j, rng := journal.New(open(t)), rand.New(rand.NewPCG(10, 1))
	recorded, friends := map[string]ledger.Pages{}, map[string]map[string]bool{}
	for range 600 {
		user := fmt.Sprint("u", rng.IntN(12))
		now := start + board.Moment(rng.Int64N(int64(untilNext)))
		acts := make([]activity.Activity, 1+rng.IntN(5))
		for i := range acts {
			acts[i] = activity.Activity{
				User: user, Action: []string{"like", "unlike", "visit", "follow", "unfollow", "comment", "uncomment"}[rng.IntN(7)],
				Target: fmt.Sprint(rng.IntN(9)), At: now - board.Moment(rng.IntN(1_000)),
			}
			if a := &acts[i]; a.Action == "comment" || a.Action == "uncomment" {
				a.Ref = fmt.Sprint("c", rng.IntN(3))
			}
		}
		arrival := ledger.Arrival{Now: now}
		pages := ledger.Pages{}
		for _, key := range l.Needs(acts, arrival) {
			pages[key] = recorded[user][key]
		}
		d, err := l.Decide(pages, nil, map[string]board.Moment{"7": start + 9*hour}, acts, arrival)
		if err != nil {
			t.Fatal(err)
		}
		put(t, j.NewEntry(now), d.Rows(acts)...)
		if recorded[user] == nil {
			recorded[user], friends[user] = ledger.Pages{}, map[string]bool{}
		}
		for _, p := range d.Pages {
			recorded[user][p.Key] = p.Data
		}
		for _, id := range d.Join {
			friends[user][id] = true
		}
		for _, id := range d.Leave {
			delete(friends[user], id)
		}
	}
	merged := func(user string, rows []ledger.Row) ledger.Pages {
		pages := ledger.Pages{}
		for _, key := range l.MergeNeeds(rows) {
			pages[key] = ""
		}
		var ids []string
		for id := range friends[user] {
			ids = append(ids, id)
		}
		changes, err := l.Merge(pages, nil, ids, rows, true)
		if err != nil {
			t.Fatal(err)
		}
		pages = ledger.Pages{}
		for _, p := range changes.Pages {
			pages[p.Key] = p.Data
		}
		return pages
	}
	raw := map[string][]ledger.Row{}
	for _, row := range read(t, j, start, start+untilNext) {
		raw[row.User] = append(raw[row.User], row)
	}
	sealed, err := j.Seal(t.Context(), day, func(_ board.Moment, row ledger.Row) (ledger.Row, bool) {
		return l.Compact(row), true
	})
	if err != nil {
		t.Fatal(err)
	}
	users, hashed := 0, 0
	err = j.ByUser(t.Context(), []journal.Sealed{sealed}, func(user string, rows []ledger.Row) error {
		for _, row := range rows {
			if _, ok := codec.HashInKey(row.Key); ok {
				hashed++
			}
		}
		for from, rows := range map[string][]ledger.Row{"entries": raw[user], "seal": rows} {
			if diff := cmp.Diff(byName(recorded[user]), byName(merged(user, rows))); diff != "" {
				t.Errorf("%s from the %s (-recorded +merged):\n%s", user, from, diff)
			}
		}
		users++
		return nil
	})
	if err != nil || users != len(recorded) || hashed == 0 {
		t.Errorf("got %d of %d users, %d rows with a hash, %v", users, len(recorded), hashed, err)
	}
}

// byName returns pages by their names.
func byName(pages ledger.Pages) map[string]string {
	return maps.Collect(func(yield func(string, string) bool) {
		for key, page := range pages {
			if page != "" && !yield(key.String(), page) {
				return
			}
		}
	})
}
