package queue

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/activity"
	"laurel/shared/auth"
	"laurel/shared/board"
)

// The names of what a message carries beside its body.
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

// errProducer refuses what would be the service's.
var errProducer = errors.New("no attribute names the user, and the producer may not report for everybody")

// senderOf returns whose a message is. What only the service may put onto the queue has to
// come from one of the producers, whom SQS names: attributes are the sender's to choose.
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
		return auth.Caller{}, errProducer
	}
	return sender, nil
}

// receives returns how often a message was delivered, 0 if SQS does not say.
func receives(m events.SQSMessage) int {
	n, _ := strconv.Atoi(m.Attributes[ReceiveCount])
	return n
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
