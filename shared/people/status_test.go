package people_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/people"
	"laurel/shared/records"
)

// Who is hidden, excluded or shadowed is on no board, and back with what was earned: also where
// Redis is emptied between.
func TestStatusTakesOffTheBoards(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		f := open(t, shards)
		f.did("bob like 1")
		f.now++
		f.did("ann like 1")
		for what, set := range map[string]func(on bool) error{
			"hidden": func(on bool) error {
				status, err := f.People.SetVisibility(t.Context(), "ann", people.Visibility{Hidden: &on})
				if status.Hidden != on {
					t.Errorf("is said to be %+v", status)
				}
				return err
			},
			"excluded": func(on bool) error { return f.People.SetExclusion(t.Context(), "ann", on) },
			"shadowed": func(on bool) error {
				if on {
					return f.People.Shadow(t.Context(), "ann")
				}
				return f.People.SetExclusion(t.Context(), "ann", false)
			},
		} {
			f.must(set(true))
			if on := f.board(board.Day); on != "bob" {
				t.Errorf("%s: %q", what, on)
			}
			f.Redis.FlushDB(t.Context())
			f.Fill()
			if on := f.board(board.Month); on != "bob" {
				t.Errorf("%s, Redis emptied: %q", what, on)
			}
			f.must(set(false))
			if on := f.board(board.Day); on != "bob ann" {
				t.Errorf("no longer %s: %q", what, on)
			}
		}
	}
}

// The place that a hidden user would have is that by the ledgers.
func TestOwnStandingsOfWhoIsHidden(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	for _, text := range []string{"bob like 1", "ann like 1", "ann like 2", "ann follow bob", "cid like 1"} {
		f.now++
		f.did(text)
	}
	views := []board.View{{Board: "activity", Period: f.period(board.Day)}, {Board: "steps", Period: f.period(board.Day)}}
	shown := harness.Must(f.People.OwnStandings(t.Context(), "ann", views))(f)
	if shown[0].Rank != 1 || shown[0].Score != 6 || shown[1].Rank != 0 {
		t.Errorf("shown: %+v", shown)
	}
	harness.Must(f.People.SetVisibility(t.Context(), "ann", people.Visibility{Hidden: new(true)}))(f)
	hidden := harness.Must(f.People.OwnStandings(t.Context(), "ann", views))(f)
	if hidden[0].Rank != 1 || hidden[0].Score != 6 || hidden[0].Total != 3 || hidden[1].Rank != 0 {
		t.Errorf("hidden: %+v", hidden)
	}
	v := board.View{Board: "activity", Period: f.period(board.Day), User: "ann"}
	friends, own, err := f.People.FriendsOf(t.Context(), v)
	if err != nil || own.Score() != 6 || !cmp.Equal(friends, []string{"bob"}) {
		t.Errorf("friends %q, own %d, %v", friends, own.Score(), err)
	}
	f.must(f.People.SetExclusion(t.Context(), "ann", true))
	if out, err := f.People.OwnStandings(t.Context(), "ann", views); err != nil || out[0].Rank != 0 {
		t.Errorf("excluded: %+v, %v", out, err)
	}
}

// A profile is replaced whole, but for since; names come with the view where it has them.
func TestProfiles(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.did("ann like 1")
	ann := people.Profile{Name: "Ann", Link: "https://forum.example/ann", Since: "2020-01-01T00:00:00Z"}
	f.must(f.People.Put(t.Context(), map[string]people.Profile{"ann": ann, "bob": {Name: "Bob"}}))
	f.must(f.People.Put(t.Context(), map[string]people.Profile{"ann": {Name: "Ann B"}}))
	p, ok, err := f.People.Get(t.Context(), "ann")
	want := people.Profile{Name: "Ann B", Since: ann.Since}
	if err != nil || !ok || p != want {
		t.Errorf("%+v, %t, %v", p, ok, err)
	}
	if _, ok, err := f.People.Get(t.Context(), "cid"); ok || err != nil {
		t.Errorf("nobody's: %t, %v", ok, err)
	}
	page := harness.Must(f.View.Read(t.Context(), board.View{Board: "activity", Period: f.period(board.Day), Limit: 5}))(f)
	names := f.People.Names(t.Context(), []string{"ann", "bob", "cid", ""}, page.Names)
	if diff := cmp.Diff(map[string]records.Public{"ann": {Name: "Ann B"}, "bob": {Name: "Bob"}}, names); diff != "" {
		t.Error(diff)
	}
	f.must(f.People.Put(t.Context(), map[string]people.Profile{"ann": {Name: "Ann", Since: people.NoSince}}))
	written := f.Table.Writes.Load()
	f.must(f.People.Put(t.Context(), map[string]people.Profile{"ann": {Name: "Ann"}}))
	if n := f.Table.Writes.Load() - written; n != 0 {
		t.Errorf("%d writes of a profile as it was", n)
	}
	if p, _, _ := f.People.Get(t.Context(), "ann"); p.Since != "" {
		t.Errorf("since %q", p.Since)
	}
}

// A list that is replaced follows whom it has, and nobody else who is known then; one that arrives
// late takes nobody off a later one.
func TestFollowing(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.did("ann follow zoe")
	f.must(f.People.ReplaceFollowing(t.Context(), "ann", []string{"cid", "bob"}, f.now+10))
	f.must(f.People.ReplaceFollowing(t.Context(), "ann", []string{"dan"}, f.now+5)) // an older one, that arrives late
	users, total, err := f.People.Following(t.Context(), "ann", 1, 5)
	if err != nil || total != 3 || !cmp.Equal(users, []string{"cid", "dan"}) {
		t.Errorf("%q of %d, %v", users, total, err)
	}
	for _, c := range []struct {
		targets []string
		want    error
	}{
		{[]string{"bob", "ann"}, people.ErrSelf},
		{make([]string, ledger.MaxReplaced+1), people.ErrTooMany},
	} {
		if err := f.People.ReplaceFollowing(t.Context(), "ann", c.targets, f.now); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
	f.must(f.People.SetExclusion(t.Context(), "ann", true))
	if err := f.People.ReplaceFollowing(t.Context(), "ann", nil, f.now+20); !errors.Is(err, people.ErrExcluded) {
		t.Error(err)
	}
	harness.Must(f.People.Erase(t.Context(), "bob"))(f)
	if err := f.People.ReplaceFollowing(t.Context(), "bob", nil, f.now); !errors.Is(err, people.ErrErased) {
		t.Error(err)
	}
	f.must(f.People.ReplaceFollowing(t.Context(), "cid", []string{"bob", "dan"}, f.now+1))
	if users, _, err := f.People.Following(t.Context(), "cid", 0, 5); err != nil || !cmp.Equal(users, []string{"dan"}) {
		t.Errorf("with somebody who was erased: %q, %v", users, err)
	}
}

// A long list fits, and pushes out whom it does not have.
func TestLongFollowLists(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	lists := [3][]string{}
	for n := range lists {
		for i := range ledger.MaxReplaced {
			lists[n] = append(lists[n], time.Unix(int64(n*1_000_000+i), 0).UTC().Format("u20060102150405"))
		}
		f.must(f.People.ReplaceFollowing(t.Context(), "ann", lists[n], f.now.Add(time.Duration(n)*time.Second)))
		if _, total, err := f.People.Following(t.Context(), "ann", 0, 10_000); err != nil || total != ledger.MaxReplaced {
			t.Fatalf("list %d: %d, %v", n, total, err)
		}
	}
}
