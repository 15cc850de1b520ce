package httpapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/report"
	"laurel/shared/strictjson"
)

// A Report is what users did or took back.
type Report struct {
	Activities []ReportedActivity `json:"activities" minItems:"1" maxItems:"500" nullable:"false" doc:"At most 100 by a user, 500 by the service"`
}

// A ReportedActivity is one thing that a user did or took back. What it may and
// must have depends on the rules: package report judges it.
type ReportedActivity struct {
	Action string  `json:"action" example:"like" doc:"An action, its undo, or a metric of the rules in force on its day"`
	Target *string `json:"target,omitempty" minLength:"1" maxLength:"128" example:"article-42" doc:"What it was done to; a metric needs none"`
	Ref    *string `json:"ref,omitempty" minLength:"1" maxLength:"128" example:"comment-7" doc:"The comment's own id"`
	Value  *int64  `json:"value,omitempty" example:"8200" doc:"A metric's value"`
	User   *string `json:"user,omitempty" minLength:"1" maxLength:"64" example:"ann" doc:"Who did it: the service has to say, a user's token says it itself"`
	At     *string `json:"at,omitempty" format:"date-time" example:"2026-11-20T12:00:00Z" doc:"When: for the service to give, the moment of arrival when left out"`
}

// Receipts are the answers to a report, in its order.
type Receipts struct {
	Receipts []Receipt `json:"receipts" nullable:"false"`
}

// A Receipt says what one activity did, and why when it did nothing.
type Receipt struct {
	Status string           `json:"status" enum:"counted,capped,duplicate,superseded,revoked,nothing_to_revoke,too_late,too_early,self" example:"counted"`
	Points int64            `json:"points" example:"2" doc:"What the user's month scores moved by"`
	Board  string           `json:"board" example:"activity"`
	Day    string           `json:"day" format:"date" example:"2026-11-20" doc:"Where it counts"`
	Scores map[string]int64 `json:"scores,omitempty" doc:"What the user has on that board, by window, after the activity; none for what is not kept"`
}

func (a *api) registerActivities() {
	register(a, operation{
		id: "report-activities", method: http.MethodPost, path: "/v1/activities", tag: "activities",
		summary: "Reports what users did or took back",
		detail: "Each activity gets a receipt, in the same order. Sending the same again changes nothing, so a request that failed or got no answer may be repeated. " +
			"A request with any fault is not applied at all.",
		parts: Record, access: forCaller, body: Report{},
		errors: []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusServiceUnavailable},
		more: func(op *huma.Operation) {
			op.RequestBody.Content["application/json"].Example = Report{Activities: []ReportedActivity{
				{Action: "like", Target: new("article-42")},
				{Action: "comment", Target: new("article-42"), Ref: new("comment-7")},
				{Action: "steps", Value: new(int64(8200))},
			}}
		},
	}, a.report)
}

func (a *api) report(ctx context.Context, in *bodyInput) (Receipts, error) {
	caller, _ := CallerFrom(ctx)
	now := board.MomentOf(a.Now())
	judge := report.Judge{Ledger: a.Ledger, Sender: report.Sender{User: caller.Subject, Service: caller.Service}, Moment: now}
	verdict, err := judge.Report(in.body)
	if err != nil {
		return Receipts{}, badBody(strictjson.Reason(err))
	}
	if p := faulty(verdict, in.query); p != nil {
		return Receipts{}, p
	}
	results := a.Store.Record(ctx, verdict.Activities, ledger.Arrival{Now: now})
	receipts := make([]Receipt, len(results))
	var failed []error
	for i, r := range results {
		if failed = append(failed, r.Err); r.Err == nil {
			receipts[i] = receipt(r.Receipt)
			metrics.From(ctx).Activity(string(r.Status))
		}
	}
	// One failure fails the request: what was applied will not be applied twice.
	return Receipts{receipts}, errors.Join(failed...)
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
