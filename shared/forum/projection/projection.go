// Package projection shows people in the view as the table has them, and says in the head when the view may lack
// something. It is how a report, a status, a profile, an erasure, a void or a comparison reaches the boards.
//
// It promises that a user who is shown is shown whole and at one head, again while others come between; that a damaged
// user does not stop the others; and that the head says so when the view may lack something. It decides nothing about
// periods and writes nothing but the head.
package projection

import (
	"log/slog"
	"sync/atomic"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

const (
	// Wait is how long an answer waits for the view.
	Wait = time.Second
	// MaxShows is how often a user, or an article, is read and shown again.
	MaxShows = 4
)

// Options are a Projector's dependencies. All are needed but View, without which nothing is shown.
type Options struct {
	Items  *items.Store
	View   view.View
	Ledger *ledger.Ledger
	Clock  func() time.Time // the forum's time
	Log    *slog.Logger
}

// A Projector shows people in the view. It is safe for concurrent use.
type Projector struct {
	items  *items.Store
	view   view.View
	ledger *ledger.Ledger
	clock  func() time.Time
	log    *slog.Logger
	behind report
	absent absent
	kept   atomic.Pointer[view.Days] // that slots keep, as they have answered last; nil: none has
}

// New returns a projector.
func New(o Options) *Projector {
	return &Projector{items: o.Items, view: o.View, ledger: o.Ledger, clock: o.Clock, log: o.Log}
}

// Now returns the forum's time.
func (p *Projector) Now() board.Moment { return board.MomentOf(p.clock()) }

// Today returns the forum's day.
func (p *Projector) Today() board.Date { return p.ledger.Calendar().Date(p.Now()) }

// Days returns the last days of the rolling periods for which units are made: those that the view keeps as far as it is
// known, else yesterday, today and tomorrow. The view refuses a unit that does not reach all of its own.
func (p *Projector) Days() view.Days {
	if !p.ledger.Rolls() {
		return view.Days{}
	}
	if kept := p.kept.Load(); kept != nil {
		return *kept
	}
	return view.Days{First: p.Today() - 1, Last: p.Today() + 1}
}

// keep takes the days that slots keep for those of the next units. Several slots may keep other ones for a while: where
// a unit was refused, it is made for the days before, too.
func (p *Projector) keep(days view.Days, refused bool) {
	if kept := p.kept.Load(); refused && kept != nil {
		days = days.And(*kept)
	}
	p.kept.Store(&days)
}

// ReadMonths returns the months whose ledgers are read of a person: those that the view follows, and those that
// rolling periods touch.
func (p *Projector) ReadMonths(head *items.Head) []board.MonthOf {
	days := p.Days().And(view.Days{First: p.Today(), Last: p.Today()})
	return head.ReadMonths(p.ledger, p.Now(), days.First, days.Last)
}

// LiveMonths returns the months that are not final.
func (p *Projector) LiveMonths(head *items.Head) []board.MonthOf {
	return head.LiveMonths(p.ledger.Calendar(), p.Now())
}

// Followed returns the months whose ledgers the view follows.
func (p *Projector) Followed(head *items.Head) []board.MonthOf {
	return head.FollowedMonths(p.ledger, p.Now())
}
