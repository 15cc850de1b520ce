package people_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/forum/people"
	"laurel/shared/store/items"
)

// move moves a period on.
func (f *forum) move(p board.Period, events ...board.PeriodEvent) {
	f.Helper()
	_, err := f.Items.ChangeHead(f.Context(), func(h *items.Head) (err error) {
		for _, e := range events {
			if h.Life, err = h.Life.Apply(p, e, board.Earliest); err != nil {
				return err
			}
		}
		return nil
	})
	harness.OK(f, err)
}

// A month of which a board is being made keeps its ledgers, and people keep their totals, until that is final. Then
// totals are added, and one person has the wreaths of both.
func TestMergeWaitsForBoardsInTheMaking(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.did("ann like 1")
	f.did("bob like 2")
	head := harness.Must(f.Items.Head(t.Context()))(t)
	month, day := f.Ledger.Calendar().Date(f.now).Month()-5, f.past()
	for i, user := range []string{"ann", "bob"} {
		_, _, err := f.Items.ChangePerson(t.Context(), head.KeyOf(user), user, func(_ *items.Head, p *items.Person) error {
			p.Wreaths = []items.Wreath{{ID: board.ID{Board: "activity", Period: day}, Rank: int64(2 - i)}}
			p.Totals = []ledger.MonthTotal{{Board: "activity", Month: month, Score: 7, Reached: f.now + board.Moment(i)}}
			return nil
		})
		harness.OK(t, err)
	}
	yesterday := board.PeriodOf(board.Day, f.Ledger.Calendar().Date(f.now)-1)
	year := board.PeriodOf(board.Year, month.First())
	f.move(yesterday, board.EventClose)
	f.move(year, board.EventClose)
	f.merge()
	parts := func() (ledgers, totals, wreaths int) {
		found := harness.Must(f.Items.Read(t.Context(), items.Query{
			People:  []items.Key{head.KeyOf("ann")},
			Ledgers: []items.LedgerKey{{Person: head.KeyOf("ann"), Month: f.Ledger.Calendar().Date(f.now).Month()}},
		}))(t)
		for _, row := range found.Ledgers {
			if row.Value.User != "" {
				ledgers++
			}
		}
		p := found.People[head.KeyOf("ann")].Value
		return ledgers, len(p.Totals), len(p.Wreaths)
	}
	for _, step := range []struct {
		name                     string
		ends                     board.Period
		left                     int64
		ledgers, totals, wreaths int
	}{
		{"a day and a year are being made", board.Period{}, 1, 1, 1, 1},
		{"a year is", yesterday, 1, 0, 1, 1},
		{"none is", year, 0, 0, 0, 0},
	} {
		if step.ends != (board.Period{}) {
			f.move(step.ends, board.EventMake, board.EventRemove)
		}
		done, err := f.People.GoOnMerging(t.Context())
		ledgers, totals, wreaths := parts()
		if err != nil || done.Left != step.left ||
			ledgers != step.ledgers || totals != step.totals || wreaths != step.wreaths {
			t.Errorf("%s: %+v, %v: %d ledgers, %d totals, %d wreaths", step.name, done, err, ledgers, totals, wreaths)
		}
	}
	bob := harness.Must(f.Items.Read(t.Context(), items.Query{People: []items.Key{head.KeyOf("bob")}}))(t)
	want := []ledger.MonthTotal{{Board: "activity", Month: month, Score: 14, Reached: f.now + 1}}
	if diff := cmp.Diff(want, bob.People[head.KeyOf("bob")].Value.Totals); diff != "" {
		t.Error(diff)
	}
	wreaths := harness.Must(f.People.Wreaths(t.Context(), "ann", f.Ledger.Rules()))(t)
	if ranks := []int64{wreaths[0].Rank, wreaths[1].Rank}; len(wreaths) != 2 || !slices.Equal(ranks, []int64{1, 2}) {
		t.Errorf("%+v", wreaths)
	}
}

// The stricter status is both's; the profile is the second one's, else the first one's, since the earlier time, in the
// groups of both.
func TestMergedProfiles(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	harness.OK(t, f.People.Put(t.Context(), map[string]profile.Profile{
		"ann": {Name: "Ann", Since: "2020-01-01T00:00:00Z", Groups: []string{"a", "b"}},
		"bob": {Name: "Bob", Since: "2021-01-01T00:00:00Z", Groups: []string{"b", "c"}},
		"cid": {Name: "Cid"},
	}))
	harness.Must(f.People.SetVisibility(t.Context(), "ann", people.UserVisibility{Boards: "hidden", Days: "public"}))(t)
	f.merge()
	got, _, err := f.People.Get(t.Context(), "ann")
	want := profile.Profile{Name: "Bob", Since: "2020-01-01T00:00:00Z", Groups: []string{"a", "b", "c"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if status := harness.Must(f.People.Status(t.Context(), "bob"))(t); status != (ledger.UserStatus{Hidden: true}) {
		t.Errorf("%+v", status)
	}
	harness.OK(t, f.People.SetExclusion(t.Context(), "ann", people.UserExclusion{Excluded: true}, ""))
	if status := harness.Must(f.People.Status(t.Context(), "bob"))(t); !status.Excluded {
		t.Errorf("%+v", status)
	}
	harness.Must(f.People.Merge(t.Context(), "cid", "dee", ""))(t)
	if p, _, err := f.People.Get(t.Context(), "dee"); err != nil || p.Name != "Cid" {
		t.Errorf("%+v, %v", p, err)
	}
}
