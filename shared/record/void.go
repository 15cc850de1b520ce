package record

import (
	"cmp"
	"context"
	"errors"

	"laurel/shared/board"
	"laurel/shared/records"
)

var (
	// ErrNoVoid is wrapped if a target has no void.
	ErrNoVoid = errors.New("record: target has no void")
	// ErrVoidBegun is wrapped if a void cannot be withdrawn, because its pass has begun.
	ErrVoidBegun = errors.New("record: the pass of the void has begun")
	// ErrTooManyVoids is wrapped if MaxVoids targets are void.
	ErrTooManyVoids = errors.New("record: too many targets are void")
)

// MaxVoids is about how many voids are kept at once: each pass has them all in memory.
const MaxVoids = 10_000

// SetVoid declares a target void until a moment, or until a later one: what was done to it up to then is undone by
// VoidPass, and what arrives once that has begun is kept undone. Until then everything counts, and the void can be
// withdrawn. Votes and follows stay. The error wraps ErrTooManyVoids when there is no room for another target.
func (r *Recorder) SetVoid(ctx context.Context, target string, until board.Moment) (records.Void, error) {
	if _, err := r.Records.Head(ctx); err != nil { // it begins the table
		return records.Void{}, err
	}
	return r.changeVoid(ctx, target, func(v *records.Void, there bool) error {
		if !there {
			all, err := r.voids(ctx)
			if err != nil {
				return err
			}
			if len(all) >= MaxVoids {
				return ErrTooManyVoids
			}
		}
		if until <= v.Until {
			return records.ErrUnchanged
		}
		v.Until, v.State, v.Since, v.Bucket = until, records.VoidWaiting, board.MomentOf(r.Real()), 0
		return nil
	})
}

// WithdrawVoid takes back what waits for a pass, and returns what is left: an earlier void of
// the target, or none. The error wraps ErrNoVoid or ErrVoidBegun when nothing waits.
func (r *Recorder) WithdrawVoid(ctx context.Context, target string) (records.Void, error) {
	return r.changeVoid(ctx, target, func(v *records.Void, there bool) error {
		switch {
		case !there:
			return ErrNoVoid
		case v.State != records.VoidWaiting:
			return ErrVoidBegun
		}
		v.Until, v.State, v.Since = v.Begun, records.VoidWithdrawn, board.MomentOf(r.Real())
		switch v.Begun {
		case 0:
		case v.Done:
			v.State = records.VoidDone
		default:
			v.State = records.VoidRunning
		}
		return nil
	})
}

// VoidOf returns a target's void. The error wraps ErrNoVoid when there is none.
func (r *Recorder) VoidOf(ctx context.Context, target string) (records.Void, error) {
	v, err := r.changeVoid(ctx, target, func(_ *records.Void, there bool) error {
		if !there {
			return ErrNoVoid
		}
		return records.ErrUnchanged
	})
	return v, err
}

// changeVoid changes a target's void, again while others come between, and returns what it is
// then; one that is withdrawn is not kept.
func (r *Recorder) changeVoid(ctx context.Context, target string, change func(v *records.Void, there bool) error) (
	v records.Void, err error,
) {
	err = records.Again(ctx, func() error {
		found, err := r.Records.Read(ctx, records.Query{Voids: []string{target}})
		if err != nil {
			return err
		}
		row := found.Voids[target]
		if row.Err != nil {
			return row.Err
		}
		if v = (records.Void{Target: target}); row.Revision != 0 {
			v = *row.Value
		}
		if err = change(&v, row.Revision != 0); errors.Is(err, records.ErrUnchanged) {
			return nil
		}
		if err == nil {
			err = r.Records.Write(ctx, voidChange(row.Revision, v))[0].Err
		}
		return err
	})
	return v, err
}

func voidChange(was int64, v records.Void) records.Change {
	return records.Change{Was: was, Void: &v, Delete: v.State == records.VoidWithdrawn}
}

// voids reads all voids, by their targets.
func (r *Recorder) voids(ctx context.Context) (all []records.Row[*records.Void], err error) {
	for row, err := range r.Records.Voids(ctx) {
		if err := cmp.Or(err, row.Err); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, nil
}
