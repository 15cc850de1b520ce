package queue_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	_ "time/tzdata" // the zones are the same wherever the tests run

	"github.com/aws/aws-lambda-go/events"

	"laurel/internal/harness"
	"laurel/shared/api/auth"
	"laurel/shared/api/queue"
	"laurel/shared/core/board"
	"laurel/shared/core/metrics"
)

var noon = board.MomentOf(harness.Noon)

// A forum is one whose batches are handled, with the log of its metrics.
type forum struct {
	*harness.Forum
	handle  queue.Function
	metrics *harness.Log
}

// open is a forum whose batches are handled with options changed.
func open(tb testing.TB, s harness.Setup, change ...func(*queue.Options)) *forum {
	tb.Helper()
	f := harness.NewForum(tb, s)
	o := f.Batches()
	o.Producers = []string{"AROAFORUM", "AROAGATEWAY"}
	for _, c := range change {
		c(&o)
	}
	return handling(f, o)
}

// handling handles batches with options that need no log.
func handling(inner *harness.Forum, o queue.Options) *forum {
	f := &forum{Forum: inner, metrics: &harness.Log{}}
	o.Log = slog.New(slog.NewJSONHandler(f.Out, nil))
	o.Metrics = metrics.New(f.metrics, metrics.Options{Namespace: "Laurel", Now: o.Now})
	f.handle = queue.Handle(o)
	return f
}

// deliver hands a batch on and returns the ids of those that failed.
func (f *forum) deliver(messages ...events.SQSMessage) []string {
	f.TB.Helper()
	response := harness.Must(f.handle(f.TB.Context(), events.SQSEvent{Records: messages}))(f.TB)
	failed := []string{}
	for _, failure := range response.BatchItemFailures {
		failed = append(failed, failure.ItemIdentifier)
	}
	return failed
}

// reasons are the reasons in the log why a message was refused.
func (f *forum) reasons(id string) []string {
	f.TB.Helper()
	for text := range strings.Lines(f.Out.String()) {
		var line struct {
			Message string   `json:"message"`
			Reasons []string `json:"reasons"`
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			f.TB.Fatal(err, text)
		}
		if line.Message == id && line.Reasons != nil {
			return line.Reasons
		}
	}
	return nil
}

// message is one that the forum's backend sent at noon.
func message(id, body string) events.SQSMessage {
	return events.SQSMessage{
		MessageId: id, Body: body, EventSource: "aws:sqs",
		Attributes: map[string]string{
			queue.SenderID: "AROAFORUM:backend", queue.SentTimestamp: strconv.FormatInt(int64(noon), 10),
		},
	}
}

// by is a message as it comes from the route, of a user or, by the name backend, the service.
func by(m events.SQSMessage, user string) events.SQSMessage {
	text := auth.Caller{User: user, Service: user == "backend"}.Text()
	m = with(with(m, queue.SenderID, "AROAGATEWAY:BackplaneAssumeRoleSession"), queue.MessageGroupID, text)
	return attribute(m, queue.AttributeCaller, "String", &text)
}

// likeBy is an activity of a user as the service says it.
func likeBy(user, target string) string {
	return fmt.Sprintf(`{"action":"like","user":%q,"target":%q}`, user, target)
}
