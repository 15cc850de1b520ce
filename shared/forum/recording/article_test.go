package recording_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// ids returns the ids of the articles of a list.
func ids(all []recording.Listed) (ids []string) {
	for _, a := range all {
		ids = append(ids, a.ID)
	}
	return ids
}

func posted(id, author string, moment board.Moment, groups ...string) article.Article {
	return article.Article{ID: id, Author: author, Published: moment, Title: "About " + id, Groups: groups}
}

// create creates an article that is new.
func (w *walked) create(a article.Article) recording.Listed {
	w.Helper()
	made, created, err := w.Articles.Create(w.Context(), a, w.now)
	if err != nil || !created {
		w.Fatalf("create %q: %v, %v", a.ID, created, err)
	}
	return made
}

// list reads the ids of a whole list.
func (w *walked) list(sort article.Sort, group string) []string {
	w.Helper()
	all, total, err := w.Articles.List(w.Context(), article.View{Sort: sort, Group: group, Limit: 1_000})
	if err != nil || total != int64(len(all)) {
		w.Fatalf("%d articles of %d, %v", len(all), total, err)
	}
	return ids(all)
}

func TestCreatingAgainAnswersTheArticleAsItIs(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	a, s := posted("a", "ann", f.now-1000, "go"), f.Articles
	f.change("ann", func(p *items.Person) { p.Profile.Name = "Ann Lee" })
	if made := f.create(a); made.Votes != 1 || made.Title != "About a" || made.By.Name != "Ann Lee" {
		t.Errorf("%+v", made)
	}
	all, _, err := s.List(t.Context(), article.View{Sort: article.Hot, Limit: 1})
	if err != nil || all[0].By.Name != "Ann Lee" {
		t.Errorf("%+v, %v", all, err)
	}
	for later := range board.Moment(2) {
		e := recording.Edit{Article: a.With("Edited", "", nil), Now: f.now + later}
		if edited, err := s.Edit(t.Context(), e); err != nil || edited.Changed != f.now || edited.By.Name != "Ann Lee" {
			t.Errorf("%+v, %v", edited, err)
		}
	}
	for _, moment := range []board.Moment{f.now + 9, f.now + 8} { // of two deliveries the later one stands
		e := recording.Edit{Article: a.With(fmt.Sprint("Edited ", int(moment-f.now)), "", nil), Changed: moment, Now: f.now}
		if edited, err := s.Edit(t.Context(), e); err != nil || edited.Title != "Edited 9" {
			t.Errorf("%+v, %v", edited, err)
		}
	}
	f.did("bob like a")
	for _, moment := range []board.Moment{a.Published, 0} {
		again := a
		again.Published = moment
		f.calls.Reset()
		now, created, err := s.Create(t.Context(), again, f.now)
		if err != nil || created || f.calls.Writes.Load() > 0 || now.Title != "Edited 9" || now.Votes != 2 {
			t.Errorf("%+v, %v, %v", now, created, err)
		}
	}
	for _, other := range []article.Article{posted("a", "bob", a.Published), posted("a", "ann", a.Published+1)} {
		if _, _, err := s.Create(t.Context(), other, f.now); !errors.Is(err, recording.ErrTaken) {
			t.Errorf("%+v: %v", other, err)
		}
		if _, err := s.Edit(t.Context(), recording.Edit{Article: other, Now: f.now}); !errors.Is(err, recording.ErrTaken) {
			t.Errorf("%+v: %v", other, err)
		}
	}
	for range 2 {
		if gone, err := s.Delete(t.Context(), "a"); err != nil || gone.Author != "ann" || gone.Published != a.Published {
			t.Errorf("%+v, %v", gone, err)
		}
	}
	_, _, created := s.Create(t.Context(), a, f.now)
	_, edited := s.Edit(t.Context(), recording.Edit{Article: a, Now: f.now})
	if !errors.Is(created, recording.ErrDeleted) || !errors.Is(edited, recording.ErrDeleted) {
		t.Errorf("%v, %v", created, edited)
	}
	_, read := s.Get(t.Context(), "a")
	_, unknown := s.Delete(t.Context(), "b")
	if !errors.Is(read, recording.ErrNoArticle) || !errors.Is(unknown, recording.ErrNoArticle) {
		t.Errorf("%v, %v", read, unknown)
	}
}

