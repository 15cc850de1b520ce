package operate

import (
	"context"
	"errors"
	"fmt"

	"laurel/shared/codec"
	"laurel/shared/importer"
	"laurel/shared/night"
	"laurel/shared/record"
	"laurel/shared/table"
	"laurel/shared/view"
)

// ErrSlow is wrapped when a step did not fit into the time of the function.
var ErrSlow = errors.New("operate: the function's time is too short for a step")

// An OperationError is an error as an answer has it: its text, and which of the known errors it is.
type OperationError struct {
	Text string `json:"text"`
	Is   string `json:"is,omitempty"`
}

// usageError is an error about the arguments, without another text.
type usageError struct{ error }

func (usageError) Is(target error) bool { return target == ErrUsage }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// failures are the errors that the command line tells apart, most special first.
var failures = []struct {
	name string
	err  error
}{
	{"usage", ErrUsage},
	{"slow", ErrSlow},
	{"interrupted", context.Canceled},
	{"notFinal", night.ErrNotFinal},
	{"month", night.ErrMonth},
	{"ledgers", night.ErrLedgers},
	{"damaged", codec.ErrDamaged},
	{"busy", record.ErrBusy},
	{"unavailable", table.ErrUnavailable},
	{"view", view.ErrUnavailable},
	{"rejected", importer.ErrRejected},
}

func failureOf(err error) *OperationError {
	if err == nil {
		return nil
	}
	f := &OperationError{Text: err.Error()}
	for _, known := range failures {
		if errors.Is(err, known.err) {
			f.Is = known.name
			break
		}
	}
	return f
}

// Error returns the text.
func (f *OperationError) Error() string { return f.Text }

// Unwrap returns the known error that it is, nil if it is none.
func (f *OperationError) Unwrap() error {
	for _, known := range failures {
		if f.Is == known.name {
			return known.err
		}
	}
	return nil
}
