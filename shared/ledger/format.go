package ledger

import (
	"errors"
	"fmt"

	"laurel/shared/codec"
)

// ErrFormat is wrapped by the errors about pages of a format that this program does
// not read: a later program wrote them, or one so early that nothing upgrades them.
var ErrFormat = errors.New("ledger: page has format")

// A format is how the pages of a kind are written.
type format struct {
	number byte // the first byte of a page; no other format of any kind has it
	// upgrades are by the number of an earlier format: each makes of a page of it, which
	// is read up to that number, one of a later format.
	upgrades map[byte]func(codec.Reader) (codec.Reader, error)
}

// The formats of pages. Formats 1 and 3 were those of entries and follow lists
// before entries had restores, 5 that of entries with flags in every moment; nothing reads
// them.
var (
	formatTotals  = format{number: 2} // the months' totals
	formatEntries = format{number: 8} // a month's or a day's page
	formatFollows = format{number: 6} // the follow list
	formatStatus  = format{           // hidden, excluded, public days
		number:   7,
		upgrades: map[byte]func(codec.Reader) (codec.Reader, error){4: withFlags},
	}
)

// withFlags makes a status of format 4, which had fewer flags, one of format 7.
func withFlags(r codec.Reader) (codec.Reader, error) {
	return codec.NewReader("\x07" + r.Take(uint64(r.Len()))), nil
}

// seal ends a page with its checksum.
func seal(b []byte) string { return string(codec.Seal(b, "")) }

// open checks a page's checksum, upgrades the page to the format and returns a
// reader of what is between the two. The error wraps codec.ErrDamaged or ErrFormat.
func (f format) open(page string) (codec.Reader, error) {
	r, err := codec.Open(page, "")
	for err == nil {
		number := r.Byte()
		upgrade := f.upgrades[number]
		switch {
		case r.Failed():
			err = r.Done()
		case number == f.number:
			return r, nil
		case upgrade == nil:
			err = fmt.Errorf("%w %d, this program reads %d", ErrFormat, number, f.number)
		default:
			r, err = upgrade(r)
		}
	}
	return r, err
}
