package localserver_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"testing/fstest"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/localserver"
	"laurel/shared/queue"
)

// slow is a store that takes its time to say that it is there.
type slow struct {
	*live.Store
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
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	store := slow{live.New(nil, l, 1), make(chan struct{})}
	ctx, stop := context.WithCancel(t.Context())
	server, err := localserver.Listen(ctx, localserver.Options{
		Addr: "127.0.0.1:0", Access: io.Discard, Page: fstest.MapFS{}, Batches: queue.Options{Now: time.Now},
		Requests: httpapi.Options{Store: store, Ledger: l, Now: time.Now, Log: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	go func() { <-store.asked; stop() }()
	answer, err := http.Get("http://" + server.Addr() + "/v1/health")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("health: %d", answer.StatusCode)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
