package view

import (
	"errors"
	"slices"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// The errors of a Store.
var (
	// ErrUnavailable is wrapped if the view cannot be read or changed: Redis does not answer, or boards are being filled.
	ErrUnavailable = errors.New("view: unavailable")
	// ErrFull is wrapped, with ErrUnavailable, if Redis has no room.
	ErrFull = errors.New("view: Redis is full")
	// ErrFilling is wrapped, with ErrUnavailable, if a slot has no marker, one of another table, format, zone or
	// number of shards, or is being filled: no board is better than a wrong one.
	ErrFilling = errors.New("the boards are being filled")
	// ErrUnready is wrapped, with ErrFilling, for a board that is not whole, while others of its slot answer.
	ErrUnready = errors.New("the board is not whole yet")
	// ErrStrange is wrapped, with ErrFilling, for a slot of another identity.
	ErrStrange = errors.New("a slot belongs to another table, zone, format or number of shards")
	// ErrCleared is wrapped if another fill empties a slot.
	ErrCleared = errors.New("view: another fill has begun")
	// ErrLaterLife is wrapped by the error of a Sweep if a slot knows of a later life: nothing of it was removed.
	ErrLaterLife = errors.New("view: a part of it knows of a later life of periods")
)

// A Marker describes a slot: every slot has one, each shard's and the articles'.
type Marker struct {
	Slot   Slot
	Format int // 0: there is none
	Zone   string
	Shards int
	Table  string // the table's id
	Rules  string // digest of the rules
	Boards string // the whole boards, as Options.Kept has them
	Beat   int64  // of the last fill or tick
	Life   int64  // Life.Number that the slot was swept with; shows with a smaller one are stale
	Fill   string // "" once it is whole; else the fill's id and how far its chain is

	Rolling Rolling // of boards whose windows roll
}

// A Slot is a part of the view whose keys share a hash tag: a shard, or Articles.
type Slot int

// Articles is the slot of articles, their lists and votes.
const Articles Slot = -1

// A Unit is one user's data for the view, with the revisions that its items were read at. It is applied whole or
// not at all.
type Unit struct {
	User string
	Key  items.Key

	Person int64 // revision of the person's item, 0: none
	Months []MonthUnit
	Others []MonthRevision // ledgers beside Months that were read for boards over several months
	Whole  bool            // Months has all live months: needed where Person, or Was of a changed item, was not seen

	// Rolling are the places on boards whose windows roll, with last days among Days: all, or those that Months changed.
	// They are of all ledgers that these periods touch. No Days: the rules have no such boards, or no ledger has changed.
	Days    Days
	Rolling []ledger.Shown

	Suppressed bool   // hidden, excluded or shadowed: places are of score 0, but a hidden member's on boards of teams
	Name       string // profile.Public as text, "" for none; kept for those on a live board of people
}

// A MonthUnit is the user's places on the boards that a month's ledger counts for: of its days, weeks, itself, its
// year and all time, as far as they are not final.
type MonthUnit struct {
	MonthRevision
	Was     int64 // the revision before this write; equal: it was not written
	Places  []ledger.Shown
	Changed bool // Places are those alone that this write changed; Name is "" then if it is there already
}

// A MonthRevision is a revision of a month's ledger, 0: there is none.
type MonthRevision struct {
	Month    board.MonthOf
	Revision int64
}

// A ShowResult is the outcome of a unit.
type ShowResult int

// The results of a show.
const (
	ShowApplied ShowResult = iota
	ShowStale              // the view has seen a later revision, or a later Life: read all again, and show that
	ShowWhole              // it lacks unseen revisions: read all again, and show it with all live months
	ShowShort              // its Days do not reach from the oldest that the slot keeps to the newest: read again for all
	ShowFailed             // the view is unavailable, full or to be filled: it is behind
)

// A VotesUnit is the articles that a user's votes of a month stand for, with the revision of that month's ledger.
type VotesUnit struct {
	Key items.Key
	MonthRevision
	Articles []VotedArticle // whose vote stands, by id
}

// A VotedArticle is an article with its page if the caller has read it: that saves the trip that reads the
// article's lists from the view.
type VotedArticle struct {
	ID   string
	Page *article.Page // nil: not read
}

// An ArticleUnit is an article as its item says, with its revision. The view keeps neither its texts nor its author.
type ArticleUnit struct {
	article.Page           // Votes are the final ones, once State says so
	Revision     int64     // of its item
	By           items.Key // the author's, zero for nobody's
	Withheld     bool      // on no list, as the author is excluded or shadowed
}

// A Showing is the content of one trip.
type Showing struct {
	Table string // its id, by the head that all was read with; a slot of another one takes nothing
	Life  int64  // Life.Number of that head

	Units    []Unit
	Votes    []VotesUnit
	Articles []ArticleUnit
	Ranks    []board.View // of a User on a board each: the rank is wanted afterwards
}

// A Showed is the outcome of a Showing, in its order. A rank is 0 if the user is not on the board, or it takes
// another trip: in several shards, or while the boards are being filled.
type Showed struct {
	Units, Votes, Articles []ShowResult
	Ranks                  []int64
	Days                   Days // that the slots of the units keep
}

// NewShowed returns the outcome of a showing of which nothing is applied yet: its units have failed, and votes and
// articles have another result.
func NewShowed(showing Showing, others ShowResult) Showed {
	return Showed{
		Units:    slices.Repeat([]ShowResult{ShowFailed}, len(showing.Units)),
		Votes:    slices.Repeat([]ShowResult{others}, len(showing.Votes)),
		Articles: slices.Repeat([]ShowResult{others}, len(showing.Articles)),
		Ranks:    make([]int64, len(showing.Ranks)),
	}
}

// Seen has the revisions that the view has seen of a month's ledgers in one bucket, by the first 8 bytes of the
// person's key.
type Seen map[[8]byte]int64

// A User is the view's data of one user: the packed scores that were asked for, 0 for none, profile.Public as
// text if the user is on a live board, and whether the user is hidden, excluded or shadowed.
type User struct {
	Packed     []board.Packed
	Name       string
	Suppressed bool
}

// A Listed is an article as the view has it: texts and author are in the table.
type Listed struct {
	ID       string
	Revision int64     // of the article's item, as it was shown
	By       items.Key // the author's, zero for nobody's
	Votes    int64     // 0 for an article that is gone
	Open     bool      // Votes are not final
}

// An ArticleList is a piece of a list of articles.
type ArticleList struct {
	Total    int64 // on the whole list
	Articles []Listed
}

// A BoardPeriod is a board's period that the view has, with how many are on it.
type BoardPeriod struct {
	board.ID
	Total int64
}
