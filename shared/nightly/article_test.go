package nightly_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/nightly"
)

// keeping returns the options of a run that keeps so many articles on each list.
func (f *stores) keeping(now board.Moment, keep int64) nightly.Options {
	o := f.Night(now)
	o.Articles, o.FinalArticles, o.KeepArticles = f.Live.Articles(), f.articles(), keep
	return o
}

func (f *stores) publish(t *testing.T, id, author string, now board.Moment) article.Article {
	t.Helper()
	a, _, err := f.Live.Articles().Create(t.Context(),
		article.Article{ID: id, Author: author, Published: now, Title: "About " + id, Groups: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const aDay = board.Moment(86_400_000)

// An article's votes become final after nine days; then it leaves the lists when enough
// articles are before it, is archived, and is removed from Redis a day later.
func TestArticlesGoToTheArchive(t *testing.T) {
	t.Parallel()
	f, now := open(t, 1), at(t, "2026-11-20T03:00")
	for i := range 4 {
		f.publish(t, fmt.Sprint(i), "ada", now+board.Moment(i))
	}
	f.record(t, now+10, "bob like 3", "cid like 3", "bob like 0")
	if _, err := f.Live.Articles().Delete(t.Context(), "2", now+20); err != nil {
		t.Fatal(err)
	}
	for i, want := range []nightly.Articles{
		{Archived: 1},                            // the tombstone
		{Forgotten: 1},                           // a day later
		{},                                       //
		{VotersDropped: 3, Left: 2, Archived: 2}, // after the ninth day
		{},                                       // half a day is not enough
		{Forgotten: 2},
		{},
	} {
		nights := []board.Moment{1, 1 + aDay, 9*aDay - 30, 9*aDay + 100, 9*aDay + 100 + aDay/2, 10*aDay + 100, 11 * aDay}
		result, err := nightly.Run(t.Context(), f.keeping(now+20+nights[i], 1))
		if diff := cmp.Diff(want, result.Articles); diff != "" || err != nil {
			t.Errorf("night %d: %v (-want +got):\n%s", i, err, diff)
		}
	}
	list, err := f.Live.Articles().List(t.Context(), article.View{Sort: article.Hot, Limit: 10})
	if err != nil || list.Total != 1 || list.Articles[0].ID != "3" {
		t.Errorf("on the list are %+v, %v", list, err)
	}
	final := f.articles()
	got, err := final.Get(t.Context(), "0")
	want := archive.FinalArticle{Article: article.Article{
		ID: "0", Author: "ada", Published: now, Title: "About 0",
		Groups: []string{"all"}, Votes: 2,
	}, Score: int64(now)/1000 + 864}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("in the archive %v (-want +got):\n%s", err, diff)
	}
	if got, err := final.Get(t.Context(), "2"); !got.Deleted || got.Author != "" || err != nil {
		t.Errorf("the deleted one is %+v, %v", got, err)
	}
}

// flaky fails at random, before or after writing.
type flaky struct {
	*archive.Articles
	mu  *sync.Mutex // the random source is not safe for concurrent use
	rng *rand.Rand
}

var errFlaky = errors.New("the archive is unavailable")

func (f flaky) Put(ctx context.Context, a archive.FinalArticle) (written bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dice := f.rng.IntN(4)
	if dice > 0 {
		written, err = f.Articles.Put(ctx, a)
	}
	if dice < 2 {
		return false, errFlaky
	}
	return written, err
}

// With random failures every article is in Redis or in the archive, and in the end all
// that left the lists are in the archive, with their votes.
func TestNoArticleIsLost(t *testing.T) {
	t.Parallel()
	f, now := open(t, 1), at(t, "2026-11-20T03:00")
	const count, keep = 30, 4
	rng := rand.New(rand.NewPCG(7, 1))
	votes := map[string]int64{}
	for i := range count {
		id := fmt.Sprint("a", i)
		f.publish(t, id, "ada", now+board.Moment(i))
		votes[id] = 1
		for v := range rng.IntN(4) {
			f.record(t, now+100, fmt.Sprintf("u%d like %s", v, id))
			votes[id]++
		}
	}
	final := f.articles()
	failures := 0
	for night := range 12 {
		o := f.keeping(now+(9+board.Moment(night))*aDay+1000, keep)
		if night < 8 {
			o.FinalArticles = flaky{final, &sync.Mutex{}, rng}
		}
		result, err := nightly.Run(t.Context(), o)
		if err != nil && !errors.Is(err, errFlaky) {
			t.Fatal(err)
		}
		if failures += len(result.Failed); (err == nil) != (len(result.Failed) == 0) {
			t.Errorf("%v, but failed are %v", err, result.Failed)
		}
		for id, want := range votes {
			got, err := f.Live.Articles().Get(t.Context(), id)
			if err == nil && got.Votes == want {
				continue
			}
			kept, err := final.Get(t.Context(), id)
			if err != nil || kept.Votes != want || kept.Author != "ada" || kept.Deleted {
				t.Fatalf("night %d: %s is %+v, %v, want %d votes", night, id, kept, err, want)
			}
		}
	}
	gone, err := f.Live.Articles().Gone(t.Context())
	if len(gone) > 0 || err != nil || failures == 0 {
		t.Errorf("%d are still on their way after %d failures, %v", len(gone), failures, err)
	}
}

// Without time the steps on articles are listed as left, and none has failed.
func TestArticlesWaitForTime(t *testing.T) {
	t.Parallel()
	f, now := open(t, 1), at(t, "2026-11-20T03:00")
	f.publish(t, "1", "ada", now)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(6*time.Second)) // less than the margin
	defer cancel()
	result, err := nightly.Run(ctx, f.keeping(now+10*aDay, 0))
	want := []string{"voters to drop", "articles to leave", "articles to archive"}
	if diff := cmp.Diff(want, result.Left); diff != "" || err != nil || result.Articles != (nightly.Articles{}) {
		t.Errorf("%v %+v, left (-want +got):\n%s", err, result.Articles, diff)
	}
}
