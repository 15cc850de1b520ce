package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

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
	Looked   func(int64)   // is told the number of users that were checked so far; may be nil

	Cursor *Cursor     // where to begin, and then how far it is; nil: the beginning
	Pause  func() bool // says that the time is over: Run returns ErrPaused soon; may be nil

	live     map[int][]lived                 // by shard
	voids    map[int]map[string]board.Moment // by shard
	anyMonth map[*board.Closed]bool
	doubts   map[Owner]extra
}

// ErrPaused is returned by what goes on later from its cursor.
var ErrPaused = errors.New("paused")

// A Cursor is how far an audit is. What Run has returned it with, beside nil or ErrPaused,
// another Auditor goes on from.
type Cursor struct {
	Look    *Cursor   `json:"look,omitempty"`    // of the audit before anything is written
	Mending bool      `json:"mending,omitempty"` // that one has ended
	Mended  bool      `json:"mended,omitempty"`  // the evidence is merged
	Damaged []Finding `json:"damaged,omitempty"` // before that
	Scanned Scanned   `json:"scanned,omitzero"`
	Checked int       `json:"checked,omitempty"` // boards, months and shards
	Totals  Totals    `json:"totals,omitzero"`

	Told map[uint64]bool `json:"told,omitempty"` // hashes of findings, and of places of damage
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

// ErrMisplaced is returned by a repair that would use the wrong time zone or number of
// shards. It has written nothing.
var ErrMisplaced = errors.New("audit: pages in other shards or of other days; " +
	"use the time zone and the number of shards of the writers")

// Run does the audit. A repair first audits everything and then writes, so it takes twice
// as long. The error is about the audit itself: the store is unavailable, the context has
// ended, or a repair would do harm; or it is ErrPaused.
func (a *Auditor) Run(ctx context.Context) (Totals, error) {
	if a.Cursor == nil {
		a.Cursor = &Cursor{}
	}
	if a.Cursor.Told == nil {
		a.Cursor.Told = map[uint64]bool{}
	}
	err := a.run(ctx)
	a.Cursor.Totals.Unrepaired = a.Cursor.Totals.Found - a.Cursor.Totals.Repaired
	return a.Cursor.Totals, err
}

func (a *Auditor) run(ctx context.Context) error {
	if a.Apply && !a.Cursor.Mended {
		if err := a.prepare(ctx); err != nil {
			return err
		}
	}
	a.live, a.anyMonth = map[int][]lived{}, map[*board.Closed]bool{}
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
	err := a.Store.Scan(ctx, &a.Cursor.Scanned, a.Pause, func(owners []Owner) error {
		a.looked(len(owners))
		return a.checkUsers(ctx, owners, extra{})
	}, func(followers []Owner) error { return a.checkFollowers(ctx, followers) })
	if err == nil {
		err = a.checkFound(ctx)
	}
	if err != nil && !errors.Is(err, ErrPaused) {
		return err
	}
	if err := a.checkDoubts(ctx); err != nil {
		return err
	}
	a.tellMended(err == nil)
	return err
}

// looked counts users that are checked.
func (a *Auditor) looked(users int) {
	if a.Cursor.Totals.Users += int64(users); a.Looked != nil {
		a.Looked(a.Cursor.Totals.Users)
	}
}

// prepare looks at everything before anything is written, and has the evidence merged. It
// keeps what it has found that this may mend: damaged pages, and followed users without
// their ids.
func (a *Auditor) prepare(ctx context.Context) error {
	c := a.Cursor
	if !c.Mending {
		if c.Look == nil {
			c.Look = &Cursor{}
		}
		look := &Auditor{Store: a.Store, Ledger: a.Ledger, Cursor: c.Look, Pause: a.Pause, Report: func(f Finding) {
			if f.Kind == Damaged || f.Kept == lostIDs {
				c.Damaged = append(c.Damaged, f)
			}
		}}
		if totals, err := look.Run(ctx); err != nil {
			return err
		} else if totals.Misplaced > 0 {
			return ErrMisplaced
		}
		c.Look, c.Mending = nil, true
	}
	if a.Evidence == nil {
		c.Damaged, c.Mended = nil, true
		return nil
	}
	var users []string
	for _, f := range c.Damaged {
		if f.Place == placeOf(ledger.StatusPage()) || f.Place == placeOf(ledger.TotalsPage()) {
			users = append(users, f.User)
		}
	}
	err := a.Evidence.Mend(ctx, users)
	c.Mended = err == nil
	return err
}

// checkFound checks everything but users' pages, from where it was.
func (a *Auditor) checkFound(ctx context.Context) error {
	c := a.Cursor
	if c.Totals.Boards = len(c.Scanned.Boards); c.Checked == 0 {
		for _, key := range c.Scanned.Others {
			a.tell(Finding{
				Kind: Damaged, Place: "key " + quoted(key), Is: "not a key of Laurel", Kept: "it is of nobody known",
			})
		}
	}
	boards, months := len(c.Scanned.Boards), len(c.Scanned.Months)
	for ; c.Checked < boards+months+a.Store.Shards(); c.Checked++ {
		if a.Pause != nil && a.Pause() {
			return ErrPaused
		}
		var err error
		switch n := c.Checked; {
		case n < boards:
			err = a.checkBoard(ctx, c.Scanned.Boards[n])
		case n < boards+months:
			err = a.checkMonth(ctx, c.Scanned.Months[n-boards])
		default:
			shard := n - boards - months
			err = a.Store.ScanPeople(ctx, shard, func(users []string) error {
				a.Cursor.Totals.Members += int64(len(users))
				return a.checkStrays(ctx, shard, users, true, nil, extra{})
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
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

// tellMended reports, at the end of the audit, what was damaged and is not any more.
func (a *Auditor) tellMended(ended bool) {
	c := a.Cursor
	c.Damaged = slices.DeleteFunc(c.Damaged, func(f Finding) bool { return c.Told[xxhash.Sum64String(f.User+f.Place)] })
	if !ended {
		return
	}
	for _, f := range c.Damaged {
		f.Kept, f.Repaired = "", true
		a.tell(f)
	}
	c.Damaged = nil
}

// tell reports a finding once.
func (a *Auditor) tell(f Finding) {
	told, text := a.Cursor.Told, xxhash.Sum64String(f.String())
	if f.Kind == Damaged || f.Kept == lostIDs {
		told[xxhash.Sum64String(f.User+f.Place)] = true
	}
	if told[text] {
		return
	}
	if len(told) < maxRemembered {
		told[text] = true
	}
	a.Cursor.Totals.Found++
	if f.Repaired {
		a.Cursor.Totals.Repaired++
	}
	if f.Kind == Misplaced {
		a.Cursor.Totals.Misplaced++
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
