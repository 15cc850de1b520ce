package archive

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

	"laurel/shared/board"
)

// eraseAtOnce is the number of final boards that are searched for a user concurrently.
const eraseAtOnce = 8

// A Series is all the periods of a board's window.
type Series struct {
	Board  string
	Window board.Window
}

func compareSeries(a, b Series) int {
	return cmp.Or(cmp.Compare(a.Board, b.Board), cmp.Compare(a.Window, b.Window))
}

// A Mark is a position among the final boards: after those of all series before this one
// and after the periods of this one from the newest to Period. The zero Mark is the
// beginning.
type Mark struct {
	Board  string       `json:"board,omitempty"`
	Window board.Window `json:"window,omitempty"`
	Period string       `json:"period,omitempty"`
}

// An Erased is a step of EraseEverywhere.
type Erased struct {
	Mark    Mark  // the position after the step
	Periods int64 // searched in this step
	Boards  int64 // of them with the user
}

// EraseEverywhere erases a user from all final boards of some series, as Erase does:
// series by series in a fixed order, the newest period first, some concurrently. It
// starts after a mark, yields a step after each group of boards, and ends with the first
// error. After an interruption, continue with the mark of the last step or an earlier one.
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
						yield(Erased{}, fmt.Errorf("archive: continue after %q: %w", after.Period, err))
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

// eraseSeries erases a user from the periods of one series that are before another.
func (a *Archive) eraseSeries(ctx context.Context, user string, s Series, below board.Period) iter.Seq2[Erased, error] {
	return func(yield func(Erased, error) bool) {
		bound := cmp.Or(below.String(), afterAll)
		for {
			heads, err := a.list(ctx, manifests(s.Board, s.Window), bound, eraseAtOnce)
			if err == nil && len(heads) == 0 {
				return
			}
			var on int64
			if err == nil {
				on, err = a.eraseAll(ctx, user, s, heads)
			}
			if err != nil {
				yield(Erased{}, err)
				return
			}
			bound = heads[len(heads)-1].Sort
			if !yield(Erased{Mark: Mark{s.Board, s.Window, bound}, Periods: int64(len(heads)), Boards: on}, nil) {
				return
			}
		}
	}
}

// eraseAll erases a user from the boards of some manifests concurrently, and returns the
// number of those that the user was on.
func (a *Archive) eraseAll(ctx context.Context, user string, s Series, heads []Item) (on int64, err error) {
	var found atomic.Int64
	err = inRuns(heads, 1, len(heads), func(run []Item) error {
		erased, err := a.eraseFrom(ctx, user, s, run[0])
		if erased {
			found.Add(1)
		}
		return err
	})
	return found.Load(), err
}

// eraseFrom erases a user from the board of a manifest that was just read.
func (a *Archive) eraseFrom(ctx context.Context, user string, s Series, head Item) (bool, error) {
	p, err := board.ParsePeriod(s.Window, head.Sort)
	if err != nil {
		return false, damaged(head.Key, err.Error())
	}
	e := &eraser{Archive: a, name: s.Board, period: p, user: user, hash: hashOf(user), head: head}
	if e.manifest, err = openManifest(head.Key, head.Data); err != nil {
		return false, err
	}
	return e.erase(ctx)
}
