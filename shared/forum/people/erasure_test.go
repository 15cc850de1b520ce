package people_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/forum/people"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// zoe has an id of which no other text has a part.
const zoe = "zoë☼17"

// zoesGroup is a private group of zoe, which no view has.
const zoesGroup = "a-group-of-hers"

// live records one of each action of zoe that leaves something, and actions of others that hold zoe's id.
func (f *forum) live() {
	f.Helper()
	ctx := f.Context()
	for _, text := range []string{"ann visit 1", "ann follow " + zoe, "bob follow " + zoe, "bob unfollow " + zoe} {
		f.now++
		f.did(text)
	}
	for i, author := range []string{"ann", zoe} {
		_, _, err := f.Articles.Create(ctx, article.Article{
			ID: fmt.Sprint("article-", i), Title: "T", Author: author, Published: f.now,
		}, f.now)
		harness.OK(f, err)
	}
	for _, text := range []string{" like article-0", " comment 7", " follow ann", " unfollow ann"} {
		f.now++
		f.did(zoe + text)
	}
	harness.OK(f, f.People.Put(ctx, map[string]profile.Profile{
		zoe: {Name: "Name of " + zoe, Groups: []string{zoesGroup, "b"}}, "ann": {Name: "Ann"},
	}))
	harness.Must(f.People.ReplaceFollowing(ctx, zoe, []string{"ann", "bob"}, f.now))(f)
	harness.Must(f.People.SetVisibility(ctx, zoe, people.UserVisibility{Days: "public"}))(f)
	harness.Must(f.People.Award(ctx, zoe, talk, f.now))(f)
	head := harness.Must(f.Items.Head(ctx))(f)
	_, _, err := f.Items.ChangePerson(ctx, head.KeyOf(zoe), zoe, func(_ *items.Head, p *items.Person) error {
		month := f.Ledger.Calendar().Date(f.now).Month() - 5
		p.Wreaths = []items.Wreath{{ID: board.ID{Board: "activity", Period: f.past()}, Rank: 1}}
		p.Totals = []ledger.MonthTotal{{Board: "activity", Month: month, Score: 7, Reached: f.now}}
		return nil
	})
	harness.OK(f, err)
	making := final.Making{Board: "activity", Period: f.past(), Run: "run", Closing: 1}
	harness.Must(f.Finals.Make(ctx, making, []items.Member{
		{Key: head.KeyOf(zoe), Packed: board.Pack(9, 1)}, {Key: head.KeyOf("ann"), Packed: board.Pack(2, 1)},
	}))(f)
	f.Fill()
}

// past is a day that is final.
func (f *forum) past() board.Period {
	return board.PeriodOf(board.Day, f.Ledger.Calendar().Date(f.now)-40)
}

