package queue

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/metrics"
	"laurel/shared/forum/recording"
)

const (
	// operation is the name of a batch among the operations that are measured.
	operation = "record-queue"

	// atATime is how many activities are taken before they are recorded: 100 messages may have 50,000,
	// which together would need more memory and time than the function has.
	atATime = 2000

	// leastTime is the time that the function must have left to take more: a slow store gets this long.
	leastTime = 4 * time.Second
)

// A Recorder records reported activities; recording.Recorder is one.
type Recorder interface {
	Record(context.Context, []activity.Activity, recording.Arrival) ([]recording.Result, error)
}

// Options are the parts that batches are recorded with. All but the metrics are needed.
type Options struct {
	Recorder Recorder
	Ledger   *ledger.Ledger // the forum's rules and calendar
	Now      func() time.Time
	Log      *slog.Logger
	Metrics  *metrics.Meter // nil: nothing is measured

	// Producers are the senders that may report for every user: ids of roles and users of IAM, as SQS names them.
	Producers []string

	// Erase begins to erase a user, as a message asks for it that was sent at a moment.
	Erase func(ctx context.Context, user string, sent board.Moment) error
}

// A Function is the handler that the Lambda runtime calls with a batch. Its answer names the messages that are not
// done.
type Function = func(context.Context, events.SQSEvent) (events.SQSEventResponse, error)

// Handle returns the function that records batches. It never returns an error, as that would fail the good
// messages too.
func Handle(o Options) Function {
	return func(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
		ctx, work := o.Metrics.Begin(ctx, operation)
		failed := true
		defer func() { work.End(failed) }() // also after a panic: Lambda delivers the batch again
		b := &batch{Options: o, now: board.MomentOf(o.Now())}
		b.latest = b.now
		well := b.recordAll(ctx, event.Records)
		for _, e := range b.erasures { // after the batch's records; ticks finish them
			if err := b.Erase(ctx, e.user, e.sent); err != nil {
				b.Log.WarnContext(ctx, "an erasure is to be delivered again", "message", e.message, "cause", err.Error())
				well, b.failures = false, append(b.failures, e.message)
			}
		}
		failed = !well
		work.Count("QueueMessages", len(event.Records))
		work.Count("QueueFailures", len(b.failures))
		response := events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}}
		for _, id := range b.failures {
			response.BatchItemFailures = append(response.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: id})
		}
		return response, nil
	}
}

// batch is one batch on its way.
type batch struct {
	Options
	now, latest board.Moment        // latest is of now and when messages were sent
	messages    []taken             // some, which are recorded together
	activities  []activity.Activity // of these messages, those to be recorded
	erasures    []erasure
	failures    []string // ids of messages
}

// taken is a message without a fault.
type taken struct {
	id       string
	from, to int // the range of its own activities
}

// recordAll records messages, some at a time and as long as there is time, and says whether all that was tried could
// be recorded. Messages that an earlier batch has left come first, so that none is left again and again.
func (b *batch) recordAll(ctx context.Context, rest []events.SQSMessage) (well bool) {
	receives := func(m events.SQSMessage) int { // 0 if SQS does not say
		n, _ := strconv.Atoi(m.Attributes[ReceiveCount])
		return n
	}
	slices.SortStableFunc(rest, func(m, n events.SQSMessage) int { return receives(n) - receives(m) })
	well = true
	for longest := time.Duration(0); len(rest) > 0; {
		began := time.Now()
		if end, ok := ctx.Deadline(); ok && end.Sub(began) < max(leastTime, 2*longest) {
			for _, m := range rest {
				b.failures = append(b.failures, m.MessageId)
			}
			b.Log.WarnContext(ctx, "messages are left for another batch: no time", "messages", len(rest))
			break
		}
		rest = b.takeSome(ctx, rest)
		well = b.record(ctx) && well
		longest = max(longest, time.Since(began))
	}
	return well
}

// takeSome takes messages until there is enough to record, and returns the others.
func (b *batch) takeSome(ctx context.Context, messages []events.SQSMessage) (rest []events.SQSMessage) {
	b.messages, b.activities = b.messages[:0], b.activities[:0]
	for i, m := range messages {
		if len(b.activities) >= atATime {
			return messages[i:]
		}
		if !b.take(ctx, m) {
			b.failures = append(b.failures, m.MessageId)
		}
	}
	return nil
}

// record records the activities that were taken, and says whether all of it could be. A message
// with an activity that is not recorded is delivered again.
func (b *batch) record(ctx context.Context) (all bool) {
	if len(b.activities) == 0 {
		return true
	}
	// How old they are has been looked at, message by message.
	results, err := b.Recorder.Record(ctx, b.activities, recording.Arrival{Now: b.latest, AnyAge: true})
	if err != nil {
		results = slices.Repeat([]recording.Result{{Err: err}}, len(b.activities))
	}
	var again []string
	var cause error
	work := metrics.From(ctx)
	for _, m := range b.messages {
		var failed error
		late := 0
		for _, r := range results[m.from:m.to] {
			if r.Err != nil {
				failed = r.Err
				continue
			}
			if work.Activity(string(r.Status)); r.Status == ledger.TooLate {
				late++
			}
		}
		if failed != nil {
			again, cause = append(again, m.id), failed
		}
		if late > 0 {
			b.Log.WarnContext(ctx, "too late: the day or the month is closed", "message", m.id, "activities", late)
		}
	}
	if len(again) > 0 {
		b.Log.WarnContext(ctx, "messages are to be delivered again", "messages", again, "cause", fmt.Sprint(cause))
	}
	b.failures = append(b.failures, again...)
	return len(again) == 0
}
