package erasure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/pages"
)

// Live is what an erasure needs of Redis.
type Live interface {
	EraseStep(ctx context.Context, user, from string) (pages.ErasureStep, error)
	Read(ctx context.Context, v board.View) (boards.Page, error)
}

// People erases profiles, in the table and their copies. Erase reports whether there
// was one.
type People interface {
	Erase(ctx context.Context, user string) (bool, error)
}

// Articles erases users from the articles in Redis and their votes.
type Articles interface {
	Erase(ctx context.Context, user string) (articles.Erased, error)
}

// FinalArticles erases authors from the articles in the archive.
type FinalArticles interface {
	Erase(ctx context.Context, author string) (erased int64, err error)
}

// Options are the stores of an eraser. All are required, except those of articles.
type Options struct {
	Live    Live
	Archive *archive.Archive
	People  People
	Series  []archive.Series // all boards and windows that may have final periods

	Articles      Articles      // nil without articles
	FinalArticles FinalArticles // nil without articles

	Follows FollowLists // of the table; nil without them
	Journal Journal     // nil without one

	// Closed returns further boards and windows that may have final periods, as rules that
	// are not in force any more had them. nil: there are none.
	Closed func(ctx context.Context) ([]archive.Series, error)

	// Keep is for how long the state of an erasure that is done is kept; 0: for ever.
	Keep time.Duration
}

// An Eraser erases users. It is safe for concurrent use.
type Eraser struct{ Options }

// New returns an eraser.
func New(o Options) *Eraser { return &Eraser{o} }

// The steps of an erasure, in order.
const (
	stepLive     = "live"     // live data; Cursor is the position in others' follow lists
	stepProfile  = "profile"  // the profile, after the boards that show copies of it
	stepArticles = "articles" // articles and votes, in Redis and in the archive
	stepFollows  = "follows"  // others' follow lists in the table; Cursor is the position
	stepJournal  = "journal"  // what is pending, and the seals; Cursor is the last day
	stepFinal    = "final"    // final boards; Mark is the position
	stepWaiting  = "waiting"  // closed boards, until the nightly run has made them final
)

// reserve is the part of a context's time that is kept for saving the state.
const reserve = time.Second

// maxConflicts is how often an erasure is repeated after a conflict with another one of
// the same user.
const maxConflicts = 8

// Erasure returns the state of a user's erasure, which is running as long as the list of
// those has the user. The error wraps archive.ErrNoErasure if there was none.
func (e *Eraser) Erasure(ctx context.Context, user string) (archive.Erasure, error) {
	state, err := e.Archive.Erasure(ctx, user)
	if err != nil || state.State != archive.ErasureDone {
		return state, err
	}
	listed, err := e.Archive.Listed(ctx, user)
	if listed {
		state.State = archive.ErasureRunning
	}
	return state, err
}

// Idle reports whether there is nothing to do for an erasure now: it is done, or waits
// for the nightly run, which continues it.
func Idle(state archive.Erasure) bool {
	return state.State == archive.ErasureDone || state.Step == stepWaiting
}

// Erase starts to erase a user, or continues where it stopped, until it is done or the
// context's time is nearly over: then the state is running, without an error. After one
// that is done it starts again, and adds to the counts.
func (e *Eraser) Erase(ctx context.Context, user string) (archive.Erasure, error) {
	return e.EraseAsked(ctx, user, 0)
}

// EraseAsked is Erase for a message that was sent at a moment and may be delivered again
// at any time: once the erasure is done, the same or an older message erases nothing
// that the user did since.
func (e *Eraser) EraseAsked(ctx context.Context, user string, asked board.Moment) (archive.Erasure, error) {
	for conflicts := 0; ; conflicts++ {
		state, err := e.begin(ctx, user, asked)
		if err == nil {
			state, err = e.goOn(ctx, user, state)
		}
		if err == nil || !errors.Is(err, archive.ErrExists) || conflicts == maxConflicts {
			return state, err
		}
		// Another erasure of the user runs. Steps that it has done need not be repeated,
		// and repeating them does no harm.
	}
}

// GoOn continues all erasures that are not done until the time is over, and counts them.
func (e *Eraser) GoOn(ctx context.Context) (continued archive.Erasures, err error) {
	users, err := e.Archive.Erasing(ctx)
	if err != nil {
		return continued, err
	}
	var errs []error
	for _, user := range users {
		state, err := e.Archive.Erasure(ctx, user)
		switch {
		case short(ctx):
			err = nil // it is left, whatever it is
		case err == nil && state.State == archive.ErasureDone:
			// It is only removed from the list: starting again would erase what the user did since.
			err = e.Archive.Unlist(ctx, user)
		case err == nil:
			// From this state alone: who has ended it meanwhile is not to be erased anew.
			if state, err = e.goOn(ctx, user, state); errors.Is(err, archive.ErrExists) {
				err = nil // somebody else goes on with it
			}
		default:
			state, err = e.Erase(ctx, user)
		}
		if err != nil {
			errs = append(errs, err)
		}
		continued.Add(state)
	}
	return continued, errors.Join(errs...)
}

