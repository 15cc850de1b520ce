package board

import (
	"fmt"
	"strings"
	"time"
)

// A Moment is a point in time in whole milliseconds since the Unix epoch. The
// zero Moment means none: no activity is that old.
type Moment int64

// The range of valid moments: from Earliest (included) to Latest (excluded). The
// ticks of the window All start at Earliest and have at most 27 bits before Latest.
const (
	Earliest Moment = 946_684_800_000   // 2000-01-01T00:00:00Z
	Latest   Moment = 5_333_126_400_000 // 2139-01-01T00:00:00Z
)

// MomentOf returns t without digits finer than a millisecond.
func MomentOf(t time.Time) Moment { return Moment(t.UnixMilli()) }

// ParseMoment reads an RFC 3339 date and time with its zone; digits finer than
// a millisecond are cut off. A moment outside [Earliest, Latest) is an error.
func ParseMoment(s string) (Moment, error) {
	m, err := parseMoment(s)
	if err == nil && !m.Valid() {
		return 0, fmt.Errorf("board: %q is not between %s and %s", s, Earliest, Latest)
	}
	return m, err
}

// ParseNearest reads what ParseMoment does, and a moment outside [Earliest, Latest) as the nearest
// in it.
func ParseNearest(s string) (Moment, error) {
	m, err := parseMoment(s)
	if err != nil {
		return 0, err
	}
	return min(max(m, Earliest), Latest-1), nil
}

// parseMoment reads a moment of any year.
func parseMoment(s string) (Moment, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	// Parse accepts a comma instead of the point, and hours of one digit.
	if err != nil || strings.Contains(s, ",") || s[len("2026-11-20T15")] != ':' {
		return 0, fmt.Errorf("board: %q is not an RFC 3339 date and time with a zone, such as 2026-11-20T12:00:00Z", s)
	}
	return MomentOf(t), nil
}

// Valid reports whether the moment is in [Earliest, Latest).
func (m Moment) Valid() bool { return m >= Earliest && m < Latest }

// Add returns the moment d later, or earlier when d is negative.
func (m Moment) Add(d time.Duration) Moment { return m + Moment(d.Milliseconds()) }

// Time returns the moment in UTC.
func (m Moment) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// String returns the moment in RFC 3339, in UTC.
func (m Moment) String() string { return m.Time().Format(time.RFC3339Nano) }
