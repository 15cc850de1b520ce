package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"laurel/shared/app"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/operate"
)

// operatorFlags say where the stores are: those that the settings name, or those of the
// function that has them.
type operatorFlags struct {
	Function string `group:"AWS" env:"LAUREL_FUNCTION" placeholder:"NAME" help:"The function archive of a stack in AWS, which does it with its own stores and settings, in place of --redis. The credentials and the region are those of the AWS command line."`
	Cursor   string `group:"AWS" placeholder:"FILE" help:"Keep in this file how far the function is, and go on from there; it is removed at the end." predictor:"file"`
	settingFlags
}

func operators(settings settingFlags) operatorFlags { return operatorFlags{settingFlags: settings} }

// An operator does operations, on stores or by a function.
type operator struct {
	*stores // nil: a function has them
	invoke  func(context.Context, operate.Request, operate.Watch) (operate.Reply, error)
	cursor  string // a file; "" for none
}

// operator returns an operator, on stores that have to be whole.
func (f operatorFlags) operator(ctx context.Context, std streams, flags given) (*operator, error) {
	return f.operatorOn(ctx, std, flags, f.open)
}

// operatorOn returns an operator, on stores that open opens. With a function no setting can
// be given but the named ones.
func (f operatorFlags) operatorOn(ctx context.Context, std streams, flags given,
	open func(context.Context, streams, given) (*stores, error), settings ...string,
) (*operator, error) {
	if f.Function == "" {
		if f.Cursor != "" {
			return nil, usageError{textError("--cursor is for --function; without it there is one slice")}
		}
		s, err := open(ctx, std, flags)
		return &operator{stores: s}, err
	}
	for _, s := range app.Settings(f.groups...) {
		if _, given := flags[s.Flag]; given && !slices.Contains(settings, s.Flag) {
			return nil, usageError{textError("--" + s.Flag + " and --function: the function has settings of its own")}
		}
	}
	invoke, err := invoking(ctx, f.Function)
	return &operator{invoke: invoke, cursor: f.Cursor}, err
}

// close closes the stores.
func (o *operator) close() {
	if o.stores != nil {
		o.stores.close()
	}
}

// sliceSeconds is how long a slice of a function works, which then tells how far it is.
const sliceSeconds = 30

// slice does a slice.
func (o *operator) slice(ctx context.Context, r operate.Request, w operate.Watch) (operate.Reply, error) {
	if o.stores == nil {
		return o.invoke(ctx, r, w)
	}
	return operate.Do(ctx, o.App, o.Clock(), r, w), nil
}

// A performance is an operation that is to be done.
type performance struct {
	name      string
	arguments any
	found     func(json.RawMessage) // nil: what it finds is not shown
}

// perform does an operation, shows how far it is, and reads its result.
func (o *operator) perform(ctx context.Context, std streams, what performance, result any) error {
	var done atomic.Int64
	if what.found == nil {
		what.found = func(json.RawMessage) {}
	}
	stop := func() {}
	defer func() { stop() }() //nolint:gocritic // stop is another one when there is progress
	began := false
	run := operate.Run{Slice: o.slice, Watch: operate.Watch{Found: what.found, Progress: func(p operate.Progress) {
		if done.Store(p.Done); !began {
			began = true
			stop = watch(std.err, work{Name: what.name, Unit: p.Unit, Total: p.Total, Done: done.Load, Count: done.Load})
		}
	}}}
	if o.stores != nil {
		return run.Do(ctx, what.name, what.arguments, result)
	}
	run.Seconds = sliceSeconds
	if o.cursor != "" {
		if err := keep(&run, o.cursor, what); err != nil {
			return err
		}
	}
	err := run.Do(ctx, what.name, what.arguments, result)
	if err == nil && o.cursor != "" {
		if err = os.Remove(o.cursor); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return err
}

// keep has a run go on from the cursor in a file, if there is one, and keep it there, beside
// what it is of.
func keep(run *operate.Run, file string, what performance) error {
	arguments, err := json.Marshal(what.arguments)
	if err != nil {
		return err
	}
	of := operate.Request{Operation: what.name, Arguments: arguments}
	run.Save = func(cursor json.RawMessage) error {
		of.Cursor = cursor
		text, err := json.Marshal(of)
		if err != nil {
			return err
		}
		return os.WriteFile(file, text, 0o600)
	}
	var before operate.Request
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, &before)
	}
	if err == nil && (before.Operation != of.Operation || !bytes.Equal(before.Arguments, of.Arguments)) {
		err = usageError{textError("it is of laurel " + before.Operation + " " + string(before.Arguments))}
	}
	if err != nil {
		return fmt.Errorf("--cursor %s: %w", file, err)
	}
	run.Cursor = before.Cursor
	return nil
}

// importer returns what imports into the stores.
func (o *operator) importer(ctx context.Context) (im *importer.Importer, all marks, err error) {
	if o.stores != nil {
		im, all = importerOn(o.App)
		return im, all, nil
	}
	r := operate.Remote{Slice: o.invoke}
	im = &importer.Importer{Store: r, Articles: r, People: r, Marks: r, Now: board.MomentOf(time.Now())}
	im.Rules, im.Calendar, err = r.Forum(ctx)
	return im, r, err
}
