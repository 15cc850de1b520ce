package httpapi

import (
	"context"

	"laurel/shared/activity"
	"laurel/shared/board"
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
