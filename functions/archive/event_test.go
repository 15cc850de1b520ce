package main

import (
	"errors"
	"testing"
	"time"
)

// What the schedule sends is understood, and a plain {} means now.
func TestEvents(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 1, 0, 7, 0, time.UTC)
	one := time.Date(2026, 11, 24, 1, 0, 0, 0, time.UTC)
	for event, want := range map[string]task{
		`{"time":"2026-11-24T01:00:00Z"}`:      {at: one},
		`{}`:                                   {at: now},
		"{\n}":                                 {at: now},
		`{"time":"2026-11-20T23:30:00+01:00"}`: {at: time.Date(2026, 11, 20, 22, 30, 0, 0, time.UTC)},
		`{"task":"recover"}`:                   {recover: true, at: now},
		`{"operation":"audit"}`:                {operate: true, at: now},
		`{"time":"2026-11-24T01:00:00Z","task":"recover"}`: {recover: true, at: one},
	} {
		got, err := taskOf([]byte(event), now)
		if err != nil || got.recover != want.recover || got.operate != want.operate || !got.at.Equal(want.at) {
			t.Errorf("%s: %+v, %v; want %+v", event, got, err, want)
		}
	}
}

// Anything else is an error, and nothing is done.
func TestOtherEventsAreErrors(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 1, 0, 7, 0, time.UTC)
	for _, event := range []string{
		``, ` `, `null`, `[]`, `"2026-11-24T01:00:00Z"`, `0`, `{`, `{}{}`, `{} x`, `{"time":null}`, `{"time":0}`,
		`{"time":""}`,
		`{"time":"2026-11-24"}`, `{"time":"<aws.scheduler.scheduled-time>"}`, `{"time":"2026-11-24T01:00:00"}`,
		`{"time":"2026-02-30T01:00:00Z"}`,
		`{"time":"2026-11-24T01:00:00Z","dryRun":true}`,
		`{"task":"archive"}`, `{"task":null}`, `{"task":["recover"]}`, `{"Records":[]}`, `{"time":"2062-11-24T01:00:00Z"}`,
		`{"time":"1999-11-24T01:00:00Z"}`,
		`{"time":"2026-11-24T01:06:00Z"}`, `{"version":"0","source":"aws.events","time":"2026-11-24T01:00:00Z","detail":{}}`,
	} {
		if got, err := taskOf([]byte(event), now); !errors.Is(err, errEvent) {
			t.Errorf("%s: %+v, %v", event, got, err)
		}
	}
}

func FuzzEvent(f *testing.F) {
	now := time.Date(2026, 11, 24, 1, 0, 0, 0, time.UTC)
	for _, seed := range []string{`{}`, `{"time":"2026-11-24T01:00:00Z"}`, `{"time":null}`, `[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, event []byte) {
		got, err := taskOf(event, now)
		if err != nil && !errors.Is(err, errEvent) {
			t.Errorf("%q: %v", event, err)
		}
		if err == nil && got.at.Sub(now) > aheadTime {
			t.Errorf("%q: %s", event, got.at)
		}
	})
}
