package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"laurel/shared/app"
	"laurel/shared/localserver"
	"laurel/shared/record"
	"laurel/shared/table/embedded"
	"laurel/shared/view"
)

// forgetful is what an embedded store is called that nobody has given a place.
const forgetful = "embedded; it forgets everything when this ends"

// gcPercent is GOGC of a server whose Redis is a process of its own, as of the functions: its
// heap is small, and a batch takes a quarter less CPU.
const gcPercent = 400

// A server makes a tick every minute; what failed is tried again soon.
const (
	tickEvery = time.Minute
	tickAgain = 2 * time.Second
	tickTries = 10
)

// startStore starts a Redis in this process where the settings name none, and returns what
// people call the store.
func startStore(settings *app.Config) (place string, stop func(), err error) {
	if settings.RedisURL != "" {
		if os.Getenv("GOGC") == "" {
			debug.SetGCPercent(gcPercent)
		}
		return withoutSecret(settings.RedisURL), func() {}, nil
	}
	address, stop, err := localserver.StartRedis()
	settings.RedisURL = address
	return forgetful, stop, err
}

// fill fills a view that lacks what the table has: the embedded one forgets everything when it
// ends. A folder is for one process at a time.
func (s *stores) fill(ctx context.Context) error {
	_, alone := s.table.Table.(*embedded.Store)
	_, err := s.Recorder.Compare(ctx, record.CompareOptions{Alone: alone})
	return err
}

// fillFirst fills the view before a server serves. One that is unavailable is filled by a tick.
func (s *stores) fillFirst(ctx context.Context) error {
	err := s.fill(ctx)
	if errors.Is(err, view.ErrUnavailable) {
		s.Log.WarnContext(ctx, "boards are unavailable; reports are taken", "cause", err.Error())
		return nil
	}
	return err
}

// maintain does what the archive function does in AWS, beside a server, until stop is called:
// a tick every minute.
func (s *stores) maintain(ctx context.Context, server *localserver.Server, m *monitor, p pace) (stop func()) {
	return localserver.Every(ctx, cmp.Or(p.tick, tickEvery), func(ctx context.Context) {
		defer server.Changed()
		for range tickTries { // it goes on where it was
			done, err := s.Tick(ctx)
			m.ticked(ctx, s, done, err)
			if err == nil || ctx.Err() != nil {
				return
			}
			s.Log.WarnContext(ctx, "the tick failed", "cause", err.Error())
			server.Changed()
			select {
			case <-ctx.Done():
			case <-time.After(tickAgain):
			}
		}
	})
}

// ready says why requests cannot be served: the table cannot be read or written, or boards cannot.
func (s *stores) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	head, err := s.Recorder.Head(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", localserver.UnreadyError("the table cannot be read"), err)
	}
	if file, ok := s.table.Table.(*embedded.Store); ok {
		if err := file.Writable(ctx); err != nil {
			return fmt.Errorf("%w: %w", localserver.UnreadyError("the disk of "+s.table.place+" takes no writes"), err)
		}
	}
	markers, err := s.View.Markers(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", localserver.UnreadyError("boards are unavailable; reports are taken"), err)
	}
	for _, m := range markers {
		if !s.View.Is(m, head.Table) || m.Fill != "" {
			return localserver.UnreadyError("boards are being filled; reports are taken")
		}
	}
	return nil
}
