package httpapi

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
	"laurel/shared/auth"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/redisstore"
	"laurel/shared/request"
)

// Receipts are the answers to a report, in its order.
type Receipts struct {
	Receipts []Receipt `json:"receipts" nullable:"false"`

	pending int // activities that are kept to be recorded later, in place of receipts
}

func (r Receipts) status() int {
	if r.pending > 0 {
		return http.StatusAccepted
	}
	return http.StatusOK
}

// Accepted is the answer to a report that is kept while Redis is unavailable.
type Accepted struct {
	Pending int `json:"pending" minimum:"1" example:"3" doc:"Activities that will be recorded, in order, as of their moments"`
}

// A Receipt says what one activity did, and why when it did nothing.
type Receipt struct {
	Status string           `json:"status" example:"counted" doc:"What the activity did, and why when it did nothing"`
	Points int64            `json:"points" example:"2" doc:"Change of the user's month scores"`
	Board  string           `json:"board" example:"activity"`
	Day    string           `json:"day" format:"date" example:"2026-11-20" doc:"The day it counts for"`
	Scores map[string]int64 `json:"scores,omitempty" doc:"The user's scores on the board after the activity, by window"`
}

func (a *api) registerActivities() {
	register(a, operation{
		id: "report-activities", method: http.MethodPost, path: "/v1/activities", tag: "activities",
		summary: "Record activities",
		detail: "Each activity gets a receipt, in the same order. A request may be repeated: an activity counts once. " +
			"A request with any violation is not applied at all. While the store is unavailable, a report of the forum's " +
			"own is kept, to be recorded later, and answered with 202 and without receipts; a user's gets 503. The status " +
			"unavailable is of a user or an article whose stored data cannot be read or written just now, alone: what the " +
			"forum's own report has of it is kept, to be recorded later; a user's has to be sent again.",
		access: forCaller, body: request.Report{},
		errors: append([]int{http.StatusForbidden}, bodyErrors...), // for what the caller may not report
		more: func(op *huma.Operation) {
			op.RequestBody.Content["application/json"].Example = request.Report{Activities: []request.ReportedActivity{
				{Action: "like", Target: "article-42"},
				{Action: "comment", Target: "article-42", Ref: "comment-7"},
				{Action: "steps", Value: new(int64(8200))},
			}}
			op.Responses["202"] = &huma.Response{
				Description: "Kept, to be recorded later",
				Content: map[string]*huma.MediaType{"application/json": {
					Schema: a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Accepted](), true, ""),
				}},
			}
		},
	}, a.report)
}

func (a *api) report(ctx context.Context, in *bodyInput) (Receipts, error) {
	caller, _ := auth.CallerFrom(ctx)
	now := board.MomentOf(a.Now())
	decoder := request.ReportDecoder{
		Rules: a.Ledger.Rules(), Calendar: a.Ledger.Calendar(), Moment: now, Sender: caller,
	}
	acts, found := decoder.Report(in.body)
	if p := problemWith(found, in.rest); p != nil {
		return Receipts{}, p
	}
	if caller.Service {
		return a.recordOrKeep(ctx, acts, now)
	}
	answer, _, err := a.record(ctx, acts, now)
	return answer, err
}

// recordOrKeep records activities of the service, or keeps what cannot be recorded just now to
// be recorded later.
func (a *api) recordOrKeep(ctx context.Context, acts []activity.Activity, now board.Moment) (Receipts, error) {
	answer, left, err := a.record(ctx, acts, now)
	if len(left) > 0 {
		a.keepLeft(ctx, left, now)
	}
	if err != nil && a.keepsPending(err) && a.Pending.WritePending(ctx, now, acts) == nil {
		a.Log.WarnContext(ctx, "activities are pending", "activities", len(acts), "cause", err)
		metrics.From(ctx).Count("Pending", len(acts))
		return Receipts{pending: len(acts)}, nil
	}
	return answer, err
}

// keepsPending says whether an error is of a Redis that is unavailable or being filled, and
// not full: that can take until somebody does something about it.
func (a *api) keepsPending(err error) bool {
	return a.Pending != nil && errors.Is(err, redisstore.ErrUnavailable) && !errors.Is(err, redisstore.ErrFull)
}

// record records activities, and returns those left that are unavailable. Any other failure
// fails the request, as what was applied will not be applied twice; and so does a report
// of which nothing was recorded, all of it for other writers, as its turn comes soon.
func (a *api) record(ctx context.Context, acts []activity.Activity, now board.Moment) (answer Receipts,
	left []activity.Activity, err error,
) {
	results := a.Store.Record(ctx, acts, ledger.Arrival{Now: now})
	receipts := make([]Receipt, len(results))
	var failed, own []error
	var of board.Date // that day tells
	busy, day := 0, ""
	for i, r := range results {
		switch {
		case r.Own():
			r.Receipt, left = a.Ledger.Unavailable(&acts[i]), append(left, acts[i])
			if !slices.Contains(own, r.Err) { // activities of one user share it
				own = append(own, r.Err)
			}
			if errors.Is(r.Err, redisstore.ErrBusy) {
				busy++
			}
		case r.Err != nil:
			failed = append(failed, r.Err)
			continue
		}
		if day == "" || r.Day != of {
			of, day = r.Day, r.Day.String()
		}
		receipts[i] = receipt(r.Receipt, day)
	}
	if busy == len(results) {
		failed = own
	}
	if len(failed) > 0 {
		return Receipts{}, nil, errors.Join(failed...)
	}
	for _, r := range receipts {
		metrics.From(ctx).Activity(r.Status)
	}
	if len(left) > 0 {
		a.Log.ErrorContext(ctx, "activities are unavailable", "activities", len(left), "cause", errors.Join(own...))
	}
	return Receipts{Receipts: receipts}, left, nil
}

// keepLeft keeps activities that are unavailable. When that fails, they have to be sent
// again.
func (a *api) keepLeft(ctx context.Context, left []activity.Activity, now board.Moment) {
	if a.Pending == nil {
		return
	}
	if err := a.Pending.WritePending(ctx, now, left); err != nil {
		a.Log.WarnContext(ctx, "unavailable activities are not kept", "cause", err)
		return
	}
	metrics.From(ctx).Count("Pending", len(left))
}

func receipt(r ledger.Receipt, day string) Receipt {
	answer := Receipt{Status: string(r.Status), Points: r.Points, Board: r.Board, Day: day}
	if len(r.Scores) > 0 {
		answer.Scores = make(map[string]int64, len(r.Scores))
		for _, s := range r.Scores {
			answer.Scores[s.Window.String()] = s.Score
		}
	}
	return answer
}
