package importer

import (
	"fmt"
	"strconv"
	"strings"

	"laurel/shared/board"
)

// ParseMoment reads a moment as files have it: RFC 3339 with a zone, Unix seconds
// or Unix milliseconds. Digits finer than a millisecond are cut off. No number is
// both: as seconds, what is milliseconds from 2000 on would be past the year
// 31,000.
func ParseMoment(s string) (board.Moment, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil && onlyDigits(fraction) {
		const earliest, latest = int64(board.Earliest / 1000), int64(board.Latest / 1000)
		switch {
		case board.Moment(n).Valid():
			return board.Moment(n), nil
		case n >= earliest && n < latest:
			return board.Moment(n*1000 + thousandths(fraction)), nil
		}
		return 0, fmt.Errorf("%q is neither in seconds nor in milliseconds a moment from 2000 to 2138", s)
	}
	m, err := board.ParseMoment(s)
	if err != nil {
		return 0, fmt.Errorf("%q is neither RFC 3339 with a zone, such as 2026-11-20T12:00:00Z, "+
			"nor Unix seconds or milliseconds, from 2000 to 2138", s)
	}
	return m, nil
}

func onlyDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// thousandths is the first three digits of a fraction.
func thousandths(fraction string) int64 {
	n, _ := strconv.ParseInt((fraction + "000")[:3], 10, 64)
	return n
}
