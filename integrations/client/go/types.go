// Code generated from the OpenAPI document by internal/clienttypes. DO NOT EDIT.

package laurel

import (
	"encoding/json"
	"time"
)

// User is a user as boards show one.
type User struct {
	// null for an erased user
	ID string `json:"id"`
	// The name to show
	Name string `json:"name,omitzero"`
	// The address of the user's picture
	Avatar string `json:"avatar,omitzero"`
	// Its address in the forum
	Link string `json:"link,omitzero"`
	// On how many final boards the user was the first, of the last 250 that gave a wreath; none when left out
	Firsts int `json:"firsts,omitzero"`
	// Whether the user was erased; the place remains
	Erased bool `json:"erased,omitzero"`
}

// Profile is the profile of a user: the data that boards show, and private data that only the service reads. Putting one replaces it whole.
type Profile struct {
	// The id that the forum gave
	ID string `json:"id"`
	// The name to show
	Name string `json:"name"`
	// An http or https address
	Avatar string `json:"avatar,omitzero"`
	// An http or https address
	Link string `json:"link,omitzero"`
	// When the account was made, for rules with minAgeDays; not public. Left out, it stays as it is; none removes it
	Since time.Time `json:"since,omitzero"`
	// Private groups, compared byte by byte; only the service reads them. Left out, they stay as they are; an empty list removes them
	Groups []string `json:"groups,omitzero"`
}

// Activity is one thing that a user did or took back.
type Activity struct {
	// An action, its undo, or a metric of the rules in force on its day
	Action string `json:"action"`
	// The target: an article, a page, a user. A metric needs none, nor does the service for an undo or a restore with a ref: that holds for everything of the user with the ref
	Target string `json:"target,omitzero"`
	// The comment's own id
	Ref string `json:"ref,omitzero"`
	// A metric's value
	Value *int `json:"value,omitzero"`
	// The user who did it: the service must set it, a user must not
	User string `json:"user,omitzero"`
	// When: for the service to set; the moment of arrival when left out, and a millisecond later for each activity before it of the same user, action (or its undo) and target
	At time.Time `json:"at,omitzero"`
	// Whether it takes the last undo back, for the service to say: an act from before counts again, and one that was not done stays so
	Restores bool `json:"restores,omitzero"`
	// The other person, for the service to say: the giver of a like, the author of a post
	Other string `json:"other,omitzero"`
}

// Receipt is the answer to one activity. After the status unavailable the activity is to be reported again.
type Receipt struct {
	// The effect of the activity, or the reason why it had none. Values may be added.
	Status string `json:"status"`
	// Change of the user's month scores
	Points int `json:"points"`
	// The board of the rules
	Board string `json:"board"`
	// The day it counts for
	Day string `json:"day"`
	// The user's scores on the board after the activity, by window
	Scores map[string]int `json:"scores,omitzero"`
	// The user's ranks on the board after the request, by window; with=rank adds those that are known at once: none of a sharded board, of a user who is hidden, or while boards are unavailable
	Ranks map[string]int `json:"ranks,omitzero"`
}

// Board is a page of a board in one period, with the standings that were asked for.
type Board struct {
	// The board of the rules
	Board string `json:"board"`
	// A window of time. Values may be added.
	Window string `json:"window"`
	// The period of the window
	Period string `json:"period"`
	// The forum's time zone
	Timezone string `json:"timezone"`
	// The period's first moment
	StartsAt time.Time `json:"startsAt"`
	// The first moment after the period; null for all
	EndsAt time.Time `json:"endsAt"`
	// When this was read
	AsOf time.Time `json:"asOf"`
	// Whether the period is closed and will not change again
	Final bool `json:"final"`
	// teams: the places are those of teams; left out on a board of people. Values may be added.
	Of string `json:"of,omitzero"`
	// How many are on the board
	Total int `json:"total"`
	// In the board's order; none past its end
	Entries []Entry `json:"entries"`
	// The path of the next page; null at the end
	Next string `json:"next"`
	// The standing of the user asked for
	Standing *Standing `json:"standing,omitzero"`
	// The standings of the users asked for, in the order asked for
	Standings []Standing `json:"standings,omitzero"`
}

