package items_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/profile"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
)

// newArticle is the write of an article.
func newArticle(id, title string, was int64) items.Change {
	return items.Change{Was: was, Article: &article.Page{Article: article.Article{
		ID: id, Author: "ann", Title: title, Published: now,
	}}}
}

// Articles and their authors are kept for a minute; items that this process changes, and an article of which the view
// has a later revision, are read again at once, all that are missing in one read.
func TestListings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rows := embedded.New(time.Now)
		defer rows.Close()
		counted, ann := &lagging{Table: rows}, keyOf(3, 1)
		mine, other := begun(t, counted), items.New(rows, "UTC", now.Time)
		least := int64(0)
		check := func(when, title, name string, reads int) {
			t.Helper()
			time.Sleep(time.Millisecond) // since the write
			counted.strong = 0
			l, err := mine.List(t.Context(), items.Asked{ID: "a", Revision: least, Author: ann}, items.Asked{ID: "b"})
			if err != nil || counted.strong != reads || l.Articles["a"].Value.Title != title ||
				l.Authors[ann].Value.Public(activity.Default()).Name != name || l.Articles["b"].Revision != 0 {
				t.Errorf("%s: %+v in %d reads, want %d; %v", when, l, counted.strong, reads, err)
			}
		}
		named := func(name string, was int64) items.Change {
			return items.Change{Was: was, Person: &items.PersonChange{Key: ann, Value: &items.Person{
				ID: "ann", Profile: profile.Profile{Name: name},
			}}}
		}
		a := write(t, other, newArticle("a", "One", 0), named("Ann", 0))
		check("first", "One", "Ann", 1)
		check("kept", "One", "Ann", 0)
		elsewhere := write(t, other, newArticle("a", "Two", a[0].Revision), named("Anna", a[1].Revision))
		check("changed elsewhere", "One", "Ann", 0)
		least = elsewhere[0].Revision
		check("seen in the view", "Two", "Ann", 1)
		time.Sleep(time.Minute)
		check("a minute later", "Two", "Anna", 1)
		here := write(t, mine, newArticle("a", "Three", least))
		check("changed here", "Three", "Anna", 1)
		write(t, mine, named("", elsewhere[1].Revision))
		check("a name that is gone here", "Three", "", 1)
		least = here[0].Revision + 1
		check("a revision that the table lacks", "Three", "", 1)
	})
}

// Readers side by side share one read; of very many articles and authors as many are kept as there is room for.
func TestListingsAreSharedAndBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rows := embedded.New(time.Now)
		defer rows.Close()
		slow := &harness.Table{Table: rows}
		s := begun(t, slow)
		slow.Reset()
		slow.Before = func(harness.Call) harness.Fate {
			time.Sleep(10 * time.Millisecond)
			return harness.Lives
		}
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := s.List(t.Context(), items.Asked{ID: "a", Author: keyOf(1, 1)}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := slow.Reads.Load(); n != 1 {
			t.Errorf("%d reads", n)
		}
		list := func(n int) int64 {
			before := slow.Reads.Load()
			if _, err := s.List(t.Context(), items.Asked{ID: fmt.Sprint(n), Author: keyOf(1, n)}); err != nil {
				t.Error(err)
			}
			return slow.Reads.Load() - before
		}
		for n := range 2_001 {
			list(n)
		}
		if first, last := list(0), list(2_000); first != 1 || last != 0 {
			t.Errorf("%d reads for the first, %d for the last", first, last)
		}
	})
}
