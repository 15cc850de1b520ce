package runtimeapi

import (
	"errors"
	"fmt"
)

// ErrTimedOut is wrapped when a function had no answer at its deadline. It has
// been killed, as Lambda does.
var ErrTimedOut = errors.New("runtimeapi: the function timed out")

// ErrNoSIGTERM is Terminate's for a function that has registered no extension: to
// such a one Lambda sends no signal, it just kills.
var ErrNoSIGTERM = errors.New("runtimeapi: the function has not asked for SIGTERM")

// A FunctionError is what a function says is wrong: with an event, or with itself
// before the first one. It goes on after the former.
type FunctionError struct {
	Type    string `json:"errorType"`
	Message string `json:"errorMessage"`
}

// Error is the type and the message.
func (e *FunctionError) Error() string { return e.Type + ": " + e.Message }

// An ExitError is that a function's process has ended.
type ExitError struct {
	Code   int            // of the exit; -1 by a signal
	Polled bool           // whether it had asked for an event before
	Init   *FunctionError // what it had reported as wrong with its start; nil when nothing
	Stdout string         // all that it printed
	Stderr string
}

// Error says how it ended and what it had to say.
func (e *ExitError) Error() string {
	when := "before it asked for an event"
	if e.Polled {
		when = "after it had asked for events"
	}
	return fmt.Sprintf("runtimeapi: the function ended with %d %s\n%s%s", e.Code, when, e.Stdout, e.Stderr)
}