// Entry is a place of a board, of a user or of a team.
type Entry struct {
	// The place on the board, from 1
	Rank int `json:"rank"`
	// The points on the board; of a team the sum of its members
	Score int `json:"score"`
	// When the score was reached, in whole steps from the start of the period: of 1 ms in a day, 8 in a week, 32 in a month, 256 in a year and 32768 in all time; left out on a board of teams
	ReachedAt time.Time `json:"reachedAt,omitzero"`
	// The user; left out on a board of teams
	User User `json:"user,omitzero"`
	// The team; left out on a board of people
	Team *Team `json:"team,omitzero"`
	// The rank in the period before, null when not on its board; with=movement adds it
	PreviousRank *int `json:"previousRank,omitzero"`
}

// Team is a team on a board.
type Team struct {
	// The group of its members
	ID string `json:"id"`
	// The name to show; left out when the rules do not say
	Label string `json:"label,omitzero"`
	// How many of its members are on the board; hidden ones are not counted
	Members int `json:"members"`
}

// Standing is the place of a user on a board.
type Standing struct {
	// The user
	User User `json:"user"`
	// null when not on the board
	Rank *int `json:"rank"`
	// The points on the board
	Score int `json:"score"`
	// When the score was reached, as in entries; null when not on the board, and on a board of teams
	ReachedAt time.Time `json:"reachedAt"`
	// How many are on the board
	Total int `json:"total"`
	// Percentage of the others who are behind; null when not on the board
	Percentile *float64 `json:"percentile"`
	// Points that bring the next place: one more than the score above, as the first to reach a score keeps the place; null on the first place. Not on the board: 1, or for the user and the service, where a token is needed, 1 minus a sum below zero; null for a user whom the board's people leave out, unless the period is final, and on a board of teams for a user without a team
	ToNext *int `json:"toNext"`
	// The rank in the period before; null when not on its board
	PreviousRank *int `json:"previousRank"`
	// On a board of teams the team of the user and of this place; left out for a user without a team, and on a board of people
	Team *Team `json:"team,omitzero"`
	// The user's own points for the team; on a board of teams alone
	Own *int `json:"own,omitzero"`
}

// Friends is a page of the board of a user and those whom the user follows.
type Friends struct {
	// The board of the rules
	Board string `json:"board"`
	// A window of time. Values may be added.
	Window string `json:"window"`
	// The period of the window
	Period string `json:"period"`
	// The forum's time zone
	Timezone string `json:"timezone"`
	// The period's first moment
	StartsAt time.Time `json:"startsAt"`
	// The first moment after the period; null for all
	EndsAt time.Time `json:"endsAt"`
	// When this was read
	AsOf time.Time `json:"asOf"`
	// Whether the period is closed and will not change again
	Final bool `json:"final"`
	// teams: the places are those of teams; left out on a board of people. Values may be added.
	Of string `json:"of,omitzero"`
	// How many the user follows, and the user
	Total int `json:"total"`
	// In the board's order; those without points come last, by id
	Entries []Friend `json:"entries"`
	// The path of the next page; null at the end
	Next string `json:"next"`
	// The standing of the user asked for
	Standing FriendStanding `json:"standing"`
}

// Friend is a place among friends; both ranks are null without points.
type Friend struct {
	// Among the friends; null without points
	Rank *int `json:"rank"`
	// On the whole board; null without points
	BoardRank *int `json:"boardRank"`
	// The points on the board
	Score int `json:"score"`
	// When the score was reached, as on boards; null without points
	ReachedAt time.Time `json:"reachedAt"`
	// The user
	User User `json:"user"`
}

// FriendStanding is the place of the user among friends, and on the board.
type FriendStanding struct {
	// The user
	User User `json:"user"`
	// Among the friends; null without points
	Rank *int `json:"rank"`
	// On the whole board; null without points
	BoardRank *int `json:"boardRank"`
	// The points on the board
	Score int `json:"score"`
	// When the score was reached, as on boards; null without points
	ReachedAt time.Time `json:"reachedAt"`
	// How many the user follows, and the user
	Total int `json:"total"`
	// Percentage of the friends who are behind; null without points
	Percentile *float64 `json:"percentile"`
	// Points that bring the next place among the friends, as on boards; null on the first place, and for a user whom the board's people leave out
	ToNext *int `json:"toNext"`
}

