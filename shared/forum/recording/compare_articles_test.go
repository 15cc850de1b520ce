package recording_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/shared/core/article"
	"laurel/shared/forum/catchup"
	"laurel/shared/store/items"
)

// Comparing shows the changes of articles and their authors that were not shown, and nothing twice.
func TestArticlesAreCompared(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	for _, id := range []string{"a", "b", "c"} {
		f.create(posted(id, "ann", f.now-1000))
	}
	was := keep(t, f.redis)
	f.must(f.Articles.Delete(t.Context(), "b"))
	was()
	f.change("ann", func(p *items.Person) { p.Profile.Name = "Ann Lee" })
	page := article.Page{Article: posted("c", "ann", f.now-1000).With("Edited", "", nil), State: article.Voting}
	f.put(page)
	named := func(when string) {
		all, _, err := f.Articles.List(t.Context(), article.View{Sort: article.New, Limit: 9})
		if err != nil || len(all) != 2 || all[0].By.Name != "Ann Lee" || all[1].Title != "Edited" {
			t.Errorf("%s: %+v, %v", when, all, err)
		}
	}
	for _, want := range []int64{3, 0} { // b, c and ann
		if done := f.compare(catchup.Request{}); done.Shown != want {
			t.Errorf("%d were shown, want %d", done.Shown, want)
		}
		named("compared")
	}
	f.redis.FlushDB(t.Context())
	if done := f.compare(catchup.Request{}); done.Shown != 3 || done.Filled != 2 {
		t.Errorf("filled: %+v", done)
	}
	named("filled")
}

// An audit reports the differences of lists, votes and pages, and comparing scores mends them.
func TestListsAreCompared(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	for i, id := range []string{"a", "b"} {
		f.create(posted(id, "ann", f.now-1000, []string{"go", "news"}[i]))
	}
	f.did("bob like a", "eve like a")
	f.redis.HSet(t.Context(), "laurel:{articles}:votes", "a", 7)
	f.redis.HSet(t.Context(), "laurel:{articles}:groups", "go", 5, "old", 1)
	f.redis.ZAdd(t.Context(), "laurel:{articles}:new", redis.Z{Member: "stray"})
	f.redis.HDel(t.Context(), "laurel:{articles}:articles", "b")
	if b, err := f.Articles.Get(t.Context(), "b"); err != nil || b.Votes != 1 {
		t.Errorf("that the view lacks: %+v, %v", b, err)
	}
	want := []catchup.Finding{
		{Article: "a", Votes: 3, Shown: 8},
		{Article: "b", Votes: 1},
		{Article: "b", Part: catchup.PartPage},
		{Article: "group go", Votes: 1, Shown: 5},
		{Article: "group old", Shown: 1},
		{Article: "list new ", Votes: 2, Shown: 3},
	}
	f.calls.Reset()
	found := f.compare(catchup.Request{Audit: true})
	twice := f.calls.Reads.Swap(0)
	slices.SortFunc(found.Findings, func(a, b catchup.Finding) int {
		return strings.Compare(a.Article+a.Part, b.Article+b.Part)
	})
	if !slices.Equal(found.Findings, want) || found.Differ != int64(len(want)) {
		t.Errorf("an audit: %+v, want %+v", found, want)
	}
	done := f.compare(catchup.Request{Scores: true})
	if done.Differ != 4 || done.Rounds != 2 {
		t.Errorf("%+v", done)
	}
	f.calls.Reset()
	if found = f.compare(catchup.Request{Audit: true}); found.Differ != 0 || f.calls.Reads.Load() >= twice {
		t.Errorf("afterwards: %+v in %d reads, of %d", found, f.calls.Reads.Load(), twice)
	}
	// A vote that comes when all were met, before the lists are read, is no difference.
	f.calls.Reset()
	f.compare(catchup.Request{Scores: true})
	trips, other := f.calls.Trips.Load(), f.start() // in the last ten are two articles, groups, six lists, and markers
	f.calls.Reset()
	f.calls.Before = func(c harness.Call) harness.Fate {
		if c.Trip && f.calls.Trips.Load() == trips-9 {
			f.reporting(other, did("dan", "like", "a", f.now))
		}
		return harness.Lives
	}
	done = f.compare(catchup.Request{Scores: true})
	if done.Differ != 0 || done.Rounds != 1 || f.scoreOf("dan") == 0 {
		t.Errorf("beside a vote: %+v", done)
	}
}

