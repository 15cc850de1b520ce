package erasure

import (
	"context"

	"laurel/shared/archive"
)

// articles removes the user from the articles that the user wrote, and the user's votes,
// until the time is over; the next call finds what is done. Redis comes first, because
// articles move from there to the archive.
func (e *Eraser) articles(ctx context.Context, user string, state archive.Erasure) (archive.Erasure, error) {
	bounded, cancel := withReserve(ctx)
	defer cancel()
	err := error(nil)
	if e.Articles != nil {
		done, failed := e.Articles.Erase(bounded, user)
		state, err = removed(removed(state, "articles", done.Articles), "votes", done.Votes), failed
	}
	if err == nil && e.FinalArticles != nil {
		done, failed := e.FinalArticles.Erase(bounded, user)
		state, err = removed(state, "finalArticles", done), failed
	}
	switch {
	case err == nil:
		state.Step = stepFollows
	case bounded.Err() == nil || ctx.Err() != nil:
		return state, err
	}
	return state, nil // out of time: the step is repeated
}

// withReserve returns a context that ends while there is still time to save the state.
func withReserve(ctx context.Context) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithDeadline(ctx, deadline.Add(-reserve))
	}
	return context.WithCancel(ctx)
}