// Standings is the present places of a user, one for each board and window.
type Standings struct {
	// The user
	User User `json:"user"`
	// One for each board and window
	Standings []BoardPosition `json:"standings"`
}

// BoardPosition is the place of a user on one of the boards in one of their windows.
type BoardPosition struct {
	// The board of the rules
	Board string `json:"board"`
	// A window of time. Values may be added.
	Window string `json:"window"`
	// The period of the window
	Period string `json:"period"`
	// null when not on the board
	Rank *int `json:"rank"`
	// The points on the board
	Score int `json:"score"`
	// When the score was reached, as in entries; null when not on the board, and on a board of teams
	ReachedAt time.Time `json:"reachedAt"`
	// How many are on the board
	Total int `json:"total"`
	// Percentage of the others who are behind; null when not on the board
	Percentile *float64 `json:"percentile"`
	// Points that bring the next place: one more than the score above, as the first to reach a score keeps the place; null on the first place. Not on the board: 1, or for the user and the service, where a token is needed, 1 minus a sum below zero; null for a user whom the board's people leave out, unless the period is final, and on a board of teams for a user without a team
	ToNext *int `json:"toNext"`
	// The rank in the period before; null when not on its board
	PreviousRank *int `json:"previousRank"`
	// On a board of teams the team of the user and of this place; left out for a user without a team, and on a board of people
	Team *Team `json:"team,omitzero"`
	// The user's own points for the team; on a board of teams alone
	Own *int `json:"own,omitzero"`
}

// Periods is a page of the periods of a board that have anybody on them.
type Periods struct {
	// The board of the rules
	Board string `json:"board"`
	// A window of time. Values may be added.
	Window string `json:"window"`
	// The newest first
	Periods []Period `json:"periods"`
	// The path of the periods before; null at the end
	Next string `json:"next"`
}

// Period is a period of a board.
type Period struct {
	// The period of the window
	Period string `json:"period"`
	// The period's first moment
	StartsAt time.Time `json:"startsAt"`
	// The first moment after the period; null for all
	EndsAt time.Time `json:"endsAt"`
	// Whether the period is closed and will not change again
	Final bool `json:"final"`
	// How many are on the board
	Total int `json:"total"`
}

// BoardWindows is the first places of a board in several windows.
type BoardWindows struct {
	// The board of the rules
	Board string `json:"board"`
	// One for each window, in the order asked for
	Windows []Board `json:"windows"`
}

// Winners is the first places of the ended periods of a board.
type Winners struct {
	// The board of the rules
	Board string `json:"board"`
	// A window of time. Values may be added.
	Window string `json:"window"`
	// teams: the places are those of teams; left out on a board of people. Values may be added.
	Of string `json:"of,omitzero"`
	// The newest first; those with anybody on the board
	Periods []WinnersPeriod `json:"periods"`
	// The path of the periods before; null at the end
	Next string `json:"next"`
}

// WinnersPeriod is an ended period with its first places.
type WinnersPeriod struct {
	// The period of the window
	Period string `json:"period"`
	// The first moment after the period
	EndsAt time.Time `json:"endsAt"`
	// Whether the period is closed and will not change again
	Final bool `json:"final"`
	// In the board's order
	Entries []Entry `json:"entries"`
}

// Wreaths is the places of a user among the first ten on final boards.
type Wreaths struct {
	// The newest first, at most 100
	Wreaths []Wreath `json:"wreaths"`
}

// Wreath is a place among the first ten on a final board.
type Wreath struct {
	// The board of the rules
	Board string `json:"board"`
	// Values may be added.
	Window string `json:"window"`
	// The period of the window
	Period string `json:"period"`
	// The place on the final board
	Rank int `json:"rank"`
}

// BoardList is the boards of the rules.
type BoardList struct {
	// By name
	Boards []ListedBoard `json:"boards"`
}

