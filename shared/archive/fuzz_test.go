package archive_test

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laurel/shared/archive"
	"laurel/shared/board"
)

func contains(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }

// compareErased is the order of a board after erasures: an erased entry may be anywhere
// among its equals.
func compareErased(a, b board.Entry) int {
	if a.Erased() || b.Erased() {
		return cmp.Compare(a.Packed, b.Packed)
	}
	return board.Compare(a, b)
}

// Hostile bytes are an error, or a board that is in order.
func FuzzOpen(f *testing.F) {
	entries := randomBoard(rand.New(rand.NewPCG(15, 16)), 150)
	store := open(f)
	writeBoard(f, store, "activity", day, entries)
	for _, e := range []board.Entry{entries[3], entries[90]} {
		if _, err := archive.New(store).Erase(f.Context(), "activity", day, e.User); err != nil {
			f.Fatal(err)
		}
	}
	for _, item := range append(itemsIn(f, store, "activity#day"), itemsIn(f, store, "activity#day#2026-11-20")...) {
		f.Add(item.Data, []byte(nil))
		f.Add(item.Data[:len(item.Data)/2], archive.Body(item))
	}
	f.Fuzz(func(t *testing.T, data, body []byte) {
		for _, kind := range []byte("MPI") {
			for _, d := range [][]byte{data, archive.Seal(kind, body)} { // unchanged, and with a valid checksum
				entries, err := archive.OpenAny(kind, d)
				if err != nil && !errors.Is(err, archive.ErrDamaged) {
					t.Errorf("%v is not damage", err)
				}
				if err == nil && !slices.IsSortedFunc(entries, compareErased) {
					t.Errorf("%q reads to a board that is not in order", d)
				}
			}
		}
	})
}

// Hostile bytes with a checksum that fits are an error or an article.
func FuzzOpenArticle(f *testing.F) {
	store := open(f)
	putArticle(f, archive.NewArticles(store), finalArticle("1", "ann"), false)
	f.Add(archive.Body(itemsIn(f, store, "ARTICLE#1")[0]))
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
