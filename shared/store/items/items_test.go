package items_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// Every kind of item reads as it was written, with its revision; a missing item has revision 0.
func TestItemsReadBack(t *testing.T) {
	t.Parallel()
	s := memory(t)
	ada, bob := keyOf(3, 1), keyOf(31, 2)
	lists := []items.FollowsKey{{Person: ada, Part: 15}, {Person: bob}}
	months := []items.LedgerKey{{Person: ada, Month: month}, {Person: bob, Month: month}}
	person := &items.Person{
		ID: "ada", Profile: profile.Profile{
			Name: "Ada", Link: "https://a.example", Since: "2026-01-01T00:00:00Z", Groups: []string{"Staff", "writers", "é"},
		},
		Status: ledger.UserStatus{Hidden: true, DaysPublic: true}, Follows: true, Erased: now,
		Totals: []ledger.MonthTotal{
			{Board: "activity", Month: month, Score: 7, Reached: now},
			{Board: "activity", Month: month + 1, Score: 1, Reached: now},
			{Board: "posts", Month: month, Score: 2, Reached: now},
		},
		Wreaths: []items.Wreath{
			{ID: board.ID{Board: "posts", Period: board.PeriodOf(board.Year, month.First())}, Rank: 10},
			{ID: board.ID{Board: "activity", Period: board.PeriodOf(board.Month, month.First())}, Rank: 1},
			{ID: board.ID{Board: "posts", Period: board.PeriodOf(board.Week, month.First()+9)}, Rank: 3},
			{ID: board.ID{Board: "activity", Period: board.PeriodOf(board.Day, month.First()-9_000)}, Rank: 2},
		},
	}
	person.Into, person.Merged = "bob", []items.Key{keyOf(1, 1), keyOf(2, 2)}
	list := &items.FollowPart{Targets: []items.Followed{
		{ID: "bob", Last: now}, {ID: "7", Last: now, Undone: now + 1},
	}}
	page := &article.Page{State: article.VotesFinal, Article: article.Article{
		ID: "a1", Author: "ada", Published: now, Title: "A title", Groups: []string{"go"}, Votes: 3,
	}}
	running := items.Progress{State: items.Running, Since: now, Bucket: 7}
	void := &items.Void{Target: "a1", Until: now, Progress: running}
	erasure := &items.Erasure{
		Progress: items.Progress{State: items.Running}, At: now, Removed: map[string]int64{"ledgers": 2},
	}
	merge := &items.Merge{Progress: running, At: now, Joined: map[string]int64{"votes": 3}}
	written := write(t, s,
		newLedger(months[0], 1), items.Change{Person: &items.PersonChange{Key: ada, Value: person}},
		items.Change{Follows: &items.FollowsChange{Key: lists[0], Value: list}}, items.Change{Article: page},
		items.Change{Void: void}, items.Change{Erasure: &items.ErasureChange{Key: ada, Value: erasure}},
		items.Change{Merge: &items.MergeChange{Key: ada, Value: merge}},
	)
	got := read(t, s, items.Query{
		People: []items.Key{ada, bob, ada}, Ledgers: months, Follows: lists, Articles: []string{"a1", "a2"},
		Voids: []string{"a1", "a2"}, Erasures: []items.Key{ada, bob}, Merges: []items.Key{ada, bob},
	})
	type row[T any] = items.Row[T]
	want := &items.Found{
		Head: got.Head, HeadRev: got.HeadRev,
		Ledgers: map[items.LedgerKey]row[*ledger.MonthLedger]{
			months[0]: {ledgerOf(1), written[0].Revision, nil}, months[1]: {},
		},
		People:   map[items.Key]row[*items.Person]{ada: {person, written[1].Revision, nil}, bob: {}},
		Follows:  map[items.FollowsKey]row[*items.FollowPart]{lists[0]: {list, written[2].Revision, nil}, lists[1]: {}},
		Articles: map[string]row[*article.Page]{"a1": {page, written[3].Revision, nil}, "a2": {}},
		Voids:    map[string]row[*items.Void]{"a1": {void, written[4].Revision, nil}, "a2": {}},
		Erasures: map[items.Key]row[*items.Erasure]{ada: {erasure, written[5].Revision, nil}, bob: {}},
		Merges:   map[items.Key]row[*items.Merge]{ada: {merge, written[6].Revision, nil}, bob: {}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(board.Period{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Head == nil || got.Head.Zone != "UTC" || got.HeadRev == 0 {
		t.Errorf("the head is %+v", got.Head)
	}
}

func TestNamesReadBackAsText(t *testing.T) {
	t.Parallel()
	for _, p := range []profile.Public{
		{},
		{Name: "Ada"},
		{Name: "Ada", Link: "https://a"},
		{Name: "A", Avatar: "b"},
		{Avatar: "x"},
		{Firsts: 3},
		{Name: "Ada", Firsts: 250},
	} {
		person := &items.Person{Profile: profile.Profile{Name: p.Name, Avatar: p.Avatar, Link: p.Link, Since: "2026"}}
		for i := range 3 * p.Firsts {
			person.Wreaths = append(person.Wreaths, items.Wreath{ID: board.ID{Board: "activity"}, Rank: 1 + i%3})
		}
		text := person.Public(activity.Default()).Text()
		if got, err := profile.ParsePublic(text); got != p || err != nil || (text == "") != (p == profile.Public{}) {
			t.Errorf("%+v reads as %+v, %v", p, got, err)
		}
	}
	for _, text := range []string{"\x09short", "\x00\x00\x00\x01x", "\x00\x00\x00\x010"} {
		if got, err := profile.ParsePublic(text); !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("%q reads as %+v, %v", text, got, err)
		}
	}
}

// A period that is made final takes the place of its own wreaths alone; of more than fit the newest stay.
func TestWreathsOfAPeriodAreReplaced(t *testing.T) {
	t.Parallel()
	day := board.PeriodOf(board.Day, month.First())
	wreath := func(p board.Period, rank int64) items.Wreath {
		return items.Wreath{ID: board.ID{Board: "activity", Period: p}, Rank: rank}
	}
	was := []items.Wreath{wreath(day.Next(), 3), wreath(day, 1), wreath(day.Prev(), 2)}
	made := func(w items.Wreath) bool { return w.Period == day }
	for name, c := range map[string]struct{ won, want []items.Wreath }{
		"again the same":    {[]items.Wreath{wreath(day, 1)}, was},
		"another place":     {[]items.Wreath{wreath(day, 4)}, []items.Wreath{was[0], wreath(day, 4), was[2]}},
		"no place any more": {nil, []items.Wreath{was[0], was[2]}},
	} {
		got := items.Rewreathed(was, made, c.won)
		if diff := cmp.Diff(c.want, got, cmpopts.EquateComparable(board.Period{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	var all []items.Wreath
	for p := day; len(all) < 300; p = p.Next() {
		all = items.Rewreathed(all, func(w items.Wreath) bool { return w.Period == p }, []items.Wreath{wreath(p, 1)})
		if len(all) == 250 && all[249].Period.Compare(day) > 0 && all[0].Period == p {
			return
		}
	}
	t.Errorf("%d wreaths, from %s to %s", len(all), all[0].Period, all[len(all)-1].Period)
}

// A damaged item, or one under another's key, is an error of its own.
func TestDamagedItemIsOfItselfAlone(t *testing.T) {
	t.Parallel()
	s := memory(t)
	ada, bob, cid := keyOf(1, 1), keyOf(1, 2), keyOf(1, 3)
	write(t, s, newPerson(ada, 1), newPerson(bob, 2))
	stored, err := s.Table().Ascend(t.Context(), "PERSON#01", "", "~", 10)
	if err != nil || len(stored) != 2 {
		t.Fatal(stored, err)
	}
	other := table.Item{Key: table.Key{Partition: "PERSON#01", Sort: cid.String()}, Data: stored[0].Data}
	harness.OK(t, s.Table().Write(t.Context(), table.Write{Item: other})[0].Err)
	got := read(t, s, items.Query{People: []items.Key{ada, bob, cid}})
	if row := got.People[cid]; !errors.Is(row.Err, codec.ErrDamaged) || row.Value != nil || got.People[bob].Err != nil {
		t.Errorf("read %v", got.People)
	}
	n, bad := 0, 0
	for row, err := range s.People(t.Context(), 1) {
		if n++; err != nil {
			t.Fatal(err)
		}
		if row.Err != nil {
			bad++
		}
	}
	for h, err := range s.Pass(t.Context(), []board.MonthOf{month}, 1) {
		if err != nil || (h.Err != nil) != (h.Key == cid) {
			t.Errorf("%v: %v, %v", h.Key, h.Err, err)
		}
	}
	if n != 3 || bad != 1 {
		t.Errorf("a pass meets %d, %d damaged", n, bad)
	}
}

// A key has nothing of the id that can be known without the secret, and is its own.
func TestKeysStandForIDs(t *testing.T) {
	t.Parallel()
	one, other := &items.Head{Secret: []byte("a")}, &items.Head{Secret: []byte("b")}
	key := one.KeyOf("ada")
	parsed, err := items.ParseKey(key.String())
	if key == other.KeyOf("ada") || key == one.KeyOf("bob") || key != one.KeyOf("ada") || parsed != key || err != nil {
		t.Errorf("keys %v, %v: %v", key, parsed, err)
	}
	for _, text := range []string{"", "x", strings.Repeat("A", 21) + "B", strings.Repeat("A", 23)} {
		if _, err := items.ParseKey(text); !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
