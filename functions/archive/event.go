package main

import (
	"encoding/json"
	"errors"
	"fmt"
)

// errEvent is wrapped by every error about an event: nothing was done.
var errEvent = errors.New(
	`archive: the event is not {}, {"task":"schedule"}, {"task":"recover"} or one with "operation"`)

// A task is what an event asks for.
type task string

const (
	night    task = ""         // the nightly run, now: {}
	schedule task = "schedule" // what is pending, and the nightly run if it is due
	recovers task = "recover"  // what is pending alone
	operates task = "operate"  // a slice of an operator's command
)

// taskOf reads an event.
func taskOf(event []byte) (task, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(event, &fields); err != nil {
		return night, fmt.Errorf("%w: %w", errEvent, err)
	}
	if _, given := fields["operation"]; given {
		return operates, nil
	}
	value, given := fields["task"]
	delete(fields, "task")
	for name := range fields {
		return night, fmt.Errorf("%w: %q is unknown", errEvent, name)
	}
	if !given && fields != nil {
		return night, nil
	}
	var name task
	if err := json.Unmarshal(value, &name); err != nil || (name != schedule && name != recovers) {
		return night, fmt.Errorf("%w: task %.40s is unknown", errEvent, value)
	}
	return name, nil
}
