package board

import (
	"fmt"
	"strings"
)

// A Window is the length of the periods that a board is kept for.
type Window uint8

// The windows, the shortest first.
const (
	Day   Window = iota + 1
	Week         // ISO 8601: Monday to Sunday
	Month        // a calendar month
	Year         // a calendar year
	All          // everything since 2000-01-01
)

// Windows lists every window, the shortest first.
func Windows() []Window { return []Window{Day, Week, Month, Year, All} }

var windowNames = [...]string{Day: "day", Week: "week", Month: "month", Year: "year", All: "all"}

// ParseWindow reads a window's name.
func ParseWindow(s string) (Window, error) {
	for _, w := range Windows() {
		if windowNames[w] == s {
			return w, nil
		}
	}
	return 0, fmt.Errorf("board: %q is not a window; the windows are %s", s, strings.Join(windowNames[1:], ", "))
}

// String returns the window's name, as in addresses and rules.
func (w Window) String() string {
	if w < Day || w > All {
		return fmt.Sprintf("Window(%d)", uint8(w))
	}
	return windowNames[w]
}

// MarshalText returns the window's name.
func (w Window) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the window's name.
func (w *Window) UnmarshalText(text []byte) error {
	parsed, err := ParseWindow(string(text))
	if err != nil {
		return err
	}
	*w = parsed
	return nil
}

// step returns the length of the window's tick: the smallest power of two of
// milliseconds for which a period has at most 2^27 ticks.
func (w Window) step() Moment {
	switch w {
	case Day:
		return 1
	case Week:
		return 8
	case Month:
		return 32
	case Year:
		return 256
	default:
		return 32_768
	}
}
