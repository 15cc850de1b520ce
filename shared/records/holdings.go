package records

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

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
// of a bucket, in the order of keys: the people's partition and those of the months are read
// side by side and merged. It is what comparing, filling and voids walk.
func (s *Store) Holdings(ctx context.Context, months []board.MonthOf, bucket int) iter.Seq2[Holding, error] {
	return s.holdings(ctx, months, bucket, true)
}

// Holders is Holdings of those who have a ledger, without their people's items, which are not
// read: what makes boards final reads them after the ledgers.
func (s *Store) Holders(ctx context.Context, months []board.MonthOf, bucket int) iter.Seq2[Holding, error] {
	return s.holdings(ctx, months, bucket, false)
}

func (s *Store) holdings(
	ctx context.Context, months []board.MonthOf, bucket int, withPeople bool,
) iter.Seq2[Holding, error] {
	return func(yield func(Holding, error) bool) {
		var walks []holder
		if withPeople {
			walks = append(walks, holder{s.walk(ctx, people(bucket)), func(h *Holding, item table.Item) error {
				h.Person = rowOf(item, decodePerson)
				return h.Person.Err
			}})
		}
		for _, m := range months {
			walks = append(walks, holder{s.walk(ctx, ledgers(m, bucket)), func(h *Holding, item table.Item) error {
				row := rowOf(item, decodeLedger)
				if row.Err == nil {
					h.Ledgers[m] = row
				}
				return row.Err
			}})
		}
		for {
			sort, err := least(walks)
			if err != nil {
				yield(Holding{}, err)
				return
			}
			if sort == "" || !yield(hold(walks, sort), nil) {
				return
			}
		}
	}
}

// A holder is a walk over one kind of items, and what puts them into what is held of a person.
type holder struct {
	*walk
	put func(*Holding, table.Item) error
}

// least returns the least sort key that any walk is at, "" if all are at their end.
func least(walks []holder) (sort string, err error) {
	for _, w := range walks {
		err = cmp.Or(err, w.err)
		if len(w.items) > 0 && (sort == "" || w.items[0].Sort < sort) {
			sort = w.items[0].Sort
		}
	}
	return sort, err
}

// hold takes the items of a sort key from all walks.
func hold(walks []holder, sort string) Holding {
	h := Holding{Ledgers: map[board.MonthOf]Row[*ledger.MonthLedger]{}}
	h.Key, h.Err = ParseKey(sort)
	for _, w := range walks {
		if len(w.items) > 0 && w.items[0].Sort == sort {
			h.Err = errors.Join(h.Err, w.put(&h, w.items[0]))
			w.take()
		}
	}
	return h
}

// deletesAtOnce is how many buckets of a month are deleted side by side.
const deletesAtOnce = 8

// DeleteMonth deletes all ledgers of a month and returns how many; it may be done again.
func (s *Store) DeleteMonth(ctx context.Context, month board.MonthOf) (int64, error) {
	var n atomic.Int64
	var all errgroup.Group
	all.SetLimit(deletesAtOnce)
	for bucket := range Buckets {
		all.Go(func() error {
			deleted, err := s.deleteAll(ctx, ledgers(month, bucket))
			n.Add(deleted)
			return err
		})
	}
	err := all.Wait()
	return n.Load(), wrap("delete the ledgers of "+month.String(), err)
}

// deleteAll deletes the items of a partition.
func (s *Store) deleteAll(ctx context.Context, partition string) (n int64, err error) {
	for {
		items, err := s.table.Ascend(ctx, partition, "", afterAll, pageLen)
		if err != nil || len(items) == 0 {
			return n, err
		}
		keys := make([]table.Key, len(items))
		for i, item := range items {
			keys[i] = item.Key
		}
		if err := s.table.Delete(ctx, keys...); err != nil {
			return n, err
		}
		n += int64(len(keys))
	}
}