// An article that is created unlisted is on no list from its creation on, also without a title; the first creation that
// names it makes it public.
func TestUnlistedFromItsCreationOn(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	s := f.Articles
	hidden, private := posted("a", "ann", f.now-1000, "go"), posted("b", "ann", f.now-1000).With("", "", nil)
	hidden.Unlisted, private.Unlisted = true, true
	f.create(hidden)
	if made := f.create(private); !made.Private() || len(f.list(article.New, "")) != 0 {
		t.Errorf("%+v, lists %v", made, f.list(article.New, ""))
	}
	for _, a := range []article.Article{posted("a", "ann", f.now-1000, "go"), posted("b", "ann", f.now-1000, "go")} {
		if _, created, err := s.Create(t.Context(), a, f.now); created || err != nil {
			t.Errorf("%s again: %t, %v", a.ID, created, err)
		}
	}
	if got := f.list(article.New, "go"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("on the list of go: %v", got)
	}
	made := s.Import(t.Context(), []article.Article{posted("b", "ann", f.now-1000), posted("c", "ann", f.now-1000)})
	if made[0].New || !made[1].New {
		t.Errorf("imported: %+v", made)
	}
}

// Articles that are concealed have neither title nor link nor groups, are on no list and can be read from the table
// alone, trimmed ones too; deleted ones stay so. An edit without a title does not list them.
func TestConcealedArticlesLeaveAllLists(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	s := f.Articles
	for _, id := range []string{"a", "b", "gone"} {
		f.create(posted(id, "ann", f.now-1000, "c5", id))
	}
	harness.Must(s.Delete(t.Context(), "gone"))(t)
	conceal := func() int64 {
		return harness.Must(s.Conceal(t.Context(), func(p article.Page) bool { return slices.Contains(p.Groups, "a") }))(t)
	}
	if first, again := conceal(), conceal(); first != 1 || again != 0 {
		t.Errorf("%d are concealed, then %d", first, again)
	}
	edit := recording.Edit{Article: article.Article{ID: "a"}, AnyAuthor: true, Listed: new(true), Now: f.now}
	if a, err := s.Edit(t.Context(), edit); err != nil || !a.Private() || a.Link+strings.Join(a.Groups, "") != "" {
		t.Errorf("%+v, %v", a, err)
	}
	groups := harness.Must(s.Groups(t.Context()))(t)
	if got := f.list(article.Hot, ""); !slices.Equal(got, []string{"b"}) || len(groups) != 2 {
		t.Errorf("lists %v, groups %v", got, groups)
	}
	f.same("concealed")
}

// A list is one trip to the view, and one read of the table for articles that are not kept: none when all are.
func TestTripsAndReadsOfAList(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	for i := range 30 {
		f.create(posted(fmt.Sprint("a", i), fmt.Sprint("u", i), f.now-1000))
	}
	read := func(name string, reads int64) {
		t.Helper()
		f.calls.Reset()
		if got := f.list(article.New, ""); len(got) != 30 {
			t.Errorf("%s: %v", name, got)
		}
		if f.calls.Trips.Load() != 1 || f.calls.Reads.Load() != reads {
			t.Errorf("%s: %d trips, %d reads, want %d", name, f.calls.Trips.Load(), f.calls.Reads.Load(), reads)
		}
	}
	mine := f.process
	f.process = f.start()
	f.list(article.New, "") // by another process: the server has the script then
	f.process = mine
	read("first", 1)
	read("kept", 0)
	edited := posted("a3", "u3", f.now-1000).With("New", "", nil)
	f.must(f.Articles.Edit(t.Context(), recording.Edit{Article: edited, Now: f.now}))
	read("one edited", 1)
}

