package httpapi

import (
	"context"
	"crypto/md5" //nolint:gosec // SQS answers with the MD5 of a body
	"encoding/hex"
	"errors"
	"slices"
	"unicode/utf8"

	"laurel/shared/api/auth"
	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/metrics"
	"laurel/shared/forum/recording"
)

// Receipts are the answers to a report, in its order.
type Receipts struct {
	Receipts []Receipt `json:"receipts"`
}

// A Receipt reports the effect of one activity, or the reason that it had none.
type Receipt struct {
	Status string           `json:"status"`
	Points int64            `json:"points"`
	Board  string           `json:"board"`
	Day    string           `json:"day"`
	Scores map[string]int64 `json:"scores,omitempty"`
	Ranks  map[string]int64 `json:"ranks,omitempty"`
}

type reportInput struct {
	With string `query:"with" enum:"rank"`
}

func (a *api) report(ctx context.Context, in *reportInput) (Receipts, error) {
	caller, _ := auth.CallerFrom(ctx)
	now := board.MomentOf(a.Now())
	decoder := wire.ReportDecoder{
		Rules: a.Ledger.Rules(), Calendar: a.Ledger.Calendar(), Moment: now, Sender: caller,
	}
	acts, found := decoder.Report(exchangeOf(ctx).body)
	if p := refused(ctx, found); p != nil {
		return Receipts{}, p
	}
	return a.record(ctx, acts, recording.Arrival{Now: now, Ranks: in.With != ""})
}

// record records activities. An item that is damaged, or that others kept changing, costs the activities of its user
// their receipts alone; a table that is unavailable fails the request, as applied activities will not be applied twice.
func (a *api) record(ctx context.Context, acts []activity.Activity, arrival recording.Arrival) (Receipts, error) {
	results, err := a.Recorder.Record(ctx, acts, arrival)
	if err != nil {
		return Receipts{}, err
	}
	receipts := make([]Receipt, len(results))
	var own []error
	left := 0
	for i, r := range results {
		if r.Err != nil {
			r.Receipt = a.Ledger.Unavailable(&acts[i])
			if left++; !slices.Contains(own, r.Err) { // activities of one user share it
				own = append(own, r.Err)
			}
		}
		receipts[i] = Receipt{
			Status: string(r.Status), Points: r.Points, Board: r.Board, Day: r.Day.String(),
			Scores: byWindow(r.Scores), Ranks: byWindow(r.Ranks),
		}
		metrics.From(ctx).Activity(receipts[i].Status)
	}
	if left > 0 {
		a.Log.ErrorContext(ctx, "activities are unavailable", "activities", left, "cause", errors.Join(own...))
	}
	return Receipts{Receipts: receipts}, nil
}

// byWindow returns scores, or ranks, by the names of their windows; nil for none.
func byWindow(scores []ledger.Score) map[string]int64 {
	if len(scores) == 0 {
		return nil
	}
	named := make(map[string]int64, len(scores))
	for _, s := range scores {
		named[s.Window.String()] = s.Score
	}
	return named
}

// A Queue keeps reports until they are recorded. Send takes a report as it is, unread, with its sender, and
// returns the id of its message. ErrQueueFull is an error that passes.
type Queue interface {
	Send(ctx context.Context, body []byte, sender auth.Caller) (messageID string, err error)
}

// ErrQueueFull is wrapped by the error of a queue that takes no more just now.
var ErrQueueFull = errors.New("httpapi: the queue is full")

// queued is the answer to a report that waits, SQS's own.
type queued struct{ id, bodyMD5 string }

// xml returns the answer as SQS writes it. An id and a hash have nothing to escape.
func (q queued) xml() []byte {
	return []byte(`<?xml version="1.0"?><SendMessageResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/">` +
		`<SendMessageResult><MessageId>` + q.id + `</MessageId><MD5OfMessageBody>` + q.bodyMD5 + `</MD5OfMessageBody>` +
		`</SendMessageResult><ResponseMetadata><RequestId>` + q.id + `</RequestId></ResponseMetadata></SendMessageResponse>`)
}

func (a *api) enqueue(ctx context.Context, _ *struct{}) (queued, error) {
	caller, _ := auth.CallerFrom(ctx)
	body := exchangeOf(ctx).body
	if p := refused(ctx, &wire.Violations{}); p != nil {
		return queued{}, p
	}
	switch {
	case a.Queue == nil:
		return queued{}, newProblem(CodeNotSupported,
			"not supported here: in AWS, API Gateway sends these requests to SQS; use POST /v1/activities")
	case len(body) == 0:
		return queued{}, badBody("must not be empty")
	case !utf8.Valid(body): // SQS takes no such message
		return queued{}, badBody("must be UTF-8")
	}
	id, err := a.Queue.Send(ctx, body, caller)
	if err != nil {
		return queued{}, err
	}
	sum := md5.Sum(body) //nolint:gosec // SQS answers with the MD5 of a body
	return queued{id, hex.EncodeToString(sum[:])}, nil
}
