package httpapi_test

import (
	"context"
	"testing"
	"time"

	"laurel/shared/httpapi"
)

func TestTimeIsKeptForTheAnswer(t *testing.T) {
	t.Parallel()
	for left, kept := range map[time.Duration]time.Duration{
		time.Hour:        httpapi.Reserve,
		10 * time.Minute: httpapi.Reserve,
		time.Second:      250 * time.Millisecond,
	} {
		end := time.Now().Add(left)
		ctx, cancel := context.WithDeadline(t.Context(), end)
		early, cancelEarly := httpapi.WithReserve(ctx)
		// A quarter of what is left shrinks while the test runs.
		if at, ok := early.Deadline(); !ok || end.Sub(at) > kept || end.Sub(at) < kept-200*time.Millisecond {
			t.Errorf("%s left: %s are kept, not %s", left, end.Sub(at), kept)
		}
		cancelEarly()
		cancel()
	}
}

func TestOverIsOver(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	early, cancelEarly := httpapi.WithReserve(ctx)
	defer cancelEarly()
	if early.Err() == nil {
		t.Error("it goes on")
	}
}

func TestWithoutADeadlineThereIsNone(t *testing.T) {
	t.Parallel()
	early, cancel := httpapi.WithReserve(t.Context())
	if _, ok := early.Deadline(); ok || early.Err() != nil {
		t.Error("it has one")
	}
	if cancel(); early.Err() == nil {
		t.Error("it cannot be ended")
	}
}
