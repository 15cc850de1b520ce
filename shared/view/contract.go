package view

import (
	"context"
	"errors"
	"iter"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
)

// The errors of a Store.
var (
	// ErrUnavailable is wrapped if Redis does not answer, or with an error.
	ErrUnavailable = errors.New("view: Redis is unavailable")
	// ErrFull is wrapped, with ErrUnavailable, if Redis has no room.
	ErrFull = errors.New("view: Redis is full")
	// ErrFilling is wrapped, with ErrUnavailable, if a slot has no marker, one of another
	// table, format, zone or number of shards, or is being filled: no board is better than a
	// wrong one.
	ErrFilling = errors.New("view: the boards are being filled")
)

// A Marker says what a slot holds: every slot has one, each shard's and the articles'.
type Marker struct {
	There  bool
	Format int
	Zone   string
	Shards int
	Table  string // the table's id
	Rules  string // digest of the rules
	Beat   int64  // of the last fill or tick
	Life   int64  // Life.Number that the slot was swept with; shows with a smaller one are stale
	Fill   string // "" once it is whole; else the fill's id and how far its chain is
}

// A Slot is a part of the view whose keys share a hash tag: a shard, or Articles.
type Slot int

// Articles is the slot of articles, their lists and votes.
const Articles Slot = -1

// A Unit is what one user's items say for the view, with the revisions that they were read
// at. All of a user's units in one Show are applied together or not at all.
type Unit struct {
	User string
	Key  records.Key

	Person int64 // revision of the person's item, 0: none
	Months []MonthUnit
	Others []MonthRevision // ledgers beside Months that were read for boards over several months
	Whole  bool            // Months has all live months: needed where Person, or Was of what changed, was not seen

	Suppressed bool   // hidden, excluded or shadowed: Places are of score 0
	Name       string // records.Name as text (NameText), "" for none; kept for who is on a live board
}

// A MonthUnit is the user's places on the boards that a month's ledger counts for, all of
// them: of its days, weeks, itself, its year and all time, as far as they are not final.
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

// A ShowResult says what became of a unit.
type ShowResult int

// The results of a show.
const (
	ShowApplied ShowResult = iota
	ShowStale              // the view has seen a later revision, or a later Life: read all again, and show that
	ShowWhole              // it lacks what the view has not seen: read all again, and show it with all live months
	ShowFailed             // the view is unavailable, full or to be filled: it is behind
)

// A VotesUnit is the articles that a user's votes of a month stand for, with the revision of
// that month's ledger.
type VotesUnit struct {
	Key records.Key
	MonthRevision
	Articles []VotedArticle // whose vote stands, by id
}

// A VotedArticle is an article with its page if the caller has read it: that saves the trip in
// which the view says on which lists it has the article.
type VotedArticle struct {
	ID   string
	Page *article.Page // nil: not read
}

// An ArticleUnit is an article as its item says, with its revision.
type ArticleUnit struct {
	article.Page        // Votes are the final ones, once State says so
	Revision     int64  // 0: it is gone
	AuthorName   string // records.NameText of the author, "" for none
	AuthorRev    int64  // revision of the author's person item
}

// A Showing is what is shown in one trip.
type Showing struct {
	Units    []Unit
	Votes    []VotesUnit
	Articles []ArticleUnit
	Ranks    []board.View // of a User on a board each: the rank is wanted afterwards
}

// A Showed says what became of a Showing, in its order. A rank is 0 if the user is not on the
// board, or it takes another trip: in several shards, or while the boards are being filled.
type Showed struct {
	Units, Votes, Articles []ShowResult
	Ranks                  []int64
}

// Seen is what the view has seen of a month's ledgers in one bucket, by the first 8 bytes of
// the person's key.
type Seen map[[8]byte]int64

