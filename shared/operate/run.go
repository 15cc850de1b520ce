package operate

import (
	"context"
	"encoding/json"
)

// A Run does operations, one slice after the other.
type Run struct {
	// Slice does a slice. What it has not told the watch is in its reply.
	Slice   func(context.Context, Request, Watch) (Reply, error)
	Watch   Watch
	Seconds int                         // of a slice; 0: no limit
	Cursor  json.RawMessage             // where to go on; none: the beginning
	Save    func(json.RawMessage) error // keeps where to go on; may be nil
}

// Do does an operation to its end and reads its result, which there may be with an error, too.
func (r Run) Do(ctx context.Context, operation string, arguments, result any) error {
	text, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	for cursor := r.Cursor; ; {
		reply, err := r.Slice(ctx, Request{operation, text, cursor, r.Seconds}, r.Watch)
		if err != nil {
			return err
		}
		if reply.Progress != (Progress{}) {
			r.Watch.Progress(reply.Progress)
		}
		for _, found := range reply.Found {
			r.Watch.Found(found)
		}
		if len(reply.Result) > 0 {
			if err := json.Unmarshal(reply.Result, result); err != nil {
				return err
			}
		}
		if reply.Failure != nil {
			return reply.Failure
		}
		if cursor = reply.Cursor; len(cursor) == 0 {
			return nil
		}
		if r.Save != nil {
			if err := r.Save(cursor); err != nil {
				return err
			}
		}
	}
}
