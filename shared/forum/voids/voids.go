// Package voids declares targets void: a pass over the ledgers undoes the acts on a target up to a moment, and acts
// that arrive once it has begun are kept undone.
//
// It promises that a void can be withdrawn until its pass begins, that a pass may be killed, repeated and run beside
// another, and that no entry on the target up to the moment counts afterwards. Votes and follows stay.
package voids

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/projection"
	"laurel/shared/store/items"
)

var (
	// ErrNone is wrapped if a target has no void.
	ErrNone = errors.New("voids: target has no void")
	// ErrBegun is wrapped if a void cannot be withdrawn, because its pass has begun.
	ErrBegun = errors.New("voids: the pass of the void has begun")
	// ErrTooMany is wrapped if Max targets are void.
	ErrTooMany = errors.New("voids: too many targets are void")
)

// Max is about how many voids are kept at once: each pass has them all in memory.
const Max = 10_000

// Options are a Store's dependencies. All are needed.
type Options struct {
	Items     *items.Store
	Projector *projection.Projector
	Ledger    *ledger.Ledger
	Real      func() time.Time // the clock that measures waits
	Log       *slog.Logger
}

// A Store has the voids of a forum. It is safe for concurrent use.
type Store struct{ o Options }

// New returns the voids of a forum.
func New(o Options) *Store { return &Store{o} }

// Set declares a target void until a moment, or until a later one: Pass undoes the acts on it up to then, and keeps
// undone the ones that arrive once it has begun. Until it begins everything counts, and the void can be withdrawn.
// Votes and follows stay. The error wraps ErrTooMany when there is no room for another target. The reason is for the
// operators' record.
func (s *Store) Set(ctx context.Context, target string, until board.Moment, reason string) (items.Void, error) {
	if _, err := s.o.Items.Head(ctx); err != nil { // it begins the table
		return items.Void{}, err
	}
	act := items.Act{Command: "void", Target: target, Reason: reason}
	return s.change(ctx, target, &act, func(v *items.Void, known bool) error {
		if !known {
			all, err := s.all(ctx)
			if err != nil {
				return err
			}
			if len(all) >= Max {
				return ErrTooMany
			}
		}
		if until <= v.Until {
			return items.ErrUnchanged
		}
		v.Until = until
		v.Enter(items.Waiting, board.MomentOf(s.o.Real()))
		return nil
	})
}

// Withdraw takes back a void that waits for a pass, and returns the void that is left: an earlier one of the target, or
// none. The error wraps ErrNone or ErrBegun when nothing waits.
func (s *Store) Withdraw(ctx context.Context, target, reason string) (items.Void, error) {
	act := items.Act{Command: "void --lift", Target: target, Reason: reason}
	return s.change(ctx, target, &act, func(v *items.Void, known bool) error {
		switch {
		case !known:
			return ErrNone
		case v.State != items.Waiting:
			return ErrBegun
		}
		v.Until, v.State, v.Since = v.Begun, items.Withdrawn, board.MomentOf(s.o.Real())
		switch v.Begun {
		case 0:
		case v.Done:
			v.State = items.Done
		default:
			v.State = items.Running
		}
		return nil
	})
}

// Of returns a target's void. The error wraps ErrNone when there is none.
func (s *Store) Of(ctx context.Context, target string) (items.Void, error) {
	v, err := s.change(ctx, target, nil, func(_ *items.Void, known bool) error {
		if !known {
			return ErrNone
		}
		return items.ErrUnchanged
	})
	return v, err
}

// change changes a target's void, again while others come between, together with an act for the record, and returns the
// void as it is then; a withdrawn one is not kept.
func (s *Store) change(
	ctx context.Context, target string, act *items.Act, change func(v *items.Void, known bool) error,
) (v items.Void, err error) {
	err = items.Again(ctx, func() error {
		found, err := s.o.Items.Read(ctx, items.Query{Voids: []string{target}})
		if err != nil {
			return err
		}
		row := found.Voids[target]
		if row.Err != nil {
			return row.Err
		}
		if v = (items.Void{Target: target}); row.Revision != 0 {
			v = *row.Value
		}
		if err = change(&v, row.Revision != 0); errors.Is(err, items.ErrUnchanged) {
			return nil
		}
		if err == nil {
			_, err = s.o.Items.WriteWith(ctx, voidChange(row.Revision, v), s.o.Items.Act(*act))
		}
		return err
	})
	return v, err
}

func voidChange(was int64, v items.Void) items.Change {
	return items.Change{Was: was, Void: &v, Delete: v.State == items.Withdrawn}
}

// all reads all voids, by their targets.
func (s *Store) all(ctx context.Context) (all []items.Row[*items.Void], err error) {
	for row, err := range s.o.Items.Voids(ctx) {
		if err := cmp.Or(err, row.Err); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, nil
}
