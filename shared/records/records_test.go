package records_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/table"
	"laurel/shared/table/embedded"
)

// Every kind of item reads as it was written, with its revision; what is not there has
// revision 0.
func TestItemsReadBack(t *testing.T) {
	t.Parallel()
	s := memory(t)
	ada, bob := keyOf(3, 1), keyOf(31, 2)
	lists := []records.FollowsKey{{Person: ada, Part: 15}, {Person: bob}}
	months := []records.LedgerKey{{Person: ada, Month: month}, {Person: bob, Month: month}}
	person := &records.Person{
		ID: "ada", Name: records.Name{Name: "Ada", Link: "https://a.example", Since: "2026-01-01T00:00:00Z"},
		Status: ledger.UserStatus{Hidden: true, DaysPublic: true}, Follows: true, Erased: now,
		Totals: []ledger.MonthTotal{
			{Board: "activity", Month: month, Score: 7, Reached: now},
			{Board: "activity", Month: month + 1, Score: 1, Reached: now},
			{Board: "posts", Month: month, Score: 2, Reached: now},
		},
	}
	list := &records.FollowPart{Targets: []records.Followed{
		{ID: "bob", Last: now}, {ID: "7", Last: now, Undone: now + 1},
	}}
	page := &records.Article{Page: article.Page{State: article.VotesFinal, Article: article.Article{
		ID: "a1", Author: "ada", Published: now, Title: "A title", Groups: []string{"go"}, Votes: 3,
	}}}
	void := &records.Void{Target: "a1", Until: now, State: records.VoidRunning, Since: now, Cursor: "x"}
	erasure := &records.Erasure{State: "running", At: now, Removed: map[string]int64{"ledgers": 2}}
	written := write(t, s,
		newLedger(months[0], 1), records.Change{Person: &records.PersonChange{Key: ada, Value: person}},
		records.Change{Follows: &records.FollowsChange{Key: lists[0], Value: list}}, records.Change{Article: page},
		records.Change{Void: void}, records.Change{Erasure: &records.ErasureChange{Key: ada, Value: erasure}},
	)
	got := read(t, s, records.Query{
		People: []records.Key{ada, bob, ada}, Ledgers: months, Follows: lists, Articles: []string{"a1", "a2"},
		Voids: []string{"a1", "a2"}, Erasures: []records.Key{ada, bob},
	})
	type row[T any] = records.Row[T]
	want := &records.Found{
		Head: got.Head, HeadRev: got.HeadRev,
		Ledgers: map[records.LedgerKey]row[*ledger.MonthLedger]{
			months[0]: {ledgerOf(1), written[0].Revision, nil}, months[1]: {},
		},
		People:   map[records.Key]row[*records.Person]{ada: {person, written[1].Revision, nil}, bob: {}},
		Follows:  map[records.FollowsKey]row[*records.FollowPart]{lists[0]: {list, written[2].Revision, nil}, lists[1]: {}},
		Articles: map[string]row[*records.Article]{"a1": {page, written[3].Revision, nil}, "a2": {}},
		Voids:    map[string]row[*records.Void]{"a1": {void, written[4].Revision, nil}, "a2": {}},
		Erasures: map[records.Key]row[*records.Erasure]{ada: {erasure, written[5].Revision, nil}, bob: {}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Head == nil || got.Head.Zone != "UTC" || got.HeadRev == 0 {
		t.Errorf("the head is %+v", got.Head)
	}
}

// More keys than one call takes are read all.
func TestReadOfManyKeys(t *testing.T) {
	t.Parallel()
	s := memory(t)
	var q records.Query
	var changes []records.Change
	for i := range 330 {
		q.People = append(q.People, keyOf(i%32, i))
		changes = append(changes, newPerson(keyOf(i%32, i), i))
	}
	write(t, s, changes...)
	got := read(t, s, q)
	for i, key := range q.People {
		if row := got.People[key]; row.Revision == 0 || row.Value.ID != personOf(i).ID {
			t.Fatalf("%d reads as %+v", i, row)
		}
	}
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
	got := read(t, s, records.Query{People: []records.Key{ada, bob, cid}})
	if row := got.People[cid]; !errors.Is(row.Err, codec.ErrDamaged) || row.Value != nil || got.People[bob].Err != nil {
		t.Errorf("read %v", got.People)
	}
	n, bad := 0, 0
	for row, err := range s.People(t.Context(), 1, records.Key{}) {
		if n++; err != nil {
			t.Fatal(err)
		}
		if row.Err != nil {
			bad++
		}
	}
	for h, err := range s.Holdings(t.Context(), []board.MonthOf{month}, 1, records.Key{}) {
		if err != nil || (h.Err != nil) != (h.Key == cid) {
			t.Errorf("%v: %v, %v", h.Key, h.Err, err)
		}
	}
	if n != 3 || bad != 1 {
		t.Errorf("a pass meets %d, %d damaged", n, bad)
	}
}

// Of several first processes one makes the head; another zone, or a format from the future,
// is refused.
func TestBeginOnce(t *testing.T) {
	t.Parallel()
	s := memory(t)
	fresh := records.New(s.Table(), "Asia/Tokyo", now.Time)
	harness.OK(t, s.Table().Delete(t.Context(), table.Key{Partition: "FORUM", Sort: "head"}))
	if h, err := fresh.Peek(t.Context()); h != nil || err != nil {
		t.Errorf("before it begins: %v, %v", h, err)
	}
	_, err := fresh.ChangeHead(t.Context(), func(*records.Head) error { return nil })
	if !errors.Is(err, records.ErrUnused) {
		t.Errorf("a change before it begins: %v", err)
	}
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if h, err := fresh.Head(t.Context()); err != nil {
				t.Error(err)
			} else {
				ids[i] = h.Table
			}
		})
	}
	if all.Wait(); len(slices.Compact(ids)) != 1 {
		t.Errorf("ids of the table: %v", ids)
	}
	if _, err := s.Head(t.Context()); !errors.Is(err, records.ErrZone) {
		t.Errorf("another zone: %v", err)
	}
	if _, err := fresh.ChangeHead(t.Context(), func(h *records.Head) error { h.Format = 2; return nil }); err != nil {
		t.Error(err)
	}
	if _, err := fresh.Head(t.Context()); !errors.Is(err, records.ErrFormat) {
		t.Errorf("a format from the future: %v", err)
	}
	if _, err := s.Read(t.Context(), records.Query{}); !errors.Is(err, records.ErrFormat) {
		t.Errorf("it is read: %v", err)
	}
}

