package ranking_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"laurel/shared/store/view/memory/ranking"
)

// A set has the items of a sorted list after any inserts and deletes.
func TestSetIsASortedList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		set, list := ranking.New(cmp.Compare[int]), []int(nil)
		size := rapid.SampledFrom([]int{10, 300, 3_000}).Draw(r, "values")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		for _, phase := range []struct{ steps, inserts int }{{2_000, 8}, {2_000, 2}, {500, 5}, {size, 0}} {
			for range phase.steps {
				item := rng.IntN(size)
				i, found := slices.BinarySearch(list, item)
				if rng.IntN(10) < phase.inserts {
					if set.Insert(item) == found {
						r.Fatal("insert", item, found)
					}
					if !found {
						list = slices.Insert(list, i, item)
					}
				} else {
					if set.Delete(item) != found {
						r.Fatal("delete", item, found)
					}
					if found {
						list = slices.Delete(list, i, i+1)
					}
				}
				if before, found := set.Rank(item); before != i || found != slices.Contains(list[i:min(i+1, len(list))], item) {
					r.Fatal("rank of", item, before, found, "want", i)
				}
			}
			place := rng.IntN(len(list) + 2)
			if got, want := slices.Collect(set.From(place)), list[min(place, len(list)):]; !slices.Equal(got, want) {
				r.Fatal("from", place, got, "want", want)
			}
			if set.Len() != len(list) {
				r.Fatal("length", set.Len(), len(list))
			}
			for item := range set.From(0) {
				if item != list[0] {
					r.Fatal("first", item)
				}
				break
			}
		}
	})
}

// A set that is made at once has its items, and takes and gives others as any.
func TestSetOfSortedItems(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 47, 48, 49, 64, 65, 48*48 - 1, 48 * 48, 48*48 + 1, 48*48*48 + 1} {
		list := make([]int, size)
		for i := range list {
			list[i] = 2 * i
		}
		set := ranking.Of(cmp.Compare[int], slices.Clone(list))
		if got := slices.Collect(set.From(0)); !slices.Equal(got, list) || set.Len() != size {
			t.Fatalf("%d items: %d", size, set.Len())
		}
		for i := range 200 { // odd ones come, even ones go
			item := i * 7_919 % (2*size + 9)
			place, found := slices.BinarySearch(list, item)
			if before, has := set.Rank(item); before != place || has != found {
				t.Fatalf("%d items: %d is at %d, %t; want %d, %t", size, item, before, has, place, found)
			}
			if found {
				set.Delete(item)
				list = slices.Delete(list, place, place+1)
			} else {
				set.Insert(item)
				list = slices.Insert(list, place, item)
			}
		}
		if got := slices.Collect(set.From(0)); !slices.Equal(got, list) || set.Len() != len(list) {
			t.Fatalf("%d items: %d, want %d", size, set.Len(), len(list))
		}
	}
}

// The tree of a set with nearly all items deleted, in any order, has few nodes: an item beneath is found at once.
func TestDeletedItemsAreForgotten(t *testing.T) {
	t.Parallel()
	set := ranking.New(cmp.Compare[int])
	for i := range 100_000 {
		set.Insert(i)
	}
	for i := range 100_000 {
		if i%1_000 != 0 {
			set.Delete(i)
		}
	}
	if n := set.Nodes(); n > 40 {
		t.Errorf("%d nodes for %d items", n, set.Len())
	}
}

func BenchmarkInsertAndRank(b *testing.B) {
	set := ranking.New(cmp.Compare[int])
	for i := range 1_000_000 {
		set.Insert(i * 7919 % 1_000_003)
	}
	for i := 0; b.Loop(); i++ {
		item := i * 104_729 % 1_000_003
		set.Delete(item)
		set.Insert(item)
		set.Rank(item)
	}
}
