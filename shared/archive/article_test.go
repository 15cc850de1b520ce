package archive_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/board"
)

const articleNoon = board.Moment(1_795_176_000_000) // 2026-11-20T12:00:00Z

func finalArticle(id, author string) archive.FinalArticle {
	return archive.FinalArticle{
		Article: article.Article{
			ID: id, Author: author, Published: articleNoon, Title: "About " + id, Link: "https://example.org/", Groups: []string{"a", "b"}, Votes: 7,
		},
		Score: 1_795_179_024,
	}
}

func tombstoneOf(id string) archive.FinalArticle {
	return archive.FinalArticle{Article: article.Article{ID: id, Published: articleNoon}, Deleted: true}
}

func putArticle(tb testing.TB, articles *archive.Articles, a archive.FinalArticle, want bool) {
	tb.Helper()
	if was, err := articles.Put(tb.Context(), a); err != nil || was != want {
		tb.Errorf("put %q: was there %v, %v, want %v", a.ID, was, err, want)
	}
}

func expectArticle(tb testing.TB, articles *archive.Articles, want archive.FinalArticle) {
	tb.Helper()
	got, err := articles.Get(tb.Context(), want.ID)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		tb.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestArticleReadsBack(t *testing.T) {
	t.Parallel()
	articles := archive.NewArticles(open(t))
	if _, err := articles.Get(t.Context(), "1"); !errors.Is(err, archive.ErrNoArticle) {
		t.Errorf("one that is not there: %v", err)
	}
	for _, a := range []archive.FinalArticle{finalArticle("1", "ann"), finalArticle("é #", ""), tombstoneOf("3")} {
		putArticle(t, articles, a, false)
		putArticle(t, articles, a, true)
		expectArticle(t, articles, a)
	}
}

// Deleted and erased stay so, also when somebody writes who has read before.
func TestAStaleWriterUndoesNothing(t *testing.T) {
	t.Parallel()
	store := open(t)
	articles := archive.NewArticles(store)
	erased := finalArticle("1", "")
	putArticle(t, articles, finalArticle("1", "ann"), false)
	putArticle(t, articles, erased, false)
	putArticle(t, articles, finalArticle("1", "ann"), true)
	expectArticle(t, articles, erased)

	if err := articles.Delete(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	expectArticle(t, articles, tombstoneOf("1"))
	putArticle(t, articles, finalArticle("1", "ann"), true)
	putArticle(t, articles, erased, true)
	expectArticle(t, articles, tombstoneOf("1"))
	if err := articles.Delete(t.Context(), "2"); !errors.Is(err, archive.ErrNoArticle) {
		t.Errorf("deleting what is not there: %v", err)
	}
}

func TestEraseFindsAllOfAnAuthor(t *testing.T) {
	t.Parallel()
	store := open(t)
	articles := archive.NewArticles(store)
	for i := range 230 {
		putArticle(t, articles, finalArticle(fmt.Sprint(i), "ann"), false)
	}
	putArticle(t, articles, finalArticle("other", "bob"), false)
	putArticle(t, articles, finalArticle("\U0010FFFF", "ann"), false)
	putArticle(t, articles, finalArticle("deleted", "ann"), false)
	if err := articles.Delete(t.Context(), "deleted"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int64{231, 0} {
		if n, err := articles.Erase(t.Context(), "ann"); err != nil || n != want {
			t.Errorf("erased %d, %v, want %d", n, err, want)
		}
	}
	for i := range 230 {
		expectArticle(t, articles, finalArticle(fmt.Sprint(i), ""))
	}
	expectArticle(t, articles, finalArticle("other", "bob"))
	expectArticle(t, articles, tombstoneOf("deleted"))
	if items, err := store.Descend(t.Context(), "AUTHOR#ann", "\U0010FFFF", 10); err != nil || len(items) > 0 {
		t.Errorf("%d items still name the author, %v", len(items), err)
	}
}

// A run that has read an article before its author was erased, and writes it after
// that, leaves no way from the author to it: not over the erased one, nor once the
// next run writes what is there by then.
func TestALateWriterLeavesNoAuthor(t *testing.T) {
	t.Parallel()
	store := open(t)
	articles := archive.NewArticles(store)
	expectNobody := func(what string) {
		t.Helper()
		if items, err := store.Descend(t.Context(), "AUTHOR#ann", "\U0010FFFF", 10); err != nil || len(items) > 0 {
			t.Errorf("%s: %d items name the author, %v", what, len(items), err)
		}
	}
	putArticle(t, articles, finalArticle("1", "ann"), false)
	if n, err := articles.Erase(t.Context(), "ann"); err != nil || n != 1 {
		t.Fatalf("erased %d, %v", n, err)
	}
	putArticle(t, articles, finalArticle("1", "ann"), true)
	expectNobody("over the erased one")

	putArticle(t, articles, finalArticle("2", "ann"), false) // the erasure has not met it
	putArticle(t, articles, finalArticle("2", ""), false)
	expectArticle(t, articles, finalArticle("2", ""))
	expectNobody("the next night")

	putArticle(t, articles, finalArticle("3", "ann"), false)
	if err := articles.Delete(t.Context(), "3"); err != nil {
		t.Fatal(err)
	}
	putArticle(t, articles, finalArticle("3", "ann"), true)
	expectNobody("over the deleted one")
}

// A hundred write, erase and delete at once, and it is deleted in the end.
func TestArticleOfAHundredWriters(t *testing.T) {
	t.Parallel()
	store := open(t)
	articles := archive.NewArticles(store)
	putArticle(t, articles, finalArticle("1", "ann"), false)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			var err error
			switch i % 3 {
			case 0:
				_, err = articles.Put(t.Context(), finalArticle("1", "ann"))
			case 1:
				_, err = articles.Put(t.Context(), finalArticle("1", ""))
			default:
				err = articles.Delete(t.Context(), "1")
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	expectArticle(t, articles, tombstoneOf("1"))
}

// An article that is damaged, or another's, is an error, and is not overwritten.
func TestADamagedArticleIsFound(t *testing.T) {
	t.Parallel()
	store := open(t)
	articles := archive.NewArticles(store)
	putArticle(t, articles, finalArticle("1", "ann"), false)
	key := archive.Key{Partition: "ARTICLE#1", Sort: "article"}
	items, err := store.Get(t.Context(), key)
	if err != nil || len(items) != 1 {
		t.Fatalf("%d items, %v", len(items), err)
	}
	good := items[0].Data
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 1
		write(t, store, archive.Item{Key: key, Data: bad}, good)
		got, err := articles.Get(t.Context(), "1")
		if same := cmp.Equal(got, finalArticle("1", "ann")); !errors.Is(err, archive.ErrDamaged) && (err != nil || !same) { // some bits say nothing
			t.Errorf("byte %d: %+v, %v", i, got, err)
		}
		if _, putErr := articles.Put(t.Context(), finalArticle("1", "ann")); (err == nil) != (putErr == nil) {
			t.Errorf("byte %d: read %v, written again %v", i, err, putErr)
		}
		if err != nil { // else it is as it was written again
			write(t, store, archive.Item{Key: key, Data: good}, bad)
		}
	}
	write(t, store, archive.Item{Key: archive.Key{Partition: "ARTICLE#2", Sort: "article"}, Data: good}, nil)
	if _, err := articles.Get(t.Context(), "2"); !errors.Is(err, archive.ErrDamaged) {
		t.Errorf("it stands in for another: %v", err)
	}
}

func write(tb testing.TB, store archive.Store, item archive.Item, old []byte) {
	tb.Helper()
	if err := store.Replace(tb.Context(), item, old); err != nil {
		tb.Fatal(err)
	}
}

// A store that is away is an error that says so.
func TestArticlesOfAStoreThatIsAway(t *testing.T) {
	t.Parallel()
	articles := archive.NewArticles(open(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, getErr := articles.Get(ctx, "1")
	_, putErr := articles.Put(ctx, finalArticle("1", "ann"))
	_, eraseErr := articles.Erase(ctx, "ann")
	for i, err := range []error{getErr, putErr, eraseErr, articles.Delete(ctx, "1")} {
		if !errors.Is(err, archive.ErrUnavailable) {
			t.Errorf("operation %d: %v", i, err)
		}
	}
}

// Hostile bytes, with a checksum that fits, are an error or an article.
func FuzzOpenArticle(f *testing.F) {
	store := open(f)
	if _, err := archive.NewArticles(store).Put(f.Context(), finalArticle("1", "ann")); err != nil {
		f.Fatal(err)
	}
	items, err := store.Get(f.Context(), archive.Key{Partition: "ARTICLE#1", Sort: "article"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(archive.Body(items[0]))
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := archive.OpenArticle("1", body)
		if err != nil && !errors.Is(err, archive.ErrDamaged) {
			t.Errorf("%v is not damage", err)
		}
		if err == nil && (a.ID != "1" || !a.Published.Valid()) {
			t.Errorf("%q reads to %+v", body, a)
		}
	})
}