// ListedBoard is a board of the rules, with its question.
type ListedBoard struct {
	// The board of the rules
	Board string `json:"board"`
	// The shortest first
	Windows []string `json:"windows"`
	// The names of the board, by BCP 47 language tag; empty when the rules do not say
	Labels map[string]string `json:"labels"`
	// The names of its points, likewise
	Unit map[string]string `json:"unit"`
	// The weights of a board today, and its conditions on people
	Question Question `json:"question"`
	// members: only readers with a token see it; left out of a board that guests see
	Audience string `json:"audience,omitzero"`
}

// Question is the weights of a board today, and its conditions on people.
type Question struct {
	// By action or metric
	Counts map[string]Weight `json:"counts"`
	// The first day of a contest; left out by other boards
	From string `json:"from,omitzero"`
	// The last day of a contest
	To string `json:"to,omitzero"`
	// The conditions of a board on people; all of them hold together
	People *PeopleOfBoard `json:"people,omitzero"`
	// The teams, in the order in which a person's team is chosen; left out of a board of people
	Teams []ListedTeam `json:"teams,omitzero"`
}

// Weight is the points of an action on a board, or the factor of a metric.
type Weight struct {
	// Of one entry; of a metric the factor of its value
	Points int `json:"points"`
	// How many entries count on a day; left out for all
	Cap int `json:"cap,omitzero"`
}

// PeopleOfBoard is the conditions of a board on people; all of them hold together.
type PeopleOfBoard struct {
	// Whether groups of the forum choose the people on it
	Groups bool `json:"groups"`
	// Groups, of which a person has to be in one; left out for guests
	In []string `json:"in,omitzero"`
	// Groups, of which a person must be in none; left out for guests
	NotIn []string `json:"notIn,omitzero"`
	// The greatest age of an account at the period's start, in days
	NewDays int `json:"newDays,omitzero"`
}

// ListedTeam is a team of a board: a group of the forum.
type ListedTeam struct {
	// The group of its members
	ID string `json:"id"`
	// The name to show; left out when the rules do not say
	Label string `json:"label,omitzero"`
}

// ActivityDays is the activities of a user by day.
type ActivityDays struct {
	// The user
	User User `json:"user"`
	// The forum's time zone
	Timezone string `json:"timezone"`
	// Newest first; includes days without activity
	Days []ActivityDay `json:"days"`
	// Totals by action
	Totals map[string]Tally `json:"totals"`
}

// ActivityDay is a day of a user.
type ActivityDay struct {
	// The day in the forum's time zone
	Day string `json:"day"`
	// By board
	Scores map[string]int `json:"scores"`
	// By action
	Actions map[string]Tally `json:"actions"`
}

// Tally is the number of acts, and the points for them.
type Tally struct {
	// Number of entries that stand; 1 for a metric
	Count int `json:"count"`
	// Points after the daily cap; a metric's value
	Points int `json:"points"`
}

// Entries is a page of the entries of a user in live months.
type Entries struct {
	// The user
	User User `json:"user"`
	// By the latest of their moments, newest first
	Entries []KeptEntry `json:"entries"`
	// How many there are in all
	Total int `json:"total"`
	// The path of the next page; null at the end
	Next string `json:"next"`
}

// KeptEntry is an act of a user on one target in a day or a month, as it is kept. Of a long target or ref there is the hash alone.
type KeptEntry struct {
	// The action of the rules, or award
	Action string `json:"action"`
	// The target; left out where it is not kept any more
	Target string `json:"target,omitzero"`
	// In place of a target that is kept as a hash, in hex: a long one, and the user of a follow
	TargetHash string `json:"targetHash,omitzero"`
	// The id of the act on the target, such as a comment's own
	Ref string `json:"ref,omitzero"`
	// In place of a ref that is kept as a hash, in hex
	RefHash string `json:"refHash,omitzero"`
	// The board of the rules
	Board string `json:"board,omitzero"`
	// Whether it counts, and why not. Values may be added.
	State string `json:"state"`
	// The points of it on its day
	Points int `json:"points"`
	// The largest value of the day, of a metric
	Value *int `json:"value,omitzero"`
	// Why an award was given
	Reason string `json:"reason,omitzero"`
	// The month whose ledger has it
	Month string `json:"month"`
	// The day on which it counts; of an entry by day and of a metric its own; left out for one by month while it is undone
	Day string `json:"day,omitzero"`
	// When it was done first; of a metric, when the value was reported first
	FirstAt time.Time `json:"firstAt,omitzero"`
	// When it was done the last time
	LastAt time.Time `json:"lastAt,omitzero"`
	// When it was undone the last time
	UndoneAt time.Time `json:"undoneAt,omitzero"`
	// When an undo was taken back the last time
	RestoredAt time.Time `json:"restoredAt,omitzero"`
}

