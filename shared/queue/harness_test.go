package queue_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // the zones are the same wherever the tests run

	"github.com/aws/aws-lambda-go/events"
	"github.com/redis/go-redis/v9"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/metrics"
	"laurel/shared/queue"
)

var noon = board.MomentOf(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))

// forum is a queue's function on a store, and what it logs and measures.
type forum struct {
	tb      testing.TB
	store   queue.Store
	live    *live.Store
	handle  queue.Function
	log     *logged
	metrics *logged
}

// logged is a log that many write.
type logged struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write adds to the log.
func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

// utc is the ledger of a forum in UTC with the default rules.
func utc() *ledger.Ledger { return ledger.New(activity.Default(), board.NewCalendar(time.UTC)) }

// open is a forum at a moment, on a client.
func open(tb testing.TB, client redis.UniversalClient, l *ledger.Ledger, shards int, now board.Moment) *forum {
	tb.Helper()
	store := live.New(client, l, shards)
	f := openStore(tb, store, l, now)
	f.live = store
	return f
}

// openStore is a forum on any store.
func openStore(tb testing.TB, store queue.Store, l *ledger.Ledger, now board.Moment) *forum {
	tb.Helper()
	f := &forum{tb: tb, store: store, log: &logged{}, metrics: &logged{}}
	f.handle = queue.Handle(queue.Options{
		Store: store, Ledger: l, Now: now.Time,
		Log:     slog.New(slog.NewJSONHandler(f.log, nil)),
		Metrics: metrics.New(f.metrics, "Laurel", now.Time),
	})
	return f
}

// deliver hands a batch on and returns the ids of those that failed.
func (f *forum) deliver(messages ...events.SQSMessage) []string {
	f.tb.Helper()
	response, err := f.handle(f.tb.Context(), events.SQSEvent{Records: messages})
	if err != nil {
		f.tb.Fatal(err)
	}
	failed := []string{}
	for _, failure := range response.BatchItemFailures {
		failed = append(failed, failure.ItemIdentifier)
	}
	return failed
}

// reasons are what the log says of a message that was refused.
func (f *forum) reasons(id string) []string {
	f.tb.Helper()
	for text := range strings.Lines(f.log.String()) {
		var line struct {
			Message string   `json:"message"`
			Reasons []string `json:"reasons"`
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			f.tb.Fatal(err, text)
		}
		if line.Message == id && line.Reasons != nil {
			return line.Reasons
		}
	}
	return nil
}

// scoreOf is a user's score in a period that its form tells.
func (f *forum) scoreOf(user, period string) int64 {
	f.tb.Helper()
	window := board.Day
	if len(period) == len("2026-11") {
		window = board.Month
	}
	p, err := board.ParsePeriod(window, period)
	if err != nil {
		f.tb.Fatal(err)
	}
	page, err := f.live.Read(f.tb.Context(), board.View{Board: "activity", Period: p, User: user})
	if err != nil {
		f.tb.Fatal(err)
	}
	return page.Standing.Score
}

// message is one that the forum's backend sent at noon.
func message(id, body string) events.SQSMessage {
	return events.SQSMessage{
		MessageId: id, Body: body, EventSource: "aws:sqs",
		Attributes: map[string]string{queue.SentTimestamp: strconv.FormatInt(int64(noon), 10)},
	}
}

// sent is a message with another moment of sending.
func sent(m events.SQSMessage, at board.Moment) events.SQSMessage {
	m.Attributes = map[string]string{queue.SentTimestamp: strconv.FormatInt(int64(at), 10)}
	return m
}

// by is a message as it comes from the route with a token's subject and scopes.
func by(m events.SQSMessage, subject, scopes string) events.SQSMessage {
	m.MessageAttributes = map[string]events.SQSMessageAttribute{}
	for name, value := range queue.Attributes(subject, scopes) {
		m.MessageAttributes[name] = events.SQSMessageAttribute{DataType: "String", StringValue: &value}
	}
	m.Attributes[queue.MessageGroupID] = subject
	return m
}

// likeBy is an activity of a user as the service says it.
func likeBy(user, target string) string {
	return fmt.Sprintf(`{"action":"like","user":%q,"target":%q}`, user, target)
}
