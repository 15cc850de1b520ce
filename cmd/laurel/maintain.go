package main

import (
	"context"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"laurel/shared/app"
	"laurel/shared/localserver"
)

// forgetful is what an embedded store is called that nobody has given a place.
const forgetful = "embedded; it forgets everything when this ends"

// gcPercent is GOGC of a server whose Redis is a process of its own, as of the functions: its
// heap is small, and a batch takes a quarter less CPU.
const gcPercent = 400

// A server looks every minute whether Redis was emptied, and whether the night is due. What
// failed is tried again soon.
const (
	recoverEvery = time.Minute
	recoverAgain = 2 * time.Second
	recoverTries = 10
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

// maintain does what the archive function does in AWS, beside a server, until stop is called:
// every minute it fills a Redis that was emptied and admits what is pending, and makes the
// nightly run if it is due. The first run waits until Redis was looked at.
func (s *stores) maintain(ctx context.Context, server *localserver.Server, nights bool, m *monitor) (stop func()) {
	looked := make(chan struct{})
	once := sync.OnceFunc(func() { close(looked) })
	stopRecovery := localserver.Every(ctx, recoverEvery, func(ctx context.Context) {
		defer once()
		defer server.Changed()
		for range recoverTries { // it goes on where it was
			done, err := s.Recover(ctx, s.Clock())
			m.recovered(ctx, s, done, err)
			if err == nil || ctx.Err() != nil {
				return
			}
			s.Log.WarnContext(ctx, "recovery", "cause", err.Error())
			server.Changed()
			select {
			case <-ctx.Done():
			case <-time.After(recoverAgain):
			}
		}
	})
	if !nights {
		return stopRecovery
	}
	stopNights := localserver.Every(ctx, recoverEvery, func(ctx context.Context) {
		select {
		case <-looked:
		case <-ctx.Done():
			return
		}
		done, err := s.NightIfDue(ctx, s.Clock())
		if done.Night != nil {
			server.Changed()
		}
		if err != nil { // a step that failed is in the log already
			s.Log.WarnContext(ctx, "the nightly run failed", "cause", err.Error())
		}
		m.night(ctx, s, done, err)
	})
	return func() {
		stopNights()
		stopRecovery()
	}
}

// ready says why requests cannot be served.
func (s *stores) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if s.Kept.Stamps == nil {
		return s.Store.Ping(ctx)
	}
	if err := s.Kept.Stamps.Ready(ctx); err != nil {
		return err
	}
	if _, err := s.Kept.State.Stamp(ctx); err != nil {
		return err
	}
	return s.Store.CheckStamp(ctx)
}
