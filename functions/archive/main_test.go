package main

import (
	"errors"
	"testing"
)

// Events of the schedule and of people are understood. Any other is an error, and nothing is done.
func TestEvents(t *testing.T) {
	t.Parallel()
	for event, want := range map[string]task{
		`{}`: nightly, "{\n}": nightly, `{"task":"schedule"}`: schedule, `{"operation":"audit"}`: operates,
	} {
		if got, err := taskOf([]byte(event)); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", event, got, err, want)
		}
	}
	for _, event := range []string{
		``, ` `, `null`, `[]`, `"2026-11-24T01:00:00Z"`, `0`, `{`, `{}{}`, `{} x`,
		`{"time":"2026-11-24T01:00:00Z"}`, `{"task":"schedule","time":"2026-11-24T01:00:00Z"}`, `{"dryRun":true}`,
		`{"task":"archive"}`, `{"task":"operate"}`, `{"task":""}`, `{"task":null}`, `{"task":["recover"]}`, `{"Records":[]}`,
		`{"version":"0","source":"aws.events","time":"2026-11-24T01:00:00Z","detail":{}}`,
	} {
		if got, err := taskOf([]byte(event)); !errors.Is(err, errEvent) {
			t.Errorf("%s: %q, %v", event, got, err)
		}
	}
}