// In the process that changes articles, and in another one that keeps them, no list has an article that is deleted,
// unlisted, concealed or of an author who is withheld, and none has the name of an erased author, or an earlier title.
func TestListsShowNoArticleThatLeftThem(t *testing.T) {
	t.Parallel()
	for change, leave := range map[string]func(f *walked) error{
		"deleted": func(f *walked) error {
			_, err := f.Articles.Delete(f.Context(), "a")
			return err
		},
		"unlisted": func(f *walked) error {
			_, err := f.Articles.Edit(f.Context(), recording.Edit{
				Article: posted("a", "ann", f.now-1000), AnyAuthor: true, Listed: new(false), Now: f.now,
			})
			return err
		},
		"concealed": func(f *walked) error {
			_, err := f.Articles.Conceal(f.Context(), func(p article.Page) bool { return p.ID == "a" })
			return err
		},
		"withheld": func(f *walked) error {
			f.change("ann", func(p *items.Person) { p.ID, p.Status.Excluded = "ann", true })
			return f.Articles.Renew(f.Context(), "ann")
		},
	} {
		f := newDefault(t, 1)
		f.create(posted("a", "ann", f.now-1000))
		f.create(posted("b", "bob", f.now-1000))
		other := f.start()
		for _, r := range []*recording.Articles{f.Articles, other.Articles} { // both keep them
			harness.Must(r.Get(t.Context(), "a"))(t)
		}
		keep := keep(t, f.redis)
		f.must(nil, leave(f))
		for when := range slices.Values([]string{"shown", "not shown"}) {
			for name, r := range map[string]*recording.Articles{"own": f.Articles, "other": other.Articles} {
				all, _, err := r.List(t.Context(), article.View{Sort: article.New, Limit: 9})
				stale := name == "other" && when == "not shown" // for a minute
				if err != nil || !stale && !slices.Equal(ids(all), []string{"b"}) {
					t.Errorf("%s, %s process, %s: %v, %v", change, name, when, all, err)
				}
			}
			keep() // as if the view had not been shown the change
		}
	}
}

// The name of an erased author is on no list, at once in the process that erases.
func TestErasedAuthorsNameIsNotShown(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	f.change("ann", func(p *items.Person) { p.ID, p.Profile.Name = "ann", "Ann Lee" })
	f.create(posted("a", "ann", f.now-1000))
	name := func() string {
		all, _, err := f.Articles.List(t.Context(), article.View{Sort: article.Hot, Limit: 1})
		one, failed := f.Articles.Get(t.Context(), "a")
		if err != nil || failed != nil || len(all) != 1 || one.By != all[0].By {
			t.Fatal(all, one, err, failed)
		}
		return one.By.Name
	}
	if got := name(); got != "Ann Lee" {
		t.Error(got)
	}
	f.change("ann", func(p *items.Person) { *p = items.Person{ID: "ann", Erased: f.now, Erasing: true} })
	if got := name(); got != "" {
		t.Errorf("erased: %q", got)
	}
}

// An erased person's article is not created again; an article by the next person of the id is, and keeps its author's
// name when the erased one is taken off.
func TestAnErasedAuthorsArticles(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	f.change("ann", func(p *items.Person) { p.ID, p.Erased = "", f.now })
	_, _, err := f.Articles.Create(t.Context(), posted("a", "ann", f.now), f.now)
	if !errors.Is(err, recording.ErrAuthorErased) {
		t.Error(err)
	}
	f.put(article.Page{State: article.Voting, Article: posted("b", "ann", f.now)}) // Forget is yet to come
	f.change("ann", func(p *items.Person) { p.ID, p.Profile.Name = "ann", "Another" })
	kept, err := f.Articles.Kept(t.Context(), "b")
	if next := f.create(posted("a", "ann", f.now+1)); err != nil || kept.By.Name != "" || next.By.Name != "Another" {
		t.Errorf("%+v, then %+v, %v", kept, next, err)
	}
	// The edit shows it.
	_, err = f.Articles.Edit(t.Context(), recording.Edit{Article: posted("b", "ann", f.now), Now: f.now})
	f.must(nil, err)
	n, err := f.Articles.Forget(t.Context(), "ann", f.now, "b")
	for _, id := range []string{"a", "b"} {
		got := harness.Must(f.Articles.Get(t.Context(), id))(t)
		if named := got.By.Name == "Another"; n != 1 || err != nil || named != (id == "a") {
			t.Errorf("%s, by %q: %d, %v", id, got.By.Name, n, err)
		}
	}
}

// An edit puts back an article that an edit took off lists, but not one that a deletion took off.
func TestAnEditDoesNotUndoADeletion(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 2)
	a := posted("a", "ann", f.now)
	f.create(a)
	edit := func(listed, removed, edited bool) bool {
		e := recording.Edit{Article: a, AnyAuthor: true, Listed: &listed, Removed: removed, Edited: edited, Now: f.now}
		put, err := f.Articles.Edit(t.Context(), e)
		f.must(nil, err)
		return put.Listed()
	}
	for n, step := range []struct{ listed, removed, edited, want bool }{
		{false, false, true, false}, {true, false, true, true}, // hidden by an edit, and back
		{false, true, false, false}, {true, false, true, false}, {false, false, true, false}, // deleted, and edited
		{true, false, true, false}, {true, false, false, true}, // restored
	} {
		if got := edit(step.listed, step.removed, step.edited); got != step.want {
			t.Errorf("step %d: listed %t", n, got)
		}
	}
}