// Following is a page of the follow list of a user.
type Following struct {
	// By id
	Users []User `json:"users"`
	// Length of the whole list
	Total int `json:"total"`
	// The path of the next page; null at the end
	Next string `json:"next"`
}

// Visibility is the parts of a user that others see.
type Visibility struct {
	// On the boards that others see, or not. Values may be added.
	Boards string `json:"boards"`
	// The readers of the scores by day: all, or the user alone. Values may be added.
	Days string `json:"days"`
}

// VisibilityChange is a change of the parts of a user that others see.
type VisibilityChange struct {
	// On the boards that others see or not; as it was when left out
	Boards string `json:"boards,omitzero"`
	// The readers of the scores by day: all, or the user alone; as it was when left out
	Days string `json:"days,omitzero"`
}

// Erasure is the progress of the erasure of a user.
type Erasure struct {
	// Values may be added.
	State string `json:"state"`
	// Number of removed items, by kind
	Removed map[string]int `json:"removed"`
}

// Merge is the progress of the merge of a user into another one.
type Merge struct {
	// Values may be added.
	State string `json:"state"`
	// The user who stands for both
	Into string `json:"into"`
	// Number of joined items, by kind; dropped are entries for which the joined ledger had no room
	Joined map[string]int `json:"joined"`
}

// VoidPair is two users whose acts for each other give neither any points.
type VoidPair struct {
	// The other person
	Other string `json:"other"`
	// When the pair became void
	Since time.Time `json:"since"`
	// As the operators' record has it
	Reason string `json:"reason,omitzero"`
}

// NewAward is an award to give. Sent again with the same id and moment it is the same award.
type NewAward struct {
	// One of the user's month; Laurel makes it when it and at are left out
	ID string `json:"id,omitzero"`
	// The day of this moment gets the points; now when it and id are left out
	At time.Time `json:"at,omitzero"`
	// Below 0 it takes points
	Points int `json:"points"`
	// A board of the rules that does not count as another; activity when left out, or else the first one that is the home of actions
	Board string `json:"board,omitzero"`
	// For the user, and for the operators' record; not for names
	Reason string `json:"reason"`
}

// Award is an award that was given.
type Award struct {
	// The award's id
	ID string `json:"id"`
	// The award's moment
	At time.Time `json:"at"`
	// Its points; below 0 it takes some
	Points int `json:"points"`
	// The board of the rules
	Board string `json:"board"`
	// Why it was given
	Reason string `json:"reason"`
	// undone: it was taken back. Values may be added.
	State string `json:"state"`
}

// AwardReceipt is the answer to an award, or to taking one back.
type AwardReceipt struct {
	// The award's id
	ID string `json:"id"`
	// The award's moment
	At time.Time `json:"at"`
	// The effect, or the reason why it had none. Values may be added.
	Status string `json:"status"`
	// Change of the user's month scores
	Points int `json:"points"`
	// The board of the rules
	Board string `json:"board"`
	// The day it counts for
	Day string `json:"day"`
	// The user's scores on the board after the activity, by window
	Scores map[string]int `json:"scores,omitzero"`
}

// OperatorsRecord is a page of the operators' record.
type OperatorsRecord struct {
	// Newest first
	Record []RecordedAct `json:"record"`
	// The path of the next page; null at the end
	Next string `json:"next"`
}

