package recording_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/reference"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
)

func statuses(tb testing.TB, results []recording.Result) map[ledger.Status]int {
	tb.Helper()
	counts := map[ledger.Status]int{}
	for _, r := range results {
		if r.Err != nil {
			tb.Fatal(r.Err)
		}
		counts[r.Status]++
	}
	return counts
}

// Rows in any order, in pieces of any size, beside reports of the same, give the reference's
// boards; merged again they change nothing. No day of theirs has four times a cap, where order would matter.
func TestMergedHistoryIsTheReference(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng, after := rand.New(rand.NewPCG(seed, 31)), board.MomentOf(time.Date(2027, 6, 1, 12, 0, 0, 0, time.UTC))
			forum := harness.Must(reference.NewForum(rng))(t)
			users := []string{"ann", "-42", "9223372036854775807", "é", "a b", "bob"}
			acts := forum.WithModeration(rng, forum.Activities(rng, 2500, users))
			f := newWalked(t, ledger.New(forum.Rules, forum.Calendar), after, 1+int(seed%2))
			ref := reference.New(forum.Rules, forum.Calendar)
			head := harness.Must(f.all.Head(t.Context()))(t)
			ref.HashBy(func(id string) uint64 { return uint64(head.KeyOf(id).Hash()) })
			for _, a := range acts {
				ref.Add(a)
			}
			var beside sync.WaitGroup
			for i, some := range reference.Deliver(rng, acts, 700) {
				if i%3 == 0 && len(some) <= 500 {
					beside.Go(func() { patiently(t, f.Recorder, some, recording.Arrival{Now: f.now, AnyAge: true}) })
					continue
				}
				statuses(t, f.Recorder.Import(t.Context(), some, f.now))
			}
			beside.Wait()
			before := f.everything()
			counts := statuses(t, f.Recorder.Import(t.Context(), acts, f.now))
			if counts[ledger.Counted]+counts[ledger.Revoked]+counts[ledger.TooLate] > 0 || !cmp.Equal(before, f.everything()) {
				t.Errorf("merged again: %v", counts)
			}
			f.compare(catchup.Request{})
			f.holdsBoardsOf(forum, ref)
		})
	}
}

// holdsBoardsOf compares every board of a reference with the view's.
func (w *walked) holdsBoardsOf(forum reference.Forum, ref *reference.Ledger) {
	w.Helper()
	for _, name := range forum.Rules.Boards() {
		for _, window := range forum.Rules.Windows(name) {
			for _, p := range ref.Periods(name, window) {
				var got []board.Member
				for e, err := range w.view.Members(w.Context(), name, p) {
					harness.OK(w, err)
					got = append(got, e)
				}
				slices.SortFunc(got, board.Compare)
				if diff := cmp.Diff(ref.Board(name, p), got); diff != "" {
					w.Errorf("board %s %s (-reference +view):\n%s", name, p, diff)
				}
			}
		}
	}
}

// patiently records activities, again those of users who were busy: others may keep one for longer than a report
// waits.
func patiently(t *testing.T, r *recording.Recorder, acts []activity.Activity, arrival recording.Arrival) {
	t.Helper()
	for len(acts) > 0 {
		results, err := r.Record(t.Context(), acts, arrival)
		if err != nil {
			t.Error(err)
			return
		}
		var again []activity.Activity
		for i, r := range results {
			switch {
			case errors.Is(r.Err, items.ErrBusy):
				again = append(again, acts[i])
			case r.Err != nil:
				t.Error(r.Err)
			}
		}
		acts = again
	}
}

// everything returns the revisions of all ledgers.
func (w *walked) everything() map[items.LedgerKey]int64 {
	w.Helper()
	all, head := map[items.LedgerKey]int64{}, w.headNow()
	for month := head.From; month <= w.ledger.Calendar().Date(w.now).Month()+1; month++ {
		for bucket := range items.Buckets {
			for h, err := range w.all.LedgerPass(w.Context(), []board.MonthOf{month}, bucket, false) {
				w.must(h, err)
				all[items.LedgerKey{Person: h.Key, Month: month}] = h.Ledgers[month].Revision
			}
		}
	}
	return all
}

