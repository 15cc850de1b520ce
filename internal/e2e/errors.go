package e2e

import (
	"errors"
	"fmt"
)

// ErrTimedOut is wrapped when a function has no answer at its deadline. The function
// has been killed, as Lambda does.
var ErrTimedOut = errors.New("e2e: the function timed out")

// A FunctionError is what a function reports as failed: an event, or its own start.
type FunctionError struct {
	Type    string `json:"errorType"`
	Message string `json:"errorMessage"`
}

// Error is the type and the message.
func (e *FunctionError) Error() string { return e.Type + ": " + e.Message }

// An ExitError says that a function's process has ended.
type ExitError struct {
	Code   int            // of the exit; -1: by a signal
	Polled bool           // whether it had polled for an event before
	Init   *FunctionError // what it reported of its start; nil: nothing
	Stdout string         // all that it printed
	Stderr string
}

// Error says how the process ended, and what it printed.
func (e *ExitError) Error() string {
	when := "before"
	if e.Polled {
		when = "after"
	}
	return fmt.Sprintf("e2e: the function exited with %d %s its first poll\n%s%s", e.Code, when, e.Stdout, e.Stderr)
}
