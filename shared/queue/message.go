package queue

import (
	"errors"
	"fmt"
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
	AttributeSub   = "sub"
	AttributeScope = "scope"
	AttributeSent  = "sent"           // in milliseconds since 1970
	SentTimestamp  = "SentTimestamp"  // of SQS, in milliseconds since 1970
	MessageGroupID = "MessageGroupId" // of SQS, the sub once more
)

const (
	// MaxMessage is the longest message that is read, in bytes.
	MaxMessage = 256 << 10

	scopeWord = "scope "
	keptFor   = 28 * 24 * time.Hour // by SQS, at most: a queue, and its dead letters
	maxSkew   = time.Minute         // of SQS's clock before this one
)

// Attributes are those that a message from a token's subject and scopes carries.
func Attributes(subject, scopes string) map[string]string {
	return map[string]string{AttributeSub: subject, AttributeScope: scopeWord + scopes}
}

// senderOf says whose a message is.
func senderOf(m events.SQSMessage) (auth.Caller, error) {
	sub, hasSub, errSub := text(m, AttributeSub)
	scope, hasScope, errScope := text(m, AttributeScope)
	if err := errors.Join(errSub, errScope); err != nil {
		return auth.Caller{}, err
	}
	group, hasGroup := m.Attributes[MessageGroupID]
	sender := auth.NewCaller(sub, auth.Scopes(strings.TrimPrefix(scope, scopeWord)))
	switch {
	case !hasSub && !hasScope:
		return auth.Caller{Service: true}, nil
	case !hasSub:
		return auth.Caller{}, errors.New("attribute scope: the attribute sub is missing")
	case hasGroup && group != sub:
		return auth.Caller{}, errors.New("attribute sub: is not the MessageGroupId, the token's subject")
	case !sender.Service && !activity.ValidUserID(sub):
		return auth.Caller{}, errors.New("attribute sub: is not a valid user id")
	default:
		return sender, nil
	}
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