// Likes are votes for articles of other months, by their moments; a follow is on the list.
func TestMergedLikesAreVotes(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	moment := f.now - 60*86_400_000
	made := f.Articles.Import(t.Context(), []article.Article{posted("a", "ann", moment), posted("b", "ann", moment)})
	again := f.Articles.Import(t.Context(), []article.Article{posted("a", "ann", moment)})
	if !made[0].New || made[0].Err != nil || made[1].Err != nil || again[0] != (recording.Created{}) {
		t.Fatalf("%+v, then %+v", made, again)
	}
	statuses(t, f.Recorder.Import(t.Context(), []activity.Activity{
		{User: "bob", Action: "like", Target: "a", At: moment + 1},
		{User: "eve", Action: "like", Target: "a", At: moment + 2},
		{User: "eve", Action: "unlike", Target: "a", At: moment + 3},
		{User: "dan", Action: "like", Target: "a", At: moment - 1},
		{User: "bob", Action: "like", Target: "b", At: moment + 7*86_400_000},
		{User: "bob", Action: "follow", Target: "ann", At: moment},
	}, f.now))
	f.compare(catchup.Request{})
	if a, err := f.Articles.Get(t.Context(), "a"); err != nil || a.Votes != 2 {
		t.Errorf("%+v, %v", a, err)
	}
	if b, err := f.Articles.Get(t.Context(), "b"); err != nil || b.Votes != 1 {
		t.Errorf("%+v, %v", b, err)
	}
	if list := f.following("bob"); !slices.Equal(list, []string{"ann"}) {
		t.Errorf("bob follows %v", list)
	}
	f.change("bob", func(p *items.Person) {
		if !p.Follows {
			t.Error("nobody says that bob has a list")
		}
	})
	if f.did("bob unfollow ann"); len(f.following("bob")) > 0 {
		t.Error("bob still follows")
	}
	var years []activity.Activity // more months than are written together
	for n := range 110 {
		years = append(years, did("old", "like", "x", f.now.Add(-time.Duration(n)*31*24*time.Hour)))
	}
	statuses(t, f.Recorder.Import(t.Context(), years, f.now))
}

// A month that an import holds is not closed; a closed month takes no rows.
func TestImportsHoldTheirMonths(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	month := f.ledger.Calendar().Date(f.now).Month() - 5
	period := board.PeriodOf(board.Month, month.First())
	for range 2 {
		f.must(nil, f.Items.MarkImport(t.Context(), "1", "a.csv", f.now))
		f.must(nil, f.Items.MarkImport(t.Context(), "1", "b.csv", f.now+1, month+1))
		f.must(nil, f.Items.MarkImport(t.Context(), "1", "b.csv", f.now+1, month, month+1))
	}
	f.must(nil, f.Items.MarkImport(t.Context(), "2", "c.csv", f.now, month))
	want := []items.Import{
		{ID: "1", Name: "a.csv", Since: f.now, Months: []board.MonthOf{month, month + 1}},
		{ID: "2", Name: "c.csv", Since: f.now, Months: []board.MonthOf{month}},
	}
	if diff := cmp.Diff(want, f.headNow().Imports); diff != "" || f.headNow().From != month {
		t.Errorf("from %s (-want +got):\n%s", f.headNow().From, diff)
	}
	row := []activity.Activity{{User: "ann", Action: "like", Target: "1", At: f.ledger.Calendar().Start(month.First())}}
	for i, id := range []string{"1", "2"} {
		if state := f.headNow().Life.State(period); state != board.PeriodHeld || f.headNow().Imports[0].ID != want[i].ID {
			t.Errorf("before %s ends: %s", id, state)
		}
		f.must(nil, f.Items.EndImport(t.Context(), id, 0))
	}
	if f.headNow().Life.State(period) != board.PeriodLive || len(f.headNow().Imports) > 0 || f.headNow().Behind == nil {
		t.Errorf("%+v", f.headNow())
	}
	_, err := f.all.ChangeHead(t.Context(), func(h *items.Head) (err error) {
		h.Life, err = h.Life.Apply(period, board.EventClose, f.now)
		return err
	})
	f.must(nil, err)
	counts := statuses(t, f.Recorder.Import(t.Context(), row, f.now))
	if counts[ledger.TooLate] != 1 || len(f.everything()) > 0 {
		t.Error(counts)
	}
	next := f.ledger.Calendar().Start((month + 1).First())
	f.Articles.Import(t.Context(), []article.Article{posted("late", "ann", next-1000)})
	statuses(t, f.Recorder.Import(t.Context(), []activity.Activity{did("bob", "like", "late", next+1000)}, f.now))
	if all := f.everything(); len(all) != 1 { // of the month of the like: the article's takes no vote
		t.Error(all)
	}
}
