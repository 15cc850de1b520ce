package export

import (
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/people"
)

// UserData is what is kept of a user. Ids that are kept as a hash are "#" and the hash in hex.
// Moments are in RFC 3339, in UTC.
type UserData struct {
	User     Person      `json:"user"`
	Timezone string      `json:"timezone" example:"Europe/Berlin" doc:"Of days and periods"`
	Profile  *OwnProfile `json:"profile" doc:"null without one"`
	Hidden   bool        `json:"hidden" doc:"By the user's own wish"`
	Excluded bool        `json:"excluded" doc:"By the service"`

	DaysPublic bool `json:"daysPublic" doc:"Whether all may read the days, by the user's own wish"`

	Days      []Day       `json:"days" nullable:"false" doc:"Of months that are not final, newest first; those with activity"`
	Entries   []OwnEntry  `json:"entries" nullable:"false" doc:"Of months that are not final, newest first"`
	Follows   []OwnFollow `json:"follows" nullable:"false" doc:"The follow list, also who was unfollowed; newest first"`
	Votes     []OwnVote   `json:"votes" nullable:"false" doc:"For articles whose voting is open, oldest article first"`
	Articles  []OwnPost   `json:"articles" nullable:"false" doc:"Written by the user: those on lists, then those that left them"`
	Standings []OwnPlace  `json:"standings" nullable:"false" doc:"On live boards; a hidden user's are those that would be"`
	Final     []OwnPlace  `json:"final" nullable:"false" doc:"On final boards, newest first by board and window"`
	Months    []OwnMonth  `json:"months" nullable:"false" doc:"What months came to, for boards by year and of all time"`
	Erasure   *Erasure    `json:"erasure" doc:"The last one of this id; null without one"`
	Truncated []string    `json:"truncated" nullable:"false" doc:"Parts that have more: entries, follows, articles, final"`
}

// A Person is a user as answers name one.
type Person struct {
	ID string `json:"id" example:"ann"`
}

// WholeData is UserData without limits, and what takes too long for a request.
type WholeData struct {
	UserData
	Followers int64    `json:"followers"` // follow lists of others that have the user, or had
	Pending   []OwnRow `json:"pending"`   // accepted while Redis was unavailable, and not recorded yet
	Journal   []OwnRow `json:"journal"`   // oldest day first
}

// OwnProfile is a user's profile.
type OwnProfile people.Profile

// An OwnEntry is what is kept of an action and its target: in a month, or on a day. On days
// whose own entries are gone, what is left of an entry has no target.
type OwnEntry struct {
	Action     string `json:"action" example:"like"`
	Target     string `json:"target,omitempty" example:"article-42"`
	Ref        string `json:"ref,omitempty"`
	Month      string `json:"month" example:"2026-11"`
	Day        string `json:"day,omitempty" format:"date" example:"2026-11-20" doc:"Of an entry by day and of a metric"`
	Value      *int64 `json:"value,omitempty" doc:"A metric's"`
	First      string `json:"first,omitempty" format:"date-time" doc:"When it was done first"`
	Last       string `json:"last,omitempty" format:"date-time"`
	UndoneAt   string `json:"undoneAt,omitempty" format:"date-time"`
	RestoredAt string `json:"restoredAt,omitempty" format:"date-time" doc:"When an undo was taken back"`
}

// An OwnFollow is what is kept of somebody whom the user follows or followed.
type OwnFollow struct {
	User         string `json:"user" example:"bob" doc:"Who was unfollowed is kept as a hash"`
	Following    bool   `json:"following"`
	FollowedAt   string `json:"followedAt,omitempty" format:"date-time"`
	UnfollowedAt string `json:"unfollowedAt,omitempty" format:"date-time"`
}

// An OwnVote is a vote for an article.
type OwnVote struct {
	Article string `json:"article" example:"article-42"`
	At      string `json:"at" format:"date-time"`
	Stands  bool   `json:"stands" doc:"false if it was taken back"`
}

