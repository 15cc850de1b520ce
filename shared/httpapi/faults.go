package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// maxFaults is how many faults one answer names. A body of 256 KiB can have more
// than an answer of Lambda can hold; the detail says how many there are.
const maxFaults = 1_000

// faults are what is wrong with one request.
type faults struct {
	list      []*huma.ErrorDetail
	more      int  // beyond maxFaults
	forbidden bool // one of them asks for what the caller may not do
}

func (f *faults) add(location, message string, value any) {
	if len(f.list) == maxFaults {
		f.more++
		return
	}
	f.list = append(f.list, fault(location, message, value))
}

// with adds what is wrong with another part of the request.
func (f *faults) with(others []error) *faults {
	for _, err := range others {
		if detail, ok := errors.AsType[*huma.ErrorDetail](err); ok {
			f.add(detail.Location, detail.Message, detail.Value)
		}
	}
	return f
}

// count says how many there are.
func (f *faults) count() int { return len(f.list) + f.more }

// problem returns the answer that names them, nil when there are none. What is
// forbidden decides the status, as no other spelling would help; the other
// faults are named all the same.
func (f *faults) problem() *problem {
	switch {
	case len(f.list) == 0:
		return nil
	case f.forbidden:
		return newProblem(http.StatusForbidden, f.detail("some of this is not the caller's to do"), f.list...)
	default:
		return newProblem(http.StatusUnprocessableEntity, f.detail("validation failed"), f.list...)
	}
}

func (f *faults) detail(text string) string {
	if f.more > 0 {
		return fmt.Sprintf("%s; only the first %d of %d faults are named", text, maxFaults, maxFaults+f.more)
	}
	return text
}
