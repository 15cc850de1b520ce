package queue

import (
	"context"
	"fmt"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/request"
)

// take takes a message's activities or erasure into the batch, or logs all that is
// wrong with it.
func (b *batch) take(ctx context.Context, m events.SQSMessage) (well bool) {
	message, sent, reasons := b.read(m)
	if len(reasons) > 0 {
		b.Log.WarnContext(ctx, "message refused", "message", m.MessageId, "reasons", reasons)
		return false
	}
	if message.Erase != "" {
		b.erasures = append(b.erasures, erasure{m.MessageId, message.Erase, sent})
	}
	b.latest = max(b.latest, sent)
	mine := taken{id: m.MessageId, from: len(b.activities)}
	for _, a := range message.Activities {
		if status, refused := refusedAt(a, sent); refused {
			metrics.From(ctx).Activity(string(status))
			b.Log.WarnContext(ctx, "not recorded", "message", m.MessageId, "status", string(status), "at", a.At.String(), "sent",
				sent.String())
			continue
		}
		b.activities = append(b.activities, a)
	}
	mine.to = len(b.activities)
	b.messages = append(b.messages, mine)
	return true
}

// read decodes a message and when it was sent, or returns the reasons why it can't be
// recorded.
func (b *batch) read(m events.SQSMessage) (message request.Message, sent board.Moment, reasons []string) {
	sender, err := senderOf(m, b.Producers)
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
		return request.Message{}, 0, reasons
	}
	decoder := request.ReportDecoder{Rules: b.Ledger.Rules(), Calendar: b.Ledger.Calendar(), Sender: sender, Moment: sent}
	message, found := decoder.Message([]byte(m.Body))
	for _, v := range found.All() { // without the values, which are the senders' and the users'
		reasons = append(reasons, v.Location+": "+v.Message)
	}
	if more := found.Count() - len(reasons); more > 0 {
		reasons = append(reasons, fmt.Sprintf("and %d more", more))
	}
	return message, sent, reasons
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

// erasure is a message that asks for a user to be erased.
type erasure struct {
	message, user string
	sent          board.Moment
}

// erase begins the batch's erasures, after what it records, and says whether all went well.
// The ticks finish them.
func (b *batch) erase(ctx context.Context) (well bool) {
	well = true
	for _, e := range b.erasures {
		if err := b.Erase(ctx, e.user, e.sent); err != nil {
			b.Log.WarnContext(ctx, "an erasure is to be delivered again", "message", e.message, "cause", err.Error())
			well = false
			b.failures = append(b.failures, e.message)
		}
	}
	return well
}
