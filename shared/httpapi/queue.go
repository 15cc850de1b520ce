package httpapi

import (
	"context"
	"crypto/md5" //nolint:gosec // what SQS sends of a body
	"encoding/hex"
	"errors"
	"net/http"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/auth"
	"laurel/shared/request"
)

// A Queue keeps reports until somebody records them. Send takes one as it is,
// unread, with whose it is, and returns the id of its message. ErrQueueFull is
// an error that passes.
type Queue interface {
	Send(ctx context.Context, body []byte, from auth.Caller) (messageID string, err error)
}

// ErrQueueFull is wrapped by the error of a queue that takes no more just now.
var ErrQueueFull = errors.New("httpapi: the queue is full")

// Queued is the answer to a report that waits, SQS's own.
type Queued struct{ id, bodyMD5 string }

// xml returns the answer as SQS writes it. An id and a hash have nothing to escape.
func (q Queued) xml() []byte {
	return []byte(`<?xml version="1.0"?><SendMessageResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/">` +
		`<SendMessageResult><MessageId>` + q.id + `</MessageId><MD5OfMessageBody>` + q.bodyMD5 + `</MD5OfMessageBody>` +
		`</SendMessageResult><ResponseMetadata><RequestId>` + q.id + `</RequestId></ResponseMetadata></SendMessageResponse>`)
}

// registerQueue adds the way in through the queue. In AWS it is API Gateway that
// serves it, straight from and to SQS, and no function has a queue. Who comes to
// one all the same is told so.
func (a *api) registerQueue() {
	register(a, operation{
		id: "queue-activities", method: http.MethodPost, path: "/v1/queue/activities", tag: "queue",
		summary: "Queue activities",
		detail: "Takes the body of POST /v1/activities, or one activity alone, without validating it. " +
			"It is recorded a little later, without receipts, as of the moment it was sent. Violations are logged " +
			"with the message's id, and the message goes to the dead-letter queue. The answer is SQS's SendMessageResponse, " +
			"in XML, with the message's id. In AWS, API Gateway and SQS answer, so errors are theirs too.",
		access: forCaller, body: request.Report{}, status: http.StatusAccepted,
		errors: append([]int{http.StatusNotImplemented}, bodyErrors...),
		more: func(op *huma.Operation) {
			op.Responses["202"].Content[xmlType].Example = string(Queued{
				"5fea7756-0ea4-451a-a703-a558b933e274", "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
			}.xml())
			one := request.ReportedActivity{Action: "like", Target: "article-42"}
			op.RequestBody.Content["application/json"].Schema = &huma.Schema{
				Description: "A Report or a ReportedActivity; validated when it is recorded",
			}
			op.RequestBody.Content["application/json"].Example = request.Report{Activities: []request.ReportedActivity{one}}
		},
	}, a.enqueue)
}

func (a *api) enqueue(ctx context.Context, in *bodyInput) (Queued, error) {
	caller, _ := auth.CallerFrom(ctx)
	if p := problemWith(&request.Violations{}, in.rest); p != nil {
		return Queued{}, p
	}
	switch {
	case a.Queue == nil:
		return Queued{}, newProblem(CodeNotSupported,
			"not supported here: in AWS, API Gateway sends these requests to SQS; use POST /v1/activities")
	case len(in.body) == 0:
		return Queued{}, badBody("must not be empty")
	case !utf8.Valid(in.body): // SQS takes no such message
		return Queued{}, badBody("must be UTF-8")
	}
	id, err := a.Queue.Send(ctx, in.body, caller)
	if err != nil {
		return Queued{}, err
	}
	sum := md5.Sum(in.body) //nolint:gosec // what SQS sends of a body
	return Queued{id, hex.EncodeToString(sum[:])}, nil
}
