package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
)

// place is a board's period.
type place struct {
	board  string
	period board.Period
}

func (p place) String() string {
	return fmt.Sprintf("board %s %s %s", p.board, p.period.Window(), p.period)
}

// expected is a user's data that follows from the entries on the pages.
type expected struct {
	months   []board.MonthOf // that have a page
	scores   map[place]board.Packed
	pages    []ledger.Page // that differ
	missing  map[ledger.PageKey]bool
	findings []Finding
	unknown  bool // a page is damaged, so the scores are not known
	damaged  bool // some page is, or a field that is no page
	status   ledger.UserStatus
	follows  *ledger.FollowList // nil when the page is damaged
	listed   bool               // there is a follows page
}

// expect computes a user's data from the entries.
func (a *Auditor) expect(h Holding) expected {
	e := expected{scores: map[place]board.Packed{}, missing: map[ledger.PageKey]bool{}}
	for _, name := range h.Others {
		e.findings = append(e.findings,
			Finding{
				Kind: Damaged, User: h.User, Place: "pages", Is: "the field " + quoted(name) + " is no page",
				Kept: "it is of nobody known",
			})
	}
	pages := maps.Clone(h.Pages)
	e.expectPerson(h)
	delete(pages, ledger.FollowsPage())
	if !a.monthsClosed(h.Closed) {
		delete(pages, ledger.TotalsPage()) // they follow from the months, which are all stored
	}
	ref := reference.New(a.Ledger.Rules(), a.Ledger.Calendar())
	for _, key := range slices.SortedFunc(maps.Keys(pages), compareKeys) {
		if key == ledger.TotalsPage() || key == ledger.StatusPage() {
			continue
		}
		own, err := a.enter(ref, h.User, key, pages)
		if err != nil {
			e.damage(h.User, key, err)
			continue
		}
		if !own {
			e.unknown = true
			e.findings = append(e.findings,
				Finding{
					Kind: Misplaced, User: h.User, Place: "page " + key.String(),
					Is: "entries of other days; check the time zone", Kept: "with these settings nothing is repaired",
				})
		}
		month, _ := key.Month()
		if _, known := pages[ledger.MonthPage(month)]; !known {
			e.missing[ledger.MonthPage(month)] = true
			pages[ledger.MonthPage(month)] = ""
		}
		e.months = append(e.months, month)
	}
	slices.Sort(e.months)
	e.months = slices.Compact(e.months)
	if e.unknown {
		return e
	}
	changes, err := a.Ledger.Rebuild(pages, h.Closed)
	if err != nil { // the totals; the other pages were read above
		e.damage(h.User, ledger.TotalsPage(), err)
		return e
	}
	for _, move := range changes.Scores {
		e.scores[place{move.Board, move.Period}] = move.Packed
	}
	e.comparePages(h, changes.Pages)
	e.compareReference(a, h, ref)
	e.compareVoids(a, h)
	return e
}

// compareVoids adds the entries on void targets that no pass has undone, unless one is
// running.
func (e *expected) compareVoids(a *Auditor, h Holding) {
	_, rows, err := a.Ledger.Void(h.User, h.Pages, h.Closed, a.voids[h.Shard])
	if err != nil {
		return // the damaged page was found before
	}
	for _, r := range rows {
		e.findings = append(e.findings, Finding{
			Kind: Voided, User: h.User, Place: "page " + r.Page.String(),
			Is:     r.Action + " of a target that is void until " + r.At.String(),
			Should: "undone", Kept: "unless a pass is running, have the voids carried out again",
		})
	}
}

// expectPerson reads the user's status and follow list.
func (e *expected) expectPerson(h Holding) {
	var err error
	if e.status, err = ledger.OpenUserStatus(h.Pages[ledger.StatusPage()]); err != nil {
		e.damage(h.User, ledger.StatusPage(), err)
	}
	e.listed = h.Pages[ledger.FollowsPage()] != ""
	if e.follows, err = ledger.OpenFollows(h.Pages[ledger.FollowsPage()]); err != nil {
		unknown := e.unknown
		e.damage(h.User, ledger.FollowsPage(), err)
		e.follows, e.unknown = nil, unknown
	}
}

