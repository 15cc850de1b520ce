package erasure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/pages"
)

// A Live is what an erasure needs of package live.
type Live interface {
	EraseStep(ctx context.Context, user, from string) (pages.ErasureStep, error)
	Read(ctx context.Context, v board.View) (board.Page, error)
}

// People has the profiles, in the table and their copies. Erase says whether there
// was one.
type People interface {
	Erase(ctx context.Context, user string) (bool, error)
}

// Articles are the articles in Redis, with their votes.
type Articles interface {
	Erase(ctx context.Context, user string) (articles.Erased, error)
}

// FinalArticles are those in the archive.
type FinalArticles interface {
	Erase(ctx context.Context, author string) (erased int64, err error)
}

// Options are what an eraser works with; all of them are needed, but that a forum
// may have no articles.
type Options struct {
	Live    Live
	Archive *archive.Archive
	People  People
	Series  []archive.Series // every board and window that there may be final periods of

	Articles      Articles      // nil: there are none
	FinalArticles FinalArticles // nil: likewise
}

// An Eraser erases users. It is safe for concurrent use.
type Eraser struct{ Options }

// New returns an eraser.
func New(o Options) *Eraser { return &Eraser{o} }

// The steps of an erasure, in order.
const (
	stepLive     = "live"     // what is live; Cursor is where in the lists of others
	stepProfile  = "profile"  // the profile, after the boards that show copies of it
	stepArticles = "articles" // articles and votes, in Redis and in the archive
	stepFinal    = "final"    // the final boards; Mark is how far
	stepWaiting  = "waiting"  // closed boards that the nightly run is about to make final
)

// reserve is how much of the time that a context has is kept for writing down how
// far it has come.
const reserve = time.Second

// maxTurns is how often another's hand in the same erasure is given way to.
const maxTurns = 8

// Erasure returns how far a user's erasure is. The error wraps
// archive.ErrNoErasure when there was none.
func (e *Eraser) Erasure(ctx context.Context, user string) (archive.Erasure, error) {
	return e.Archive.Erasure(ctx, user)
}

// Rests reports whether there is nothing to be done for an erasure just now: it is done,
// or waits for the nightly run, which goes on with it.
func Rests(state archive.Erasure) bool {
	return state.State == archive.ErasureDone || state.Step == stepWaiting
}

// Erase begins to erase a user, or goes on where it was cut off, until it is done or
// the context's time is nearly over: then it still runs, which is no error. Asked
// for again when it is done, it begins anew, and adds to what was removed before.
func (e *Eraser) Erase(ctx context.Context, user string) (archive.Erasure, error) {
	return e.EraseAsked(ctx, user, 0)
}

// EraseAsked is Erase for a message that was sent at a moment, and may be delivered
// again at any time: once the erasure is done, the same message, or an older one, does
// not take what the user has done since.
func (e *Eraser) EraseAsked(ctx context.Context, user string, asked board.Moment) (archive.Erasure, error) {
	for turn := 0; ; turn++ {
		state, err := e.begin(ctx, user, asked)
		if err == nil {
			state, err = e.goOn(ctx, user, state)
		}
		if err == nil || !errors.Is(err, archive.ErrExists) || turn == maxTurns {
			return state, err
		}
		// Somebody else is at it. What they have done need not be done again, and
		// what is done twice does no harm.
	}
}

// GoOn takes the erasures that run to their end, as far as the time goes, and says
// how many are done and how many are left.
func (e *Eraser) GoOn(ctx context.Context) (done, left int, err error) {
	users, err := e.Archive.Erasing(ctx)
	if err != nil {
		return 0, 0, err
	}
	var errs []error
	for _, user := range users {
		state, err := archive.Erasure{}, error(nil)
		if !short(ctx) {
			state, err = e.end(ctx, user)
		}
		if err != nil {
			errs = append(errs, err)
		}
		if state.State == archive.ErasureDone {
			done++
		} else {
			left++
		}
	}
	return done, left, errors.Join(errs...)
}

// end takes a listed erasure to its end. One that was done and is still listed is only
// taken off: to begin anew would take what the user has done since.
func (e *Eraser) end(ctx context.Context, user string) (archive.Erasure, error) {
	state, err := e.Archive.Erasure(ctx, user)
	if err == nil && state.State == archive.ErasureDone {
		return state, e.Archive.Unlist(ctx, user)
	}
	return e.Erase(ctx, user)
}

// begin puts a user on the list of erasures that run, and returns the state to go on
// with.
func (e *Eraser) begin(ctx context.Context, user string, asked board.Moment) (archive.Erasure, error) {
	state, err := e.Archive.Erasure(ctx, user)
	switch {
	case err == nil && state.State == archive.ErasureDone && asked > 0 && asked <= state.Asked:
		return state, nil // this message has been here before
	case errors.Is(err, archive.ErrNoErasure), err == nil && state.State == archive.ErasureDone:
		state.State, state.Step, state.Cursor, state.Mark, state.Waiting = archive.ErasureRunning, stepLive, "", archive.Mark{}, nil
	case err != nil:
		return archive.Erasure{}, err
	case asked <= state.Asked:
		// Another that was done at the moment this one began may have taken it off.
		return state, e.Archive.List(ctx, user)
	}
	state.Asked = max(state.Asked, asked)
	if err := e.Archive.List(ctx, user); err != nil {
		return archive.Erasure{}, err
	}
	return e.Archive.SaveErasure(ctx, user, state)
}

