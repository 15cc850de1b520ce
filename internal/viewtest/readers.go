package viewtest

import (
	"fmt"
	"sync"
	"testing"

	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// testReaders: readers beside writers see units whole, and boards in order.
func testReaders(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for revision := int64(1); revision <= 60; revision++ {
				score := 1 + (revision*7+int64(w)*3)%5
				day, month := Place(Today, score, revision), Place(Month, score, revision)
				u := Person(Unit(fmt.Sprint("user-", w), revision, revision-1, day, month), 1, fmt.Sprint("Name ", w))
				if got, err := h.Show(t.Context(), 0, u); err != nil || got[0] != view.ShowApplied {
					t.Error(got, err)
				}
			}
		})
		all.Go(func() {
			for range 60 {
				views := []board.View{
					{Board: "activity", Period: Today, Limit: 10, User: "user-1", Around: 2},
					{Board: "activity", Period: Month, Limit: 10},
				}
				pages, err := h.ReadAll(t.Context(), views)
				if err != nil {
					t.Error(err)
					return
				}
				checkPage(t, pages[0])
				if h.Shards() == 1 && fmt.Sprint(pages[0].Places) != fmt.Sprint(pages[1].Places) {
					t.Errorf("a unit is shown in part: %v, %v", pages[0].Places, pages[1].Places)
				}
			}
		})
	}
	all.Wait()
	h.Equal(int64(4), h.Whole(Today).Total)
}

// checkPage checks that a page is in order, with the names of all.
func checkPage(t *testing.T, page board.Page) {
	t.Helper()
	for i, p := range page.Places {
		if p.Rank != int64(i)+1 || i > 0 && board.Compare(page.Places[i-1].Member, p.Member) >= 0 {
			t.Errorf("not in order: %v", page.Places)
		}
		if page.Names[p.User] == "" {
			t.Errorf("%q has no name in %v", p.User, page.Names)
		}
	}
}