// begin puts a user on the list of running erasures, and returns the state to continue
// from.
func (e *Eraser) begin(ctx context.Context, user string, asked board.Moment) (archive.Erasure, error) {
	state, err := e.Archive.Erasure(ctx, user)
	switch {
	case err == nil && state.State == archive.ErasureDone && asked > 0 && asked <= state.Asked:
		return state, nil // the message was delivered before
	case errors.Is(err, archive.ErrNoErasure), err == nil && state.State == archive.ErasureDone:
		state.State, state.Step, state.Cursor, state.Mark, state.Waiting = archive.ErasureRunning, stepLive, "",
			archive.Mark{}, nil
	case err != nil:
		return archive.Erasure{}, err
	case asked <= state.Asked:
		// Another erasure that ended just now may have removed it from the list.
		return state, e.Archive.List(ctx, user)
	}
	state.Asked = max(state.Asked, asked)
	if err := e.Archive.List(ctx, user); err != nil {
		return archive.Erasure{}, err
	}
	return e.Archive.SaveErasure(ctx, user, state)
}

// short reports whether the context has only time left for saving the state.
func short(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || (ok && time.Until(deadline) < reserve)
}

// goOn does step after step and saves the state after each.
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
		// The list comes last: the nightly run removes one that is done from it.
		return state, e.Archive.Unlist(ctx, user)
	}
	return state, nil
}

// step does one step and returns the state after it; waits is true if the next step has
// to wait for the nightly run.
func (e *Eraser) step(ctx context.Context, user string, state archive.Erasure) (next archive.Erasure, waits bool,
	err error,
) {
	switch state.Step {
	case stepLive:
		next, err = e.live(ctx, user, state)
	case stepProfile:
		next, err = e.profile(ctx, user, state)
	case stepArticles:
		next, err = e.articles(ctx, user, state)
	case stepFollows:
		next, err = e.follows(ctx, user, state)
	case stepJournal:
		next, err = e.journal(ctx, user, state)
	case stepFinal:
		next, err = e.final(ctx, user, state)
	case stepWaiting:
		return e.waiting(ctx, user, state)
	default:
		return state, false, fmt.Errorf("erasure: unknown step %q", state.Step)
	}
	return next, false, err
}

// live does a step on live data.
func (e *Eraser) live(ctx context.Context, user string, state archive.Erasure) (archive.Erasure, error) {
	step, err := e.Live.EraseStep(ctx, user, state.Cursor)
	if err != nil {
		return state, err
	}
	r := step.Removed
	for what, n := range map[string]int64{
		"boards": r.Boards, "pages": r.Pages, "months": r.Months, "following": r.Followed, "followLists": r.Lists,
		"statuses": r.Suppressed, "profileCopies": r.Profiles,
	} {
		state = removed(state, what, n)
	}
	for _, p := range step.Waiting {
		state.Waiting = append(state.Waiting,
			archive.Waiting{Board: p.Board, Window: p.Period.Window(), Period: p.Period.String()})
	}
	state.At = max(state.At, step.At)
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

// AllSeries returns all boards and windows that may have final periods, each perhaps twice.
func (e *Eraser) AllSeries(ctx context.Context) ([]archive.Series, error) {
	if e.Closed == nil {
		return e.Series, nil
	}
	former, err := e.Closed(ctx)
	return append(slices.Clip(e.Series), former...), err
}

// final erases the user from the final boards until the time is over.
func (e *Eraser) final(ctx context.Context, user string, state archive.Erasure) (archive.Erasure, error) {
	series, err := e.AllSeries(ctx)
	if err != nil {
		return state, err
	}
	for step, err := range e.Archive.EraseEverywhere(ctx, user, series, state.Mark) {
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

// waiting erases the user from boards that were closed but not final when the erasure
// began; those that still are not final are left for the next time.
func (e *Eraser) waiting(ctx context.Context, user string, state archive.Erasure) (next archive.Erasure, waits bool,
	err error,
) {
	var left []archive.Waiting
	for _, w := range state.Waiting {
		p, err := board.ParsePeriod(w.Window, w.Period)
		if err != nil {
			return state, false, err
		}
		// Redis first: a board leaves it when it is final or expired.
		page, err := e.Live.Read(ctx, board.View{Board: w.Board, Period: p, User: user})
		if err != nil {
			return state, false, err
		}
		final, err := e.Archive.Manifest(ctx, w.Board, p)
		switch {
		case errors.Is(err, archive.ErrNotFinal):
			if page.Standing.Rank > 0 {
				left = append(left, w)
			}
			continue
		case err != nil:
			return state, false, err
		}
		if final.Next > 0 && page.Standing.Rank > 0 {
			left = append(left, w) // the copy that is about to replace this one has the user, too
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
		if state.State, state.Step = archive.ErasureDone, ""; e.Keep > 0 {
			state.Expires = state.At.Add(e.Keep).Time().Unix()
		}
	}
	return state, len(left) > 0, nil
}

// removed returns the state with n added to a count, in a copy of the counts.
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

// SeriesOf returns every board and window of the rules.
func SeriesOf(rules *activity.Rules) []archive.Series {
	var all []archive.Series
	for _, name := range rules.Boards() {
		for _, w := range rules.Windows(name) {
			all = append(all, archive.Series{Board: name, Window: w})
		}
	}
	return all
}
