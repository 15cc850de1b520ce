package localserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/auth"
	"laurel/shared/httpapi"
	"laurel/shared/queue"
)

// What the queue does as SQS and Lambda would, in a hurry.
const (
	maxWaiting      = 10_000
	maxBatch        = 100
	maxReceiveCount = 5
	visibilityTime  = time.Second // until what failed is delivered again
)

// Queue keeps messages in this process and hands them on in batches, as Lambda
// does. What fails is delivered again, five times in all; then it is a dead letter,
// and logged.
type Queue struct {
	handle queue.Function
	now    func() time.Time
	log    *slog.Logger
	ready  func(context.Context) error // why nothing can be recorded
	drain  time.Duration               // for what waits at the end
	// straight has a message recorded before it is answered, as what waits here would be lost with
	// the process.
	straight bool
	sent     chan struct{} // has something in it when something waits

	mu      sync.Mutex
	waiting []letter
	dead    int
}

// letter is a message that waits.
type letter struct {
	events.SQSMessage
	received int
	visible  time.Time // when it may be delivered
}

// NewQueue returns the queue of a server, which delivers to a function once Run is called. On a
// developer's alone messages wait.
func NewQueue(handle queue.Function, o Options) *Queue {
	return &Queue{
		handle: handle, now: o.Batches.Now, log: o.Batches.Log, ready: o.Ready, drain: o.Drain, straight: o.Dev == nil,
		sent: make(chan struct{}, 1),
	}
}

// localProducer is what SQS would call API Gateway's role.
const localProducer = "LAURELDEV"

// Send puts a message with its sender onto the queue, as API Gateway does.
func (q *Queue) Send(ctx context.Context, body []byte, from auth.Caller) (string, error) {
	id, sent := messageID(), strconv.FormatInt(q.now().UnixMilli(), 10)
	m := events.SQSMessage{
		MessageId: id, Body: string(body), EventSource: "aws:sqs",
		Attributes: map[string]string{
			queue.SentTimestamp:  sent,
			queue.SenderID:       localProducer + ":stage",
			queue.MessageGroupID: from.Text(),
		},
		MessageAttributes: map[string]events.SQSMessageAttribute{
			queue.AttributeCaller: {DataType: "String", StringValue: new(from.Text())},
			queue.AttributeSent:   {DataType: "String", StringValue: &sent},
		},
	}
	if q.straight {
		return id, q.record(ctx, m)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) >= maxWaiting {
		return "", fmt.Errorf("%w: %d messages wait", httpapi.ErrQueueFull, maxWaiting)
	}
	q.waiting = append(q.waiting, letter{SQSMessage: m})
	q.wake()
	return id, nil
}

// record delivers a message at once. What fails though everything can be reached is a dead
// letter.
func (q *Queue) record(ctx context.Context, m events.SQSMessage) error {
	for range 2 {
		response, err := q.handle(ctx, events.SQSEvent{Records: []events.SQSMessage{m}})
		if err == nil && len(response.BatchItemFailures) == 0 {
			return nil
		}
		if err := errors.Join(err, q.ready(ctx)); err != nil {
			return fmt.Errorf("%w: %w", httpapi.ErrQueueFull, err)
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bury(letter{SQSMessage: m, received: 2})
	return nil
}

// wake tells Run that something waits.
func (q *Queue) wake() {
	select {
	case q.sent <- struct{}{}:
	default:
	}
}

// Run delivers until the context ends, and then what still waits: what fails then
// is tried again at once. A delivery that has begun is not cut off by the end.
func (q *Queue) Run(ctx context.Context) {
	ticks := time.NewTicker(visibilityTime)
	defer ticks.Stop()
	for ctx.Err() == nil {
		if q.deliver(context.WithoutCancel(ctx), time.Now()) {
			continue
		}
		select {
		case <-ctx.Done():
		case <-q.sent:
		case <-ticks.C:
		}
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), q.drain)
	defer cancel()
	at := time.Now().Add(visibilityTime)
	for q.deliver(drain, at) {
		at = at.Add(visibilityTime)
	}
}

// deliver delivers one batch of what may be delivered by a time, and says whether
// there was any.
func (q *Queue) deliver(ctx context.Context, by time.Time) bool {
	batch := q.take(by)
	if len(batch) == 0 {
		return false
	}
	event := events.SQSEvent{}
	for _, l := range batch {
		event.Records = append(event.Records, l.SQSMessage)
	}
	failed := map[string]bool{}
	response, err := q.handle(ctx, event)
	for _, f := range response.BatchItemFailures {
		failed[f.ItemIdentifier] = true
	}
	for _, l := range batch {
		if err != nil || failed[l.MessageId] {
			q.putBack(l, by)
		}
	}
	return true
}

// take takes a batch off the queue.
func (q *Queue) take(by time.Time) (batch []letter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var rest []letter
	for _, l := range q.waiting {
		if len(batch) == maxBatch || l.visible.After(by) {
			rest = append(rest, l)
			continue
		}
		l.received++
		l.Attributes["ApproximateReceiveCount"] = strconv.Itoa(l.received)
		batch = append(batch, l)
	}
	q.waiting = rest
	return batch
}

// putBack puts a message that failed onto the queue again, or among the dead.
func (q *Queue) putBack(l letter, by time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if l.received < maxReceiveCount {
		l.visible = by.Add(visibilityTime)
		q.waiting = append(q.waiting, l)
		return
	}
	q.bury(l)
}

// bury logs a message that nobody can record. The lock is held.
func (q *Queue) bury(l letter) {
	q.dead++
	q.log.Error("a message is a dead letter", "message", l.MessageId, "deliveries", l.received, "dead_letters",
		q.dead, "body", strings.ToValidUTF8(l.Body[:min(len(l.Body), 500)], ""))
}

// messageID makes the id of a message, a random UUID as SQS has them.
func messageID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
