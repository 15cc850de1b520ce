package board

import (
	"fmt"
	"time"
)

// A Window is the length of the periods that a board is kept for.
type Window uint8

// The windows, the shortest first.
const (
	Day     Window = iota + 1
	Week           // ISO 8601: Monday to Sunday
	Month          // a calendar month
	Quarter        // three months: January to March, and so on
	Year           // a calendar year
	All            // everything since 2000-01-01
	Contest        // of a board, from one day to another
	Last7          // the seven days that end with one
	Last30         // the thirty days that end with one
)

// Windows lists every window: the shortest first, then contests, and those that roll.
func Windows() []Window { return append(Tiling(), All, Contest, Last7, Last30) }

// Tiling lists the windows whose periods follow one another, so that each day is in one.
func Tiling() []Window { return []Window{Day, Week, Month, Quarter, Year} }

// windows has each window's name, the form of its periods' names, the layout by which package time reads them, its tick
// (the smallest power of two of milliseconds for which a period has at most 2^27 ticks; 0: Calendar.step finds it), and
// its days if it rolls.
var windows = [...]struct {
	name, form, layout string
	step               Moment
	days               Date
}{
	Day:     {"day", "2026-11-20", time.DateOnly, 1, 0},
	Week:    {"week", "2026-W47", "", 8, 0},
	Month:   {"month", "2026-11", "2006-01", 32, 0},
	Quarter: {"quarter", "2026-Q4", "", 64, 0},
	Year:    {"year", "2026", "2006", 256, 0},
	All:     {"all", "all", "", 32_768, 0},
	Contest: {"contest", "2026-11-01..2026-11-30", "", 0, 0},
	Last7:   {"7d", "2026-11-20", time.DateOnly, 8, 7},
	Last30:  {"30d", "2026-11-20", time.DateOnly, 32, 30},
}

func (w Window) known() bool { return w >= Day && w <= Last30 }

// Tiles says whether the window's periods follow one another, so that each day is in one.
func (w Window) Tiles() bool { return w >= Day && w <= Year }

// Ends says whether the window's periods are closed and made final some time after their end.
func (w Window) Ends() bool { return w.Tiles() || w == Contest }

// Rolls says whether a period of the window ends with each day and is named by it. Periods overlap, and none is final.
func (w Window) Rolls() bool { return w.Days() > 0 }

// Days returns how many days a period of a window that rolls has, 0 for any other.
func (w Window) Days() Date {
	if !w.known() {
		return 0
	}
	return windows[w].days
}

// OfMonths says whether the window's periods are whole months: final months count in them by people's totals.
func (w Window) OfMonths() bool { return w >= Month && w <= All }

// OfTotals says whether the window's final boards are made from the totals of final months.
func (w Window) OfTotals() bool { return w == Quarter || w == Year }

// ParseWindow reads a window's name.
func ParseWindow(s string) (Window, error) {
	for _, w := range Windows() {
		if windows[w].name == s {
			return w, nil
		}
	}
	return 0, fmt.Errorf("%q is not a window; the windows are day, week, month, quarter, year, all, contest, 7d, 30d", s)
}

// String returns the window's name, as in addresses and rules.
func (w Window) String() string {
	if !w.known() {
		return fmt.Sprintf("Window(%d)", uint8(w))
	}
	return windows[w].name
}

// MarshalText returns the window's name.
func (w Window) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the window's name.
func (w *Window) UnmarshalText(text []byte) (err error) {
	*w, err = ParseWindow(string(text))
	return err
}
