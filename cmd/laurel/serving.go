package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/events"
	"laurel/shared/forum/night"
	"laurel/shared/run/localserver"
	"laurel/shared/store/view"
)

// warnOfRules warns of caps that a ledger has no room for, and if today's rules let members award themselves points
// with accepted tokens.
func (s *stores) warnOfRules(ctx context.Context) {
	for _, warning := range s.Rules.RoomWarnings() {
		s.Log.WarnContext(ctx, "the rules allow more than is kept", "cause", warning)
	}
	if !s.Tokens.Members() {
		return
	}
	today := s.Calendar.Date(board.MomentOf(s.Clock()))
	for _, w := range s.Rules.On(today).Believes().Warnings() {
		s.Log.WarnContext(ctx, "members may award themselves points", "cause", w.Seen, "do", w.Do)
	}
}

// warnOfEviction warns of a Redis that drops boards when it is full, if it tells.
func (s *stores) warnOfEviction(ctx context.Context) {
	if policy, err := s.View.Eviction(ctx); err == nil && policy != "" {
		s.Log.WarnContext(ctx, "a full Redis throws away boards", "maxmemory_policy", policy,
			"do", "set maxmemory-policy noeviction; no report is lost, but boards are made again")
	}
}

// A server makes a tick every minute, and repeats failed ones soon.
const (
	tickEvery = time.Minute
	tickAgain = 2 * time.Second

	eventsEvery = 5 * time.Second // that wait are sent
)

// fillAtOnce is for how long a start waits for a view that is being filled. The rest is filled while the server
// takes reports.
const fillAtOnce = 2 * time.Second

// fillFirst fills the view of a server that is about to serve, or begins to. One that is unavailable is filled by a
// tick.
func (s *stores) fillFirst(ctx context.Context) error {
	done, err := s.Catchup.Run(ctx, catchup.Request{Alone: s.file != nil, Budget: cmp.Or(s.pace.fill, fillAtOnce)})
	if errors.Is(err, view.ErrUnavailable) {
		s.Log.WarnContext(ctx, "boards are unavailable; reports are taken", "cause", err.Error())
		return nil
	}
	s.filled.Store(done.People)
	s.unfilled = done.Left
	return err
}

// fillRest continues the fill that a start has begun, and logs its progress. The ticks do the rest.
func (s *stores) fillRest(ctx context.Context) {
	for began := time.Now(); s.unfilled && ctx.Err() == nil; {
		if s.pace.slice != nil {
			s.pace.slice(ctx)
		}
		collectLess()
		done, err := s.Catchup.Run(ctx, catchup.Request{Budget: cmp.Or(s.pace.fill, fillAtOnce)})
		if s.unfilled = err == nil && done.Left && !done.Busy; err != nil {
			s.Log.WarnContext(ctx, "boards are unavailable; reports are taken", "cause", err.Error())
			return
		}
		s.filled.Store(done.People)
		s.Log.InfoContext(ctx, "boards are being filled", "people", done.People, "left", s.unfilled,
			"seconds", time.Since(began).Round(time.Second).Seconds())
	}
}

// serve serves until the context ends. Beside it are a tick every minute, whose result ticked gets, and a sender of
// events to some addresses, whose result sent gets: in AWS these are functions of their own.
func (s *stores) serve(ctx context.Context, server *localserver.Server,
	ticked func(context.Context, night.Result, error), addresses []activity.EventAddress, sent func(events.Result),
) error {
	stop := localserver.Every(ctx, cmp.Or(s.pace.tick, tickEvery), tickAgain, func(ctx context.Context) error {
		defer server.Changed()
		defer collectLess()
		s.fillRest(ctx)
		done, err := s.Tick(ctx) // it continues where it was
		if ticked(ctx, done, err); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "the tick failed", "cause", err.Error())
		}
		return err
	})
	defer stop()
	defer s.operates(ctx, server.Changed)()
	if err := tellReady(ctx, os.Getenv("NOTIFY_SOCKET")); err != nil {
		s.Log.WarnContext(ctx, "cannot tell systemd that this server is ready", "cause", err.Error())
	}
	if len(addresses) > 0 {
		sender := s.Sender(addresses)
		defer localserver.Every(ctx, cmp.Or(s.pace.tick, eventsEvery), eventsEvery, func(ctx context.Context) error {
			done, err := sender.Run(ctx)
			if sent(done); err != nil && ctx.Err() == nil {
				s.Log.WarnContext(ctx, "events cannot be read or written", "cause", err.Error())
			}
			return err
		})()
	}
	return server.Serve(ctx)
}

// tellReady tells systemd at its socket, if systemd has started the server, that requests and operators' commands are
// accepted: a command that follows the start in a script then finds the server.
func tellReady(ctx context.Context, socket string) error {
	if socket == "" {
		return nil
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unixgram", socket)
	if err != nil {
		return err
	}
	_, err = conn.Write([]byte("READY=1"))
	return errors.Join(err, conn.Close())
}

// ready returns the reason why requests cannot be served: the table cannot be read or written, or boards cannot.
func (s *stores) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	head, err := s.Items.Head(ctx)
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
			return localserver.UnreadyError(fmt.Sprintf("boards are being filled (people so far: %d); reports are taken",
				s.filled.Load()))
		}
	}
	return nil
}
