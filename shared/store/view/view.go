package view

import (
	"context"
	"iter"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// A View is a forum's view: in Redis (package redisview), or in the process (package memory). It is safe for concurrent
// use. internal/viewtest holds both to its promises.
type View interface {
	// Kind returns where the view is.
	Kind() Kind
	// Ping says whether the view can be reached.
	Ping(ctx context.Context) error

	// Read reads a piece of a board with all users' names. Boards are not read while they are being filled; the error
	// wraps ErrUnready for one that is not whole.
	Read(ctx context.Context, v board.View) (board.Page, error)
	// ReadAll reads pieces of several boards.
	ReadAll(ctx context.Context, views []board.View) ([]board.Page, error)
	// Friends reads a page of the friends board of a view's user. own is the user's place where the board has none of
	// a hidden user; 0: as the board says.
	Friends(ctx context.Context, v board.View, friends []string, own board.Packed) (board.FriendsPage, error)
	// RankOf says where the views' users, who are not on the boards as they are hidden, would stand with packed[i] on a
	// board and before[i] in the period before; 0 is no place. Each view is exact.
	RankOf(ctx context.Context, views []board.View, packed, before []board.Packed) ([]board.Standing, error)
	// Boards lists the boards of the view, by name, window and time.
	Boards(ctx context.Context) ([]BoardPeriod, error)
	// PeriodsOf lists those of one board's window that have anyone on them, the newest first.
	PeriodsOf(ctx context.Context, name string, w board.Window) ([]BoardPeriod, error)

	// List reads a piece of a list. A group without articles has an empty list.
	List(ctx context.Context, v article.View) (ArticleList, error)
	// Articles reads articles by their ids, those that the view has.
	Articles(ctx context.Context, ids ...string) (map[string]Listed, error)
	// Groups reads the groups that have articles, by name.
	Groups(ctx context.Context) ([]article.Group, error)

	// ShowAll applies units of all kinds. A user has one unit in it. A unit that failed is ShowFailed, and there is an
	// error.
	ShowAll(ctx context.Context, showing Showing) (Showed, error)

	// Users reads users as the view has them, with their scores on the boards of some places. These operations read the
	// shown units of slots that are being filled, too.
	Users(ctx context.Context, users []string, places [][]ledger.Shown) ([]User, error)
	// Members goes over a whole live board. A user who moves meanwhile may be met twice, or not. It ends with the first
	// error.
	Members(ctx context.Context, name string, p board.Period) iter.Seq2[board.Member, error]
	// CheckTotals compares the totals of a live board of teams with the places of its members, and with correct corrects
	// them. It returns how many differed.
	CheckTotals(ctx context.Context, name string, p board.Period, correct bool) (differ int64, err error)
	// Seen reads the revisions of people and of each month's ledgers in one bucket.
	Seen(ctx context.Context, months []board.MonthOf, bucket int) (people Seen, ledgers map[board.MonthOf]Seen, err error)
	// SeenVotes reads the revisions of the ledgers that votes are of, of each month in which articles were published.
	SeenVotes(ctx context.Context, months []board.MonthOf, bucket int) (map[board.MonthOf]Seen, error)
	// SeenArticles reads the revisions that articles were shown with, of those that were.
	SeenArticles(ctx context.Context, ids ...string) (map[string]int64, error)

	// Shards returns the number of shards.
	Shards() int
	// Markers reads the markers of all slots: the shards', then the articles'.
	Markers(ctx context.Context) ([]Marker, error)
	// Is says whether the slot that has the marker is the view's of a table, even if it is being filled.
	Is(m Marker, table string) bool
	// Clear empties a slot and marks it as being filled by want.Fill, of the table want.Table. The error wraps ErrCleared
	// if another fill empties it.
	Clear(ctx context.Context, slot Slot, want Marker) error
	// Claim notes that a slot, which has a fill or "", is being compared by the view's boards. It says false if the slot
	// is another.
	Claim(ctx context.Context, slot Slot, table, fill string) (bool, error)
	// Lacks says whether the slot that has the marker is not whole by the view's boards.
	Lacks(m Marker) bool
	// Advance moves a fill's chain on: false, where the step before is not there.
	Advance(ctx context.Context, slot Slot, from, to string) (bool, error)
	// Mark says that a slot is whole, of want's rules, with its beat and life, if its fill is the one that is given: ""
	// for one that is whole already. It says false if it is not, or if a process with other boards has shown units in it
	// since it was claimed.
	Mark(ctx context.Context, slot Slot, want Marker, fill string) (bool, error)
	// SetDays changes the days of a shard's boards that roll, if they are as expected, and removes the boards of days that
	// it does not keep or that were not begun before. It says false if they are other ones, or the slot is another.
	SetDays(ctx context.Context, slot Slot, table string, was, now Rolling) (bool, error)
	// Sweep removes the boards of periods that life says are final, and the revisions seen of such months, and writes the
	// beat and Life.Number into the slots that have their marker. The error wraps ErrLaterLife for a slot that knows of a
	// later life: nothing of it was removed.
	Sweep(ctx context.Context, life *board.Life, beat int64) error
	// Eviction returns the policy by which a full store throws away the view's keys, "" if it throws away none.
	Eviction(ctx context.Context) (policy string, err error)

	// AddRecent adds an entry to a list of the last ones, for people to look at. No fill brings it back.
	AddRecent(ctx context.Context, name string, entry []byte) error
	// Recent returns the entries of lists, those of a list the newest first.
	Recent(ctx context.Context, names ...string) ([]string, error)
}

// A Kind says where a view is.
type Kind string

// The kinds of views.
const (
	Redis  Kind = "redis"  // in Redis or Valkey
	Memory Kind = "memory" // in the process
)
