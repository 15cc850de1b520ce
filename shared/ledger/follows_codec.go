package ledger

import (
	"encoding/binary"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// Flags of a target on a follows page, below its moment.
const (
	flagFollowed = 1 << iota
	flagUnfollowed

	followBits = 2
)

// earliest is the moment that a target's others are told from.
func (f followed) earliest() board.Moment {
	if f.last != 0 {
		return f.last
	}
	return f.undone
}

// encode writes the page.
func (l *FollowList) encode() string {
	base := board.Latest
	for _, f := range l.known {
		base = min(base, f.earliest())
	}
	b := append(make([]byte, 0, 24+20*len(l.known)), formatFollows.number)
	b = binary.AppendUvarint(b, uint64(base))
	b = binary.AppendUvarint(b, uint64(len(l.known)))
	for _, f := range l.known {
		var flags uint64
		if f.last != 0 {
			flags |= flagFollowed
		}
		if f.undone != 0 {
			flags |= flagUnfollowed
		}
		b = binary.BigEndian.AppendUint64(b, f.hash)
		b = binary.AppendUvarint(b, uint64(f.earliest()-base)<<followBits|flags)
		if flags == flagFollowed|flagUnfollowed {
			b = binary.AppendVarint(b, int64(f.undone-f.last))
		}
	}
	return seal(b)
}

// OpenFollows reads a follows page, "" for none. The error wraps codec.ErrDamaged
// or ErrFormat.
func OpenFollows(page string) (*FollowList, error) {
	l := &FollowList{}
	if page == "" {
		return l, nil
	}
	r, err := formatFollows.open(page)
	if err != nil {
		return nil, err
	}
	base := board.Moment(r.Uvarint())
	n := r.Count(codec.HashLen + 1)
	l.known = make([]followed, n, n+4) // room to follow more
	for i := range l.known {
		f := readFollowed(&r, base)
		r.Check(i == 0 || l.known[i-1].hash < f.hash, outOfOrder)
		if r.Failed() {
			break
		}
		l.known[i] = f
	}
	return l, r.Done()
}

func readFollowed(r *codec.Reader, base board.Moment) followed {
	f := followed{hash: r.Uint64()}
	u := r.Uvarint()
	at := base + board.Moment(u>>followBits)
	checkMoment(r, at)
	switch u & (1<<followBits - 1) {
	case flagFollowed:
		f.last = at
	case flagUnfollowed:
		f.undone = at
	case flagFollowed | flagUnfollowed:
		f.last, f.undone = at, at+board.Moment(r.Varint())
		checkMoment(r, f.undone)
	default:
		r.Fail("bad flags")
	}
	return f
}
