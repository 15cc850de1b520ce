package records

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// A Holding is everything of one person that a pass over several months meets together.
type Holding struct {
	Key     Key
	Person  Row[*Person]
	Ledgers map[board.MonthOf]Row[*ledger.MonthLedger] // those that there are
	Err     error                                      // of this person alone: an item is damaged
}

// Holdings goes over all who have an item among the people or a ledger in one of the months,
// of a bucket, in the order of keys, after one: the people's partition and those of the
// months are read side by side and merged. It is what comparing, filling, voids and
// importing walk.
func (s *Store) Holdings(ctx context.Context, months []board.MonthOf, bucket int, after Key) iter.Seq2[Holding, error] {
	return s.holdings(ctx, months, bucket, after, true)
}

// Holders is Holdings of those who have a ledger, without their people's items, which are not
// read: what makes boards final reads them after the ledgers.
func (s *Store) Holders(ctx context.Context, months []board.MonthOf, bucket int, after Key) iter.Seq2[Holding, error] {
	return s.holdings(ctx, months, bucket, after, false)
}

func (s *Store) holdings(
	ctx context.Context, months []board.MonthOf, bucket int, after Key, withPeople bool,
) iter.Seq2[Holding, error] {
	return func(yield func(Holding, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		walks := []*walk{{}} // at its end
		if withPeople {
			walks[0] = s.walk(ctx, people(bucket), after.after())
		}
		for _, m := range months {
			walks = append(walks, s.walk(ctx, ledgers(m, bucket), after.after()))
		}
		defer func() {
			cancel()
			for _, w := range walks {
				w.stop()
			}
		}()
		for {
			sort, ok := least(walks)
			if !ok {
				break
			}
			if !yield(hold(walks, months, sort), nil) {
				return
			}
		}
		for _, w := range walks {
			if w.err != nil {
				yield(Holding{}, w.err)
				return
			}
		}
	}
}

// least returns the least sort key that any walk is at; false if all are at their end, or one
// has failed.
func least(walks []*walk) (sort string, ok bool) {
	for _, w := range walks {
		item, there := w.peek()
		if w.err != nil {
			return "", false
		}
		if there && (!ok || item.Sort < sort) {
			sort, ok = item.Sort, true
		}
	}
	return sort, ok
}

// hold takes the items of a sort key from all walks.
func hold(walks []*walk, months []board.MonthOf, sort string) Holding {
	h := Holding{Ledgers: map[board.MonthOf]Row[*ledger.MonthLedger]{}}
	h.Key, h.Err = ParseKey(sort)
	for i, w := range walks {
		item, there := w.peek()
		if !there || item.Sort != sort {
			continue
		}
		w.take()
		var err error
		if i == 0 {
			h.Person, err = rowOf(item, decodePerson)
		} else {
			var row Row[*ledger.MonthLedger]
			if row, err = rowOf(item, decodeLedger); err == nil {
				h.Ledgers[months[i-1]] = row
			}
		}
		h.Err = errors.Join(h.Err, err)
	}
	return h
}

// deletesAtOnce is how many buckets of a month are deleted side by side.
const deletesAtOnce = 8

// DeleteMonth deletes all ledgers of a month and returns how many; it may be done again.
func (s *Store) DeleteMonth(ctx context.Context, month board.MonthOf) (int64, error) {
	counts, errs := make([]int64, Buckets), make([]error, Buckets)
	var all sync.WaitGroup
	for first := range deletesAtOnce {
		all.Go(func() {
			for b := first; b < Buckets; b += deletesAtOnce {
				counts[b], errs[b] = s.deleteAll(ctx, ledgers(month, b))
			}
		})
	}
	all.Wait()
	var n int64
	for _, count := range counts {
		n += count
	}
	return n, wrap("delete the ledgers of "+month.String(), errors.Join(errs...))
}

// deleteAll deletes the items of a partition.
func (s *Store) deleteAll(ctx context.Context, partition string) (n int64, err error) {
	for {
		items, err := s.table.Ascend(ctx, partition, "", afterAll, pageLen)
		if err != nil || len(items) == 0 {
			return n, err
		}
		for some := range slices.Chunk(items, 25) {
			keys := make([]table.Key, len(some))
			for i, item := range some {
				keys[i] = item.Key
			}
			if err := s.table.Delete(ctx, keys...); err != nil {
				return n, err
			}
			n += int64(len(keys))
		}
	}
}
