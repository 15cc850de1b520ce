package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"laurel/shared/board"
	"laurel/shared/ledger"
)

// maxUnsettled is how often a user who changes during the audit is read.
const maxUnsettled = 50

// maxRemembered is the number of findings that are remembered, to report each once.
const maxRemembered = 100_000

// An Auditor compares a store with its entries. It is for one audit.
type Auditor struct {
	Store  *Inspector
	Ledger *ledger.Ledger

	Evidence Evidence      // nil: there is no table
	Apply    bool          // write what is proved; else nothing is written
	Report   func(Finding) // each difference, once

	users    atomic.Int64
	members  atomic.Int64
	live     map[int][]lived                 // by shard
	voids    map[int]map[string]board.Moment // by shard
	anyMonth map[*board.Closed]bool
	told     map[string]bool
	doubts   map[Owner]extra
	summary  Totals
}

// Evidence is what is kept of users outside Redis: it proves what an audit removes.
type Evidence interface {
	// Mend merges all of it into Redis. Of the users named the status or the totals are damaged.
	Mend(ctx context.Context, users []string) error
	// Rows calls each with all rows of users of whom asked is true, a user at a time; not for who has none.
	Rows(ctx context.Context, asked func(user string) bool, each func(user string, rows []ledger.Row) error) error
	// Status returns the status page of a user, "" for none.
	Status(user string) string
	// Erased says whether everything of a user was erased.
	Erased(user string) bool
}

// Totals count what an audit checked and found.
type Totals struct {
	Users      int64 `json:"users"`   // with pages; a new one may be counted twice
	Boards     int   `json:"boards"`  // periods of boards, in all shards
	Members    int64 `json:"members"` // of boards and indexes
	Found      int   `json:"found"`
	Repaired   int   `json:"repaired"`
	Misplaced  int   `json:"misplaced"` // users, of those found
	Unrepaired int   `json:"unrepaired"`
}

// Looked returns the numbers of users and of members of boards and indexes that were
// checked so far. It may be called at any time.
func (a *Auditor) Looked() (users, members int64) { return a.users.Load(), a.members.Load() }

// ErrMisplaced is returned by a repair that would use the wrong time zone or number of
// shards. It has written nothing.
var ErrMisplaced = errors.New("audit: pages in other shards or of other days; " +
	"use the time zone and the number of shards of the writers")

// Run does the audit. A repair first audits everything and then writes, so it takes twice
// as long. The error is about the audit itself: the store is unavailable, the context has
// ended, or a repair would do harm.
func (a *Auditor) Run(ctx context.Context) (Totals, error) {
	err := a.run(ctx)
	return a.totals(), err
}

func (a *Auditor) run(ctx context.Context) error {
	if a.Apply {
		damaged, err := a.prepare(ctx)
		if err != nil {
			return err
		}
		defer func() { a.tellMended(damaged) }()
	}
	a.live, a.anyMonth, a.told = map[int][]lived{}, map[*board.Closed]bool{}, map[string]bool{}
	a.doubts = map[Owner]extra{}
	a.voids = map[int]map[string]board.Moment{}
	for shard := range a.Store.Shards() {
		err := a.readPeriods(ctx, shard)
		if err == nil {
			a.voids[shard], err = a.Store.Voids(ctx, shard)
		}
		if err != nil {
			return err
		}
	}
	found, err := a.Store.Scan(ctx, func(owners []Owner) error {
		a.users.Add(int64(len(owners)))
		return a.checkUsers(ctx, owners, extra{})
	}, func(followers []Owner) error { return a.checkFollowers(ctx, followers) })
	if err != nil {
		return err
	}
	a.summary.Boards = len(found.Boards)
	if err = a.checkFound(ctx, found); err == nil {
		err = a.checkDoubts(ctx)
	}
	return err
}

