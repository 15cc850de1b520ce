package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"laurel/shared/localserver"
	"laurel/shared/night"
	"laurel/shared/view"
)

// A server makes a tick every minute; what failed is tried again soon.
const (
	tickEvery = time.Minute
	tickAgain = 2 * time.Second
)

// fillFirst fills the view before a server serves. One that is unavailable is filled by a tick.
func (s *stores) fillFirst(ctx context.Context) error {
	err := s.fill(ctx)
	if errors.Is(err, view.ErrUnavailable) {
		s.Log.WarnContext(ctx, "boards are unavailable; reports are taken", "cause", err.Error())
		return nil
	}
	return err
}

// serve serves until the context ends. Beside it is a tick every minute, of which ticked is told: what
// the archive function does in AWS.
func (s *stores) serve(ctx context.Context, server *localserver.Server, p pace,
	ticked func(context.Context, night.Result, error),
) error {
	stop := localserver.Every(ctx, cmp.Or(p.tick, tickEvery), tickAgain, func(ctx context.Context) error {
		defer server.Changed()
		done, err := s.Tick(ctx) // it goes on where it was
		if ticked(ctx, done, err); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "the tick failed", "cause", err.Error())
		}
		return err
	})
	defer stop()
	return server.Serve(ctx)
}

// ready says why requests cannot be served: the table cannot be read or written, or boards cannot.
func (s *stores) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	head, err := s.Records.Head(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", localserver.UnreadyError("the table cannot be read"), err)
	}
	if s.file != nil {
		if err := s.file.Writable(ctx); err != nil {
			return fmt.Errorf("%w: %w", localserver.UnreadyError("the disk of "+s.table+" takes no writes"), err)
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
