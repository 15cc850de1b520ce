package localserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
	"laurel/shared/api/queue"
)

// localQueue takes messages as SQS does, and records each before it is answered, as a process loses its
// waiting messages when it ends.
type localQueue struct {
	handle queue.Function
	now    func() time.Time
	log    *slog.Logger
	ready  func(context.Context) error // why nothing can be recorded
	dead   atomic.Int64
}

// localProducer stands for SQS's name of API Gateway's role.
const localProducer = "LAURELDEV"

// Send takes a message with its sender, as API Gateway does.
func (q *localQueue) Send(ctx context.Context, body []byte, caller auth.Caller) (string, error) {
	id := uuid.NewString() // as SQS has them
	sent := strconv.FormatInt(q.now().UnixMilli(), 10)
	return id, q.record(ctx, events.SQSMessage{
		MessageId: id, Body: string(body), EventSource: "aws:sqs",
		Attributes: map[string]string{
			queue.SentTimestamp:  sent,
			queue.SenderID:       localProducer + ":stage",
			queue.MessageGroupID: caller.Text(),
		},
		MessageAttributes: map[string]events.SQSMessageAttribute{
			queue.AttributeCaller: {DataType: "String", StringValue: new(caller.Text())},
			queue.AttributeSent:   {DataType: "String", StringValue: &sent},
		},
	})
}

// record delivers a message. A message that fails twice though everything can be reached is a dead letter: its
// number and its length are logged, but nothing that it says of members.
func (q *localQueue) record(ctx context.Context, m events.SQSMessage) error {
	const deliveries = 2
	for range deliveries {
		response, err := q.handle(ctx, events.SQSEvent{Records: []events.SQSMessage{m}})
		if err == nil && len(response.BatchItemFailures) == 0 {
			return nil
		}
		if err := errors.Join(err, q.ready(ctx)); err != nil {
			return fmt.Errorf("%w: %w", httpapi.ErrQueueFull, err)
		}
	}
	q.log.ErrorContext(ctx, "a message is a dead letter", "message", m.MessageId, "deliveries", deliveries, "dead_letters",
		q.dead.Add(1), "bytes", len(m.Body))
	return nil
}
