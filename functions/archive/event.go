package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"laurel/shared/board"
)

// errEvent is wrapped by every error about an event: nothing was done.
var errEvent = errors.New(
	"archive: the event is not {}, {\"time\":\"2026-11-24T01:00:00Z\"} or one with \"task\":\"recover\" or \"operation\"")

// A task is what an event asks for.
type task struct {
	recover bool // in place of the nightly run
	operate bool // a slice of an operator's command
	at      time.Time
}

// taskOf reads an event.
func taskOf(event []byte, now time.Time) (t task, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(event, &fields); err != nil {
		return t, fmt.Errorf("%w: %w", errEvent, err)
	}
	if _, given := fields["operation"]; given {
		return task{operate: true, at: now}, nil
	}
	if value, given := fields["task"]; given {
		var name string
		if err := json.Unmarshal(value, &name); err != nil || name != "recover" {
			return t, fmt.Errorf("%w: task %.40s is unknown", errEvent, value)
		}
		delete(fields, "task")
		t.recover = true
	}
	t.at, err = momentOf(fields, now)
	return t, err
}

// aheadTime is how far ahead of the clock the time of an event may be. A wrong
// year must not close what is still going on.
const aheadTime = 5 * time.Minute

// momentOf reads when the schedule sends: its own time, which a retry sends again,
// so that a run that comes late does what it would have done. {} is the time now.
func momentOf(fields map[string]json.RawMessage, now time.Time) (time.Time, error) {
	for name := range fields {
		if name != "time" {
			return time.Time{}, fmt.Errorf("%w: %q is unknown", errEvent, name)
		}
	}
	value, given := fields["time"]
	if !given && fields != nil {
		return now, nil
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil || text == "" {
		return time.Time{}, fmt.Errorf("%w: its time is not text", errEvent)
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", errEvent, err)
	}
	if !board.MomentOf(t).Valid() || t.Sub(now) > aheadTime {
		return time.Time{}, fmt.Errorf("%w: its time %s is not one that has come", errEvent, text)
	}
	return t, nil
}