// Export and erasure walk one list: all data of a person is exported, and then nowhere; the data of others stays, and
// so do the bytes of final boards.
func TestExportedDataIsErased(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		f := open(t, shards)
		f.live()
		told := harness.Must(f.People.Whole(t.Context(), zoe))(f)
		parts := map[string]bool{
			"profile": told.Profile != nil, "groups": told.Profile != nil && len(told.Profile.Groups) == 2,
			"days are public": told.Visibility.Days == "public", "days": len(told.Days) == 1,
			"entries": len(told.Entries) == 5, "following": len(told.Following) == 2, "votes": len(told.Votes) == 1,
			"articles": len(told.Articles) == 1, "standings": len(told.Standings) == 2, "final": len(told.Final) == 1,
			"months": len(told.Months) == 1, "followers": told.Followers == 2,
			"wreaths": len(told.Wreaths) == 1, "not truncated": len(told.Truncated) == 0,
		}
		for part, exported := range parts {
			if !exported {
				t.Errorf("not told: %s: %+v", part, told)
			}
		}
		if len(f.Table.Grep(t, zoesGroup)) != 1 || len(harness.Grep(t, f.Redis, zoesGroup)) > 0 {
			t.Errorf("%s is not in the table, or it is in Redis", zoesGroup)
		}
		before := harness.Must(f.Finals.Manifest(t.Context(), "activity", f.past()))(f)
		f.now++
		running, err := f.People.Erase(t.Context(), zoe, 0, "")
		if err != nil || running.Done() {
			t.Fatalf("%+v, %v", running, err)
		}
		if on := f.board(board.Day); on != "ann" {
			t.Errorf("on the board: %q", on)
		}
		f.finish()
		done, err := f.People.Erasure(t.Context(), zoe)
		want := people.Erasure{State: "done", Removed: map[string]int64{
			"articles": 1, "boards": 2, "followLists": 2, "following": 2, "ledgers": 2, "months": 1, "profiles": 1,
			"statuses": 1, "votes": 1, "wreaths": 1,
		}}
		if diff := cmp.Diff(want, done); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		f.Nowhere(zoe)
		f.Nowhere(zoesGroup)
		after, err := f.Finals.Manifest(t.Context(), "activity", f.past())
		if err != nil || cmp.Diff(before, after) != "" {
			t.Errorf("the final board: %+v, was %+v, %v", after, before, err)
		}
		empty, err := f.People.Newest(t.Context(), zoe)
		empty.Erasure = nil
		blank := people.UserData{
			User: people.Person{ID: zoe}, Timezone: "UTC", Days: []people.Day{}, Entries: []people.KeptEntry{},
			Visibility: people.UserVisibility{Boards: "shown", Days: "private"}, Following: []people.OwnFollow{},
			Votes: []people.OwnVote{}, Articles: []people.OwnPost{},
			Standings: []people.OwnPlace{}, Final: []people.OwnPlace{}, Months: []people.OwnMonth{}, Wreaths: []people.Wreath{},
			VoidPairs: []people.OwnPair{}, Merged: []people.Person{},
			Truncated: []string{},
		}
		if diff := cmp.Diff(blank, empty); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		if users, total, err := f.People.Following(t.Context(), "ann", 0, 9); err != nil || total != 0 {
			t.Errorf("ann follows %q, %v", users, err)
		}
		if a, err := f.Articles.Get(t.Context(), "article-1"); err != nil || a.Author != "" || a.Title != "T" {
			t.Errorf("the article: %+v, %v", a, err)
		}
		if a, err := f.Articles.Get(t.Context(), "article-0"); err != nil || a.Author != "ann" || a.Votes != 1 {
			t.Errorf("the article of another: %+v, %v", a, err)
		}
		head, err := f.Items.Head(t.Context())
		if err != nil || head.Erasures == 0 {
			t.Errorf("%+v, %v", head, err)
		}
		f.finish()
		if head, err := f.Items.Head(t.Context()); err != nil || head.Erasures != 0 {
			t.Errorf("the head still says that erasures are running: %+v, %v", head, err)
		}
	}
}

// Killed before or after any write, an erasure that is continued, or is asked for again, ends the same.
func TestErasureIsKilledAnywhere(t *testing.T) {
	t.Parallel()
	for n := range 200 {
		f := open(t, 1)
		f.live()
		f.now++
		last, how := f.Table.Writes.Load()+int64(n/2+1), []harness.Fate{harness.DiesBefore, harness.DiesAfter}[n%2]
		f.Table.Before = func(c harness.Call) harness.Fate {
			return map[bool]harness.Fate{true: how}[c.Writes == last]
		}
		_, err := f.People.Erase(t.Context(), zoe, 0, "")
		for i := 0; i < 9 && err == nil; i++ {
			time.Sleep(time.Millisecond)
			_, err = f.People.GoOn(t.Context())
		}
		left := f.Table.Dead.Load()
		f.Table.Reset()
		if _, state := f.People.Erasure(t.Context(), zoe); errors.Is(state, people.ErrNoErasure) || n%3 == 0 {
			harness.Must(f.People.Erase(t.Context(), zoe, 0, ""))(f)
		}
		f.finish()
		f.Nowhere(zoe)
		if t.Failed() {
			t.Fatalf("killed at write %d", n)
		}
		if !left {
			if n < 12 {
				t.Errorf("there were only %d writes", n/2)
			}
			return
		}
	}
	t.Error("it does not end")
}

