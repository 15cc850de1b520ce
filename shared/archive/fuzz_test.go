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

// compareErased is the order of what an erasure has left: an erased one may stand
// anywhere among its equals.
func compareErased(a, b board.Entry) int {
	if a.Erased() || b.Erased() {
		return cmp.Compare(a.Packed, b.Packed)
	}
	return board.Compare(a, b)
}

// Hostile bytes are an error, or read to a board that is in order.
func FuzzOpen(f *testing.F) {
	entries := randomBoard(rand.New(rand.NewPCG(15, 16)), 150)
	store := open(f)
	if _, err := archive.New(store).Write(f.Context(), "activity", day, sourceOf(entries), 0); err != nil {
		f.Fatal(err)
	}
	for _, e := range []board.Entry{entries[3], entries[90]} {
		if _, err := archive.New(store).Erase(f.Context(), "activity", day, e.User); err != nil {
			f.Fatal(err)
		}
	}
	for _, partition := range []string{"activity#day", "activity#day#2026-11-20"} {
		items, err := store.Descend(f.Context(), partition, "\U0010FFFF", 10)
		if err != nil {
			f.Fatal(err)
		}
		for _, item := range items {
			f.Add(item.Data, []byte(nil))
			f.Add(item.Data[:len(item.Data)/2], archive.Body(item))
		}
	}
	f.Fuzz(func(t *testing.T, data, body []byte) {
		for _, kind := range []byte("MPI") {
			for _, d := range [][]byte{data, archive.Seal(kind, body)} { // as it is, and with a checksum that fits
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