// RecordedAct is an act of an operator or of the service, in the words of its command. A user without a profile, or one who was erased since, has no id here.
type RecordedAct struct {
	// The act's id, by which lists are in order
	ID string `json:"id"`
	// When it was done
	At time.Time `json:"at"`
	// The command that does it: award, exclude, hide, show, void, merge, erase, reopen, import; with --lift it was taken back. Values may be added.
	Command string `json:"command"`
	// The user whom it was about; without an id one who has no profile, or was erased
	User *User `json:"user,omitzero"`
	// The other one of a void pair, or the user who stands for a merged one
	Other *User `json:"other,omitzero"`
	// Of a void
	Target string `json:"target,omitzero"`
	// Of a reopening
	Period string `json:"period,omitzero"`
	// An award's id
	Award string `json:"award,omitzero"`
	// An award's board
	Board string `json:"board,omitzero"`
	// An award's points
	Points int `json:"points,omitzero"`
	// How many awards an import had
	Count int `json:"count,omitzero"`
	// Why it was done; of an import its file
	Reason string `json:"reason,omitzero"`
}

// Articles is a page of a list of articles.
type Articles struct {
	// Values may be added.
	Sort string `json:"sort"`
	// The group, when one was asked for
	Group string `json:"group,omitzero"`
	// Length of the whole list
	Total int `json:"total"`
	// In the list's order; none past its end
	Articles []Article `json:"articles"`
	// The path of the next page; null at the end
	Next string `json:"next"`
}

// Article is an article of the forum.
type Article struct {
	// The id that the forum gave
	ID string `json:"id"`
	// The title to show
	Title string `json:"title"`
	// Its address in the forum
	Link string `json:"link,omitzero"`
	// The user who wrote it
	Author User `json:"author"`
	// When it was published
	PublishedAt time.Time `json:"publishedAt"`
	// The author's own included, if the rules count it
	Votes int `json:"votes"`
	// Unix seconds of publishing plus the worth of the votes
	Score int64 `json:"score"`
	// Sorted
	Groups []string `json:"groups"`
	// Whether it has at least the votes that the rules set
	Interesting bool `json:"interesting"`
	// Whether a like now counts as a vote
	VotingOpen bool `json:"votingOpen"`
	// false for an article that was taken off all lists; left out for others
	Listed *bool `json:"listed,omitzero"`
}

// NewArticle is an article to publish.
type NewArticle struct {
	// The forum's own id; one is made when left out
	ID string `json:"id,omitzero"`
	// The title to show
	Title string `json:"title"`
	// An http or https address; none when left out
	Link string `json:"link,omitzero"`
	// The groups it is in, each once; none when left out
	Groups []string `json:"groups,omitzero"`
	// At most 48 hours back; does not change. Left out: now, or the moment it has
	PublishedAt time.Time `json:"publishedAt,omitzero"`
	// The user who wrote it
	Author UserRef `json:"author"`
}

// ArticleEdit is the new state of an article.
type ArticleEdit struct {
	// The id in the path, as it is read; may be left out
	ID string `json:"id,omitzero"`
	// The title to show
	Title string `json:"title"`
	// An http or https address; none when left out
	Link string `json:"link,omitzero"`
	// The groups it is in, each once; none when left out
	Groups []string `json:"groups,omitzero"`
	// At most 48 hours back; does not change. Left out: now, or the moment it has
	PublishedAt time.Time `json:"publishedAt,omitzero"`
	// The user who wrote it; does not change, and may be left out
	Author *Author `json:"author,omitzero"`
	// false takes it off all lists and records unpublish; true puts it back and restores publish; left out, it stays as it is
	Listed *bool `json:"listed,omitzero"`
}

// UserRef is a user who is named by the id.
type UserRef struct {
	// The id that the forum gave
	ID string `json:"id"`
}

// Author is the author of an article, named by the id.
type Author struct {
	// null for an erased user
	ID string `json:"id"`
}

// Violation is an error in one place of a request.
type Violation struct {
	// The kind of violation. Values may be added.
	Code string `json:"code"`
	// The error, in English
	Message string `json:"message"`
	// Where it is, from body, query, path or header
	Location string `json:"location"`
	// The value found there, shortened; left out where it would not help
	Value json.RawMessage `json:"value,omitzero"`
}
