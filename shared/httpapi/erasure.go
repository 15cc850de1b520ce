package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"laurel/shared/people"
)

// eraseTime is how long a request works on an erasure before it answers that it
// still runs: well below the time a function and its gateway have.
const eraseTime = 5 * time.Second

// An Erasure is how far a user's erasure is.
type Erasure people.ErasureData

func (a *api) registerErasure() {
	register(a, operation{
		id: "delete-user", method: http.MethodDelete, path: "/v1/users/{user}", tag: "people",
		summary: "Erase a user",
		detail: "Removes the user from live boards, follow lists (the user's and others') and the ledger, and the " +
			"profile: what the user did at once, the id elsewhere within minutes. On final boards the place remains, and " +
			"the user is shown as erased. It may be repeated. Later activities of the user start anew.",
		access: forService, errors: []int{http.StatusServiceUnavailable}, status: http.StatusAccepted,
	}, a.erase)
}

func (a *api) registerErasureReads() {
	register(a, operation{
		id: "read-erasure", method: http.MethodGet, path: "/v1/users/{user}/erasure", tag: "people",
		summary: "Read the state of a user's erasure",
		access:  forService, errors: profileErrors,
	}, a.erasure)
}

func (a *api) erase(ctx context.Context, in *UserPath) (Erasure, error) {
	ctx, cancel := context.WithTimeout(ctx, eraseTime)
	defer cancel()
	e, err := a.People.Erase(ctx, in.User)
	return Erasure(e), err
}

func (a *api) erasure(ctx context.Context, in *UserPath) (Erasure, error) {
	e, err := a.People.Erasure(ctx, in.User)
	if errors.Is(err, people.ErrNoErasure) {
		return Erasure{}, newProblem(CodeNoErasure, "no such erasure")
	}
	return Erasure(e), err
}
