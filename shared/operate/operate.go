package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"laurel/shared/app"
)

// A Request asks for a slice of an operation.
type Request struct {
	Operation string          `json:"operation"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Cursor    json.RawMessage `json:"cursor,omitempty"`  // of the slice before; none: the first
	Seconds   int             `json:"seconds,omitempty"` // of work, beside getting ready; 0: no limit
}

// A Reply is what a slice came to.
type Reply struct {
	Progress Progress          `json:"progress,omitzero"`
	Found    []json.RawMessage `json:"found,omitempty"`  // as it was met, if nobody was told
	Cursor   json.RawMessage   `json:"cursor,omitempty"` // of the next slice; none: the operation has ended
	Result   json.RawMessage   `json:"result,omitempty"` // of the whole operation; with an error, what there is of it
	Failure  *OperationError   `json:"failure,omitempty"`
}

// Progress is how far an operation is.
type Progress struct {
	Done  int64  `json:"done"`
	Total int64  `json:"total,omitempty"` // 0: not known
	Unit  string `json:"unit,omitempty"`
}

// A Watch is told what an operation does, while it does it.
type Watch struct {
	Progress func(Progress)
	Found    func(json.RawMessage) // such as a difference that an audit has found
}

// ErrUsage is an error about the arguments.
var ErrUsage = errors.New("usage")

// errPaused ends a slice whose operation goes on.
var errPaused = errors.New("operate: paused")

// reserve is the time before a function's deadline in which a slice ends, so that its answer gets
// out.
const reserve = 5 * time.Second

// A slice is a piece of an operation that is being done.
type slice struct {
	*app.App
	now   time.Time
	work  time.Duration // after which it pauses; 0: never
	watch Watch
	told  Progress
}

func (s *slice) progress(done, total int64, unit string) {
	s.told = Progress{done, total, unit}
	s.watch.Progress(s.told)
}

func (s *slice) find(what any) {
	if text, err := json.Marshal(what); err == nil { // what is found is text and numbers
		s.watch.Found(text)
	}
}

// An operation does a slice. It returns errPaused when it has moved the cursor, and goes on
// from there; with another error the cursor is that of the slice before.
type operation func(ctx context.Context, s *slice, arguments, cursor json.RawMessage) (result, next any, err error)

// of returns the operation with arguments A and the cursor C.
func of[A, C any](do func(context.Context, *slice, A, *C) (any, error)) operation {
	return func(ctx context.Context, s *slice, arguments, cursor json.RawMessage) (result, next any, err error) {
		var a A
		c := new(C)
		err = errors.Join(decode(arguments, &a), decode(cursor, c))
		if err != nil {
			return nil, nil, usageError{err}
		}
		result, err = do(ctx, s, a, c)
		return result, c, err
	}
}

func decode(text json.RawMessage, into any) error {
	if len(text) == 0 {
		return nil
	}
	from := json.NewDecoder(bytes.NewReader(text))
	from.DisallowUnknownFields()
	return from.Decode(into)
}

// operations are all there are, by name.
var operations = map[string]operation{
	"archive": of(archive),
	"audit":   of(audit),
	"rebuild": of(rebuild),
	"recover": of(recoverSlice),
	"reopen":  of(reopen),
	"export":  of(export),
	"erase":   of(erase),
	"import":  of(load),
}

// Do does a slice on an App with a table, at a time. It ends before the context does.
func Do(ctx context.Context, a *app.App, now time.Time, r Request, w Watch) (reply Reply) {
	do, known := operations[r.Operation]
	if !known {
		return Reply{Failure: failureOf(usage("there is no operation %q", r.Operation))}
	}
	s := &slice{App: a, now: now, watch: w, work: time.Duration(r.Seconds) * time.Second}
	if last, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, last.Add(-reserve))
		defer cancel()
	}
	began := time.Now()
	result, next, err := do(ctx, s, r.Arguments, r.Cursor)
	reply.Progress = s.told
	switch {
	case errors.Is(err, errPaused):
		reply.Cursor, err = json.Marshal(next)
	case errors.Is(err, context.DeadlineExceeded) && errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("%w: %w", ErrSlow, err)
	case result != nil:
		var wrong error
		reply.Result, wrong = json.Marshal(result)
		err = errors.Join(err, wrong)
	}
	reply.Failure = failureOf(err)
	a.Log.InfoContext(ctx, "operation", "name", r.Operation, "paused", reply.Cursor != nil, "failed", err != nil,
		"seconds", time.Since(began).Seconds())
	return reply
}

// Serve does the slice that an event asks for; its answer has what was found.
func Serve(ctx context.Context, a *app.App, now time.Time, event []byte) (any, error) {
	var r Request
	if err := unpack(event, &r); err != nil {
		return pack(Reply{Failure: failureOf(usageError{err})})
	}
	var found []json.RawMessage
	reply := Do(ctx, a, now, r, Watch{
		Progress: func(Progress) {}, Found: func(what json.RawMessage) { found = append(found, what) },
	})
	reply.Found = found
	return pack(reply)
}
