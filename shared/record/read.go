package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/table"
)

// maxReads is how often a batch reads until it has all that it needs: what that is follows
// from what was read, as far as it was not known.
const maxReads = 4

// read reads all that tasks need, strongly consistent and in one call.
func (b *batch) read(ctx context.Context, tasks []*task) error {
	for _, t := range tasks {
		t.months = b.monthsOf(t)
	}
	for range maxReads {
		b.began = b.Real()
		asked := b.query(tasks)
		found, err := b.Records.Read(ctx, asked)
		if err != nil {
			return err
		}
		if found.Head == nil {
			if b.head, err = b.Records.Head(ctx); err != nil {
				return err
			}
			continue
		}
		before := b.head
		b.head, b.found = found.Head, found
		if b.hasAll(tasks, asked, before) {
			return nil
		}
	}
	return fmt.Errorf("%w: the forum's head keeps changing", table.ErrUnavailable)
}

// hasAll says whether what was read is all that tasks need, and else has the next read ask for the rest.
func (b *batch) hasAll(tasks []*task, asked records.Query, before *records.Head) bool {
	all := b.head.Voids == before.Voids || len(asked.Voids) > 0
	if !bytes.Equal(b.head.Secret, before.Secret) {
		for _, t := range tasks {
			t.key = b.head.KeyOf(t.user)
		}
		all = false
	}
	for _, t := range tasks {
		if b.head == before && !slices.ContainsFunc(t.acts, article.IsVote) {
			continue
		}
		for _, m := range b.monthsOf(t) {
			if !slices.Contains(t.months, m) {
				t.months, all = append(t.months, m), false
			}
		}
	}
	return all
}

// monthsOf returns the months whose ledgers a task needs, by the head and the articles that are known.
func (b *batch) monthsOf(t *task) []board.MonthOf {
	t.own = b.Ledger.MonthsOf(t.acts, b.head.Life)
	months := slices.Clip(t.own)
	if b.Ledger.KeepsLong() && !b.quiet {
		months = append(months, b.liveMonths(b.head)...)
	}
	for i := range t.acts {
		if !article.IsVote(t.acts[i]) {
			continue
		}
		// Before the article is known: of a like in the first days of a month it may be of the month before.
		voting := time.Duration(b.Ledger.Rules().Articles().VotingDays) * 24 * time.Hour
		month := b.Ledger.Calendar().Date(t.acts[i].At.Add(-voting)).Month()
		if b.found != nil {
			var ok bool
			if _, month, ok = b.voteOf(t.acts[i]); !ok {
				continue
			}
		}
		if !b.head.Life.Closed(board.PeriodOf(board.Month, month.First())) {
			months = append(months, month)
		}
	}
	slices.Sort(months)
	return slices.Compact(months)
}

// liveMonths returns the months whose ledgers count on live boards.
func (r *Recorder) liveMonths(head *records.Head) []board.MonthOf {
	last := r.Ledger.Calendar().Date(r.now().Add(ledger.MaxAhead)).Month()
	return head.Life.LiveMonths(head.From, last)
}

// query names what tasks need. What two of them need is there twice.
func (b *batch) query(tasks []*task) records.Query {
	q := records.Query{People: make([]records.Key, 0, len(tasks)), Ledgers: make([]records.LedgerKey, 0, len(tasks))}
	for _, t := range tasks {
		q.People = append(q.People, t.key)
		for _, m := range t.months {
			q.Ledgers = append(q.Ledgers, records.LedgerKey{Person: t.key, Month: m})
		}
		for i := range t.acts {
			a := &t.acts[i]
			if b.Ledger.Follows(a) {
				q.People = append(q.People, b.head.KeyOf(a.Target))
				q.Follows = append(q.Follows, records.FollowsKey{Person: t.key, Part: records.FollowPartOf(a.Target)})
				continue
			}
			if b.Ledger.Asks(a) || article.IsVote(*a) {
				q.Articles = append(q.Articles, a.Target)
			}
			if b.head.Voids && a.Target != "" {
				q.Voids = append(q.Voids, a.Target)
			}
		}
	}
	return q
}

// errStale is of a ledger that was begun after a later erasure than the person's item names that
// was read with it: all has to be read again, as after a conflict.
var errStale = fmt.Errorf("record: a ledger is newer than the person's item: %w", table.ErrConflict)

// AccountOf returns the account of a user as it was read: of the person's item, and of those ledgers that were asked
// for. The error is of this user alone: an item is damaged, or was read while an erasure went on.
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

// accountOf is AccountOf of what was read of a person, and of those months alone. A ledger that was begun
// after an earlier erasure counts as absent.
func accountOf(h records.Holding, user string, months []board.MonthOf) (*ledger.Account, error) {
	if h.Err != nil {
		return nil, h.Err
	}
	a := &ledger.Account{User: user, Months: make(map[board.MonthOf]*ledger.MonthLedger, 2)}
	if p := h.Person.Value; p != nil {
		a.Status, a.Erased, a.Totals = p.Status, p.Erased, p.Totals
		if since, err := time.Parse(time.RFC3339, p.Name.Since); err == nil {
			a.Since = board.MomentOf(since)
		}
	}
	for _, m := range months {
		a.Months[m] = nil
		switch of := h.Ledgers[m].Value; {
		case of == nil, of.After < a.Erased:
		case of.After > a.Erased:
			return nil, errStale
		default:
			a.Months[m] = of
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
