package redisview

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// TimeTrips makes a client that is not used yet report each round trip that it makes, and its time: a command,
// or a whole pipeline; of a cluster all nodes at once are one. Making a connection is none, nor is a repetition
// by the client.
func TimeTrips(client redis.UniversalClient, took func(context.Context, time.Duration)) {
	client.AddHook(around(func(ctx context.Context, _ string, send func() error) error {
		began := time.Now()
		defer func() { took(ctx, time.Since(began)) }()
		return send()
	}))
}

// around is a redis.Hook that does something around sending a command, or a pipeline, which has no name.
type around func(ctx context.Context, command string, send func() error) error

// DialHook leaves connections alone.
func (around) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook is around a command.
func (a around) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return a(ctx, cmd.Name(), func() error { return next(ctx, cmd) })
	}
}

// ProcessPipelineHook is around a pipeline.
func (a around) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		return a(ctx, "", func() error { return next(ctx, cmds) })
	}
}

// ofPipelines is a redis.Hook that does something around pipelines alone.
type ofPipelines func(redis.ProcessPipelineHook) redis.ProcessPipelineHook

// DialHook leaves connections alone.
func (ofPipelines) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook leaves single commands alone.
func (ofPipelines) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// ProcessPipelineHook is around a pipeline.
func (p ofPipelines) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return p(next)
}

// How pipelines are shared.
const (
	atOnce    = 2   // pipelines on their way; those that come meanwhile wait, and go together
	maxShared = 64  // commands of a pipeline that waits; a longer one goes by itself
	maxSent   = 512 // commands sent together
)

// SharePipelines has a client send pipelines of many goroutines together when more than two are on their way: for
// a process that serves many requests at once. It is called after TimeTrips, so that each pipeline still counts as
// the round trip of its own request.
//
// Each pipeline gets its own replies and errors. One whose context ends while it waits is not sent; one that was
// sent with others is waited for, within the client's timeouts. When a connection fails, the client tries all of a
// shared pipeline again, as it does with one.
func SharePipelines(client redis.UniversalClient) { client.AddHook(ofPipelines(share)) }

// share sends no transactions, which nothing here has: MULTI and EXEC could not be sent with others.
func share(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return (&sharing{send: next}).process
}

// sharing is the pipelines that wait for one of those on their way to return.
type sharing struct {
	send redis.ProcessPipelineHook

	mu      sync.Mutex
	sending int
	waiting []*waiter
}

// waiter is a pipeline that waits.
type waiter struct {
	ctx  context.Context //nolint:containedctx // it waits in the place of its request
	cmds []redis.Cmder
	done chan struct{} // closed when it has its replies
}

func (s *sharing) process(ctx context.Context, cmds []redis.Cmder) error {
	if len(cmds) > maxShared {
		return s.send(ctx, cmds)
	}
	w := s.enter(ctx, cmds)
	if w == nil {
		defer s.leave()
		return s.send(ctx, cmds)
	}
	select {
	case <-w.done:
	case <-ctx.Done():
		if s.withdraw(w) {
			for _, cmd := range cmds {
				cmd.SetErr(ctx.Err())
			}
			return ctx.Err()
		}
		<-w.done // it is on its way, and writes into the commands
	}
	for _, cmd := range cmds {
		if err := cmd.Err(); err != nil {
			return err //nolint:wrapcheck // it is the client's own
		}
	}
	return nil
}

// enter returns nil for a pipeline that may go at once, and then leaves when it is back.
func (s *sharing) enter(ctx context.Context, cmds []redis.Cmder) *waiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sending < atOnce {
		s.sending++
		return nil
	}
	w := &waiter{ctx, cmds, make(chan struct{})}
	s.waiting = append(s.waiting, w)
	return w
}

// withdraw takes back a pipeline that still waits, and says whether it did.
func (s *sharing) withdraw(w *waiter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, w)
	if i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
	return i >= 0
}

// leave gives the place of one that is back to those that wait.
func (s *sharing) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, size := 0, 0
	for n < len(s.waiting) && size+len(s.waiting[n].cmds) <= maxSent {
		size += len(s.waiting[n].cmds)
		n++
	}
	if n == 0 {
		s.sending--
		return
	}
	batch := slices.Clone(s.waiting[:n])
	s.waiting = slices.Delete(s.waiting, 0, n)
	go s.sendAll(batch, size)
}

// sendAll sends pipelines together. A single one goes with its own context.
func (s *sharing) sendAll(batch []*waiter, size int) {
	defer s.leave()
	ctx, cmds := batch[0].ctx, batch[0].cmds
	if len(batch) > 1 {
		ctx, cmds = context.WithoutCancel(ctx), make([]redis.Cmder, 0, size)
		for _, w := range batch {
			cmds = append(cmds, w.cmds...)
		}
	}
	_ = s.send(ctx, cmds) // each command has its own error
	for _, w := range batch {
		close(w.done)
	}
}

// inTurn is around the pipelines of a cluster's client and around those of each of its nodes. The client sends
// repeated commands to one node after another: by itself it may send a command to two at once, as one that has moved
// and as one of those after a command to be tried again, and reads both replies into it (pipelineReadCmds in
// osscluster.go of go-redis 9.23).
func inTurn(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		t, found := ctx.Value(triesKey{}).(*tries)
		if !found {
			return next(context.WithValue(ctx, triesKey{}, new(tries)), cmds)
		}
		t.turn.Lock()
		t.again = t.again || slices.ContainsFunc(cmds, func(cmd redis.Cmder) bool { return cmd.Err() != nil })
		if !t.again {
			t.turn.Unlock()
			return next(ctx, cmds)
		}
		defer t.turn.Unlock()
		return next(ctx, cmds)
	}
}

// tries are the attempts of a pipeline, in its context from the cluster's client on.
type tries struct {
	turn  sync.Mutex
	again bool // the first is over: a command has an error
}

type triesKey struct{}
