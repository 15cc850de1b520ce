package localserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/localserver"
	"laurel/shared/queue"
)

// logged is a log that several write.
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

// forum is a server on a real store, at noon of 2026-11-20.
type forum struct {
	*testing.T
	base  string
	store *live.Store
	log   *logged
	stop  func() // ends the server and waits for it
}

func open(t *testing.T) *forum {
	t.Helper()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	f := &forum{T: t, store: live.New(testserver.Redis(t), l, 1), log: &logged{}}
	ctx, cancel := context.WithCancel(t.Context())
	now := func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }
	log := slog.New(slog.NewTextHandler(f.log, nil))
	server, err := localserver.Listen(ctx, localserver.Options{
		Addr: "127.0.0.1:0", Access: io.Discard, Page: fstest.MapFS{},
		Requests: httpapi.Options{Store: f.store, Ledger: l, Now: now, Log: log},
		Batches:  queue.Options{Store: f.store, Ledger: l, Now: now, Log: log},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.base = "http://" + server.Addr()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	f.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(f.stop)
	return f
}

// get reads an address.
func (f *forum) get(path string) string {
	f.Helper()
	answer, err := http.Get(f.base + path)
	if err != nil {
		f.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		f.Fatal(err)
	}
	return string(text)
}

// enqueue puts a body onto the queue and returns the status and the message's id.
func (f *forum) enqueue(token, body string) (status int, id string) {
	f.Helper()
	r, err := http.NewRequestWithContext(f.Context(), http.MethodPost, f.base+"/v1/queue/activities",
		strings.NewReader(body))
	if err != nil {
		f.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		f.Fatal(err)
	}
	defer answer.Body.Close()
	var queued httpapi.Queued
	if err := json.NewDecoder(answer.Body).Decode(&queued); err != nil {
		f.Fatal(err)
	}
	return answer.StatusCode, queued.MessageID
}

// scoreOf is a user's score of the day.
func (f *forum) scoreOf(user string) int64 {
	f.Helper()
	day, _ := board.ParsePeriod(board.Day, "2026-11-20")
	page, err := f.store.Read(f.Context(), board.View{Board: "activity", Period: day, User: user})
	if err != nil {
		f.Fatal(err)
	}
	return page.Standing.Score
}

// What is put onto the queue is recorded, each message as its sender's; what waits
// when the server ends is recorded before it has ended.
func TestTheQueueIsDrained(t *testing.T) {
	t.Parallel()
	f := open(t)
	user, service := f.get("/dev/token?user=ann"), f.get("/dev/token?scope=laurel/service")
	ids := map[string]bool{}
	for token, body := range map[string]string{
		user:    `{"action":"like","target":"a1"}`,
		service: `{"activities":[{"action":"publish","target":"a1","user":"bob"},{"action":"like","target":"a1","user":"cid"}]}`,
	} {
		status, id := f.enqueue(token, body)
		if ids[id] = true; status != http.StatusAccepted ||
			!regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(id) {
			t.Errorf("%d %q", status, id)
		}
	}
	if status, id := f.enqueue("", `{"action":"like","target":"a1"}`); status != http.StatusUnauthorized || id != "" ||
		len(ids) != 2 {
		t.Errorf("without a token: %d %q; %v", status, id, ids)
	}
	f.stop()
	for name, want := range map[string]int64{"ann": 2, "bob": 10, "cid": 2} {
		if got := f.scoreOf(name); got != want {
			t.Errorf("%s has %d points, want %d", name, got, want)
		}
	}
}

// A worker records while the server runs.
func TestTheQueueIsWorkedOn(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.enqueue(f.get("/dev/token?user=ann"), `{"action":"like","target":"a1"}`)
	for f.scoreOf("ann") != 2 { // or the test's own time limit ends this
		time.Sleep(5 * time.Millisecond)
	}
}

// What fails is delivered five times; then the log has it as a dead letter, and
// why.
func TestDeadLetters(t *testing.T) {
	t.Parallel()
	f := open(t)
	_, bad := f.enqueue(f.get("/dev/token?user=ann"), `{"action":"publish","target":"a1"}`)
	f.enqueue(f.get("/dev/token?user=ann"), `{"action":"like","target":"a1"}`)
	f.stop()
	text := f.log.String()
	if got := strings.Count(text, `msg="message refused" message=`+bad); got != 5 {
		t.Errorf("delivered %d times:\n%s", got, text)
	}
	if !strings.Contains(text, `msg="a message is a dead letter" message=`+bad) ||
		!strings.Contains(text, "the user may not report this action") || strings.Count(text, "dead letter") != 1 {
		t.Errorf("logged:\n%s", text)
	}
	if got := f.scoreOf("ann"); got != 2 {
		t.Errorf("ann has %d points", got)
	}
}
