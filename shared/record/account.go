package record

import (
	"errors"
	"fmt"
	"time"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/table"
)

// errStale is of a ledger that was begun after a later erasure than the person's item names that
// was read with it: all has to be read again, as after a conflict.
var errStale = fmt.Errorf("record: a ledger is newer than the person's item: %w", table.ErrConflict)

// AccountOf returns the account of a user as it was read: of the person's item, and of those
// ledgers that were asked for. The error is of this user alone: an item is damaged, or was read
// while an erasure went on.
func AccountOf(head *records.Head, found *records.Found, user string) (*ledger.Account, error) {
	key := head.KeyOf(user)
	var months []board.MonthOf
	for k := range found.Ledgers {
		if k.Person == key {
			months = append(months, k.Month)
		}
	}
	return accountOf(holdingOf(found, key, months), user, months)
}

// accountOf is AccountOf of what was read of a person, and of those months alone.
func accountOf(h records.Holding, user string, months []board.MonthOf) (*ledger.Account, error) {
	if h.Err != nil {
		return nil, h.Err
	}
	a := newAccount(user, h.Person.Value)
	for _, m := range months {
		if err := take(a, m, h.Ledgers[m].Value); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// holdingOf returns what was read of a person.
func holdingOf(found *records.Found, key records.Key, months []board.MonthOf) records.Holding {
	h := records.Holding{Key: key, Person: found.People[key], Err: found.People[key].Err}
	h.Ledgers = make(map[board.MonthOf]records.Row[*ledger.MonthLedger], len(months))
	for _, m := range months {
		row := found.Ledgers[records.LedgerKey{Person: key, Month: m}]
		h.Ledgers[m], h.Err = row, errors.Join(h.Err, row.Err)
	}
	return h
}

// newAccount returns the account of a user without ledgers. A person who has no item is nil.
func newAccount(user string, p *records.Person) *ledger.Account {
	a := &ledger.Account{User: user, Months: make(map[board.MonthOf]*ledger.MonthLedger, 2)}
	if p == nil {
		return a
	}
	a.Status, a.Erased, a.Totals = p.Status, p.Erased, p.Totals
	if since, err := time.Parse(time.RFC3339, p.Name.Since); err == nil {
		a.Since = board.MomentOf(since)
	}
	return a
}

// take puts a ledger that was read, nil for none, into an account. One that was begun after an
// earlier erasure counts as absent.
func take(a *ledger.Account, month board.MonthOf, m *ledger.MonthLedger) error {
	switch {
	case m == nil, m.After < a.Erased:
		a.Months[month] = nil
	case m.After > a.Erased:
		return errStale
	default:
		a.Months[month] = m
	}
	return nil
}
