package people_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/live"
	"laurel/shared/people"
	"laurel/shared/redisstore"
)

// stores are a Redis and an archive with people in both.
type stores struct {
	*people.People
	live  *live.Store
	table *watched
	log   *strings.Builder
}

func open(t *testing.T, shards int) *stores {
	t.Helper()
	s := harness.Open(t, shards, time.Now)
	f := &stores{live: s.Live, log: &strings.Builder{}, table: &watched{Table: archive.NewProfiles(s.Kept)}}
	f.People = &people.People{Table: f.table, Copies: f.live, Log: slog.New(slog.NewTextHandler(f.log, nil))}
	return f
}

// watched counts the reads of a table, and can be unavailable.
type watched struct {
	people.Table
	mu     sync.Mutex
	reads  int
	asked  []string
	down   error
	before func() // a read is answered
	put    func() // profiles are put
	bound  bool   // the last read had a deadline
}

func (w *watched) Get(ctx context.Context, users ...string) (map[string]people.Copy, error) {
	w.mu.Lock()
	w.reads++
	w.asked = append(w.asked, users...)
	down, before := w.down, w.before
	_, w.bound = ctx.Deadline()
	w.mu.Unlock()
	if down != nil {
		return nil, down
	}
	copies, err := w.Table.Get(ctx, users...)
	if before != nil {
		before()
	}
	return copies, err
}

func (w *watched) Put(ctx context.Context, profiles map[string]people.Profile) (map[string]people.Copy, error) {
	copies, err := w.Table.Put(ctx, profiles)
	if w.put != nil {
		w.put()
	}
	return copies, err
}

// fill puts users on the day's board.
func (f *stores) fill(t *testing.T, users ...string) {
	t.Helper()
	for _, user := range users {
		like := activity.Activity{User: user, Action: "like", Target: "7", At: harness.At(t, "2026-11-20T12:00")}
		harness.Record(t, f.live, like)
	}
}

func (f *stores) board(t *testing.T) boards.Page {
	t.Helper()
	v := board.View{Board: "activity", Period: harness.Period(t, "2026-11-20"), Limit: 30, User: "ada", Around: 1}
	return harness.Read(t, f.live, v)
}

func (f *stores) drop(t *testing.T, users ...string) {
	t.Helper()
	if err := f.live.DropProfiles(t.Context(), users...); err != nil {
		t.Fatal(err)
	}
}

// copies checks what Redis has of users.
func (f *stores) copies(t *testing.T, want map[string]string, users ...string) {
	t.Helper()
	texts, _, err := f.live.Profiles(t.Context(), users)
	if diff := cmp.Diff(want, texts, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("%v, copies (-want +got):\n%s", err, diff)
	}
}

func (f *stores) erase(t *testing.T, user string, want bool) {
	t.Helper()
	if was, err := f.Erase(t.Context(), user); was != want || err != nil {
		t.Errorf("erased %s: %t, %v", user, was, err)
	}
}

func (f *stores) put(t *testing.T, profiles map[string]people.Profile) {
	t.Helper()
	if err := f.Put(t.Context(), profiles); err != nil {
		t.Fatal(err)
	}
}

// names checks the profiles of a page's users, and the number of reads of the table.
func (f *stores) names(t *testing.T, page boards.Page, reads int, want map[string]people.Profile) {
	t.Helper()
	before := f.table.reads
	if diff := cmp.Diff(want, f.Names(t.Context(), page.Users(), page.Profiles, page.Generation)); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if n := f.table.reads - before; n != reads {
		t.Errorf("the table was asked %d times, want %d", n, reads)
	}
}

func named(users ...string) map[string]people.Profile {
	profiles := map[string]people.Profile{}
	for _, user := range users {
		profiles[user] = people.Profile{Name: "I am " + user}
	}
	return profiles
}

// A written profile is on the boards at once; a missing copy is read from the table once
// and filled, also for a user without a profile.
func TestBoardsHaveNames(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		f := open(t, shards)
		users := []string{"ada", "bob", `{0}:"eve" 50%`, "😀"}
		f.fill(t, append(users, "nameless")...)
		f.put(t, named(users...))
		f.names(t, f.board(t), 1, named(users...)) // the copy of nameless is missing
		f.names(t, f.board(t), 0, named(users...))
		f.drop(t, users...)
		f.names(t, f.board(t), 1, named(users...))
		f.names(t, f.board(t), 0, named(users...))
		later := map[string]people.Profile{"ada": {Name: "Ada"}, "nameless": {Name: "Named"}}
		f.put(t, later)
		want := named(users...)
		want["ada"], want["nameless"] = later["ada"], later["nameless"]
		f.names(t, f.board(t), 0, want)
	}
}

