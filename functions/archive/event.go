package main

import (
	"encoding/json"
	"errors"
	"fmt"
)

// errEvent is wrapped by every error about an event: nothing was done.
var errEvent = errors.New(
	`archive: the event is not {}, {"task":"schedule"} or one with "operation"`)

// A task is what an event asks for.
type task string

const (
	nightly  task = ""         // a nightly run, now: {}
	schedule task = "schedule" // a tick
	operates task = "operate"  // a slice of an operator's command
)

// taskOf reads an event.
func taskOf(event []byte) (task, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(event, &fields); err != nil {
		return nightly, fmt.Errorf("%w: %w", errEvent, err)
	}
	if _, given := fields["operation"]; given {
		return operates, nil
	}
	value, given := fields["task"]
	delete(fields, "task")
	for name := range fields {
		return nightly, fmt.Errorf("%w: %q is unknown", errEvent, name)
	}
	if !given && fields != nil {
		return nightly, nil
	}
	var name task
	if err := json.Unmarshal(value, &name); err != nil || name != schedule {
		return nightly, fmt.Errorf("%w: task %.40s is unknown", errEvent, value)
	}
	return name, nil
}
