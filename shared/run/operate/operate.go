package operate

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"laurel/shared/run/app"
)

// A Request asks for a slice of a command.
type Request struct {
	Operation string          `json:"operation"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // the command at its beginning, or to continue with
	Seconds   int             `json:"seconds,omitempty"`   // of work, beside getting ready; 0: no limit
}

// A Reply is the outcome of a slice.
type Reply struct {
	Progress Progress        `json:"progress,omitzero"`
	Found    []string        `json:"found,omitempty"`  // lines that no watch has got
	Next     json.RawMessage `json:"next,omitempty"`   // the command to continue with; none: it has ended
	Object   string          `json:"object,omitempty"` // the result for programs, a line of JSON
	Text     string          `json:"text,omitempty"`   // the same for people
	Differs  bool            `json:"differs,omitempty"`
	Failure  *OperationError `json:"failure,omitempty"`
}

// Progress tells how far a command is.
type Progress struct {
	Done int64  `json:"done"`
	Unit string `json:"unit,omitempty"`
	Note string `json:"note,omitempty"` // the reason of its wait
}

// A Watch gets the progress and the lines of a running command.
type Watch struct {
	Progress func(Progress)
	Found    func(line string)
}

// Quiet returns a Watch that drops everything.
func Quiet() Watch { return Watch{func(Progress) {}, func(string) {}} }

// reserve is the time before a function's deadline in which a slice ends, so that its answer gets out.
const reserve = 5 * time.Second

// Do does a slice on an App with a table. It ends before the context does.
func Do(ctx context.Context, a *app.App, r Request, w Watch) (reply Reply) {
	c, err := read(r)
	if err != nil {
		return Reply{Failure: failureOf(err)}
	}
	s := &slice{App: a, watch: w, work: time.Duration(r.Seconds) * time.Second}
	if last, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, last.Add(-reserve))
		defer cancel()
	}
	began := time.Now()
	result, err := c.do(ctx, s)
	if errors.Is(err, context.DeadlineExceeded) && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		result, err = Result{}, fmt.Errorf("%w: %w", errSlow, err)
	}
	reply.Progress = s.told
	finish(&reply, c, result, err)
	a.Log.InfoContext(ctx, "operation", "name", r.Operation, "paused", reply.Next != nil,
		"failed", reply.Failure != nil, "seconds", time.Since(began).Seconds())
	return reply
}

// Serve does the slice that an event asks for; its answer has the findings.
func Serve(ctx context.Context, a *app.App, event []byte) (json.RawMessage, error) {
	var r Request
	if err := unpack(event, &r); err != nil {
		return pack(Reply{Failure: failureOf(usageError{err})}, "")
	}
	var found []string
	reply := Do(ctx, a, r, Watch{
		Progress: func(Progress) {}, Found: func(line string) { found = append(found, line) },
	})
	reply.Found = found
	return pack(reply, "")
}

// A Slicer does a slice, here or by a function. Lines that its watch has not got are in its reply.
type Slicer func(context.Context, Request, Watch) (Reply, error)

// Here does slices in this process, on an App with a table.
func Here(a *app.App) Slicer {
	return func(ctx context.Context, r Request, w Watch) (Reply, error) { return Do(ctx, a, r, w), nil }
}

// Run does a command from a request's beginning to its end, one slice after the other. keep saves the progress. The
// error is not the command's own, which is in the reply.
func (do Slicer) Run(ctx context.Context, r Request, w Watch, keep func(next json.RawMessage) error) (Reply, error) {
	for {
		reply, err := do(ctx, r, w)
		if err != nil {
			return reply, err
		}
		if reply.Progress != (Progress{}) {
			w.Progress(reply.Progress)
		}
		for _, line := range reply.Found {
			w.Found(line)
		}
		if r.Arguments = reply.Next; len(r.Arguments) == 0 {
			return reply, nil
		}
		if err := keep(r.Arguments); err != nil {
			return reply, err
		}
	}
}

// Object reads the object of a command that is done in one slice; with an error it may be partial.
func (do Slicer) Object(ctx context.Context, c Command, into any) error {
	r, err := Ask(c)
	if err != nil {
		return err
	}
	reply, err := do(ctx, r, Quiet())
	if err == nil && (reply.Object != "" || reply.Failure == nil) {
		err = json.Unmarshal([]byte(reply.Object), into)
	}
	if err == nil && reply.Failure != nil {
		err = reply.Failure
	}
	return err
}

// Ask returns the request of a command, whose arguments are checked as far as that is possible without the stores.
func Ask(c Command) (Request, error) {
	arguments, err := json.Marshal(c)
	return Request{Operation: NameOf(c), Arguments: arguments}, errors.Join(err, check(c))
}

// packed is a request or a reply that is large: Lambda takes and gives 6 MB at most.
type packed struct {
	Operation string `json:"operation,omitempty"` // of a request, whose function has to tell events apart
	Gzip      []byte `json:"gzip"`
}

// packFrom is the size from which something is packed.
const packFrom = 64 << 10

func pack(v any, operation string) (json.RawMessage, error) {
	text, err := json.Marshal(v)
	if err != nil || len(text) < packFrom {
		return text, err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(text) // into memory
	_ = w.Close()
	return json.Marshal(packed{operation, b.Bytes()})
}

// unpack reads a packed request or reply.
func unpack(text []byte, into any) error {
	var p packed
	if err := json.Unmarshal(text, &p); err == nil && len(p.Gzip) > 0 {
		reader, err := gzip.NewReader(bytes.NewReader(p.Gzip))
		if err != nil {
			return err
		}
		return json.NewDecoder(reader).Decode(into)
	}
	return json.Unmarshal(text, into)
}

// By returns a Slicer that runs remotely, in slices of so many seconds, through a function that answers events as
// Serve does.
func By(seconds int, ask func(ctx context.Context, event []byte) (answer []byte, err error)) Slicer {
	return func(ctx context.Context, r Request, _ Watch) (reply Reply, err error) {
		r.Seconds = seconds
		event, err := pack(r, r.Operation)
		if err != nil {
			return reply, err
		}
		answer, err := ask(ctx, event)
		if err != nil {
			return reply, err
		}
		err = unpack(answer, &reply)
		return reply, err
	}
}