// A final board shows current names, and none for an erased user.
func TestFinalBoardsHaveCurrentNames(t *testing.T) {
	t.Parallel()
	f := open(t, 2)
	f.put(t, named("ada", "bob"))
	page := boards.Page{Page: board.Page{Final: true, Total: 3, Places: []board.Place{
		{Rank: 1, Entry: board.Entry{User: "bob"}}, {Rank: 2}, {Rank: 3, Entry: board.Entry{User: "zoe"}},
	}, Neighbours: []board.Place{{Rank: 3, Entry: board.Entry{User: "zoe"}}}}}
	f.names(t, page, 1, named("bob"))
	f.put(t, map[string]people.Profile{"bob": {Name: "Bob"}})
	f.names(t, page, 0, map[string]people.Profile{"bob": {Name: "Bob"}})
	seen := slices.DeleteFunc(f.table.asked, func(user string) bool { return user != "" })
	if len(seen) > 0 {
		t.Error("the table was asked who was erased")
	}
	if diff := cmp.Diff(named("ada"), f.Of(t.Context(), "ada", "zoe", "ada")); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// Without the table a board has the names that Redis has, and logs it; without Redis a
// final board has those of the table.
func TestBoardIsNotRefusedForItsNames(t *testing.T) {
	t.Parallel()
	f := open(t, 2)
	f.fill(t, "ada", "bob")
	f.put(t, named("ada"))
	f.table.down = archive.ErrUnavailable
	f.names(t, f.board(t), 1, named("ada"))
	if !f.table.bound {
		t.Error("a board would wait for the table without end")
	}
	if !strings.Contains(f.log.String(), "answered without some names") {
		t.Errorf("logged: %s", f.log)
	}
	f.table.down = nil
	f.put(t, named("bob"))
	f.Copies = gone{}
	final := boards.Page{Page: board.Page{Final: true, Places: []board.Place{{Entry: board.Entry{User: "bob"}}}}}
	f.names(t, final, 1, named("bob"))
}

// gone is an unavailable Redis.
type gone struct{}

func (gone) Profiles(context.Context, []string) (map[string]string, string, error) {
	return nil, "", redisstore.ErrUnavailable
}

func (gone) SetProfiles(context.Context, string, map[string]string) (bool, error) {
	return false, redisstore.ErrUnavailable
}

func (gone) DropProfiles(context.Context, ...string) error { return redisstore.ErrUnavailable }

// Get reads the copy, or else the table; invented ids leave nothing in Redis.
func TestGetReadsTheCopyFirst(t *testing.T) {
	t.Parallel()
	f := open(t, 2)
	f.put(t, named("ada"))
	f.drop(t, "ada")
	for range 2 {
		if got, ok, err := f.Get(t.Context(), "ada"); got != named("ada")["ada"] || !ok || err != nil {
			t.Errorf("got %+v, %t, %v", got, ok, err)
		}
		if got, ok, err := f.Get(t.Context(), "made up"); ok || err != nil {
			t.Errorf("got %+v, %t, %v", got, ok, err)
		}
	}
	if f.table.reads != 3 { // ada once, the invented id twice
		t.Errorf("the table was asked %d times", f.table.reads)
	}
	f.copies(t, map[string]string{"ada": "1 \x08I am ada\x00\x00\x00"}, "ada", "made up")
	f.table.down = archive.ErrUnavailable
	if _, _, err := f.Get(t.Context(), "made up"); !errors.Is(err, archive.ErrUnavailable) {
		t.Errorf("without the table: %v", err)
	}
	without := &people.People{Copies: gone{}, Table: f.table}
	if _, _, err := without.Get(t.Context(), "ada"); !errors.Is(err, redisstore.ErrUnavailable) {
		t.Errorf("without Redis: %v", err)
	}
}

// Nothing is written if the copies cannot be written.
func TestPutIsRefusedWithoutRedis(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.Copies = gone{}
	if err := f.Put(t.Context(), named("ada")); !errors.Is(err, redisstore.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if copies, err := f.table.Get(t.Context(), "ada"); err != nil || !copies["ada"].None() {
		t.Errorf("the table has %v, %v", copies, err)
	}
}

// The copy of a user who is erased while a reader reads the profile is not filled again,
// neither by a board nor by a write of another profile; a later write starts again.
func TestErasedUsersAreNotFilledAgain(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.fill(t, "ada", "bob")
	f.put(t, named("ada", "bob"))
	f.drop(t, "ada", "bob")
	f.table.before = sync.OnceFunc(func() { f.erase(t, "ada", true) })
	f.names(t, f.board(t), 1, named("ada", "bob")) // they were when the board was read
	f.copies(t, nil, "ada", "bob")
	f.erase(t, "ada", false)
	f.names(t, f.board(t), 1, named("bob"))
	f.put(t, map[string]people.Profile{"ada": {Name: "Ada anew"}})
	f.names(t, f.board(t), 0, map[string]people.Profile{"ada": {Name: "Ada anew"}, "bob": named("bob")["bob"]})
}

// An erasure between the writes of a profile and its copy leaves neither an older copy nor
// one of the erased user.
func TestPutDuringAnErasure(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.put(t, named("ada", "bob", "zoe"))
	f.table.put = sync.OnceFunc(func() {
		f.erase(t, "zoe", true)
		f.erase(t, "bob", true)
	})
	f.put(t, map[string]people.Profile{"ada": {Name: "Ada"}, "bob": {Name: "Bob"}})
	f.copies(t, map[string]string{"ada": "2 \x03Ada\x00\x00\x00"}, "ada", "bob", "zoe")
}

// After concurrent writes, erasures and boards every copy is that of the table.
func TestPeopleRace(t *testing.T) {
	t.Parallel()
	f := open(t, 2)
	f.Log = slog.New(slog.DiscardHandler)
	users := []string{"ada", "bob", "eve"}
	f.fill(t, users...)
	var all sync.WaitGroup
	for n := range 9 {
		all.Go(func() {
			for i := range 25 {
				user := users[(n+i)%3]
				var err error
				switch n % 3 {
				case 0:
					err = f.Put(t.Context(), map[string]people.Profile{user: {Name: fmt.Sprint(n, i)}})
				case 1:
					f.Of(t.Context(), user)
				case 2:
					if i%5 == 0 {
						_, err = f.Erase(t.Context(), user)
					}
				}
				if err != nil && !errors.Is(err, people.ErrBusy) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	want, err := f.table.Get(t.Context(), users...)
	if err != nil {
		t.Fatal(err)
	}
	texts, _, err := f.live.Profiles(t.Context(), users)
	if err != nil {
		t.Fatal(err)
	}
	for user, text := range texts {
		if text != want[user].String() {
			t.Errorf("%s's copy is %q, the table has %q", user, text, want[user])
		}
	}
}