// short reports whether the context has no time left for anything but writing down.
func short(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || (ok && time.Until(deadline) < reserve)
}

// goOn does step after step and writes down each.
func (e *Eraser) goOn(ctx context.Context, user string, state archive.Erasure) (archive.Erasure, error) {
	for state.State == archive.ErasureRunning && !short(ctx) {
		next, waits, err := e.step(ctx, user, state)
		if err != nil {
			return state, fmt.Errorf("erasure: step %s: %w", state.Step, err)
		}
		if state, err = e.Archive.SaveErasure(ctx, user, next); err != nil || waits {
			return state, err
		}
	}
	if state.State == archive.ErasureDone {
		// Off the list last: one that is on it and done, the night takes off.
		return state, e.Archive.Unlist(ctx, user)
	}
	return state, nil
}

// step does one step and returns the state after it. It waits when there is nothing
// to be done before the nightly run has been there.
func (e *Eraser) step(ctx context.Context, user string, state archive.Erasure) (next archive.Erasure, waits bool, err error) {
	switch state.Step {
	case stepLive:
		next, err = e.live(ctx, user, state)
	case stepProfile:
		next, err = e.profile(ctx, user, state)
	case stepArticles:
		next, err = e.articles(ctx, user, state)
	case stepFinal:
		next, err = e.final(ctx, user, state)
	case stepWaiting:
		return e.waiting(ctx, user, state)
	default:
		return state, false, fmt.Errorf("erasure: no such step %q", state.Step)
	}
	return next, false, err
}

// live does a step of what is live.
func (e *Eraser) live(ctx context.Context, user string, state archive.Erasure) (archive.Erasure, error) {
	step, err := e.Live.EraseStep(ctx, user, state.Cursor)
	if err != nil {
		return state, err
	}
	r := step.Removed
	for what, n := range map[string]int64{
		"boards": r.Boards, "pages": r.Pages, "months": r.Months, "following": r.Followed, "followLists": r.Lists,
		"statuses": r.Away, "profileCopies": r.Profiles,
	} {
		state = removed(state, what, n)
	}
	for _, p := range step.Waiting {
		state.Waiting = append(state.Waiting, archive.Waiting{Board: p.Board, Window: p.Period.Window(), Period: p.Period.String()})
	}
	if state.Cursor = step.Next; state.Cursor == "" {
		state.Step = stepProfile
	}
	return state, nil
}

func (e *Eraser) profile(ctx context.Context, user string, state archive.Erasure) (archive.Erasure, error) {
	had, err := e.People.Erase(ctx, user)
	if err != nil {
		return state, err
	}
	if had {
		state = removed(state, "profiles", 1)
	}
	state.Step = stepArticles
	return state, nil
}

// final goes over the final boards, as far as the time goes.
func (e *Eraser) final(ctx context.Context, user string, state archive.Erasure) (archive.Erasure, error) {
	for step, err := range e.Archive.EraseEverywhere(ctx, user, e.Series, state.Mark) {
		if err != nil {
			return state, err
		}
		state = removed(state, "finalBoards", step.Boards)
		if state.Mark = step.Mark; short(ctx) {
			return state, nil
		}
	}
	state.Step = stepWaiting
	return state, nil
}

// waiting erases the user from boards that were closed, and not final yet, when it
// began; those that still are not are left to the next time.
func (e *Eraser) waiting(ctx context.Context, user string, state archive.Erasure) (next archive.Erasure, waits bool, err error) {
	var left []archive.Waiting
	for _, w := range state.Waiting {
		p, err := board.ParsePeriod(w.Window, w.Period)
		if err != nil {
			return state, false, err
		}
		// Redis first: a board leaves it when it is final, or when it is not to be kept.
		page, err := e.Live.Read(ctx, board.View{Board: w.Board, Period: p, User: user})
		if err != nil {
			return state, false, err
		}
		switch _, err := e.Archive.Manifest(ctx, w.Board, p); {
		case errors.Is(err, archive.ErrNotFinal):
			if page.Standing.Rank > 0 {
				left = append(left, w)
			}
			continue
		case err != nil:
			return state, false, err
		}
		on, err := e.Archive.Erase(ctx, w.Board, p, user)
		if err != nil {
			return state, false, err
		}
		if on {
			state = removed(state, "finalBoards", 1)
		}
	}
	if state.Waiting = left; len(left) == 0 {
		state.State, state.Step = archive.ErasureDone, ""
	}
	return state, len(left) > 0, nil
}

// removed adds to what was removed, in a map of its own.
func removed(state archive.Erasure, what string, n int64) archive.Erasure {
	if n == 0 {
		return state
	}
	counts := make(map[string]int64, len(state.Removed)+1)
	maps.Copy(counts, state.Removed)
	counts[what] += n
	state.Removed = counts
	return state
}

// SeriesOf lists every board and window of the rules.
func SeriesOf(rules *activity.Rules) []archive.Series {
	var all []archive.Series
	for _, name := range rules.Boards() {
		for _, w := range rules.Windows(name) {
			all = append(all, archive.Series{Board: name, Window: w})
		}
	}
	return all
}
