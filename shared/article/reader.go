package article

import "laurel/shared/board"

// reader walks a page. After the first fault it is bad and answers zeros.
type reader struct {
	rest string
	bad  bool
}

func (r *reader) take(n uint64) string {
	if r.bad || n > uint64(len(r.rest)) {
		r.bad = true
		return ""
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() byte {
	b := r.take(1)
	if r.bad {
		return 0
	}
	return b[0]
}

// uvarint reads a number; one that is written longer than needed is a fault.
func (r *reader) uvarint() uint64 {
	var value uint64
	for shift := 0; shift < 63; shift += 7 {
		b := r.byte()
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			r.bad = r.bad || (b == 0 && shift > 0)
			return value
		}
	}
	r.bad = true
	return 0
}

func (r *reader) text() string { return r.take(r.uvarint()) }

func (r *reader) moment() board.Moment {
	m := board.Moment(r.uvarint())
	r.bad = r.bad || !m.Valid()
	return m
}