// Changes that many make at once are all made, and one that changes nothing writes nothing.
func TestChangesAreNotLost(t *testing.T) {
	t.Parallel()
	s := memory(t)
	const writers, each = 10, 3
	ada := keyOf(0, 1)
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range each {
				if _, err := s.ChangeHead(t.Context(), func(h *records.Head) error { h.Beat++; return nil }); err != nil {
					t.Error(err)
				}
				_, _, err := s.ChangePerson(t.Context(), ada, "ada", func(_ *records.Head, p *records.Person) error {
					p.Name.Name += "x"
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	f := read(t, s, records.Query{People: []records.Key{ada}})
	if got := f.People[ada].Value; f.Head.Beat != writers*each || got.ID != "ada" || len(got.Name.Name) != writers*each {
		t.Errorf("beat %d, person %+v", f.Head.Beat, got)
	}
	head, err := s.ChangeHead(t.Context(), func(h *records.Head) error { h.Beat = 0; return records.ErrUnchanged })
	_, row, second := s.ChangePerson(t.Context(), ada, "ada", func(_ *records.Head, p *records.Person) error {
		p.ID = "bob"
		return records.ErrUnchanged
	})
	if err != nil || second != nil || head.Beat != writers*each || row != f.People[ada] && row.Value.ID != "ada" {
		t.Errorf("unchanged: %+v, %v, %+v, %v", head, err, row, second)
	}
	if again := read(t, s, records.Query{}); again.HeadRev != f.HeadRev {
		t.Errorf("the head was written: %d, %d", again.HeadRev, f.HeadRev)
	}
}

// A write on an older revision fails alone, and together with others nothing is written.
func TestWritesOnOtherRevisions(t *testing.T) {
	t.Parallel()
	s := memory(t)
	ada, bob := keyOf(0, 1), keyOf(1, 1)
	first := write(t, s, newPerson(ada, 1))[0].Revision
	got := s.Write(t.Context(), newPerson(ada, 2), newPerson(bob, 3), records.Change{})
	if !errors.Is(got[0].Err, table.ErrConflict) || got[1].Err != nil || got[1].Revision == 0 || got[2].Err == nil {
		t.Errorf("got %+v", got)
	}
	next := newPerson(ada, 4)
	next.Was = first
	if _, err := s.Together(t.Context(), next, newPerson(bob, 5)); !errors.Is(err, table.ErrConflict) {
		t.Errorf("together: %v", err)
	}
	f := read(t, s, records.Query{People: []records.Key{ada, bob}})
	if f.People[ada].Revision != first || f.People[bob].Value.ID != "user-3" {
		t.Errorf("stored: %+v", f.People)
	}
	gone := records.Change{Was: f.People[bob].Revision, Delete: true, Person: &records.PersonChange{Key: bob}}
	both, err := s.Together(t.Context(), next, gone)
	f = read(t, s, records.Query{People: []records.Key{ada, bob}})
	if err != nil || f.People[ada].Revision != first+1 || both[0].Revision != first+1 || f.People[bob].Revision != 0 {
		t.Errorf("together: %+v, %v, stored %+v", both, err, f.People)
	}
}

// The head says the first month of which there is a ledger, whoever writes it.
func TestTheFirstMonthIsAnnounced(t *testing.T) {
	t.Parallel()
	s := memory(t)
	for n, c := range []struct {
		months []board.MonthOf
		want   board.MonthOf
	}{
		{[]board.MonthOf{month, month - 1, month + 1}, month - 1},
		{[]board.MonthOf{month + 2}, month - 1},
		{[]board.MonthOf{month - 3}, month - 3},
	} {
		for _, by := range []*records.Store{s, records.New(s.Table(), "UTC", now.Time)} {
			var changes []records.Change
			for i, m := range c.months {
				changes = append(changes, newLedger(records.LedgerKey{Person: keyOf(n, i), Month: m}, i))
			}
			by.Write(t.Context(), changes...)
			if head, err := by.Head(t.Context()); err != nil || head.From != c.want {
				t.Errorf("%v: from %s, want %s, %v", c.months, head.From, c.want, err)
			}
		}
	}
}

func TestCursorMovesOnItsRevision(t *testing.T) {
	t.Parallel()
	s := memory(t)
	if at, revision, err := s.Cursor(t.Context(), "voids"); at != "" || revision != 0 || err != nil {
		t.Errorf("at first %q, %d, %v", at, revision, err)
	}
	first := harness.Must(s.SetCursor(t.Context(), "voids", "a", 0))(t)
	if _, err := s.SetCursor(t.Context(), "voids", "b", 0); !errors.Is(err, table.ErrConflict) {
		t.Errorf("a second first: %v", err)
	}
	if at, revision, err := s.Cursor(t.Context(), "voids"); at != "a" || revision != first || err != nil {
		t.Errorf("then %q, %d, %v", at, revision, err)
	}
}

// Anything that a person's item can hold reads back.
func TestPeopleReadBack(t *testing.T) {
	t.Parallel()
	s, key := memory(t), keyOf(0, 1)
	var revision int64
	rapid.Check(t, func(t *rapid.T) {
		moment := rapid.Custom(func(t *rapid.T) board.Moment {
			return board.Moment(rapid.Int64Range(int64(board.Earliest), int64(board.Latest)-1).Draw(t, "moment"))
		})
		p := &records.Person{
			ID: rapid.String().Draw(t, "id"), Name: records.Name{Name: rapid.String().Draw(t, "name"), Avatar: "a"},
			Status: ledger.UserStatus{Excluded: rapid.Bool().Draw(t, "excluded"), Shadowed: rapid.Bool().Draw(t, "shadowed")},
			Erased: moment.Draw(t, "erased"), Erasing: rapid.Bool().Draw(t, "erasing"),
		}
		for i := range rapid.IntRange(0, 5).Draw(t, "months") {
			p.Totals = append(p.Totals, ledger.MonthTotal{
				Board: fmt.Sprint("b", i/3), Month: month + board.MonthOf(i%3),
				Score: rapid.Int64Range(0, board.MaxScore).Draw(t, "score"), Reached: moment.Draw(t, "reached"),
			})
		}
		var won []records.Wreath
		for i := range rapid.IntRange(0, 300).Draw(t, "wreaths") {
			day := rapid.Custom(func(t *rapid.T) board.Date {
				return month.First() + board.Date(rapid.IntRange(-5_000, 5_000).Draw(t, "day"))
			})
			window := rapid.SampledFrom([]board.Window{board.Day, board.Week, board.Month, board.Year}).Draw(t, "window")
			won = append(won, records.Wreath{
				Board: fmt.Sprint("b", i), Period: board.PeriodOf(window, day.Draw(t, "of")), Rank: int64(1 + i%10),
			})
		}
		p.Wreaths = records.Rewreathed(nil, func(board.Period) bool { return false }, won)
		written := s.Write(t.Context(), records.Change{Was: revision, Person: &records.PersonChange{Key: key, Value: p}})[0]
		f, err := s.Read(t.Context(), records.Query{People: []records.Key{key}})
		if err != nil || written.Err != nil {
			t.Fatal(err, written.Err)
		}
		diff := cmp.Diff(p, f.People[key].Value, cmpopts.EquateComparable(board.Period{}), cmpopts.EquateEmpty())
		if diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		revision = written.Revision
	})
}

func TestNamesReadBackAsText(t *testing.T) {
	t.Parallel()
	for _, p := range []records.Public{
		{},
		{Name: "Ada"},
		{Name: "Ada", Link: "https://a"},
		{Name: "A", Avatar: "b"},
		{Avatar: "x"},
		{Firsts: 3},
		{Name: "Ada", Firsts: 250},
	} {
		person := &records.Person{Name: records.Name{Name: p.Name, Avatar: p.Avatar, Link: p.Link, Since: "2026"}}
		for i := range 3 * p.Firsts {
			person.Wreaths = append(person.Wreaths, records.Wreath{Rank: 1 + i%3})
		}
		text := person.Public().Text()
		if got, err := records.ParsePublic(text); got != p || err != nil || (text == "") != (p == records.Public{}) {
			t.Errorf("%+v reads as %+v, %v", p, got, err)
		}
	}
	for _, text := range []string{"\x09short", "\x00\x00\x00\x01x", "\x00\x00\x00\x010"} {
		if got, err := records.ParsePublic(text); !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("%q reads as %+v, %v", text, got, err)
		}
	}
}

// A key has nothing of the id that can be known without the secret, and is its own.
func TestKeysStandForIDs(t *testing.T) {
	t.Parallel()
	one, other := &records.Head{Secret: []byte("a")}, &records.Head{Secret: []byte("b")}
	key := one.KeyOf("ada")
	parsed, err := records.ParseKey(key.String())
	if key == other.KeyOf("ada") || key == one.KeyOf("bob") || key != one.KeyOf("ada") || parsed != key || err != nil {
		t.Errorf("keys %v, %v: %v", key, parsed, err)
	}
	for _, text := range []string{"", "x", strings.Repeat("A", 21) + "B", strings.Repeat("A", 23)} {
		if _, err := records.ParseKey(text); !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// An unavailable table is so in every way of reading and writing.
func TestUnavailableTable(t *testing.T) {
	t.Parallel()
	store := harness.Must(embedded.Open(t.TempDir(), time.Now, embedded.Options{}))(t)
	s := begun(t, store)
	_ = store.Close()
	_, read := s.Read(t.Context(), records.Query{})
	_, head := s.ChangeHead(t.Context(), func(*records.Head) error { return nil })
	written := s.Write(t.Context(), newPerson(keyOf(0, 1), 1))[0].Err
	var pass error
	for _, err := range s.Holdings(t.Context(), nil, 0, records.Key{}) {
		pass = err
	}
	for i, err := range []error{read, head, written, pass} {
		if !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("%d: %v", i, err)
		}
	}
}
