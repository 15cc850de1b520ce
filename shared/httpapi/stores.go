package httpapi

import (
	"context"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/record"
	"laurel/shared/records"
)

// A Recorder records what is reported; record.Recorder is one.
type Recorder interface {
	Record(context.Context, []activity.Activity, record.Arrival) ([]record.Result, error)
	SetVoid(ctx context.Context, target string, until board.Moment) (records.Void, error)
	WithdrawVoid(ctx context.Context, target string) (records.Void, error)
	VoidOf(ctx context.Context, target string) (records.Void, error)
}
