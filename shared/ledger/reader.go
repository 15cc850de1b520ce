package ledger

import "fmt"

// reader walks a page. After the first fault it is bad and answers zeros.
type reader struct {
	page string
	at   int
	bad  bool
}

func (r *reader) byte() byte {
	if r.bad || r.at >= len(r.page) {
		r.bad = true
		return 0
	}
	r.at++
	return r.page[r.at-1]
}

func (r *reader) uvarint() uint64 {
	var value uint64
	at := r.at
	for shift := 0; at < len(r.page) && shift < 64; shift += 7 {
		b := r.page[at]
		at++
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			r.at = at
			return value
		}
	}
	r.bad = true
	return 0
}

func (r *reader) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (r *reader) skip(n uint64) {
	if r.bad || n > uint64(len(r.page)-r.at) {
		r.bad = true
		return
	}
	r.at += int(n)
}

// count reads how many items follow, each at least size bytes long.
func (r *reader) count(size int) int {
	n := r.uvarint()
	if r.bad || n > uint64((len(r.page)-r.at)/size) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.uvarint()
	start := r.at
	r.skip(n)
	return r.page[start:r.at]
}

// done says whether the whole page was read, and well.
func (r *reader) done() error {
	if r.bad || r.at != len(r.page) {
		return fmt.Errorf("%w: it breaks off or goes on at byte %d of %d", ErrDamaged, r.at, len(r.page))
	}
	return nil
}
