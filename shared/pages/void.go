package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// ErrNoVoid is returned about a target that has no void.
var ErrNoVoid = errors.New("pages: target has no void")

// ErrVoidBegun is returned when a void cannot be withdrawn, because its pass has begun.
var ErrVoidBegun = errors.New("pages: the pass of the void has begun")

// ErrTooManyVoids is returned when MaxVoids targets are void.
var ErrTooManyVoids = errors.New("pages: too many targets are void")

// MaxVoids is about how many voids are kept at once: each step of a pass reads them all, and
// each shard of Redis has them.
const MaxVoids = 10_000

var errNoTable = fmt.Errorf("%w: voids are kept in a table, and there is none", redisstore.ErrUnavailable)

// A Void says of a target until which moment it is void, and how far that is carried out:
// it waits for a pass while Begun is before Until; in the pass, everybody's entries are
// undone up to Begun; they all are up to Done.
type Void struct {
	Target             string
	Until, Begun, Done board.Moment // 0 for none

	pass string // that carries it out; noPass, or "" of a new one
}

const noPass = "-"

// A VoidState is how far a void is carried out.
type VoidState string

// The states of a void.
const (
	VoidWaits     VoidState = "waiting"   // for a pass; until then everything counts
	VoidRuns      VoidState = "running"   // what arrives is undone, and what was there soon
	VoidDone      VoidState = "done"      // everything is undone
	VoidWithdrawn VoidState = "withdrawn" // there is none any more
)

// State returns how far the void is carried out.
func (v Void) State() VoidState {
	switch {
	case v.Until == 0:
		return VoidWithdrawn
	case v.Begun < v.Until:
		return VoidWaits
	case v.Done < v.Until:
		return VoidRuns
	default:
		return VoidDone
	}
}

// KeptVoids keeps a text for each target that has a void, outside Redis. Void returns a
// target's, "" for none. ChangeVoid
// replaces a target's, "" for none, by what change makes of it, and may call change more
// than once. EachVoid goes over all, in the order of their targets.
type KeptVoids interface {
	Void(ctx context.Context, target string) (string, error)
	ChangeVoid(ctx context.Context, target string, change func(text string, known bool) (string, error)) error
	EachVoid(ctx context.Context, do func(target, text string) error) error
}

// KeepVoids has the void targets kept in kept. It is called before the store is used.
func (s *Store) KeepVoids(kept KeptVoids) { s.kept = kept }

// SetVoid declares a target void until a moment, or until a later one: what was done to it
// up to then is undone by the next pass (VoidStep), and what arrives from then on with a
// moment up to it is kept undone. Until the pass begins, everything counts, and the void
// can be withdrawn. Votes and follows stay. The error is ErrTooManyVoids when there is no
// room for another target.
func (s *Store) SetVoid(ctx context.Context, target string, until board.Moment) (Void, error) {
	if _, err := s.VoidOf(ctx, target); errors.Is(err, ErrNoVoid) {
		if all, err := s.Voids(ctx); err != nil || len(all) >= MaxVoids {
			return Void{}, cmp.Or(err, ErrTooManyVoids)
		}
	} else if err != nil {
		return Void{}, err
	}
	return s.changeVoid(ctx, target, func(v *Void) error {
		v.Until = max(v.Until, until)
		return nil
	})
}

// WithdrawVoid takes back what waits for a pass, and returns what is left: an earlier void
// of the target, or none. The error is ErrNoVoid or ErrVoidBegun when nothing waits.
func (s *Store) WithdrawVoid(ctx context.Context, target string) (Void, error) {
	return s.changeVoid(ctx, target, func(v *Void) error {
		if v.Until == 0 {
			return ErrNoVoid
		}
		if v.Until == v.Begun {
			return ErrVoidBegun
		}
		v.Until = v.Begun
		return nil
	})
}

// VoidOf returns a target's void. The error is ErrNoVoid when there is none.
func (s *Store) VoidOf(ctx context.Context, target string) (Void, error) {
	if s.kept == nil {
		return Void{}, errNoTable
	}
	text, err := s.kept.Void(ctx, target)
	if err == nil && text == "" {
		err = ErrNoVoid
	}
	if err != nil {
		return Void{}, err
	}
	return parseVoid(target, text)
}

// Voids returns every void that is kept, in the order of the targets.
func (s *Store) Voids(ctx context.Context) (all []Void, err error) {
	if s.kept == nil {
		return nil, nil
	}
	err = s.kept.EachVoid(ctx, func(target, text string) error {
		v, err := parseVoid(target, text)
		all = append(all, v)
		return err
	})
	return all, err
}

// changeVoid changes what is kept of a target's void, which is the zero value for none, and
// returns what it is then.
func (s *Store) changeVoid(ctx context.Context, target string, change func(*Void) error) (v Void, err error) {
	if s.kept == nil {
		return v, errNoTable
	}
	err = s.kept.ChangeVoid(ctx, target, func(text string, _ bool) (string, error) {
		var err error
		if v, err = parseVoid(target, text); err == nil {
			err = change(&v)
		}
		return v.text(), err
	})
	return v, err
}

// text returns what is kept of a void: until, begun, done, and the pass.
func (v Void) text() string {
	if v.Until == 0 {
		return ""
	}
	return fmt.Sprintf("%d %d %d %s", v.Until, v.Begun, v.Done, cmp.Or(v.pass, noPass))
}

func parseVoid(target, text string) (Void, error) {
	v := Void{Target: target}
	if text == "" {
		return v, nil
	}
	_, err := fmt.Sscanf(text, "%d %d %d %s", &v.Until, &v.Begun, &v.Done, &v.pass)
	if err != nil {
		return v, fmt.Errorf("%w: void of %q: %w", redisstore.ErrStored, target, err)
	}
	return v, nil
}
