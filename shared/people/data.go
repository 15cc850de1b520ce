package people

import (
	"cmp"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
)

// UserData is what is kept of a user, by the names that the routes for its parts have. Moments are as
// board.Calendar.Text has them.
type UserData struct {
	User       Person         `json:"user"`
	Timezone   string         `json:"timezone" example:"Europe/Berlin" doc:"Of moments, days and periods"`
	Profile    *OwnProfile    `json:"profile" doc:"null without one"`
	Visibility UserVisibility `json:"visibility" doc:"What others see of the user, by the user's own wish"`
	Exclusion  UserExclusion  `json:"exclusion" doc:"By the service; without shadow, which the user is not to notice"`

	Days      []Day       `json:"days" doc:"Of months whose ledgers are kept, newest first; those with activity"`
	Entries   []KeptEntry `json:"entries" doc:"Of months whose ledgers are kept, newest first"`
	Following []OwnFollow `json:"following" doc:"The follow list, also who was unfollowed; newest first"`
	Votes     []OwnVote   `json:"votes" doc:"For articles of months whose ledgers are kept, oldest month first"`
	Articles  []OwnPost   `json:"articles" doc:"Written by the user"`
	Standings []OwnPlace  `json:"standings" doc:"On live boards; a hidden user's are those that would be"`
	Final     []OwnPlace  `json:"final" doc:"On final boards, newest first by board and window"`
	Months    []OwnMonth  `json:"months" doc:"What months came to, for boards by year and of all time"`
	Wreaths   []Wreath    `json:"wreaths" doc:"The first ten places on final boards, newest first"`
	Erasure   *Erasure    `json:"erasure" doc:"The last one of this id; null without one"`
	Truncated []string    `json:"truncated" doc:"Parts that have more: entries, following, articles, final"`
}

// A Person is a user as answers name one.
type Person struct {
	ID string `json:"id" example:"ann"`
}

// WholeData is UserData without limits, and what takes too long for a request.
type WholeData struct {
	UserData
	Followers int64 `json:"followers"` // follow lists of others that have the user, or had
}

// A Wreath is one of the first ten places on a final board.
type Wreath struct {
	Board  string `json:"board" example:"activity"`
	Window string `json:"window" enum:"day,week,month,year" example:"day"`
	Period string `json:"period" example:"2026-11-20"`
	Rank   int64  `json:"rank" minimum:"1" maximum:"10" example:"1" doc:"The place on the final board"`
}

// OwnProfile is a user's profile.
type OwnProfile Profile

// An OwnFollow is what is kept of somebody whom the user follows or followed.
type OwnFollow struct {
	User         Person `json:"user"`
	Following    bool   `json:"following"`
	FollowedAt   string `json:"followedAt,omitempty" format:"date-time"`
	UnfollowedAt string `json:"unfollowedAt,omitempty" format:"date-time"`
}

// An OwnVote is a vote for an article.
type OwnVote struct {
	Article   string `json:"article" example:"article-42"`
	Stands    bool   `json:"stands" doc:"false if it was taken back"`
	ChangedAt string `json:"changedAt" format:"date-time" doc:"When it was given, or taken back"`
}

// An OwnPost is an article that the user wrote.
type OwnPost struct {
	ID          string   `json:"id" example:"article-42"`
	Title       string   `json:"title"`
	Link        string   `json:"link,omitempty"`
	Groups      []string `json:"groups"`
	PublishedAt string   `json:"publishedAt" format:"date-time"`
	Votes       int64    `json:"votes"`
	Deleted     bool     `json:"deleted"`

	Listed *bool `json:"listed,omitempty" default:"true"`
}

// An OwnPlace is a place on a board.
type OwnPlace struct {
	Board     string `json:"board" example:"activity"`
	Window    string `json:"window" enum:"day,week,month,year,all" example:"day"`
	Period    string `json:"period" example:"2026-11-20"`
	Rank      int64  `json:"rank" example:"3"`
	Score     int64  `json:"score" example:"34"`
	ReachedAt string `json:"reachedAt" format:"date-time"`
	Total     int64  `json:"total" example:"812" doc:"How many are on the board"`
}

// An OwnMonth is what a month came to on a board.
type OwnMonth struct {
	Board     string `json:"board" example:"activity"`
	Month     string `json:"month" example:"2026-11"`
	Score     int64  `json:"score" example:"210"`
	ReachedAt string `json:"reachedAt" format:"date-time"`
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
}

// Done says whether nothing holds the id any more.
func (e Erasure) Done() bool { return e.State == string(records.Done) }

// A KeptEntry is what a user did to one target in a day or a month, or a metric of a day.
type KeptEntry struct {
	Action     string `json:"action" example:"like"`
	Target     string `json:"target,omitempty" example:"article-42"`
	TargetHash string `json:"targetHash,omitempty" example:"9f86d081884c7d659a2feaa0c55ad015"`
	Ref        string `json:"ref,omitempty" example:"comment-7"`
	RefHash    string `json:"refHash,omitempty" doc:"In place of a ref that is kept as a hash, in hex"`
	Board      string `json:"board,omitempty" example:"activity"`
	State      string `json:"state" example:"counted" doc:"Whether it counts, and why not"`
	Points     int64  `json:"points" example:"2" doc:"What it is worth on its day"`
	Value      *int64 `json:"value,omitempty" example:"8200" doc:"The largest value of the day, of a metric"`
	Month      string `json:"month" example:"2026-11" doc:"The month whose ledger has it"`
	Day        string `json:"day,omitempty" format:"date" example:"2026-11-20"`
	FirstAt    string `json:"firstAt,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z"`
	LastAt     string `json:"lastAt,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z"`
	UndoneAt   string `json:"undoneAt,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z"`
	RestoredAt string `json:"restoredAt,omitempty" format:"date-time" example:"2026-11-20T12:00:00.000Z"`
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
	if e.Scope == "" { // a metric
		kept.Value = new(e.Value)
	}
	return kept
}
