package people

import (
	"cmp"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/store/items"
)

// UserData has all data that is kept of a user, by the names that the routes for its parts have. Moments are as
// board.Calendar.Text has them.
type UserData struct {
	User       Person           `json:"user"`
	Timezone   string           `json:"timezone"`
	Profile    *profile.Profile `json:"profile"`
	Visibility UserVisibility   `json:"visibility"`
	Exclusion  UserExclusion    `json:"exclusion"`

	Days      []Day       `json:"days"`
	Entries   []KeptEntry `json:"entries"`
	Following []OwnFollow `json:"following"`
	Votes     []OwnVote   `json:"votes"`
	Articles  []OwnPost   `json:"articles"`
	Standings []OwnPlace  `json:"standings"`
	Final     []OwnPlace  `json:"final"`
	Months    []OwnMonth  `json:"months"`
	Wreaths   []Wreath    `json:"wreaths"`
	VoidPairs []OwnPair   `json:"voidPairs"`
	Merged    []Person    `json:"merged"` // users who were merged into this one
	Erasure   *Erasure    `json:"erasure"`
	Truncated []string    `json:"truncated"`
}

// A Person is a user as answers name one.
type Person struct {
	ID string `json:"id"`
}

// WholeData is UserData without limits, and the data that takes too long for a request.
type WholeData struct {
	UserData
	Followers int64 `json:"followers"` // follow lists of others that have the user, or had
}

// A Wreath is one of the first ten places on a final board.
type Wreath struct {
	Board  string `json:"board"`
	Window string `json:"window"`
	Period string `json:"period"`
	Rank   int64  `json:"rank"`
}

// An OwnPair is a void pair, without the other person.
type OwnPair struct {
	Since  string `json:"since"`
	Lifted string `json:"lifted,omitempty"`
}

// An OwnFollow has the data that is kept of a user whom the user follows or followed.
type OwnFollow struct {
	User         Person `json:"user"`
	Following    bool   `json:"following"`
	FollowedAt   string `json:"followedAt,omitempty"`
	UnfollowedAt string `json:"unfollowedAt,omitempty"`
}

// An OwnVote is a vote for an article.
type OwnVote struct {
	Article   string `json:"article"`
	Stands    bool   `json:"stands"`
	ChangedAt string `json:"changedAt"`
}

// An OwnPost is an article that the user wrote.
type OwnPost struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Link        string   `json:"link,omitempty"`
	Groups      []string `json:"groups"`
	PublishedAt string   `json:"publishedAt"`
	Votes       int64    `json:"votes"`
	Deleted     bool     `json:"deleted"`

	Listed *bool `json:"listed,omitempty"`
}

// An OwnPlace is a place on a board, or that of the user's team.
type OwnPlace struct {
	Board     string `json:"board"`
	Window    string `json:"window"`
	Period    string `json:"period"`
	Rank      int64  `json:"rank"`
	Score     int64  `json:"score"`
	ReachedAt string `json:"reachedAt,omitempty"`
	Total     int64  `json:"total"`
	Team      string `json:"team,omitempty"`
	Own       *int64 `json:"own,omitempty"`
}

// An OwnMonth is the result of a month on a board.
type OwnMonth struct {
	Board     string `json:"board"`
	Month     string `json:"month"`
	Score     int64  `json:"score"`
	ReachedAt string `json:"reachedAt"`
}

// A Day has a user's scores and actions of a day.
type Day struct {
	Day     string           `json:"day"`
	Scores  map[string]int64 `json:"scores"`
	Actions map[string]Tally `json:"actions"`
}

// A Tally has the count of an action that stands, and the points for it.
type Tally struct {
	Count  int64 `json:"count"`
	Points int64 `json:"points"`
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
	State   string           `json:"state"`
	Removed map[string]int64 `json:"removed"`
}

// Done says whether nothing holds the id any more.
func (e Erasure) Done() bool { return e.State == string(items.Done) }

// A KeptEntry is a user's action on one target in a day or a month, a metric of a day, or an award, whose id is Ref.
type KeptEntry struct {
	Action     string `json:"action"`
	Target     string `json:"target,omitempty"`
	TargetHash string `json:"targetHash,omitempty"`
	Ref        string `json:"ref,omitempty"`
	RefHash    string `json:"refHash,omitempty"`
	Board      string `json:"board,omitempty"`
	State      string `json:"state"`
	Points     int64  `json:"points"`
	Value      *int64 `json:"value,omitempty"`
	Reason     string `json:"reason,omitempty"`
	Month      string `json:"month"`
	Day        string `json:"day,omitempty"`
	FirstAt    string `json:"firstAt,omitempty"`
	LastAt     string `json:"lastAt,omitempty"`
	UndoneAt   string `json:"undoneAt,omitempty"`
	RestoredAt string `json:"restoredAt,omitempty"`
}

// EntryOf returns an entry as answers have it.
func EntryOf(e *ledger.ListedEntry, calendar *board.Calendar) KeptEntry {
	kept := KeptEntry{
		Action: e.Action, Board: e.Board, State: string(e.State), Points: e.Points,
		Month: e.Month.String(), FirstAt: calendar.Text(e.First), LastAt: calendar.Text(e.Last),
		UndoneAt: calendar.Text(e.Undone), RestoredAt: calendar.Text(e.Restored),
	}
	kept.Target, kept.TargetHash = e.SplitTarget()
	kept.Ref, kept.RefHash = e.SplitRef()
	if day := cmp.Or(e.On, e.Day); day != 0 {
		kept.Day = day.String()
	}
	switch {
	case e.Award != nil:
		kept.Reason, kept.LastAt = e.Award.Reason, ""
	case e.Scope == "": // a metric
		kept.Value = new(e.Value)
	}
	return kept
}
