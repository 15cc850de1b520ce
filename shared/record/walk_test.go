package record_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table/embedded"
)

// unclaimed is the text of a cursor without the claim of a process that is dead.
func unclaimed(text string) string {
	from := strings.Index(text, `"until":`)
	to := from + strings.IndexAny(text[from:], ",}")
	return text[:from] + `"until":0` + text[to:]
}

func inMemory(tb testing.TB) records.Table {
	tb.Helper()
	items, err := embedded.New(time.Now)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = items.Close() })
	return items
}

// Any order, any repetition, by any number of processes that die between any two of their steps,
// with a Redis that is emptied, rolled back and loses keys: after comparing, the boards are what
// the ledgers say, and once all is delivered these are the reference's.
func TestWalk(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testserver.Times(12, 400)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			walk(t, rand.New(rand.NewPCG(seed, 31)), inMemory(t), 600)
		})
	}
}

func walk(t *testing.T, rng *rand.Rand, items records.Table, n int) {
	t.Helper()
	forum, err := reference.NewForum(rng)
	if err != nil {
		t.Fatal(err)
	}
	users := []string{"ann", "-42", "9223372036854775807", "é", "bob"}
	acts := forum.WithRestores(rng, forum.Activities(rng, n, users))
	now := forum.Calendar.Start(forum.From + board.Date(forum.Days) + 1)
	l := ledger.New(forum.Rules, forum.Calendar)
	w := newWalked(t, l, now, 1+rng.IntN(3), items)
	written := publish(w, rng, acts)
	hidden := map[string]bool{}
	processes := []*process{w.start(), w.start(), w.start()}
	back := w.keep()
	var lost []activity.Activity
	for _, batch := range reference.Deliver(rng, acts, 12) {
		i := rng.IntN(len(processes))
		p := processes[i]
		if rng.IntN(3) == 0 {
			p.cut.arm(1+rng.IntN(9), rng.IntN(2) == 0)
		}
		switch rng.IntN(60) {
		case 0:
			back = w.keep()
		case 1:
			back()
		case 2:
			w.redis.FlushDB(t.Context())
		case 3:
			if keys := w.redis.Keys(t.Context(), "laurel:*").Val(); len(keys) > 0 {
				w.redis.Del(t.Context(), keys[rng.IntN(len(keys))])
			}
		case 4, 5:
			budget := time.Duration(rng.IntN(2))
			_, _ = p.Compare(t.Context(), record.CompareOptions{Budget: budget, Scores: rng.IntN(2) == 0})
		case 6:
			w.compare(record.CompareOptions{})
		case 7:
			user := users[rng.IntN(len(users))]
			hidden[user] = !hidden[user]
			w.hide(user, hidden[user])
			_ = p.ShowUser(t.Context(), user)
		}
		results, err := p.Record(t.Context(), batch, record.Arrival{Now: now, AnyAge: true})
		for j := range batch {
			if err != nil || results[j].Err != nil {
				lost = append(lost, batch[j])
			}
		}
		if p.cut.dead {
			processes[i] = w.start()
		} else if p.cut.arm(0, false); err != nil {
			t.Fatal(err)
		}
	}
	w.compare(record.CompareOptions{}) // it may only end one that was begun before something was lost
	w.compare(record.CompareOptions{Scores: true})
	w.same("before all is delivered")
	for _, batch := range reference.Deliver(rng, lost, 100) {
		results, err := w.Record(t.Context(), batch, record.Arrival{Now: now, AnyAge: true})
		for _, r := range results {
			err = errors.Join(err, r.Err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.same("at the end")
	ref := reference.New(forum.Rules, forum.Calendar)
	for _, a := range acts {
		ref.Add(a)
	}
	for user, is := range hidden {
		ref.SetHidden(user, is)
	}
	want := boards{}
	for _, name := range forum.Rules.Boards() {
		for _, window := range forum.Rules.Windows(name) {
			for _, p := range ref.Periods(name, window) {
				for _, e := range ref.Board(name, p) {
					want.put(name, p, e.User, e.Packed)
				}
			}
		}
	}
	if diff := cmp.Diff(want, w.shown()); diff != "" {
		t.Errorf("boards (-reference +view):\n%.3000s", diff)
	}
	for id, a := range written {
		got, err := w.view.Article(t.Context(), id)
		if want := votesOf(l, a, acts); err != nil || got.Votes != want {
			t.Errorf("article %q: %d votes, want %d; %v", id, got.Votes, want, err)
		}
	}
	for _, user := range users {
		if diff := cmp.Diff(ref.Following(user), w.following(user)); diff != "" {
			t.Errorf("%s follows (-reference +items):\n%s", user, diff)
		}
	}
	if found := w.compare(record.CompareOptions{Audit: true}); found.Differ != 0 || found.Restored != 0 {
		t.Errorf("audit: %+v", found)
	}
}

// publish publishes articles that some activities like.
func publish(w *walked, rng *rand.Rand, acts []activity.Activity) map[string]article.Article {
	w.Helper()
	written := map[string]article.Article{}
	for _, id := range []string{"1", "a-page"} {
		a := article.Article{
			ID: id, Title: "T", Author: "ann", Published: acts[rng.IntN(len(acts))].At, Groups: []string{"go"},
		}
		if _, _, err := w.Articles().Create(w.Context(), a, a.Published); err != nil {
			w.Fatal(err)
		}
		written[id] = a
	}
	return written
}

// votesOf counts the votes that stand.
func votesOf(l *ledger.Ledger, a article.Article, acts []activity.Activity) int64 {
	rules := article.Rules(l.Rules().Articles())
	votes, n := map[string]article.Vote{}, rules.OwnVotes()
	for _, act := range acts {
		if v, ok := rules.Vote(a, act); ok {
			votes[act.User] = votes[act.User].And(v)
		}
	}
	for _, v := range votes {
		if v.Stands() {
			n++
		}
	}
	return n
}

func (w *walked) hide(user string, hidden bool) {
	w.Helper()
	head, err := w.Head(w.Context())
	if err == nil {
		_, _, err = w.all.ChangePerson(w.Context(), head.KeyOf(user), user, func(_ *records.Head, p *records.Person) error {
			p.Status.Hidden = hidden
			return nil
		})
	}
	if err != nil {
		w.Fatal(err)
	}
}

// following are the ids on a user's follow list.
func (w *walked) following(user string) (ids []string) {
	w.Helper()
	head, err := w.Head(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	var q records.Query
	for part := range byte(records.FollowParts) {
		q.Follows = append(q.Follows, records.FollowsKey{Person: head.KeyOf(user), Part: part})
	}
	found, err := w.all.Read(w.Context(), q)
	if err != nil {
		w.Fatal(err)
	}
	for _, row := range found.Follows {
		if row.Revision == 0 {
			continue
		}
		for _, f := range row.Value.Targets {
			if f.Last > f.Undone {
				ids = append(ids, f.ID)
			}
		}
	}
	slices.Sort(ids)
	return ids
}
