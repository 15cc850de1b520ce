package ledger

import (
	"cmp"

	"laurel/shared/board"
)

// A PageKey names one of a user's pages: a month's, a day's, the totals, the
// follow list, or the status.
type PageKey struct {
	kind byte
	n    int32
}

const (
	kindMonth = iota + 1
	kindDay
	kindTotals
	kindFollows
	kindStatus
)

// MonthPage names the page of a month.
func MonthPage(m board.MonthOf) PageKey { return PageKey{kindMonth, int32(m)} }

// DayPage names the page of a day's own entries.
func DayPage(d board.Date) PageKey { return PageKey{kindDay, int32(d)} }

// TotalsPage names the page of what every month came to.
func TotalsPage() PageKey { return PageKey{kind: kindTotals} }

// FollowsPage names the page of whom the user follows.
func FollowsPage() PageKey { return PageKey{kind: kindFollows} }

// StatusPage names the page that says whether the user is hidden or excluded.
func StatusPage() PageKey { return PageKey{kind: kindStatus} }

// Month returns the month of a month's or a day's page; false for other pages.
func (k PageKey) Month() (board.MonthOf, bool) {
	switch k.kind {
	case kindMonth:
		return board.MonthOf(k.n), true
	case kindDay:
		return board.Date(k.n).Month(), true
	default:
		return 0, false
	}
}

func (k PageKey) compare(other PageKey) int {
	return cmp.Or(cmp.Compare(k.kind, other.kind), cmp.Compare(k.n, other.n))
}

// StoredPage returns a page as it is stored, "" where it is not there. A page that is
// stored without a byte is a damaged one.
func StoredPage(page string, there bool) string {
	if there && page == "" {
		return "\x00"
	}
	return page
}

// ParsePageKey parses what String returns.
func ParsePageKey(s string) (PageKey, bool) {
	for _, k := range []PageKey{TotalsPage(), FollowsPage(), StatusPage()} {
		if s == k.String() {
			return k, true
		}
	}
	if d, err := board.ParseDate(s); err == nil {
		return DayPage(d), true
	}
	if p, err := board.ParsePeriod(board.Month, s); err == nil {
		return MonthPage(p.First().Month()), true
	}
	return PageKey{}, false
}

// String returns the page's name: 2026-11, 2026-11-20, totals, follows or status.
func (k PageKey) String() string {
	switch k.kind {
	case kindMonth:
		return board.MonthOf(k.n).String()
	case kindDay:
		return board.Date(k.n).String()
	case kindFollows:
		return "follows"
	case kindStatus:
		return "status"
	default:
		return "totals"
	}
}
