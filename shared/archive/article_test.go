package archive_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
			ID: id, Author: author, Published: articleNoon, Votes: 7,
			Title: "About " + id, Link: "https://example.org/", Groups: []string{"a", "b"},
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

func deleteArticle(t *testing.T, articles *archive.Articles, id string) {
	t.Helper()
	if err := articles.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func expectArticle(tb testing.TB, articles *archive.Articles, want archive.FinalArticle) {
	tb.Helper()
	got, err := articles.Get(tb.Context(), want.ID)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		tb.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func expectErased(t *testing.T, articles *archive.Articles, want int64) {
	t.Helper()
	if n, err := articles.Erase(t.Context(), "ann"); err != nil || n != want {
		t.Errorf("erased %d, %v, want %d", n, err, want)
	}
}

func expectNoItemOfAnn(t *testing.T, store archive.Store) {
	t.Helper()
	if items := itemsIn(t, store, "AUTHOR#ann"); len(items) > 0 {
		t.Errorf("%d items name the author", len(items))
	}
}

func TestArticleReadsBack(t *testing.T) {
	t.Parallel()
	articles := archive.NewArticles(open(t))
	if _, err := articles.Get(t.Context(), "1"); !errors.Is(err, archive.ErrNoArticle) {
		t.Errorf("a missing one: %v", err)
	}
	for _, a := range []archive.FinalArticle{finalArticle("1", "ann"), finalArticle("é #", ""), tombstoneOf("3")} {
		putArticle(t, articles, a, false)
		putArticle(t, articles, a, true)
		expectArticle(t, articles, a)
	}
}

// A deleted or erased article stays so when a writer that read it before writes it.
func TestAStaleWriterUndoesNothing(t *testing.T) {
	t.Parallel()
	articles := archive.NewArticles(open(t))
	erased := finalArticle("1", "")
	putArticle(t, articles, finalArticle("1", "ann"), false)
	putArticle(t, articles, erased, false)
	putArticle(t, articles, finalArticle("1", "ann"), true)
	expectArticle(t, articles, erased)

	deleteArticle(t, articles, "1")
	expectArticle(t, articles, tombstoneOf("1"))
	putArticle(t, articles, finalArticle("1", "ann"), true)
	putArticle(t, articles, erased, true)
	expectArticle(t, articles, tombstoneOf("1"))
	if err := articles.Delete(t.Context(), "2"); !errors.Is(err, archive.ErrNoArticle) {
		t.Errorf("deleting a missing one: %v", err)
	}
}

func TestEraseFindsAllOfAnAuthor(t *testing.T) {
	t.Parallel()
	store := open(t)
	articles := archive.NewArticles(store)
	ids := []string{"\U0010FFFF"}
	for i := range 230 {
		ids = append(ids, fmt.Sprint(i))
	}
	for _, id := range append(ids, "deleted") {
		putArticle(t, articles, finalArticle(id, "ann"), false)
	}
	putArticle(t, articles, finalArticle("other", "bob"), false)
	deleteArticle(t, articles, "deleted")
	expectErased(t, articles, 231)
	expectErased(t, articles, 0)
	for _, id := range ids {
		expectArticle(t, articles, finalArticle(id, ""))
	}
	expectArticle(t, articles, finalArticle("other", "bob"))
	expectArticle(t, articles, tombstoneOf("deleted"))
	expectNoItemOfAnn(t, store)
}

// A run that read an article before its author was erased, and writes it afterwards,
// leaves no item that leads from the author to it: not over the erased article, nor after
// the next run has written the current one.
func TestALateWriterLeavesNoAuthor(t *testing.T) {
	t.Parallel()
	store := open(t)
	articles := archive.NewArticles(store)
	putArticle(t, articles, finalArticle("1", "ann"), false)
	expectErased(t, articles, 1)
	putArticle(t, articles, finalArticle("1", "ann"), true)
	expectNoItemOfAnn(t, store)

	putArticle(t, articles, finalArticle("2", "ann"), false) // the erasure did not see it
	putArticle(t, articles, finalArticle("2", ""), false)    // the next run
	expectArticle(t, articles, finalArticle("2", ""))
	expectNoItemOfAnn(t, store)

	putArticle(t, articles, finalArticle("3", "ann"), false)
	deleteArticle(t, articles, "3")
	putArticle(t, articles, finalArticle("3", "ann"), true)
	expectNoItemOfAnn(t, store)
}

// A hundred write, erase and delete an article concurrently; it is deleted in the end.
func TestArticleOfAHundredWriters(t *testing.T) {
	t.Parallel()
	articles := archive.NewArticles(open(t))
	putArticle(t, articles, finalArticle("1", "ann"), false)
	concurrently(t, 100, func(i int) error {
		if i%3 == 2 {
			return articles.Delete(t.Context(), "1")
		}
		_, err := articles.Put(t.Context(), finalArticle("1", []string{"ann", ""}[i%3]))
		return err
	})
	expectArticle(t, articles, tombstoneOf("1"))
}

// A damaged article, or another's, is an error, and is not overwritten.
func TestADamagedArticleIsFound(t *testing.T) {
	t.Parallel()
	store := open(t)
	articles := archive.NewArticles(store)
	putArticle(t, articles, finalArticle("1", "ann"), false)
	item := itemsIn(t, store, "ARTICLE#1")[0]
	good := item.Data
	for i := range good {
		item.Data = slices.Clone(good)
		item.Data[i] ^= 1
		replace(t, store, item, good)
		got, err := articles.Get(t.Context(), "1")
		same := err == nil && cmp.Equal(got, finalArticle("1", "ann")) // some bits of zstd have no meaning
		if !errors.Is(err, archive.ErrDamaged) && !same {
			t.Errorf("byte %d: %+v, %v", i, got, err)
		}
		if _, putErr := articles.Put(t.Context(), finalArticle("1", "ann")); (err == nil) != (putErr == nil) {
			t.Errorf("byte %d: read %v, written again %v", i, err, putErr)
		}
		if err != nil { // otherwise Put has written the good one
			bad := item.Data
			item.Data = good
			replace(t, store, item, bad)
		}
	}
	replace(t, store, archive.Item{Key: archive.Key{Partition: "ARTICLE#2", Sort: "article"}, Data: good}, nil)
	if _, err := articles.Get(t.Context(), "2"); !errors.Is(err, archive.ErrDamaged) {
		t.Errorf("another's bytes: %v", err)
	}
}

func TestArticlesOfAnUnavailableStore(t *testing.T) {
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
