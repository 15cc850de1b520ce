package httpapi

import (
	"context"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/people"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/view"
)

// A Recorder records what is reported; record.Recorder is one.
type Recorder interface {
	Record(context.Context, []activity.Activity, record.Arrival) ([]record.Result, error)
	SetVoid(ctx context.Context, target string, until board.Moment) (records.Void, error)
	WithdrawVoid(ctx context.Context, target string) (records.Void, error)
	VoidOf(ctx context.Context, target string) (records.Void, error)
}

// Records have the forum's head; records.Store does.
type Records interface {
	// EventQueue reads what waits for an address of events.
	EventQueue(ctx context.Context, address string) (records.EventQueue, error)
	Head(context.Context) (*records.Head, error)
	UsePairing(ctx context.Context, code string) error
}

// A View has the boards that can still change; view.Store is one.
type View interface {
	Read(context.Context, board.View) (view.Page, error)
	ReadAll(context.Context, []board.View) ([]view.Page, error)
	Friends(ctx context.Context, v board.View, friends []string, own board.Packed) (view.FriendsPage, error)
	PeriodsOf(ctx context.Context, name string, w board.Window) ([]view.BoardPeriod, error)
	AddRecent(ctx context.Context, name string, entry []byte) error
	Recent(ctx context.Context, names ...string) ([]string, error)
	Ping(context.Context) error
}

// People are who users are: names, statuses, lists; people.Store is one.
type People interface {
	Names(ctx context.Context, users []string, texts map[string]string) map[string]records.Public
	Get(ctx context.Context, user string) (p people.Profile, ok bool, err error)
	Put(ctx context.Context, profiles map[string]people.Profile) error
	Status(ctx context.Context, user string) (ledger.UserStatus, error)
	SetVisibility(ctx context.Context, user string, v people.Visibility) (ledger.UserStatus, error)
	SetExclusion(ctx context.Context, user string, excluded bool) error
	Shadow(ctx context.Context, user string) error
	Following(ctx context.Context, user string, offset, limit int64) (people.Following, error)
	ReplaceFollowing(ctx context.Context, user string, targets []string, at board.Moment) error
	FriendsOf(context.Context, board.View) (friends []string, own board.Packed, err error)
	OwnStandings(ctx context.Context, user string, views []board.View) ([]board.Standing, error)
	Days(ctx context.Context, user string, from, to board.Date) ([]ledger.DayActivity, ledger.UserStatus, error)
	Entries(ctx context.Context, user string) ([]ledger.ListedEntry, error)
	Newest(ctx context.Context, user string) (people.UserData, error)
	Wreaths(ctx context.Context, user string) ([]people.Wreath, error)
	Erase(ctx context.Context, user string) (people.ErasureData, error)
	Erasure(ctx context.Context, user string) (people.ErasureData, error)
}
