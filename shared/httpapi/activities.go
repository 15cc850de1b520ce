package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
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

// MarshalJSON writes the receipts, or how many activities are pending.
func (r Receipts) MarshalJSON() ([]byte, error) {
	if r.pending > 0 {
		return json.Marshal(Accepted{r.pending})
	}
	type plain Receipts
	return json.Marshal(plain(r))
}

// Accepted is the answer to a report that is kept while Redis is unavailable.
type Accepted struct {
	Pending int `json:"pending" minimum:"1" example:"3" doc:"Activities that will be recorded, in order, as of their moments"`
}

// A Receipt says what one activity did, and why when it did nothing.
type Receipt struct {
	Status string           `json:"status" enum:"counted,capped,duplicate,superseded,revoked,nothing_to_revoke,too_late,too_early,self" example:"counted"`
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
			"own is kept, to be recorded later, and answered with 202 and without receipts; a user's gets 503.",
		parts: Record, access: forCaller, body: request.Report{},
		errors: bodyErrors,
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
	caller, _ := CallerFrom(ctx)
	now := board.MomentOf(a.Now())
	decoder := request.ReportDecoder{
		Rules: a.Ledger.Rules(), Calendar: a.Ledger.Calendar(), Moment: now,
		Sender: request.Sender{User: caller.Subject, Service: caller.Service},
	}
	acts, found := decoder.Report(in.body)
	if p := problemWith(found, in.rest); p != nil {
		return Receipts{}, p
	}
	answer, err := a.record(ctx, acts, now)
	if err != nil && caller.Service && a.keepsPending(err) && a.Pending.WritePending(ctx, now, acts) == nil {
		a.Log.WarnContext(ctx, "activities are pending", "activities", len(acts), "cause", err)
		metrics.From(ctx).Count("Pending", len(acts))
		return Receipts{pending: len(acts)}, nil
	}
	return answer, err
}

// keepsPending says whether an error is of a Redis that is unavailable or being filled.
func (a *api) keepsPending(err error) bool {
	return a.Pending != nil && errors.Is(err, redisstore.ErrUnavailable)
}

func (a *api) record(ctx context.Context, acts []activity.Activity, now board.Moment) (Receipts, error) {
	results := a.Store.Record(ctx, acts, ledger.Arrival{Now: now})
	receipts := make([]Receipt, len(results))
	var failed []error
	for i, r := range results {
		if failed = append(failed, r.Err); r.Err == nil {
			receipts[i] = receipt(r.Receipt)
			metrics.From(ctx).Activity(string(r.Status))
		}
	}
	// One failure fails the request: what was applied will not be applied twice.
	return Receipts{Receipts: receipts}, errors.Join(failed...)
}

func receipt(r ledger.Receipt) Receipt {
	answer := Receipt{Status: string(r.Status), Points: r.Points, Board: r.Board, Day: r.Day.String()}
	if len(r.Scores) > 0 {
		answer.Scores = make(map[string]int64, len(r.Scores))
		for _, s := range r.Scores {
			answer.Scores[s.Window.String()] = s.Score
		}
	}
	return answer
}
