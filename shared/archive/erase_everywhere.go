package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"laurel/shared/board"
)

// eraseAtOnce is how many final boards a user is looked for in at the same time.
const eraseAtOnce = 8

// A Series is all the periods of a board's window.
type Series struct {
	Board  string
	Window board.Window
}

func compareSeries(a, b Series) int {
	return cmp.Or(cmp.Compare(a.Board, b.Board), cmp.Compare(a.Window, b.Window))
}

// A Mark is how far something has gone that goes over final boards: those of the
// series before this one, and of this one all that are not before the period. The
// zero Mark is the beginning.
type Mark struct {
	Board  string       `json:"board,omitempty"`
	Window board.Window `json:"window,omitempty"`
	Period string       `json:"period,omitempty"`
}

// An Erased is a step of EraseEverywhere.
type Erased struct {
	Mark    Mark  // where to go on after it
	Periods int64 // gone over in this step
	Boards  int64 // of them the user was on
}

// EraseEverywhere erases a user from all final boards of some series, as Erase
// does: series by series in a fixed order, the newest period first, some at once. It
// begins after a mark, yields a step each time it has got further, and ends with
// the first error. What a caller stops, or a crash, goes on after the last step's
// mark, or any earlier one.
func (a *Archive) EraseEverywhere(ctx context.Context, user string, all []Series, after Mark) iter.Seq2[Erased, error] {
	all = slices.Compact(slices.SortedFunc(slices.Values(all), compareSeries))
	return func(yield func(Erased, error) bool) {
		for _, s := range all {
			below := board.Period{}
			if after != (Mark{}) {
				switch c := compareSeries(s, Series{after.Board, after.Window}); {
				case c < 0:
					continue
				case c == 0:
					var err error
					if below, err = board.ParsePeriod(s.Window, after.Period); err != nil {
						yield(Erased{}, fmt.Errorf("archive: go on after %q: %w", after.Period, err))
						return
					}
				}
			}
			for step, err := range a.eraseSeries(ctx, user, s, below) {
				if !yield(step, err) || err != nil {
					return
				}
			}
		}
	}
}

// eraseSeries goes over the periods of one series that are before another.
func (a *Archive) eraseSeries(ctx context.Context, user string, s Series, below board.Period) iter.Seq2[Erased, error] {
	return func(yield func(Erased, error) bool) {
		bound := cmp.Or(below.String(), "\U0010FFFF") // after every name
		for {
			heads, err := a.store.Descend(ctx, manifests(s.Board, s.Window), bound, eraseAtOnce)
			if err != nil {
				yield(Erased{}, fmt.Errorf("archive: list %s: %w", manifests(s.Board, s.Window), err))
				return
			}
			if len(heads) == 0 {
				return
			}
			bound = heads[len(heads)-1].Sort
			on, err := a.eraseAll(ctx, user, s, heads)
			if err != nil {
				yield(Erased{}, err)
				return
			}
			if !yield(Erased{Mark: Mark{s.Board, s.Window, bound}, Periods: int64(len(heads)), Boards: on}, nil) {
				return
			}
		}
	}
}

// eraseAll erases a user from the boards of some manifests at once, and counts
// those that the user was on.
func (a *Archive) eraseAll(ctx context.Context, user string, s Series, heads []Item) (on int64, err error) {
	erasers, errs := make([]*eraser, len(heads)), make([]error, len(heads))
	var all sync.WaitGroup
	for i, head := range heads {
		all.Go(func() { erasers[i], errs[i] = a.eraseFrom(ctx, user, s, head) })
	}
	all.Wait()
	for _, e := range erasers {
		if e != nil && e.erased {
			on++
		}
	}
	return on, errors.Join(errs...)
}

// eraseFrom erases a user from the board of a manifest that was read just now.
func (a *Archive) eraseFrom(ctx context.Context, user string, s Series, head Item) (*eraser, error) {
	p, err := board.ParsePeriod(s.Window, head.Sort)
	if err != nil {
		return nil, damaged(head.Key, err.Error())
	}
	e := &eraser{Archive: a, name: s.Board, period: p, user: user, hash: hashOf(user), head: head}
	if e.manifest, err = openManifest(head.Key, head.Data); err != nil {
		return nil, err
	}
	_, err = e.erase(ctx)
	return e, err
}
