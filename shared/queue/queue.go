package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

// operation is what a batch is called among the operations that are measured.
const operation = "record-queue"

// A Store is what a batch needs of package live.
type Store interface {
	Record(context.Context, []activity.Activity, ledger.Arrival) []pages.Result
}

// Pending keeps activities that are accepted and not recorded yet.
type Pending interface {
	WritePending(ctx context.Context, arrival board.Moment, activities []activity.Activity) error
}

// Stamps hold Redis against the table that describes it; see httpapi.Stamps.
type Stamps interface {
	Ready(ctx context.Context) error
	Stale(ctx context.Context, failed error) bool
}

// Options are what batches are recorded with. All of them are needed but the
// metrics.
type Options struct {
	Store   Store
	Ledger  *ledger.Ledger // the forum's rules and calendar
	Now     func() time.Time
	Log     *slog.Logger
	Metrics *metrics.Meter // nil: nothing is measured

	// Producers are who may report for everybody: unique ids of roles and users of IAM, as
	// SQS names them. Messages of others are taken only where they name a user.
	Producers []string

	Stamps  Stamps  // what Redis has to have; nil: anything
	Pending Pending // keeps what cannot be recorded while Redis is unavailable; nil: nothing does

	// Erase begins to erase a user, or goes on, and says whether nothing is left to do just now; nil where
	// nobody can be erased.
	Erase func(ctx context.Context, user string, sent board.Moment) (idle bool, err error)
}

// A Function is what the Lambda runtime calls with a batch. Its answer names the
// messages that are not done.
type Function = func(context.Context, events.SQSEvent) (events.SQSEventResponse, error)

// Handle returns the function that records batches. It may be called by many at
// once; it never returns an error, as that would fail the good messages too.
func Handle(o Options) Function {
	return func(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
		ctx, work := o.Metrics.Begin(ctx, operation)
		failed := true
		defer func() { work.End(failed) }() // also after a panic: Lambda delivers the batch again
		b := &batch{Options: o, now: board.MomentOf(o.Now())}
		b.latest = b.now
		for _, m := range event.Records {
			if err := b.take(ctx, m); err != nil {
				b.failures = append(b.failures, m.MessageId)
			}
		}
		failed = !b.record(ctx)
		failed = !b.erase(ctx) || failed
		work.Count("QueueMessages", len(event.Records))
		work.Count("QueueFailures", len(b.failures))
		return b.answer(), nil
	}
}

// batch is one batch on its way.
type batch struct {
	Options
	now, latest board.Moment // latest is of now and when messages were sent
	messages    []taken
	activities  []activity.Activity // of all messages, those to be recorded
	erasures    []erasure
	failures    []string // ids of messages
}

// taken is a message without a fault.
type taken struct {
	id       string
	sent     board.Moment
	from, to int // which of the batch's activities are its own
}

// answer names the messages that are not done.
func (b *batch) answer() events.SQSEventResponse {
	response := events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}}
	for _, id := range b.failures {
		response.BatchItemFailures = append(response.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: id})
	}
	return response
}

// record records what was taken, and says whether all of it could be.
func (b *batch) record(ctx context.Context) (all bool) {
	if len(b.activities) == 0 {
		return true
	}
	results := b.results(ctx)
	var again []string
	var cause error
	work := metrics.From(ctx)
	for _, m := range b.messages {
		var failed error
		var left []activity.Activity
		late := 0
		for i, r := range results[m.from:m.to] {
			switch {
			case r.Err != nil:
				if left = append(left, b.activities[m.from+i]); failed == nil || !keepable(r.Err) {
					failed = r.Err
				}
			case r.Status == ledger.TooLate:
				late++
				fallthrough
			default:
				work.Activity(string(r.Status))
			}
		}
		if failed != nil && b.keepPending(ctx, m, left, failed) {
			failed = nil
		}
		if failed != nil {
			again, cause = append(again, m.id), failed
		}
		if late > 0 {
			b.Log.WarnContext(ctx, "too late: the day or the month is final", "message", m.id, "activities", late)
		}
	}
	if len(again) > 0 {
		b.Log.WarnContext(ctx, "messages are to be delivered again", "messages", again, "cause", fmt.Sprint(cause))
	}
	b.failures = append(b.failures, again...)
	return len(again) == 0
}

// results records the batch's activities. How old they are has been looked at, message
// by message.
func (b *batch) results(ctx context.Context) []pages.Result {
	if b.Stamps != nil {
		if err := b.Stamps.Ready(ctx); err != nil {
			return slices.Repeat([]pages.Result{{Err: err}}, len(b.activities))
		}
	}
	arrival := ledger.Arrival{Now: b.latest, AnyAge: true}
	results := b.Store.Record(ctx, b.activities, arrival)
	if b.Stamps != nil && slices.ContainsFunc(results, func(r pages.Result) bool { return b.Stamps.Stale(ctx, r.Err) }) {
		return b.Store.Record(ctx, b.activities, arrival)
	}
	return results
}

// keepable says whether an error is of a Redis that is unavailable or full, or of damaged values
// of a user or an article: the message would be a dead letter before an hour is over.
func keepable(err error) bool {
	return errors.Is(err, redisstore.ErrUnavailable) || errors.Is(err, redisstore.ErrDamaged)
}

// keepPending keeps those activities of a message that cannot be recorded.
func (b *batch) keepPending(ctx context.Context, m taken, acts []activity.Activity, failed error) bool {
	if b.Pending == nil || !keepable(failed) {
		return false
	}
	if errors.Is(failed, redisstore.ErrFull) {
		b.Log.WarnContext(metrics.Counted(ctx), "the cache is full", "cause", failed)
		metrics.From(ctx).Count("CacheFull", 1)
	}
	if err := b.Pending.WritePending(ctx, m.sent, acts); err != nil {
		return false
	}
	b.Log.WarnContext(ctx, "activities are pending", "message", m.id, "activities", len(acts), "cause", failed)
	metrics.From(ctx).Count("Pending", len(acts))
	return true
}