// After any changes of articles, lists, groups and votes match the table, and again after Redis has lost
// everything.
func TestListsFollowTheItems(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 2)
	rng := rand.New(rand.NewPCG(31, 9))
	for n := range 250 {
		id, groups := fmt.Sprint("a", rng.IntN(12)), []string{"go", "redis", "news"}[:rng.IntN(4)]
		var err error
		switch rng.IntN(8) {
		case 0, 1, 2:
			f.did(fmt.Sprintf("u%d %s %s", rng.IntN(5), []string{"like", "like", "unlike"}[rng.IntN(3)], id))
		case 3, 4:
			edited := posted(id, "author", 0).With(fmt.Sprint("Title ", n), "", groups)
			_, err = f.Articles.Edit(t.Context(), recording.Edit{
				Article: edited, AnyAuthor: true, Listed: new(rng.IntN(3) > 0), Now: f.now,
			})
		case 5, 6:
			_, _, err = f.Articles.Create(t.Context(), posted(id, "author", 0, groups...), f.now)
		default:
			if rng.IntN(4) == 0 {
				_, err = f.Articles.Delete(t.Context(), id)
			}
		}
		if err != nil && !errors.Is(err, recording.ErrNoArticle) && !errors.Is(err, recording.ErrDeleted) {
			t.Error(err)
		}
	}
	for when := range slices.Values([]string{"afterwards", "filled"}) {
		all, total, err := f.Articles.List(t.Context(), article.View{Sort: article.Hot, Limit: 1})
		found := f.compare(catchup.Request{Audit: true})
		if found.Differ != 0 || total < 3 || all[0].Votes < 2 || err != nil {
			t.Errorf("%s: %+v; %d on the list, %v", when, found, total, err)
		}
		f.redis.FlushDB(t.Context())
		f.compare(catchup.Request{})
	}
}

// Twenty changes at once lose nothing, and the view ends with the state of the item.
func TestManyChangeOneArticle(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	a := posted("a", "ann", f.now)
	f.create(a)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			edit := recording.Edit{Article: a.With(fmt.Sprint("Title ", i), "", []string{fmt.Sprint("g", i)}), Now: f.now}
			if _, err := f.Articles.Edit(t.Context(), edit); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	kept, err := f.Articles.Kept(t.Context(), "a")
	shown, listed := f.Articles.Get(t.Context(), "a")
	in := f.list(article.New, kept.Groups[0])
	if err != nil || listed != nil || shown.Title != kept.Title || !slices.Equal(in, []string{"a"}) {
		t.Errorf("%+v, %v; shown %+v, %v", kept, err, shown, listed)
	}
	if groups, err := f.Articles.Groups(t.Context()); err != nil || len(groups) != 1 {
		t.Errorf("%v, %v", groups, err)
	}
	f.compare(catchup.Request{}) // of twenty, some may have given up to show theirs
	p := f.knowing()
	p.beforeTrip(func() { // a month is closed, and the view knows
		f.forum.ClosePeriod(board.PeriodOf(board.Month, f.ledger.Calendar().Date(f.now.Add(-150*24*time.Hour))))
		f.redis.HSet(t.Context(), "laurel:{articles}:marker", "life", f.headNow().Life.Number())
	})
	f.must(p.Articles.Edit(t.Context(), recording.Edit{Article: a.With("Last", "", nil), Now: f.now}))
	if shown, err := f.Articles.Get(t.Context(), "a"); err != nil || shown.Title != "Last" || f.headNow().Behind != nil {
		t.Errorf("%+v, %v, %+v", shown, err, f.headNow().Behind)
	}
}

// Without Redis articles are created, changed and read as far as the table knows them, and
// lists have them afterwards.
func TestArticlesWithoutRedis(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	f.create(posted("final", "ann", f.now-1))
	page := article.Page{State: article.VotesFinal, Article: posted("final", "ann", f.now-1)}
	page.Votes = 7
	f.put(page)
	f.down.Store(true)
	if err := f.Projector.ShowUser(t.Context(), "ann"); !errors.Is(err, view.ErrUnavailable) {
		t.Errorf("a user: %v", err)
	}
	f.create(posted("a", "ann", f.now))
	if got, err := f.Articles.Get(t.Context(), "final"); err != nil || got.Votes != 7 || got.Author != "ann" {
		t.Errorf("%+v, %v", got, err)
	}
	_, voting := f.Articles.Get(t.Context(), "a")
	_, unknown := f.Articles.Get(t.Context(), "b")
	if !errors.Is(voting, view.ErrUnavailable) || !errors.Is(unknown, recording.ErrNoArticle) {
		t.Errorf("%v, %v", voting, unknown)
	}
	if f.headNow().Behind == nil {
		t.Error("nobody says that the view is behind")
	}
	f.down.Store(false)
	f.compare(catchup.Request{})
	if got := f.list(article.New, ""); !slices.Equal(got, []string{"a", "final"}) {
		t.Error(got)
	}
}