// Votes count once even if the view has lost the note that it has them.
func TestVotesThatWereLostAreCounted(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	f.create(posted("a", "ann", f.now-1000))
	f.did("bob like a")
	for _, key := range f.redis.Keys(t.Context(), "laurel:{articles}:votes:*").Val() {
		f.redis.Del(t.Context(), key)
	}
	for when := range slices.Values([]string{"lost", "emptied"}) {
		f.compare(catchup.Request{})
		if a, err := f.Articles.Get(t.Context(), "a"); err != nil || a.Votes != 2 || f.scoreOf("bob") != 2 {
			t.Errorf("%s: %+v, %v; bob has %d points", when, a, err, f.scoreOf("bob"))
		}
		f.redis.FlushDB(t.Context())
	}
}

// A comparison continues where its time was over; the one after it starts from the beginning.
func TestComparingInSlices(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 2)
	for n := range 200 {
		w.report(did(fmt.Sprint("u", n), "like", "b", noon))
	}
	slice := catchup.Request{Budget: 1, Empty: true}
	var met, shown int64
	for calls := 1; ; calls++ {
		done, err := w.Catchup.Run(t.Context(), slice)
		met, shown, slice.Empty = met+done.Met, shown+done.Shown, false
		if marks, err := w.view.Markers(t.Context()); err != nil || strings.HasPrefix(marks[0].Fill, ":") {
			t.Fatalf("a fill without an id: %+v, %v", marks, err)
		}
		if err != nil || done.People != met || (done.Filled > 0) != (calls == 1) || done.Left != (calls < items.Buckets/4) {
			t.Fatalf("call %d: %+v, %v", calls, done, err)
		}
		if !done.Left {
			break
		}
	}
	if w.same("in slices"); met != 200 || shown != 200 {
		t.Errorf("%d met, %d shown", met, shown)
	}
	cursor, err := items.OpenCursor[any](t.Context(), w.all, "compare")
	if err != nil || !cursor.Begun() || cursor.Claimed != 0 {
		t.Errorf("the claim is not released: %+v, %v", cursor, err)
	}
	if done, err := w.Catchup.Run(t.Context(), catchup.Request{}); err != nil || done.People != 200 || done.Met != 200 {
		t.Errorf("the next one: %+v, %v", done, err)
	}
	w.must(w.Catchup.Run(t.Context(), catchup.Request{Budget: 1}))
	if done, err := w.Catchup.Run(t.Context(), catchup.Request{Scores: true}); err != nil || done.Met != 200 {
		t.Errorf("of scores, after one of revisions: %+v, %v", done, err)
	}
	w.must(w.Catchup.Run(t.Context(), catchup.Request{Budget: 1, Empty: true}))
	back := keep(t, w.redis)
	w.must(w.Catchup.Run(t.Context(), catchup.Request{Budget: 1}))
	back()
	w.compare(catchup.Request{})
	w.same("after Redis went back while it was filled")
}

// A slot that is emptied before it is marked as whole is filled again.
func TestComparingStartsAgain(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 2)
	w.report(did("ann", "publish", "a", noon), did("bob", "publish", "a", noon))
	for range 2 { // Redis has the scripts
		w.calls.Reset()
		if _, err := w.Catchup.Run(t.Context(), catchup.Request{Empty: true}); err != nil {
			t.Fatal(err)
		}
	}
	trips := w.calls.Trips.Load() // in the last four the markers are read, and three are written
	for n := range int64(4) {
		for flushed := new(atomic.Bool); !flushed.Load(); { // beside others a comparison may take a trip less
			w.calls.Reset()
			w.calls.Before = func(c harness.Call) harness.Fate {
				if c.Trip && w.calls.Trips.Load() == trips-n {
					flushed.Store(true)
					w.redis.FlushDB(t.Context())
				}
				return harness.Lives
			}
			done, err := w.Catchup.Run(t.Context(), catchup.Request{Empty: true})
			w.calls.Before = nil
			if err != nil || flushed.Load() && (done.Rounds != 2 || done.Filled != 6 || done.Shown != 4) {
				t.Fatalf("%d before the last: %+v, %v", n, done, err)
			}
		}
		w.same("anew")
	}
}