// Nobody comes back by items that had been read before the erasure: of the person, of a follower, and of an article.
func TestErasureBesideEarlierReads(t *testing.T) {
	t.Parallel()
	for part, late := range map[string]func(f *forum) error{
		"LEDGER":  func(f *forum) error { f.did(zoe + " visit 2"); return nil },
		"FOLLOWS": func(f *forum) error { f.did("cid follow " + zoe); return nil },
		"ARTICLE": func(f *forum) error {
			_, _, err := f.Articles.Create(f.Context(), article.Article{ID: "late", Title: "T", Author: zoe}, f.now)
			return err
		},
	} {
		for _, known := range []bool{true, false} {
			f := open(t, 1)
			f.did("ann visit 1")
			if known {
				f.live()
			}
			erased := false
			f.Table.Before = func(c harness.Call) harness.Fate {
				inPart := func(k table.Key) bool { return strings.HasPrefix(k.Partition, part) }
				if !erased && slices.ContainsFunc(c.Keys, inPart) {
					erased = true
					harness.Must(f.People.Erase(context.WithoutCancel(t.Context()), zoe, 0, ""))(f)
				}
				return harness.Lives
			}
			if err := late(f); err != nil || !erased {
				t.Errorf("%s: %v, erased: %t", part, err, erased)
			}
			f.finish()
			f.Nowhere(zoe)
			if t.Failed() {
				t.Fatalf("a late write of %s", part)
			}
		}
	}
}

// Erasures that begin at different times continue together, in calls that have little time, and look
// through every list.
func TestErasuresInSlices(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	const fans = 400
	for i := range fans {
		fan, list := fmt.Sprint("fan-", i), []string{zoe, "yan~", "x"}
		harness.Must(f.People.ReplaceFollowing(t.Context(), fan, list, f.now.Add(ledger.MaxAhead)))(f)
	}
	harness.Must(f.People.Erase(t.Context(), zoe, 0, ""))(f)
	calls, began := 0, false
	for done := int64(0); done < 2; calls++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		result, err := f.People.GoOn(ctx)
		cancel()
		harness.OK(f, err)
		done += result.Done
		if calls == 10 && !began {
			began = true
			harness.Must(f.People.Erase(t.Context(), "yan~", 0, ""))(f)
		}
		if calls == 500 {
			t.Fatal("they do not end")
		}
		time.Sleep(time.Millisecond)
	}
	if calls < 40 {
		t.Errorf("only %d calls", calls)
	}
	for _, id := range []string{zoe, "yan~"} {
		f.Nowhere(id)
		if state, err := f.People.Erasure(t.Context(), id); err != nil || state.Removed["followLists"] != fans {
			t.Errorf("%+v, %v", state, err)
		}
	}
}

// An erasure or a merge that was written is carried out, though its process died then, and another process had just
// found none: it is not asked for again.
func TestNoneIsForgotten(t *testing.T) {
	t.Parallel()
	for job, begin := range map[string]func(*people.Store) error{
		"erasure": func(s *people.Store) error {
			_, err := s.Erase(t.Context(), zoe, 0, "")
			return err
		},
		"merge": func(s *people.Store) error {
			_, err := s.Merge(t.Context(), zoe, "ann", "")
			return err
		},
	} {
		for n := int64(1); ; n++ {
			f := open(t, 1)
			f.live()
			f.now++
			other := f.Another(f.Redis, f.Table.Table).People
			goOn := func() (left int64) {
				erasures := harness.Must(other.GoOn(t.Context()))(t)
				return erasures.Left + harness.Must(other.GoOnMerging(t.Context()))(t).Left
			}
			f.Table.Reset()
			f.Table.Before = func(c harness.Call) harness.Fate {
				if c.Writes == n {
					goOn()
					return harness.DiesAfter
				}
				return harness.Lives
			}
			_ = begin(f.People)
			died := f.Table.Dead.Load()
			f.Table.Reset()
			for tries := 0; tries < 50 && (goOn() > 0 || tries < 9); tries++ {
				f.Fill()
				time.Sleep(time.Millisecond)
			}
			erasure, none := other.Erasure(t.Context(), zoe)
			merge, noMerge := other.MergeOf(t.Context(), zoe)
			if none == nil && !erasure.Done() || noMerge == nil && !merge.Done() {
				t.Errorf("%s, a process died after write %d: %+v, %+v", job, n, erasure, merge)
			}
			if !died {
				if n < 2 || none != nil && noMerge != nil {
					t.Errorf("%s: there were only %d writes: %v, %v", job, n-1, none, noMerge)
				}
				break
			}
		}
	}
}