func TestVotedMatchesTheLedgers(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	for id, moment := range map[string]board.Moment{
		"new": f.now - 1000, "own": f.now - 1000, "old": f.now.Add(-7 * 24 * time.Hour), "back": f.now - 1000,
	} {
		author := map[string]string{"own": "bob"}[id]
		if author == "" {
			author = "ann"
		}
		f.create(posted(id, author, moment))
	}
	f.did("bob like new", "bob like back", "bob unlike back", "bob like unknown")
	got, err := f.Articles.Voted(t.Context(), "bob", strings.Fields("unknown back old own new"), f.now)
	if err != nil || !slices.Equal(got, []string{"own", "new"}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := f.Articles.Voted(t.Context(), "eve", []string{"new"}, f.now); err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// Articles with final votes are trimmed if they are first in no list; they can be read, come back when they are
// changed, and stay off when the view is filled.
func TestTrimmedArticlesLeaveTheListsAlone(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	final := func(id string, moment board.Moment, votes int64, groups ...string) {
		f.create(posted(id, "ann", moment, groups...))
		page := article.Page{State: article.VotesFinal, Article: posted(id, "ann", moment, groups...)}
		page.Votes = votes
		f.put(page)
	}
	final("old", f.now-9000, 1)
	final("hot", f.now-8000, 90)
	final("grouped", f.now-7000, 1, "go")
	final("new", f.now-1000, 1)
	unlisted := posted("unlisted", "ann", f.now-500) // it takes no other article's room
	unlisted.Unlisted = true
	f.put(article.Page{State: article.VotesFinal, Article: unlisted})
	f.create(posted("voting", "ann", f.now-9500))
	f.compare(catchup.Request{})
	for want := range slices.Values([]int64{1, 0}) {
		if n, err := f.Articles.Trim(t.Context(), 1); err != nil || n != want {
			t.Errorf("%d trimmed, %v, want %d", n, err, want)
		}
	}
	want := []string{"new", "grouped", "hot", "voting"}
	f.calls.Reset()
	if n, err := f.Articles.Trim(t.Context(), int64(len(want))); err != nil || n != 0 || f.calls.Reads.Load() > 0 {
		t.Errorf("%d trimmed of as few as are kept, %d reads, %v", n, f.calls.Reads.Load(), err)
	}
	if got := f.list(article.New, ""); !slices.Equal(got, want) {
		t.Error(got)
	}
	f.redis.FlushDB(t.Context())
	f.compare(catchup.Request{})
	if got := f.list(article.New, ""); !slices.Equal(got, want) {
		t.Errorf("filled: %v", got)
	}
	if got, err := f.Articles.Get(t.Context(), "old"); err != nil || got.Votes != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	edit := recording.Edit{Article: posted("old", "ann", 0).With("New title", "", nil), Now: f.now}
	f.must(f.Articles.Edit(t.Context(), edit))
	if got := f.list(article.New, ""); len(got) != 5 {
		t.Errorf("changed: %v", got)
	}
}

// Another process has a head that says that there are no articles, and may keep it for reports: it reads the first one
// that is liked all the same, and the like is a vote.
func TestTheFirstArticleIsKnownToAll(t *testing.T) {
	t.Parallel()
	for _, keeps := range []bool{false, true} {
		f := newDefault(t, 1)
		other := f.knowing()
		if keeps {
			other.all.KeepHead(time.Now)
			f.must(other.all.Head(t.Context()))
		}
		f.create(posted("a", "ann", f.now-1000))
		harness.OK(t, f.reporting(other, harness.Did(t, "bob like a", f.now))[0].Err)
		if a, err := f.Articles.Get(t.Context(), "a"); err != nil || a.Votes != 2 {
			t.Errorf("a head that is kept %t: %+v, %v", keeps, a, err)
		}
	}
}
