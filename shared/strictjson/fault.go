package strictjson

import "strings"

// MaxFaults is how many faults are kept. A document of 256 KiB can have more than
// an answer of Lambda, or a line of a log, can hold.
const MaxFaults = 1_000

// maxEcho is how much of a faulty value is kept, in bytes.
const maxEcho = 200

// A Fault is one thing wrong with a document: the place by its path, such as
// body.activities[2].target, a sentence, and the value met, nil when that would
// say nothing.
type Fault struct {
	Location string
	Message  string
	Value    any
}

// NewFault returns a fault; a value that is long is cut.
func NewFault(location, message string, value any) Fault {
	if s, ok := value.(string); ok {
		value = Shorten(s)
	}
	return Fault{Location: location, Message: message, Value: value}
}

// Faults are what is wrong with one document, the first MaxFaults of it.
type Faults struct {
	list []Fault
	more int // beyond MaxFaults
}

// Add adds a fault.
func (f *Faults) Add(location, message string, value any) {
	if len(f.list) == MaxFaults {
		f.more++
		return
	}
	f.list = append(f.list, NewFault(location, message, value))
}

// All returns the faults that are kept, in the order in which they were met.
func (f *Faults) All() []Fault { return f.list }

// Count says how many there are, those that are not kept included.
func (f *Faults) Count() int { return len(f.list) + f.more }

// Shorten cuts what is too long to be said again.
func Shorten(s string) string {
	if len(s) <= maxEcho {
		return s
	}
	return strings.ToValidUTF8(s[:maxEcho], "") + "…"
}