// prepare looks at everything before anything is written, and has the evidence merged. It
// returns what it has found that this may mend: damaged pages, and followed users without
// their ids.
func (a *Auditor) prepare(ctx context.Context) (damaged []Finding, err error) {
	var users []string
	look := &Auditor{Store: a.Store, Ledger: a.Ledger, Report: func(f Finding) {
		if f.Kind != Damaged && f.Kept != lostIDs {
			return
		}
		damaged = append(damaged, f)
		if f.Place == placeOf(ledger.StatusPage()) || f.Place == placeOf(ledger.TotalsPage()) {
			users = append(users, f.User)
		}
	}}
	totals, err := look.Run(ctx)
	switch {
	case err != nil:
		return nil, err
	case totals.Misplaced > 0:
		return nil, ErrMisplaced
	case a.Evidence == nil:
		return nil, nil
	}
	return damaged, a.Evidence.Mend(ctx, users)
}

// checkFound checks everything but users' pages.
func (a *Auditor) checkFound(ctx context.Context, found Found) error {
	for _, key := range found.Others {
		a.tell(Finding{Kind: Damaged, Place: "key " + quoted(key), Is: "not a key of Laurel", Kept: "it is of nobody known"})
	}
	for _, at := range found.Boards {
		if err := a.checkBoard(ctx, at); err != nil {
			return err
		}
	}
	for _, at := range found.Months {
		if err := a.checkMonth(ctx, at); err != nil {
			return err
		}
	}
	for shard := range a.Store.Shards() {
		err := a.Store.ScanPeople(ctx, shard, func(users []string) error {
			a.members.Add(int64(len(users)))
			return a.checkStrays(ctx, shard, users, true, nil, extra{})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *Auditor) totals() Totals {
	t := a.summary
	t.Users, t.Members = a.Looked()
	t.Unrepaired = t.Found - t.Repaired
	return t
}

// readPeriods reads a shard's index of periods, and reports members that are none.
func (a *Auditor) readPeriods(ctx context.Context, shard int) error {
	periods, others, err := a.Store.Periods(ctx, shard)
	if err != nil {
		return err
	}
	a.setLive(shard, periods)
	for _, member := range others {
		f := Finding{Kind: Index, Place: fmt.Sprintf("periods of shard %d", shard), Is: quoted(member) +
			" is not the period of a board"}
		if a.Apply {
			if err := a.Store.IndexPeriod(ctx, shard, member, false); err != nil {
				return err
			}
			f.Repaired = true
		}
		a.tell(f)
	}
	return nil
}

func (a *Auditor) setLive(shard int, periods []BoardAt) {
	a.live[shard] = nil
	for _, at := range periods {
		a.live[shard] = append(a.live[shard], lived{at, months(at.Period)})
	}
}

// tellMended reports what was damaged and is not any more.
func (a *Auditor) tellMended(damaged []Finding) {
	for _, f := range damaged {
		if f.Kept, f.Repaired = "", true; !a.told[f.User+f.Place] {
			a.tell(f)
		}
	}
}

// tell reports a finding once.
func (a *Auditor) tell(f Finding) {
	text := f.String()
	if f.Kind == Damaged || f.Kept == lostIDs {
		a.told[f.User+f.Place] = true
	}
	if a.told[text] {
		return
	}
	if len(a.told) < maxRemembered {
		a.told[text] = true
	}
	a.summary.Found++
	if f.Repaired {
		a.summary.Repaired++
	}
	if f.Kind == Misplaced {
		a.summary.Misplaced++
	}
	a.Report(f)
}

// monthsClosed reports whether any month of the ledger is closed, so that totals may
// include months whose pages are gone.
func (a *Auditor) monthsClosed(closed *board.Closed) bool {
	known, ok := a.anyMonth[closed]
	if !ok {
		for line := range strings.Lines(closed.String()) {
			known = known || strings.HasPrefix(line, "- ")
		}
		a.anyMonth[closed] = known
	}
	return known
}