func (e *expected) damage(user string, key ledger.PageKey, err error) {
	e.unknown, e.damaged = true, true
	e.findings = append(e.findings, Finding{
		Kind: Damaged, User: user, Place: placeOf(key), Is: err.Error(), Kept: "what was accepted does not make it anew",
	})
}

func placeOf(key ledger.PageKey) string { return "page " + key.String() }

// enter adds the entries of a page, and of days whose pages are gone, to the reference. own
// is false if some are of other days than the page's.
func (a *Auditor) enter(ref *reference.Ledger, user string, key ledger.PageKey, pages ledger.Pages) (own bool,
	err error,
) {
	entries, err := a.Ledger.Entries(key, pages[key])
	if err != nil {
		return false, err
	}
	if month, _ := key.Month(); key == ledger.MonthPage(month) {
		summarized, err := a.Ledger.Summarized(month, pages[key], func(day board.Date) bool {
			return pages[ledger.DayPage(day)] == ""
		})
		if err != nil {
			return false, err
		}
		entries = append(entries, summarized...)
	}
	own = true
	for _, e := range entries {
		for _, at := range []board.Moment{e.First, e.Last} {
			if at == 0 {
				continue // never done: an undo may be of the month after
			}
			date := a.Ledger.Calendar().Date(at)
			own = own && date.Month() == e.Month && (e.Day == 0 || date == e.Day)
		}
		ref.Put(reference.Key{
			User: user, Action: e.Action, Target: e.Target, Ref: e.Ref, Scope: e.Scope, Day: e.Day, Month: e.Month,
			Metric: e.Scope == "",
		}, reference.Moments(e.Moments), e.Value)
	}
	return own, nil
}

// comparePages adds the pages whose summary differs from the entries. Pages of closed
// months are left out, as the archive has their boards.
func (e *expected) comparePages(h Holding, differing []ledger.Page) {
	for _, p := range differing {
		if month, ok := p.Key.Month(); ok && monthClosed(h.Closed, month) {
			continue
		}
		if h.Pages[p.Key] == p.Data {
			continue // the totals, rebuilt without a change
		}
		is := "a summary that differs from its entries"
		if _, there := h.Pages[p.Key]; !there {
			is = "missing"
		}
		e.pages = append(e.pages, p)
		e.findings = append(e.findings,
			Finding{Kind: Summary, User: h.User, Place: "page " + p.Key.String(), Is: is, Should: "the summary of its entries"})
	}
}

// compareReference compares the scores that were rebuilt from the pages with those of the
// reference.
func (e *expected) compareReference(a *Auditor, h Holding, ref *reference.Ledger) {
	want := map[place]board.Packed{}
	for _, name := range a.Ledger.Rules().Boards() {
		if e.status.Suppressed() {
			break
		}
		for _, w := range a.Ledger.Rules().Windows(name) {
			if w > board.Month && a.monthsClosed(h.Closed) {
				continue // only the totals have the closed months of a year
			}
			for _, p := range ref.Periods(name, w) {
				if !h.Closed.Has(name, p) {
					want[place{name, p}], _ = ref.Packed(h.User, name, p)
				}
			}
		}
	}
	differ := func(at place) {
		e.unknown = true
		e.findings = append(e.findings,
			Finding{
				Kind: Reference, User: h.User, Place: at.String(), Is: "rebuilt as " + shown(e.scores[at]),
				Should: shown(want[at]), Kept: "one of the two computes it wrongly",
			})
	}
	for at := range want {
		if e.scores[at] != want[at] {
			differ(at)
		}
	}
	for at := range e.scores {
		_, known := want[at]
		if !known && (at.period.Window() <= board.Month || !a.monthsClosed(h.Closed)) {
			differ(at)
		}
	}
}

func compareKeys(a, b ledger.PageKey) int {
	return strings.Compare(a.String(), b.String())
}

func monthClosed(closed *board.Closed, m board.MonthOf) bool {
	return closed.Has("", board.PeriodOf(board.Month, m.First()))
}
