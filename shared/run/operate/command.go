package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"laurel/shared/core/codec"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// A Command is an operator's order. Its fields are its arguments, with the names of flags, and its progress, which
// has no flag (`flag:"-"`). All of it travels as JSON to a function.
type Command interface {
	// do does the command. If the slice's time ends first, the fields hold the progress, and the error is errPaused.
	// An error may carry a partial result.
	do(ctx context.Context, s *slice) (Result, error)
}

// A Result is the outcome of a command.
type Result struct {
	Object  any    // for programs; nil: none
	Text    string // for people
	Differs bool   // a difference, damage or a pending step remains
}

// ended returns the result of a command with its text; with an error there is none.
func ended[T any](object T, text func(T) string, err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	return Result{Object: object, Text: text(object)}, nil
}

// commands lists all commands. An import is done in parts, which are commands.
func commands() []Command {
	return []Command{
		new(Archive), new(Audit), new(CatchUp), new(Repair), new(Reopen), new(Export), new(Erase), new(Import),
		new(Try), new(Events), new(Pair), new(Award), new(Exclude), new(Hide), new(Show), new(Void), new(Merge), new(Fair),
		new(Log),
	}
}

// NameOf returns a command's name: its type's in lower case.
func NameOf(c Command) string { return strings.ToLower(reflect.TypeOf(c).Elem().Name()) }

// read returns the command that a request asks for.
func read(r Request) (Command, error) {
	all := commands()
	n := slices.IndexFunc(all, func(c Command) bool { return NameOf(c) == r.Operation })
	if n < 0 {
		return nil, Usage("there is no operation %q", r.Operation)
	}
	decoder := json.NewDecoder(bytes.NewReader(r.Arguments))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(all[n]); err != nil && len(r.Arguments) > 0 {
		return nil, usageError{err}
	}
	return all[n], check(all[n])
}

func check(c Command) error {
	if c, ok := c.(interface{ check() error }); ok {
		return c.check()
	}
	return nil
}

// errPaused ends a slice whose command continues.
var errPaused = errors.New("operate: paused")

// A slice is a piece of a command that is in progress.
type slice struct {
	*app.App
	work  time.Duration // the time at which it pauses; 0: never
	watch Watch
	told  Progress
}

func (s *slice) progress(p Progress) {
	s.told = p
	s.watch.Progress(p)
}

// finish fills a reply with the result of a slice.
func finish(reply *Reply, c Command, result Result, err error) {
	if errors.Is(err, errPaused) {
		if reply.Next, err = json.Marshal(c); err == nil {
			return
		}
	}
	if result.Object != nil {
		var object strings.Builder
		out := json.NewEncoder(&object)
		out.SetEscapeHTML(false)
		err = errors.Join(err, out.Encode(result.Object))
		reply.Object, reply.Text, reply.Differs = object.String(), result.Text, result.Differs
	}
	if err != nil {
		reply.Failure = failureOf(err)
	}
}

// differences counts differences.
func differences(n int64) string {
	if n == 0 {
		return "no differences"
	}
	return fmt.Sprintf("differences: %d", n)
}

// ErrUsage is an error about the arguments.
var ErrUsage = errors.New("usage")

// errSlow is wrapped when a step did not fit into the time of the function.
var errSlow = errors.New("operate: the function's time is too short for a step")

// An OperationError is an error in a reply: its text, and the known error that it wraps.
type OperationError struct {
	Text string `json:"text"`
	Is   string `json:"is,omitempty"`
}

// usageError is an error about the arguments, without another text.
type usageError struct{ error }

func (usageError) Is(target error) bool { return target == ErrUsage }

// Usage returns an error about the arguments.
func Usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// failures are the errors that the command line tells apart, most specific first.
var failures = []struct {
	name string
	err  error
}{
	{"usage", ErrUsage},
	{"interrupted", context.Canceled},
	{"damaged", codec.ErrDamaged},
	{"busy", items.ErrBusy},
	{"unavailable", table.ErrUnavailable},
	{"view", view.ErrUnavailable},
}

func failureOf(err error) *OperationError {
	for _, known := range failures {
		if errors.Is(err, known.err) {
			return &OperationError{err.Error(), known.name}
		}
	}
	return &OperationError{Text: err.Error()}
}

// Error returns the text.
func (f *OperationError) Error() string { return f.Text }

// Unwrap returns the known error that it wraps, nil if there is none.
func (f *OperationError) Unwrap() error {
	for _, known := range failures {
		if f.Is == known.name {
			return known.err
		}
	}
	return nil
}
