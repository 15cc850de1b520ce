package queue

import (
	"context"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/strictjson"
)

// erasure is a message that asks for a user to be erased.
type erasure struct {
	message, user string
	sent          board.Moment
}

// erasedBy returns whom a message asks to erase: {"erase":"ann"} and nothing else.
func erasedBy(body string) (user string, is bool) {
	var faults strictjson.Faults
	r := strictjson.NewReader([]byte(body), &faults)
	_, err := r.Object("body", func(name string) error {
		if name != "erase" {
			return r.Wrong("body", "is something else")
		}
		text, err := r.Text("body.erase")
		if is = text != nil; is {
			user = *text
		}
		return err
	})
	return user, is && err == nil && r.End() == nil && faults.Count() == 0
}

// takeErasure takes an erasure into the batch, or returns the reasons why not.
func (b *batch) takeErasure(m events.SQSMessage, user string, sent board.Moment) (reasons []string) {
	sender, err := senderOf(m)
	if err != nil {
		return []string{err.Error()}
	}
	if !sender.Service {
		reasons = append(reasons, "body.erase: is not for the "+string(activity.ByUser)+" to ask for")
	}
	if fault := activity.CheckID(user, activity.MaxUserID); fault != "" {
		reasons = append(reasons, "body.erase: "+fault)
	}
	if b.Erase == nil {
		reasons = append(reasons, "body.erase: there is no table here, and nobody to be erased from it")
	}
	if len(reasons) == 0 {
		b.erasures = append(b.erasures, erasure{m.MessageId, user, sent})
	}
	return reasons
}

// erase goes on with the batch's erasures, after what it records, and says whether
// all went well. One that is not done yet is delivered again.
func (b *batch) erase(ctx context.Context) (well bool) {
	well = true
	for _, e := range b.erasures {
		rests, err := b.Erase(ctx, e.user, e.sent)
		if err != nil {
			b.Log.WarnContext(ctx, "an erasure is to be delivered again", "message", e.message, "cause", err.Error())
			well = false
		}
		if !rests {
			b.failures = append(b.failures, e.message)
		}
	}
	return well
}
