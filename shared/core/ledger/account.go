package ledger

import (
	"maps"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// An Account holds the data of one user that is read to decide on activities. Months has the ledgers that were
// read, nil for one that does not exist. One that was begun after another erasure than Erased counts as absent.
type Account struct {
	User   string
	Status UserStatus
	Since  board.Moment // when the user's account was made, 0 if it is not known
	Groups []string     // the user's private groups, sorted byte by byte, each once; nil for none
	Anyone bool         // the conditions of boards on people are not asked: the caller does
	Erased board.Moment // up to which everything of the user is erased, 0 for nothing
	Totals []MonthTotal // of final months, for windows that are longer than a month

	VoidWith []codec.PersonHash // people for whom the user's entries by month count for nothing
	WasVoid  []codec.PersonHash // people who once were in VoidWith
	Own      []codec.PersonHash // the user's own, if others were merged into the user; else nil

	Months map[board.MonthOf]*MonthLedger
}

// A MonthTotal is a month's score on a board, not held to board.MaxScore, and when that was reached.
type MonthTotal struct {
	Board   string
	Month   board.MonthOf
	Score   int64
	Reached board.Moment
}

// isOwn says whether an id is the user's, or that of a person who was merged into the user.
func (p *openPages) isOwn(id string) bool {
	own := p.account.Own
	return id == p.account.User || id != "" && len(own) > 0 && slices.Contains(own, p.known.PersonOf(id))
}

// ledger returns the ledger of a month, nil if there is none.
func (a *Account) ledger(wanted board.MonthOf) *MonthLedger {
	if m := a.Months[wanted]; m != nil && m.After == a.Erased {
		return m
	}
	return nil
}

// sorted returns the account's months in order.
func (a *Account) sorted() []board.MonthOf { return slices.Sorted(maps.Keys(a.Months)) }

// A UserStatus says why a user is not on the live boards, if so, and names the parts that others may see.
type UserStatus struct {
	Hidden   bool // by the user's own wish: reports are kept
	Excluded bool // by an operator: of reports meanwhile only undos are kept
	Shadowed bool // by an operator: as hidden, and the user does not notice

	DaysPublic bool // by the user's own wish: others may read the days
}

// Suppressed says whether the user is on no live board.
func (s UserStatus) Suppressed() bool { return s.Hidden || s.Excluded || s.Shadowed }

// Withheld reports whether the user's articles are on no list. A member who hides keeps them there.
func (s UserStatus) Withheld() bool { return s.Excluded || s.Shadowed }

// Supplied says whether the user is on no live board and told the places that would be.
func (s UserStatus) Supplied() bool { return (s.Hidden || s.Shadowed) && !s.Excluded }

// Surroundings are the known facts beside an account when activities are decided.
type Surroundings struct {
	Life   *board.Life
	Now    board.Moment // of arrival
	AnyAge bool         // as in an import of history

	Today board.Date // by the clock

	// Of windows that roll the places with last days from one to another are decided; 0 for none. The account has to have
	// the ledgers of RollingMonths.
	RollFrom, RollTo board.Date

	Voids    map[string]board.Moment       // until when targets are void
	Articles map[string]KnownArticle       // among the targets; not there: there is no such article
	Erased   map[string]board.Moment       // of users who are followed
	Merged   map[string][]codec.PersonHash // of users who are followed: further keys of theirs, by the id of the activity

	// Of users who were merged into the account's, by the index of the activity: the moment of an erasure before that.
	Former map[int]board.Moment

	PersonOf func(id string) codec.PersonHash // of other people; not called where no activity names one
}

// A KnownArticle is an article that is or was published.
type KnownArticle struct {
	Author  string
	Deleted bool // it takes undos alone
}

// Needs returns the facts that DecideAccount takes for activities of one user.
func (l *Ledger) Needs(acts []activity.Activity, life *board.Life) activity.Needs {
	return l.rules.Needs(acts, l.calendar, life)
}

// A Decided is the effect of activities of one user.
type Decided struct {
	Receipts []Receipt       // in the order of the activities
	Account  *Account        // the one that was given, with the ledgers as they are afterwards
	Changed  []board.MonthOf // the months whose ledgers differ, each to be written, in order
	Moved    []Moved         // the places that changed, those that are not final, and of windows that roll those asked for
	Follows  []FollowChange
}

// A Moved is a place that activities have changed, with its value before, by the ledgers that the account has.
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

// A FollowChange is one that a follow list is to merge.
type FollowChange struct {
	Target string
	At     board.Moment
	Undone bool
}

// A Receipt is the answer to one activity.
type Receipt struct {
	Status Status
	Points int64  // the sum of the changes of the user's month scores
	Board  string // the board of the action
	Day    board.Date
	Scores []Score // of that day and its longer periods after the activity, live ones only, the shortest first
}

// A Score is a user's score in a window's period.
type Score struct {
	Window board.Window
	Score  int64
}

// A Status is the effect of an activity, and the reason if there is none.
type Status string

// The statuses of a receipt.
const (
	Counted         Status = "counted"           // it stands and counts
	Capped          Status = "capped"            // it stands, but its day had its cap of them; or the ledger is full
	Duplicate       Status = "duplicate"         // it stood before; a metric: not above the day's largest
	Superseded      Status = "superseded"        // a later activity has already decided
	Revoked         Status = "revoked"           // an undo: the entry no longer stands
	NothingToRevoke Status = "nothing_to_revoke" // an undo: nothing stood; it is kept for later arrivals
	TooLate         Status = "too_late"          // over 48 h old, or its own day or month is closed; not kept
	TooEarly        Status = "too_early"         // over 5 minutes ahead of the clock; not kept
	Self            Status = "self"              // with oneself, or on one's own article; not kept
	Voided          Status = "voided"            // the pair with the other person is void; kept, it counts for nothing
	Excluded        Status = "excluded"          // the user is excluded; not kept, but an undo is
	UnknownTarget   Status = "unknown_target"    // no published article, as reported by a user; not kept
	TooNew          Status = "too_new"           // the user's account is too young, or unknown; not kept
	AwardDiffers    Status = "award_differs"     // the month has another award of its id; not kept
	TooManyAwards   Status = "too_many_awards"   // the month has no room for another one; not kept
	WasErased       Status = "erased"            // the user, or the followed one, was erased since its moment; not kept
	Unavailable     Status = "unavailable"       // the user's items could not be read or written; not kept
)

// Statuses lists every status of a receipt, in the order in which tables show them. AwardDiffers and TooManyAwards are
// answered as problems, and counted by imports.
func Statuses() []Status {
	return []Status{
		Counted, Capped, Duplicate, Superseded, Revoked, NothingToRevoke, Voided, TooLate, TooEarly, Self, Excluded,
		UnknownTarget, TooNew, WasErased, Unavailable,
	}
}

// Kept says whether an activity with this status is kept, though it may change no points.
func (s Status) Kept() bool {
	return slices.Contains([]Status{Counted, Capped, Duplicate, Superseded, Revoked, NothingToRevoke, Voided}, s)
}

// Unavailable returns the receipt of an activity without violations that can't be recorded now.
func (l *Ledger) Unavailable(a *activity.Activity) Receipt {
	day := l.calendar.Date(a.At)
	if a.Award != nil {
		return Receipt{Status: Unavailable, Board: a.Award.Board, Day: day}
	}
	return Receipt{Status: Unavailable, Board: l.rules.On(day).Find(a.Action).Board, Day: day}
}
