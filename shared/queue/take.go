package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/report"
	"laurel/shared/strictjson"
)

// errRefused is the error of a message that has been logged with its reasons.
var errRefused = errors.New("queue: message refused")

// take takes a message's activities into the batch, or logs all that is wrong
// with it.
func (b *batch) take(ctx context.Context, m events.SQSMessage) error {
	verdict, sent, reasons := b.read(m)
	if user, is := erasedBy(m.Body); is && verdict != nil {
		reasons = b.takeErasure(m, user, sent)
		verdict = &report.Verdict{}
	}
	if len(reasons) > 0 {
		b.Log.WarnContext(ctx, "message refused", "message", m.MessageId, "reasons", reasons)
		return errRefused
	}
	b.latest = max(b.latest, sent)
	mine := taken{id: m.MessageId, from: len(b.activities)}
	for _, a := range verdict.Activities {
		if status, refused := refusedAt(a, sent); refused {
			metrics.From(ctx).Activity(string(status))
			b.Log.WarnContext(ctx, "not recorded", "message", m.MessageId, "status", string(status), "at", a.At.String(), "sent", sent.String())
			continue
		}
		b.activities = append(b.activities, a)
	}
	mine.to = len(b.activities)
	b.messages = append(b.messages, mine)
	return nil
}

// read reads a message, and when it was sent; or returns the reasons why it can't
// be recorded.
func (b *batch) read(m events.SQSMessage) (verdict *report.Verdict, sent board.Moment, reasons []string) {
	sender, err := senderOf(m)
	if err != nil {
		reasons = append(reasons, err.Error())
	}
	if sent, err = sentAt(m, b.now); err != nil {
		reasons = append(reasons, err.Error())
	}
	if len(m.Body) > MaxMessage {
		reasons = append(reasons, "body: must be at most 256 KiB")
	}
	if len(reasons) > 0 { // who sent it, and when, decides what is wrong with the rest
		return nil, 0, reasons
	}
	judge := report.Judge{Ledger: b.Ledger, Sender: sender, Moment: sent}
	if verdict, err = judge.Message([]byte(m.Body)); err != nil {
		return nil, 0, []string{"body: is not JSON in UTF-8: " + strictjson.Reason(err)}
	}
	for _, f := range verdict.Faults.All() { // without the values, which are the senders' and the users'
		reasons = append(reasons, f.Location+": "+f.Message)
	}
	if more := verdict.Faults.Count() - len(reasons); more > 0 {
		reasons = append(reasons, fmt.Sprintf("and %d more", more))
	}
	return verdict, sent, reasons
}

// refusedAt is what the API would have answered when the message was sent, if that
// is a refusal for the activity's age.
func refusedAt(a activity.Activity, sent board.Moment) (ledger.Status, bool) {
	switch {
	case a.At < sent.Add(-ledger.MaxAge):
		return ledger.TooLate, true
	case a.At > sent.Add(ledger.MaxAhead):
		return ledger.TooEarly, true
	default:
		return "", false
	}
}
