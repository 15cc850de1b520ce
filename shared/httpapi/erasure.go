package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/archive"
	"laurel/shared/auth"
	"laurel/shared/erasure"
	"laurel/shared/export"
	"laurel/shared/problems"
)

// eraseTime is how long a request works on an erasure before it answers that it
// still runs: well below the time a function and its gateway have.
const eraseTime = 5 * time.Second

// An Erasure is how far a user's erasure is.
type Erasure = export.Erasure

// An ErasureReceipt is the answer to an erasure: 202 while it runs.
type ErasureReceipt Erasure

func (e ErasureReceipt) status() int {
	if e.State == archive.ErasureDone {
		return http.StatusOK
	}
	return http.StatusAccepted
}

func (a *api) registerErasure() {
	register(a, operation{
		id: "delete-user", method: http.MethodDelete, path: "/v1/users/{user}", tag: "people",
		summary: "Erase a user",
		detail: "Removes the user from live boards, follow lists (the user's and others') and the ledger, and the " +
			"profile. On final boards the place remains, and the user is shown as erased. It may be repeated, and resumes " +
			"where it was. An erasure that takes longer than a request is answered with 202, and resumes through the queue " +
			"if there is one, else with the next request or the nightly run. Later activities of the user start anew.",
		access: forService, errors: []int{http.StatusNotImplemented, http.StatusServiceUnavailable},
		more: func(op *huma.Operation) {
			done := op.Responses[strconv.Itoa(http.StatusOK)]
			running := &huma.Response{Description: "The erasure is running", Content: done.Content}
			op.Responses[strconv.Itoa(http.StatusAccepted)] = running
		},
	}, a.erase)
}

func (a *api) registerErasureReads() {
	register(a, operation{
		id: "read-erasure", method: http.MethodGet, path: "/v1/users/{user}/erasure", tag: "people",
		summary: "Read the state of a user's erasure",
		access:  forService, errors: profileErrors,
	}, a.erasure)
}

func (a *api) erase(ctx context.Context, in *onlyUser) (ErasureReceipt, error) {
	if a.Eraser == nil {
		return ErasureReceipt{}, noTable()
	}
	ctx, cancel := context.WithTimeout(ctx, eraseTime)
	defer cancel()
	e, err := a.Eraser.Erase(ctx, in.User)
	if err != nil {
		return ErasureReceipt{}, err
	}
	if !erasure.Idle(e) && a.Queue != nil {
		message, err := marshal(map[string]string{"erase": in.User})
		if err != nil {
			return ErasureReceipt{}, err
		}
		caller, _ := auth.CallerFrom(ctx)
		if _, err := a.Queue.Send(ctx, message, caller); err != nil {
			return ErasureReceipt{}, err
		}
	}
	return ErasureReceipt(export.ErasureOf(e)), nil
}

func (a *api) erasure(ctx context.Context, in *onlyUser) (Erasure, error) {
	if a.Eraser == nil {
		return Erasure{}, noTable()
	}
	e, err := a.Eraser.Erasure(ctx, in.User)
	if errors.Is(err, archive.ErrNoErasure) {
		return Erasure{}, newProblem(problems.NoErasure, "no such erasure")
	}
	if err != nil {
		return Erasure{}, err
	}
	return export.ErasureOf(e), nil
}
