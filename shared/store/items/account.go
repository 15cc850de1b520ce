package items

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/table"
)

// An Account is all that was read of one person: the items that were asked for, or that a pass meets.
type Account struct {
	ID      string // of the person; "" in a pass that meets an erased one
	Key     Key
	Person  Row[*Person]
	Ledgers map[board.MonthOf]Row[*ledger.MonthLedger]
	Months  []board.MonthOf // whose ledgers were looked for
	Err     error           // of this person alone: an item is damaged

	alone bool    // the ledgers, without the person's item
	pairs *Person // whose void pairs and own keys hold for an account that is alone; nil: none
}

// errStale is of a ledger that was begun after a later erasure than the person's item names: the two were not read at
// one moment, and are read again, as after a conflict.
var errStale = fmt.Errorf("items: a ledger is newer than the person's item: %w", table.ErrConflict)

// Counting returns the part of the account that counts, in some months. A ledger that was begun after an earlier
// erasure than the last one counts as absent; without the person's item, the last erasure is the latest that a ledger
// names. The error wraps table.ErrConflict if a ledger is newer than the person's item.
func (a *Account) Counting(months ...board.MonthOf) (*ledger.Account, error) {
	if a.Err != nil {
		return nil, a.Err
	}
	counting := &ledger.Account{User: a.ID, Months: make(map[board.MonthOf]*ledger.MonthLedger, len(months))}
	if p := a.Person.Value; p != nil {
		asked := p.Asked()
		asked.Months, asked.User, asked.Totals, asked.Own = counting.Months, a.ID, p.Totals, p.Own(a.Key)
		counting = asked
	}
	if a.alone {
		counting.Erased = a.latestErasure()
		if a.pairs != nil {
			counting.VoidWith, counting.WasVoid = a.pairs.voidWith()
			counting.Own = a.pairs.Own(a.Key)
		}
	}
	for _, m := range months {
		counting.Months[m] = nil
		switch kept := a.Ledgers[m].Value; {
		case kept == nil, kept.After < counting.Erased:
		case kept.After > counting.Erased:
			return nil, errStale
		default:
			counting.Months[m] = kept
		}
	}
	return counting, nil
}

// latestErasure returns the latest erasure after which a ledger was begun.
func (a *Account) latestErasure() (latest board.Moment) {
	for _, row := range a.Ledgers {
		if row.Value != nil {
			latest = max(latest, row.Value.After)
		}
	}
	return latest
}

// identify finds the id of the person of whom a pass has met items. Without the person's item, a ledger from before
// the latest erasure tells nobody's.
func (a *Account) identify() {
	if p := a.Person.Value; p != nil {
		a.ID = p.ID
	}
	latest := a.latestErasure()
	for _, row := range a.Ledgers {
		if row.Value != nil && (!a.alone || row.Value.After == latest) {
			a.ID = cmp.Or(a.ID, row.Value.User)
		}
	}
}

// Account returns the items that were read of the user with a key, with the ledgers of some months.
func (f *Found) Account(user string, key Key, months []board.MonthOf) *Account {
	a := &Account{ID: user, Key: key, Person: f.People[key], Months: months, Err: f.People[key].Err}
	a.Ledgers = make(map[board.MonthOf]Row[*ledger.MonthLedger], len(months))
	for _, m := range months {
		row := f.Ledgers[LedgerKey{Person: key, Month: m}]
		a.Ledgers[m], a.Err = row, errors.Join(a.Err, row.Err)
	}
	return a
}

// Accounts reads the accounts of users, with the ledgers of the months that a head tells, all at that head.
func (s *Store) Accounts(ctx context.Context, users []string, months func(*Head) []board.MonthOf) (
	*Head, []*Account, error,
) {
	accounts := make([]*Account, len(users))
	var keys []Key
	var asked []board.MonthOf
	found, err := s.LoadBy(ctx, func(head *Head) (q Query) {
		asked, keys = months(head), head.KeysOf(users)
		for _, key := range keys {
			q.AddAccount(key, asked)
		}
		return q
	})
	if err != nil {
		return nil, nil, err
	}
	for i, user := range users {
		accounts[i] = found.Account(user, keys[i], asked)
	}
	return found.Head, accounts, nil
}

// Asked returns the part of an account by which boards choose people, and the void pairs; without a person's item, that
// of a person in no group, whose account is of an unknown day.
func (p *Person) Asked() *ledger.Account {
	if p == nil {
		return &ledger.Account{}
	}
	a := &ledger.Account{Status: p.Status, Erased: p.Erased, Groups: p.Profile.Groups}
	a.VoidWith, a.WasVoid = p.voidWith()
	if since, err := time.Parse(time.RFC3339, p.Profile.Since); err == nil {
		a.Since = board.MomentOf(since)
	}
	return a
}

