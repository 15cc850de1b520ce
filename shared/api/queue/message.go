package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/api/auth"
	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/metrics"
)

// The names of a message's attributes.
const (
	AttributeSub    = "sub"            // a user's id, for messages of the forum's programs
	AttributeCaller = "caller"         // the text of a caller, which API Gateway writes
	AttributeSent   = "sent"           // in milliseconds since 1970
	SentTimestamp   = "SentTimestamp"  // of SQS, in milliseconds since 1970
	SenderID        = "SenderId"       // of SQS: a role's unique id, a colon and its session; or a user's
	MessageGroupID  = "MessageGroupId" // of SQS, the caller once more

	ReceiveCount = "ApproximateReceiveCount" // of SQS: how often the message was delivered, this time included
)

const (
	// MaxMessage is the longest message that is read, in bytes.
	MaxMessage = 256 << 10

	keptFor = 28 * 24 * time.Hour // by SQS, at most: a queue, and its dead letters
	maxSkew = time.Minute         // of SQS's clock before this one
)

// take takes a message's activities or erasure into the batch, or logs all that is wrong with it.
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
	start := len(b.activities)
	for _, a := range message.Activities {
		var status ledger.Status // the API's answer when the message was sent
		switch {
		case a.At < sent.Add(-ledger.MaxAge):
			status = ledger.TooLate
		case a.At > sent.Add(ledger.MaxAhead):
			status = ledger.TooEarly
		}
		if status != "" {
			metrics.From(ctx).Activity(string(status))
			b.Log.WarnContext(ctx, "not recorded", "message", m.MessageId, "status", string(status), "at", a.At.String(), "sent",
				sent.String())
			continue
		}
		b.activities = append(b.activities, a)
	}
	b.messages = append(b.messages, taken{m.MessageId, start, len(b.activities)})
	return true
}

// read decodes a message and when it was sent, or returns the reasons why it can't be recorded.
func (b *batch) read(m events.SQSMessage) (message wire.Message, sent board.Moment, reasons []string) {
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
	if len(reasons) > 0 { // the sender and the time decide whether the rest is valid
		return wire.Message{}, 0, reasons
	}
	decoder := wire.ReportDecoder{Rules: b.Ledger.Rules(), Calendar: b.Ledger.Calendar(), Sender: sender, Moment: sent}
	message, found := decoder.Message([]byte(m.Body))
	for _, v := range found.All() { // without the values, which are the senders' and the users'
		reasons = append(reasons, v.Location+": "+v.Message)
	}
	if more := found.Count() - len(reasons); more > 0 {
		reasons = append(reasons, fmt.Sprintf("and %d more", more))
	}
	return message, sent, reasons
}

// senderOf returns the sender of a message. A message that only the service may send has to
// come from one of the producers, by the id that SQS names: attributes are the sender's to
// choose.
func senderOf(m events.SQSMessage, producers []string) (auth.Caller, error) {
	sub, hasSub, errSub := text(m, AttributeSub)
	named, hasCaller, errCaller := text(m, AttributeCaller)
	if err := errors.Join(errSub, errCaller); err != nil {
		return auth.Caller{}, err
	}
	sender := auth.Caller{Service: true}
	switch {
	case hasSub && hasCaller:
		return auth.Caller{}, errors.New("attribute sub: the message has the attribute caller too")
	case hasSub && !activity.ValidUserID(sub):
		return auth.Caller{}, errors.New("attribute sub: is not a valid user id")
	case hasSub:
		return auth.Caller{User: sub}, nil
	case hasCaller:
		var err error
		if sender, err = auth.ParseText(named); err != nil {
			return auth.Caller{}, fmt.Errorf("attribute caller: %w", err)
		}
	}
	producer, _, _ := strings.Cut(m.Attributes[SenderID], ":")
	if sender.Service && !slices.Contains(producers, producer) {
		return auth.Caller{}, errors.New("no attribute names the user, and the producer may not report for everybody")
	}
	return sender, nil
}

// text reads an attribute that has to be a string when it is there.
func text(m events.SQSMessage, name string) (value string, given bool, err error) {
	a, given := m.MessageAttributes[name]
	if !given {
		return "", false, nil
	}
	if kind, _, _ := strings.Cut(a.DataType, "."); kind != "String" || a.StringValue == nil {
		return "", true, fmt.Errorf("attribute %s: has the type %s, not String", name, activity.Shorten(a.DataType))
	}
	return *a.StringValue, true, nil
}

// sentAt returns when a message was sent: by its attribute, which stays with a dead letter
// that is put back, else by SQS.
func sentAt(m events.SQSMessage, now board.Moment) (board.Moment, error) {
	name := "attribute " + AttributeSent
	stamp, given, err := text(m, AttributeSent)
	if err != nil {
		return 0, err
	}
	if !given {
		name = SentTimestamp
		if stamp, given = m.Attributes[SentTimestamp]; !given {
			return now, nil
		}
	}
	n, err := strconv.ParseInt(stamp, 10, 64)
	sent := board.Moment(n)
	if err != nil || !sent.Valid() {
		return 0, fmt.Errorf("%s: %s is not a valid time", name, activity.Shorten(stamp))
	}
	if sent < now.Add(-keptFor) || sent > now.Add(maxSkew) {
		return 0, fmt.Errorf("%s: %s is not of the last 28 days", name, sent)
	}
	return sent, nil
}

// erasure is a message that asks for a user to be erased.
type erasure struct {
	message, user string
	sent          board.Moment
}
