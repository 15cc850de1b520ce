package ledger

import (
	"maps"
	"slices"

	"laurel/shared/board"
)

// An Account is what is read of one user to decide what activities do. Months has the
// ledgers that were read: an absent one has to be asked for by MonthsOf, a nil one does not
// exist. A ledger that was begun after another erasure than Erased counts as absent.
type Account struct {
	User   string
	Status UserStatus
	Since  board.Moment // when the user's account was made, 0 if it is not known
	Erased board.Moment // up to which everything of the user is erased, 0 for nothing
	Totals []MonthTotal // of final months, for windows that are longer than a month
	Months map[board.MonthOf]*MonthLedger
}

// A MonthTotal is what a month came to on a board, not held to board.MaxScore, and when that
// was reached.
type MonthTotal struct {
	Board   string
	Month   board.MonthOf
	Score   int64
	Reached board.Moment
}

// ledger returns the ledger of a month, nil if there is none.
func (a *Account) ledger(of board.MonthOf) *MonthLedger {
	if m := a.Months[of]; m != nil && m.After == a.Erased {
		return m
	}
	return nil
}

// sorted returns the account's months in order.
func (a *Account) sorted() []board.MonthOf { return slices.Sorted(maps.Keys(a.Months)) }

// Surroundings are what is known beside an account when activities are decided.
type Surroundings struct {
	Life   *board.Life
	Now    board.Moment // of arrival
	AnyAge bool         // as in an import of history

	Today   board.Date // by the clock; 0: that of Now
	HotDays int        // for how many days a day stays live, as board.Due takes it

	Voids    map[string]board.Moment // until when targets are void
	Articles map[string]KnownArticle // among the targets; not there: there is no such article
	Erased   map[string]board.Moment // of users who are followed
}

// A FollowChange is one that a follow list is to merge.
type FollowChange struct {
	Target string
	At     board.Moment
	Undone bool
}

// A Decided is what activities of one user do: a receipt for each, in their order, and what
// the account's ledgers are afterwards. Changed are the months whose ledgers differ, each to
// be written, in order; Account, which is the one that was given, has others in their place.
type Decided struct {
	Receipts []Receipt
	Account  *Account
	Changed  []board.MonthOf
	Moved    []Moved // the places that changed, those that are not final
	Follows  []FollowChange
}

// A Moved is a place that activities have changed, and what it was before. Weeks, years and all
// time count the ledgers that the account has.
type Moved struct {
	Shown
	Was board.Packed
}

// A Shown is a user's place on a board as the view is to show it.
type Shown struct {
	Board  string
	Period board.Period
	Packed board.Packed // 0: not on the board
}