// An OwnPost is an article that the user wrote.
type OwnPost struct {
	ID          string   `json:"id" example:"article-42"`
	Title       string   `json:"title"`
	Link        string   `json:"link,omitempty"`
	Groups      []string `json:"groups" nullable:"false"`
	PublishedAt string   `json:"publishedAt" format:"date-time"`
	Votes       int64    `json:"votes"`
	Deleted     bool     `json:"deleted"`
}

// An OwnPlace is a place on a board.
type OwnPlace struct {
	Board     string `json:"board" example:"activity"`
	Window    string `json:"window" enum:"day,week,month,year,all" example:"day"`
	Period    string `json:"period" example:"2026-11-20"`
	Rank      int64  `json:"rank" example:"3"`
	Score     int64  `json:"score" example:"34"`
	Total     int64  `json:"total" example:"812" doc:"Users on the board"`
	ReachedAt string `json:"reachedAt,omitempty" format:"date-time" doc:"When the score was reached; of final boards"`
}

// An OwnMonth is what a month came to on a board.
type OwnMonth struct {
	Board     string `json:"board" example:"activity"`
	Month     string `json:"month" example:"2026-11"`
	Score     int64  `json:"score" example:"210"`
	ReachedAt string `json:"reachedAt" format:"date-time"`
}

// An OwnRow is an accepted change, as the journal keeps it.
type OwnRow struct {
	Action    string   `json:"action,omitempty"` // "" for a follow list that was replaced, or a void
	Target    string   `json:"target,omitempty"`
	Ref       string   `json:"ref,omitempty"`
	Value     *int64   `json:"value,omitempty"`
	Restores  bool     `json:"restores,omitempty"`
	At        string   `json:"at,omitempty"`
	ArrivedAt string   `json:"arrivedAt,omitempty"` // "" in a sealed row
	Page      string   `json:"page,omitempty"`      // in which a void has undone the entry
	Listed    []string `json:"listed,omitempty"`    // who was followed from then on
	Unlisted  []string `json:"unlisted,omitempty"`  // and who not any more
}

// A Day is what a user did on a day.
type Day struct {
	Day     string           `json:"day" format:"date" example:"2026-11-20"`
	Scores  map[string]int64 `json:"scores" doc:"By board"`
	Actions map[string]Tally `json:"actions" doc:"By action"`
}

// A Tally is how much of an action stands and what it is worth.
type Tally struct {
	Count  int64 `json:"count" example:"3" doc:"Number of entries that stand; 1 for a metric"`
	Points int64 `json:"points" example:"6" doc:"Points after the daily cap; a metric's value"`
}

// DayOf returns a day of the ledger as answers have it.
func DayOf(d ledger.DayActivity) Day {
	day := Day{Day: d.Day.String(), Scores: d.Scores, Actions: map[string]Tally{}}
	for action, did := range d.Actions {
		day.Actions[action] = Tally{did.Count, did.Points}
	}
	return day
}

// An Erasure is how far a user's erasure is.
type Erasure struct {
	State   string           `json:"state" enum:"running,done" example:"done"`
	Removed map[string]int64 `json:"removed" doc:"Number of removed items, by kind"`

	// JournalUntil is "" before the erasure has begun in earnest.
	JournalUntil string `json:"journalUntil,omitempty" format:"date" doc:"The day, in UTC, by which the last entries of the journal have expired that hold what the user did; later if days of the journal cannot be sealed"`
}

// ErasureOf returns an erasure as answers have it.
func ErasureOf(e archive.Erasure) Erasure {
	answer := Erasure{State: e.State, Removed: e.Removed}
	if e.At > 0 {
		answer.JournalUntil = (journal.DayOf(e.At.Add(journal.Lifetime)) + 1).String()
	}
	if answer.Removed == nil { // it has just begun
		answer.Removed = map[string]int64{}
	}
	return answer
}

// moment returns a moment as answers have it, "" for none.
func moment(m board.Moment) string {
	if m == 0 {
		return ""
	}
	return m.String()
}