// Contract is what a Store does; it exists for this document and for fakes in tests.
type Contract interface {
	// Show applies units, those of a shard in as few calls as fit, all shards at once: one trip.
	// life is Life.Number of the head they were read with.
	Show(ctx context.Context, life int64, units ...Unit) ([]ShowResult, error)
	// ShowVotes and ShowArticles do likewise in the articles' slot. Articles whose vote a unit takes
	// back may be missing in it.
	ShowVotes(ctx context.Context, life int64, units ...VotesUnit) ([]ShowResult, error)
	ShowArticles(ctx context.Context, life int64, units ...ArticleUnit) ([]ShowResult, error)

	// ShowAll applies units of all kinds, in one trip; Show, ShowVotes and ShowArticles are parts of it.
	ShowAll(ctx context.Context, life int64, what Showing) (Showed, error)

	// Seen reads what was seen: of people and of each month, in one bucket of all shards, in one
	// trip. SeenVotes and SeenArticles likewise, of the articles' slot.
	Seen(ctx context.Context, months []board.MonthOf, bucket int) (people Seen, of map[board.MonthOf]Seen, err error)
	SeenVotes(ctx context.Context, months []board.MonthOf, bucket int) (map[board.MonthOf]Seen, error)
	SeenArticles(ctx context.Context, ids ...string) (map[string]int64, error)

	// Scores reads what the view has of users' places: for the night's comparison, and an audit. Names
	// reads their names, as records.NameText, of who is on a live board and has one, and Suppressed says
	// who is suppressed.
	Scores(ctx context.Context, users []string, places [][]ledger.Shown) ([][]board.Packed, error)
	Names(ctx context.Context, users ...string) (map[string]string, error)
	Suppressed(ctx context.Context, users ...string) (map[string]bool, error)
	// Members goes over a whole live board, for an audit; Boards lists the boards that there are.
	Members(ctx context.Context, name string, p board.Period) iter.Seq2[board.Entry, error]
	Boards(ctx context.Context) ([]BoardPeriod, error)

	// Markers reads the markers of all slots, in one trip: the shards', then the articles'.
	Markers(ctx context.Context) ([]Marker, error)
	// Clear empties a slot and marks it as being filled, by the fill's id.
	Clear(ctx context.Context, slot Slot, want Marker) error
	// Advance moves a fill's chain on: false, where the step before is not there.
	Advance(ctx context.Context, slot Slot, from, to string) (bool, error)
	// Mark sets a slot's marker: whole, with this beat and life and rules.
	Mark(ctx context.Context, slot Slot, want Marker, fill string) (bool, error)
	// Beat writes a beat and life.Number into the slots that have their marker, after removing
	// the boards of periods that life says are final, which may be done again. It works in a
	// full Redis.
	Sweep(ctx context.Context, life *board.Life, beat int64) error

	// Read and ReadAll read pieces of boards with the names of those in them; Friends a friends
	// board, of whom the caller says, and where the viewer's place is if the board has none of
	// a hidden one (0: as the board says). One trip, more where there are several shards.
	Read(ctx context.Context, v board.View) (Page, error)
	ReadAll(ctx context.Context, views []board.View) ([]Page, error)
	Friends(ctx context.Context, v board.View, friends []string, own board.Packed) (FriendsPage, error)
	// RankOf says where somebody who is not on the views' boards would stand with such places, and
	// before[i] in the period before; 0 is no place.
	RankOf(ctx context.Context, views []board.View, packed, before []board.Packed) ([]board.Standing, error)
	// PeriodsOf lists the periods of a board's window, the newest first, in two trips.
	PeriodsOf(ctx context.Context, name string, w board.Window) ([]BoardPeriod, error)
	// List reads a piece of a list of articles, Article one, Groups the groups that have any. The
	// error of Article wraps ErrNoArticle.
	List(ctx context.Context, v article.View) (ArticleList, error)
	Article(ctx context.Context, id string) (Listed, error)
	Groups(ctx context.Context) ([]article.Group, error)
	// SeenAuthors reads the revisions of people that the names of authors are of.
	SeenAuthors(ctx context.Context, authors ...string) (map[string]int64, error)

	// AddRecent and Recent keep a page's last webhooks, which may be lost.
	AddRecent(ctx context.Context, name string, entry []byte) error
	Recent(ctx context.Context, names ...string) ([]string, error)
	Ping(ctx context.Context) error
	Close() error
}

// A Page is a page of a board with names: as records.NameText, of those in it who have one.
type Page struct {
	board.Page
	Names map[string]string
}

// A FriendsPage is a page of a friends board with names. Who is not on the board may have a
// name that the view does not know.
type FriendsPage struct {
	board.FriendsPage
	Names map[string]string
}

// ErrNoArticle is wrapped if the view has no article of the id.
var ErrNoArticle = errors.New("view: no such article")

// A Listed is an article as lists show it, with its votes.
type Listed struct {
	article.Page
	Name string // records.NameText of the author, "" for none
}

// An ArticleList is a piece of a list of articles.
type ArticleList struct {
	Total    int64 // on the whole list
	Articles []Listed
}

var _ Contract = (*Store)(nil)

// A BoardPeriod is a board's period that the view has, with how many are on it.
type BoardPeriod struct {
	Board  string
	Period board.Period
	Total  int64
}
