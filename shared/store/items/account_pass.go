package items

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/table"
)

// Pass goes over the accounts of all who have an item among the people or a ledger in one of the months, of a bucket,
// in the order of keys: the people's partition and those of the months are read side by side and merged, so that a
// ledger may be newer than the person's item. Comparing, filling, voids and trials walk it.
func (s *Store) Pass(ctx context.Context, months []board.MonthOf, bucket int) iter.Seq2[*Account, error] {
	return ascend(s.table.Ascend).pass(ctx, months, bucket, true, false)
}

// PassEventually is Pass for half of the units: writes of the last second or so may be missing from it.
func (s *Store) PassEventually(ctx context.Context, months []board.MonthOf, bucket int) iter.Seq2[*Account, error] {
	return ascend(s.table.AscendEventually).pass(ctx, months, bucket, true, false)
}

// LedgerPass is Pass of those who have a ledger, without their people's items: the making of final boards reads these
// after the ledgers. Where there are void pairs or merged people, it reads these along.
func (s *Store) LedgerPass(
	ctx context.Context, months []board.MonthOf, bucket int, pairs bool,
) iter.Seq2[*Account, error] {
	return ascend(s.table.Ascend).pass(ctx, months, bucket, false, pairs)
}

func (read ascend) pass(
	ctx context.Context, months []board.MonthOf, bucket int, withPeople, withPairs bool,
) iter.Seq2[*Account, error] {
	return func(yield func(*Account, error) bool) {
		var walks []holder
		personRow, ledgerRow := rowBy(decodePerson), rowBy(decodeLedger)
		if withPeople {
			walks = append(walks, holder{read.walk(ctx, people(bucket)), func(a *Account, item table.Item) error {
				a.Person = personRow(item)
				return a.Person.Err
			}})
		}
		if withPairs {
			walks = append(walks, holder{read.walk(ctx, people(bucket)), func(a *Account, item table.Item) error {
				a.pairs = personRow(item).Value // damage is found where the people are read
				return nil
			}})
		}
		for _, m := range months {
			walks = append(walks, holder{read.walk(ctx, ledgers(m, bucket)), func(a *Account, item table.Item) error {
				row := ledgerRow(item)
				if row.Err == nil {
					a.Ledgers[m] = row
				}
				return row.Err
			}})
		}
		for {
			sort, err := least(walks)
			if err != nil {
				yield(nil, err)
				return
			}
			if sort == "" {
				return
			}
			account := accountAt(walks, sort, !withPeople)
			account.Months = months
			if !account.empty() && !yield(account, nil) {
				return
			}
		}
	}
}

// empty says whether a pass of ledgers has met no ledger of a person.
func (a *Account) empty() bool { return a.alone && len(a.Ledgers) == 0 && a.Err == nil }

// A holder is a walk over one kind of items, and the function that puts them into an account.
type holder struct {
	*walk
	put func(*Account, table.Item) error
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

// accountAt takes the items of a sort key from all walks.
func accountAt(walks []holder, sort string, alone bool) *Account {
	a := &Account{Ledgers: map[board.MonthOf]Row[*ledger.MonthLedger]{}, alone: alone}
	a.Key, a.Err = ParseKey(sort)
	for _, w := range walks {
		if len(w.items) > 0 && w.items[0].Sort == sort {
			a.Err = errors.Join(a.Err, w.put(a, w.items[0]))
			w.take()
		}
	}
	a.identify()
	return a
}

// DeleteMonth deletes all ledgers of a month and returns how many; it may be done again.
func (s *Store) DeleteMonth(ctx context.Context, month board.MonthOf) (int64, error) {
	var n atomic.Int64
	err := EachBucket(ctx, func(ctx context.Context, bucket int) error {
		deleted, err := s.deleteAll(ctx, ledgers(month, bucket), afterAll)
		n.Add(deleted)
		return err
	})
	return n.Load(), wrap("delete the ledgers of "+month.String(), err)
}

// deleteAll deletes the items of a partition up to one.
func (s *Store) deleteAll(ctx context.Context, partition, last string) (n int64, err error) {
	for {
		items, err := s.table.Ascend(ctx, partition, "", last, pageLen)
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