// Changes returns the writes of the ledgers that were decided to change, on the revisions of the account.
func (a *Account) Changes(d ledger.Decided) []Change {
	changes := make([]Change, len(d.Changed))
	for i, m := range d.Changed {
		changes[i] = a.NextLedger(m, d.Account.Months[m])
	}
	return changes
}

// LiveMonths returns the months that are not final, by the clock.
func (h *Head) LiveMonths(calendar *board.Calendar, now board.Moment) []board.MonthOf {
	return h.Life.LiveMonths(h.From, calendar.Date(now.Add(ledger.MaxAhead)).Month())
}

// FollowedMonths returns the months whose ledgers the view follows, by the clock: those that count on live boards, and
// those of contests that are not final.
func (h *Head) FollowedMonths(l *ledger.Ledger, now board.Moment) []board.MonthOf {
	last := l.Calendar().Date(now.Add(ledger.MaxAhead)).Month()
	return h.Life.FollowedMonths(h.From, last, l.Rules().Contests())
}

// ReadMonths returns the months that the view follows, and those that rolling periods with last days from one to
// another touch: the months whose ledgers places are made of, in order.
func (h *Head) ReadMonths(l *ledger.Ledger, now board.Moment, first, last board.Date) []board.MonthOf {
	months := append(h.FollowedMonths(l, now), h.RollingMonths(l, first, last)...)
	slices.Sort(months)
	return slices.Compact(months)
}

// RollingMonths returns the months that such rolling periods have days of, from the forum's first month on.
func (h *Head) RollingMonths(l *ledger.Ledger, first, last board.Date) []board.MonthOf {
	return slices.DeleteFunc(l.RollingMonths(first, last), func(m board.MonthOf) bool { return h.From == 0 || m < h.From })
}

// maxLoads is how often a query is read for until one head tells all of it.
const maxLoads = 4

// Load reads the items of a query, strongly consistent: all at one head, and no ledger of an account that was begun
// after the erasure that its person's item names. next takes the rows of a read with their head, and returns the query
// by these if that may be another one: if it asks for anything more, all of it is read. A read is repeated while an
// erasure comes between; mostly there is one. A table that was never used is begun.
func (s *Store) Load(ctx context.Context, q Query, next func(*Found) (q Query, other bool)) (*Found, error) {
	for loads, stale := 0, 0; loads < maxLoads; {
		found, err := s.Read(ctx, q)
		if err == nil && found.Head == nil {
			found.Head, err = s.Head(ctx)
		}
		switch {
		case err != nil:
			return nil, err
		case found.stale():
			if err := BackOff(ctx, stale); err != nil {
				return nil, err
			}
			stale++
			continue
		}
		wanted, other := next(found)
		if !other || q.covers(wanted) {
			return found, nil
		}
		q = wanted
		loads++
	}
	return nil, fmt.Errorf("items: %w: the forum's head keeps changing", table.ErrUnavailable)
}

// LoadBy is Load of a query that depends on the head alone.
func (s *Store) LoadBy(ctx context.Context, ask func(*Head) Query) (*Found, error) {
	head, err := s.Known(ctx)
	if err != nil {
		return nil, err
	}
	return s.Load(ctx, ask(head), func(f *Found) (Query, bool) {
		if f.Head == head {
			return Query{}, false
		}
		head = f.Head
		return ask(head), true
	})
}

// stale says whether a ledger was begun after a later erasure than the person's item names that was read with it.
func (f *Found) stale() bool {
	for key, row := range f.Ledgers {
		person, read := f.People[key.Person]
		if row.Value == nil || !read || person.Err != nil {
			continue
		}
		if p := person.Value; row.Value.After != 0 && (p == nil || row.Value.After > p.Erased) {
			return true
		}
	}
	return false
}

// AddAccount asks for a person and the ledgers of months.
func (q *Query) AddAccount(key Key, months []board.MonthOf) {
	q.People = append(q.People, key)
	for _, m := range months {
		q.Ledgers = append(q.Ledgers, LedgerKey{Person: key, Month: m})
	}
}

// covers says whether a query asks for all that another one asks for.
func (q *Query) covers(other Query) bool {
	return covers(q.People, other.People) && covers(q.Ledgers, other.Ledgers) && covers(q.Follows, other.Follows) &&
		covers(q.Articles, other.Articles) && covers(q.Voids, other.Voids) && covers(q.Erasures, other.Erasures) &&
		covers(q.Merges, other.Merges)
}

func covers[K comparable](all, some []K) bool {
	if slices.Equal(all, some) {
		return true
	}
	has := make(map[K]bool, len(all))
	for _, k := range all {
		has[k] = true
	}
	return !slices.ContainsFunc(some, func(k K) bool { return !has[k] })
}
