package laurel

import "time"

// A User is one on a board or a list. ID is empty for a user who was erased after the board was final.
type User struct {
	ID     string `json:"id"`
	Name   string `json:"name,omitempty"`
	Avatar string `json:"avatar,omitempty"`
	Link   string `json:"link,omitempty"`
	Firsts int    `json:"firsts,omitempty"` // the number of final boards on which the user was the first
	Erased bool   `json:"erased,omitempty"`
}

// A Profile has the data of a user that boards show, and private data, which only PrivateProfile reads. Putting one
// replaces it whole; Since stays if it is zero, and Groups if they are nil.
type Profile struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Avatar string    `json:"avatar,omitempty"`
	Link   string    `json:"link,omitempty"`
	Since  time.Time `json:"since,omitzero"`  // since when the account exists
	Groups []string  `json:"groups,omitzero"` // at most 20; an empty list removes them
}

// A Frame names the board and the period of a page.
type Frame struct {
	Board    string    `json:"board"`
	Window   string    `json:"window"` // day, week, month, quarter, year, all, contest, 7d or 30d
	Period   string    `json:"period"` // such as 2026-11-20, 2026-W47, 2026-11, 2026-Q4, 2026, all or 2026-11-01..2026-11-30
	Timezone string    `json:"timezone"`
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt,omitzero"` // zero for the window all
	AsOf     time.Time `json:"asOf"`
	Final    bool      `json:"final"` // the board is stored for good
	Total    int       `json:"total"`
	Next     string    `json:"next"` // the path of the next page, "" on the last one
	Of       string    `json:"of"`   // teams: the entries are teams; "": users
}

// A Board is a page of a board, with a user's standing or several users' if they were requested.
type Board struct {
	Frame

	Entries   []Entry    `json:"entries"`
	Standing  *Standing  `json:"standing,omitempty"`
	Standings []Standing `json:"standings,omitempty"`
}

// A BoardList has the boards of the rules, by name.
type BoardList struct {
	Boards []ListedBoard `json:"boards"`
}

// A ListedBoard is a board with its windows, the shortest first. Labels and Unit are by language tag.
type ListedBoard struct {
	Board    string            `json:"board"`
	Windows  []string          `json:"windows"`
	Labels   map[string]string `json:"labels"`
	Unit     map[string]string `json:"unit"`
	Question Question          `json:"question"`
}

// A Question has the weights of a board today, by action or metric. People is nil for everybody.
type Question struct {
	Counts map[string]Weight `json:"counts"`
	People *PeopleOfBoard    `json:"people"`
	Teams  []ListedTeam      `json:"teams"` // nil of a board of users
}

// A ListedTeam is a team of a board: a group of the forum with the name to show, "" for none.
type ListedTeam struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// A Team is a team on a board, with the number of its members on it.
type Team struct {
	ID      string `json:"id"`
	Label   string `json:"label"`
	Members int    `json:"members"`
}

// A Weight has the points of one entry, or the factor of a metric's value. Cap is the number of entries that count on
// a day, 0 for all.
type Weight struct {
	Points int `json:"points"`
	Cap    int `json:"cap"`
}

// PeopleOfBoard are the conditions of a board on people. Groups is true if groups of the forum choose them; NewDays is
// the greatest age of an account at the period's start, in days, 0 for any.
type PeopleOfBoard struct {
	Groups  bool `json:"groups"`
	NewDays int  `json:"newDays"`
}

// BoardWindows are the tops of a board in several windows.
type BoardWindows struct {
	Board   string  `json:"board"`
	Windows []Board `json:"windows"`
}

// Winners are the first of a board's ended periods, the newest first. Next is the path of earlier ones, nil at the
// end.
type Winners struct {
	Board   string          `json:"board"`
	Window  string          `json:"window"`
	Of      string          `json:"of"` // as of a Board
	Periods []WinnersPeriod `json:"periods"`
	Next    *string         `json:"next"`
}

// A WinnersPeriod has the first users of a period.
type WinnersPeriod struct {
	Period  string    `json:"period"`
	EndsAt  time.Time `json:"endsAt"`
	Final   bool      `json:"final"`
	Entries []Entry   `json:"entries"`
}

// Wreaths are those of a user, the newest first.
type Wreaths struct {
	Wreaths []Wreath `json:"wreaths"`
}

// A Wreath is one of the first ten places on a final board.
type Wreath struct {
	Board  string `json:"board"`
	Window string `json:"window"`
	Period string `json:"period"`
	Rank   int    `json:"rank"`
}

// An Entry is a place of a board: a user's, or a Team's without User and ReachedAt. PreviousRank is nil if it was not
// requested, or if the user was not on the board of the period before.
type Entry struct {
	Rank         int       `json:"rank"`
	Score        int       `json:"score"`
	ReachedAt    time.Time `json:"reachedAt,omitzero"`
	User         User      `json:"user,omitzero"`
	Team         *Team     `json:"team,omitempty"`
	PreviousRank *int      `json:"previousRank,omitempty"`
}

// A Position is a user's place. Off the board Rank and Percentile are nil, the score is 0 and ReachedAt zero. ToNext,
// the points to the next place, is nil on the first one, and off a board whose people leave out the user.
type Position struct {
	Rank       *int      `json:"rank"`
	Score      int       `json:"score"`
	ReachedAt  time.Time `json:"reachedAt,omitzero"`
	Total      int       `json:"total"`
	Percentile *float64  `json:"percentile"`
	ToNext     *int      `json:"toNext"`
}

// A Standing is a user's place on a board. On one of teams it is that of the user's Team, nil without one, and Own is
// the user's part of its score.
type Standing struct {
	Position

	User         User  `json:"user"`
	PreviousRank *int  `json:"previousRank"`
	Team         *Team `json:"team,omitempty"`
	Own          *int  `json:"own,omitempty"`
}

