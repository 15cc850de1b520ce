package localserver_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"laurel/internal/harness"
	"laurel/shared/auth"
	"laurel/shared/httpapi"
	"laurel/shared/localserver"
	"laurel/shared/queue"
	"laurel/shared/view"
)

// forum is one that a local server serves.
type forum struct {
	*harness.Forum
	access harness.Log // the access log
	stop   func()      // ends the server and waits for it
}

// open serves a forum with requests changed.
func open(t *testing.T, change ...func(*httpapi.Options)) *forum {
	t.Helper()
	f := &forum{Forum: harness.NewForum(t, harness.Setup{})}
	ctx, cancel := context.WithCancel(t.Context())
	o := localserver.Options{
		Addr: "127.0.0.1:0", Answered: localserver.Lines(&f.access, f.Clock, time.UTC), Tokens: f.Tokens.Options(f.Clock),
		Dev: &localserver.Dev{Page: fstest.MapFS{}}, Requests: f.Requests(), Batches: f.Batches(),
		Ready: func(context.Context) error { return nil },
		Drain: 10 * time.Second, // net/http takes a connection that was opened and not used for idle after 5 s
	}
	o.Tokens.UserSecrets = []string{userSecret}
	for _, c := range change {
		c(&o.Requests)
	}
	server := harness.Must(localserver.Listen(ctx, o))(t)
	f.Client = harness.NewClient(t, "http://"+server.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	f.stop = sync.OnceFunc(func() {
		http.DefaultClient.CloseIdleConnections() // of many requests at once some have opened one that another one left
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(f.stop)
	return f
}

// token gets a token from the server.
func (f *forum) token(query string) string {
	f.TB.Helper()
	return strings.TrimSpace(f.Get("/dev/token?"+query, "").Body)
}

// enqueue puts a body onto the queue and returns the status and the message's id.
func (f *forum) enqueue(token, body string) (status int, id string) {
	f.TB.Helper()
	a := f.Do(http.MethodPost, "/v1/queue/activities", token, body)
	_, rest, _ := strings.Cut(a.Body, "<MessageId>")
	id, _, _ = strings.Cut(rest, "</MessageId>")
	return a.Status, id
}

// Every request has its line in the access log, in order, also the last ones before the end.
func TestEveryRequestIsLogged(t *testing.T) {
	t.Parallel()
	f := open(t)
	for n := range 20 {
		id := fmt.Sprint("edge-", n)
		a := f.Get(fmt.Sprintf("/v1/boards/activity/month?limit=%d", 1+n), "", httpapi.RequestIDHeader, id)
		if got := a.Header.Get(httpapi.RequestIDHeader); got != id {
			t.Errorf("the request %s is %q", id, got)
		}
	}
	f.stop()
	lines := strings.Split(strings.TrimSuffix(f.access.String(), "\n"), "\n")
	if len(lines) != 20 {
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	for n, line := range lines {
		want := fmt.Sprintf("GET  /v1/boards/activity/month?limit=%d", 1+n)
		if !strings.HasSuffix(line, want) || !strings.Contains(line, "  200  ") {
			t.Errorf("line %d: %q", n, line)
		}
	}
}

const like = `{"action":"like","target":"a1"}`

// What is put onto the queue is recorded, each message as its sender's; what waits
// when the server ends is recorded before it has ended.
func TestTheQueueIsDrained(t *testing.T) {
	t.Parallel()
	f := open(t)
	user, service := f.token("user=ann"), f.token("scope=laurel/service")
	ids := map[string]bool{}
	for token, body := range map[string]string{
		user: like,
		service: `{"activities":[{"action":"publish","target":"a1","user":"bob"},{"action":"like","target":"a1",` +
			`"user":"cid"}]}`,
	} {
		status, id := f.enqueue(token, body)
		if ids[id] = true; status != http.StatusAccepted ||
			!regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(id) {
			t.Errorf("%d %q", status, id)
		}
	}
	if status, id := f.enqueue("", like); status != http.StatusUnauthorized || id != "" ||
		len(ids) != 2 {
		t.Errorf("without a token: %d %q; %v", status, id, ids)
	}
	f.stop()
	for name, want := range map[string]int64{"ann": 2, "bob": 10, "cid": 2} {
		if got := f.ScoreOn("2026-11-20", name); got != want {
			t.Errorf("%s has %d points, want %d", name, got, want)
		}
	}
}

// What is read is kept for a moment, but not past what a worker has recorded since.
func TestTheQueueIsSeenOnTheBoard(t *testing.T) {
	t.Parallel()
	f := open(t)
	service, late := f.token("scope=laurel/service"), 0
	const times = 12
	for i := range times {
		const board = "/v1/boards/activity/day"
		f.enqueue(service, fmt.Sprintf(`{"action":"publish","target":"a%d","user":"ann"}`, i))
		for f.ScoreOn("2026-11-20", "ann") != int64(10*(i+1)) { // or the test's own time limit ends this
			f.Get(board, "") // it is kept now, unless the worker is quicker
		}
		time.Sleep(10 * time.Millisecond) // for the worker to say so
		if !strings.Contains(f.Get(board, "").Body, fmt.Sprintf(`"score":%d,`, 10*(i+1))) {
			late++
		}
	}
	if late > times/4 { // on a busy machine a worker may be late
		t.Errorf("%d of %d were not seen", late, times)
	}
}

// Answers say how long they took in Redis and beside it.
func TestServerTiming(t *testing.T) {
	t.Parallel()
	f := open(t)
	view.TimeTrips(f.Redis, localserver.RedisTook)
	form := regexp.MustCompile(`^redis;dur=(\d+\.\d{3}), app;dur=\d+\.\d{3}$`)
	for path, redis := range map[string]bool{
		"/v1/boards/activity/day": true, "/v1/boards/activity/day?limit=x": false, "/v1/rules": false,
		"/v1/users/ann/standings": false, "/v1/nothing": false,
	} {
		timing := f.Get(path, "").Header.Get("Server-Timing")
		took := form.FindStringSubmatch(timing)
		if took == nil || (took[1] != "0.000") != redis {
			t.Errorf("%s: %q", path, timing)
		}
	}
}

// What fails is delivered five times; then the log has it as a dead letter, and
// why.
func TestDeadLetters(t *testing.T) {
	t.Parallel()
	f := open(t)
	_, bad := f.enqueue(f.token("user=ann"), `{"action":"publish","target":"a1"}`)
	f.enqueue(f.token("user=ann"), like)
	f.stop()
	text := f.Out.String()
	if got := strings.Count(text, `"msg":"message refused","message":"`+bad); got != 5 {
		t.Errorf("delivered %d times:\n%s", got, text)
	}
	if !strings.Contains(text, `"msg":"a message is a dead letter","message":"`+bad) ||
		!strings.Contains(text, "the user may not report this action") || strings.Count(text, "dead letter") != 1 {
		t.Errorf("logged:\n%s", text)
	}
	if got := f.ScoreOn("2026-11-20", "ann"); got != 2 {
		t.Errorf("ann has %d points", got)
	}
}

// A delivery that has begun when the server ends is not cut off.
func TestADeliveryThatHasBegunIsDone(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan struct{}), make(chan error, 1)
	working, stop := context.WithCancel(t.Context())
	q := localserver.NewQueue(func(ctx context.Context, _ events.SQSEvent) (events.SQSEventResponse, error) {
		close(begun)
		<-working.Done()
		ended <- ctx.Err()
		return events.SQSEventResponse{}, nil
	}, localserver.Options{
		Batches: queue.Options{Now: time.Now, Log: slog.New(slog.DiscardHandler)},
		Dev:     new(localserver.Dev), Drain: time.Second,
	})
	if _, err := q.Send(t.Context(), []byte(like), auth.Caller{User: "ann"}); err != nil {
		t.Fatal(err)
	}
	go func() { <-begun; stop() }()
	q.Run(working)
	if err := <-ended; err != nil {
		t.Errorf("the delivery was cut off: %v", err)
	}
}

// slow is a view that takes its time to say that it is there.
type slow struct {
	httpapi.View
	asked chan struct{}
}

func (s slow) Ping(context.Context) error {
	close(s.asked)
	time.Sleep(100 * time.Millisecond)
	return nil
}

// What is being answered when the server is told to stop is answered.
func TestWhatHasBegunIsAnswered(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	f := open(t, func(o *httpapi.Options) { o.View = slow{o.View, asked} })
	stopped := make(chan struct{})
	go func() { <-asked; f.stop(); close(stopped) }()
	if a := f.Get("/v1/health", ""); a.Status != http.StatusOK {
		t.Errorf("health: %d", a.Status)
	}
	<-stopped
}