// A BoardPosition is a user's place on one of all boards and windows.
type BoardPosition struct {
	Position

	Board        string `json:"board"`
	Window       string `json:"window"`
	Period       string `json:"period"`
	PreviousRank *int   `json:"previousRank"`
	Team         *Team  `json:"team,omitempty"`
	Own          *int   `json:"own,omitempty"`
}

// Standings are a user's present places, on every board and window.
type Standings struct {
	User      User            `json:"user"`
	Standings []BoardPosition `json:"standings"`
}

// Friends is the board of a user and those the user follows.
type Friends struct {
	Frame

	Entries  []Friend       `json:"entries"`
	Standing FriendStanding `json:"standing"`
}

// A Friend is a place among friends; both ranks are nil for a user without points.
type Friend struct {
	Rank      *int      `json:"rank"`
	BoardRank *int      `json:"boardRank"`
	Score     int       `json:"score"`
	ReachedAt time.Time `json:"reachedAt,omitzero"`
	User      User      `json:"user"`
}

// A FriendStanding is the user's place among friends, and on the board.
type FriendStanding struct {
	Position

	User      User `json:"user"`
	BoardRank *int `json:"boardRank"`
}

// Periods are a page of the periods of a board that have anyone on them, newest first.
type Periods struct {
	Board   string   `json:"board"`
	Window  string   `json:"window"`
	Periods []Period `json:"periods"`
	Next    string   `json:"next"`
}

// A Period is one of a board. EndsAt is zero for the window all.
type Period struct {
	Period   string    `json:"period"`
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt,omitzero"`
	Final    bool      `json:"final"`
	Total    int       `json:"total"`
}

// An Erasure is the progress of a user's erasure. State is running or done.
type Erasure struct {
	State   string         `json:"state"`
	Removed map[string]int `json:"removed"` // the number of removed items, by place
}

// Following is a page of a user's follow list, by id.
type Following struct {
	Users []User `json:"users"`
	Total int    `json:"total"`
	Next  string `json:"next"`
}

// A Visibility tells whether others see a user: Boards is shown or hidden, Days public or private. An empty field
// stays as it is.
type Visibility struct {
	Boards string `json:"boards,omitempty"`
	Days   string `json:"days,omitempty"`
}

// ActivityDays are a user's activities by day, newest first, today included and days without any too.
type ActivityDays struct {
	User     User             `json:"user"`
	Timezone string           `json:"timezone"`
	Days     []ActivityDay    `json:"days"`
	Totals   map[string]Tally `json:"totals"` // by action
}

// An ActivityDay is a day of a user.
type ActivityDay struct {
	Day     string           `json:"day"`
	Scores  map[string]int   `json:"scores"`  // by board
	Actions map[string]Tally `json:"actions"` // by action
}

// A Tally is the number of acts, and the points for them.
type Tally struct {
	Count  int `json:"count"`
	Points int `json:"points"`
}

// Entries are a page of a user's entries in live months, newest first.
type Entries struct {
	User    User        `json:"user"`
	Entries []KeptEntry `json:"entries"`
	Total   int         `json:"total"`
	Next    string      `json:"next"`
}

// A KeptEntry is an act of a user on one target in a day or month. State is counted, over_cap, undone or
// voided. Of a long target or ref there is the hash alone.
type KeptEntry struct {
	Action     string    `json:"action"`
	Board      string    `json:"board,omitempty"`
	Target     string    `json:"target,omitempty"`
	TargetHash string    `json:"targetHash,omitempty"`
	Ref        string    `json:"ref,omitempty"`
	RefHash    string    `json:"refHash,omitempty"`
	State      string    `json:"state"`
	Points     int       `json:"points"`
	Value      *int      `json:"value,omitempty"`  // of a metric
	Reason     string    `json:"reason,omitempty"` // of an award
	Month      string    `json:"month"`            // the user whose ledger has it
	Day        string    `json:"day,omitempty"`    // the day or month on which it counts
	FirstAt    time.Time `json:"firstAt,omitzero"`
	LastAt     time.Time `json:"lastAt,omitzero"`
	UndoneAt   time.Time `json:"undoneAt,omitzero"`
	RestoredAt time.Time `json:"restoredAt,omitzero"`
}

// An Article is one that the forum has published. Listed is false while it is off the lists.
type Article struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Link        string    `json:"link,omitempty"`
	Author      User      `json:"author"`
	PublishedAt time.Time `json:"publishedAt"`
	Votes       int       `json:"votes"`
	Score       int64     `json:"score"`
	Groups      []string  `json:"groups"`
	Interesting bool      `json:"interesting"`
	VotingOpen  bool      `json:"votingOpen"`
	Listed      *bool     `json:"listed,omitempty"`
}

// A NewArticle is one to publish; of its author the ID is enough.
type NewArticle struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Link        string    `json:"link,omitempty"`
	Author      User      `json:"author"`
	Groups      []string  `json:"groups,omitempty"`
	PublishedAt time.Time `json:"publishedAt"`
}

// An ArticleEdit replaces an article's title, link and groups. Listed false takes it off all lists, true puts it back.
type ArticleEdit struct {
	Title  string   `json:"title"`
	Link   string   `json:"link,omitempty"`
	Groups []string `json:"groups,omitempty"`
	Listed *bool    `json:"listed,omitempty"`
}

// Articles are a page of a list of articles.
type Articles struct {
	Sort     string    `json:"sort"`
	Group    string    `json:"group,omitempty"`
	Total    int       `json:"total"`
	Articles []Article `json:"articles"`
	Next     string    `json:"next"`
}
