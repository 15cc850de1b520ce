package items

import (
	"cmp"
	"encoding/binary"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// MaxVoidPairs is how many people may be void for a person at once, unless a merge adds some. Of a person into whom
// others were merged each key is one.
const MaxVoidPairs = 100

// mostVoidPairs is how many an item may have.
const mostVoidPairs = MaxVoidPairs * (MaxMerged + 1) * (MaxMerged + 1)

// A VoidPair says that a person's acts for another one, and that one's for the person, count for neither; the other
// person's item says the same.
type VoidPair struct {
	Other  codec.PersonHash
	Since  board.Moment
	Lifted board.Moment // when it ended, 0 while it is void; it is kept to explain final boards of before
}

func (v VoidPair) compare(other VoidPair) int { return cmp.Compare(v.Other, other.Other) }

// VoidPair returns the pair with another person, and whether it is void.
func (p *Person) VoidPair(other codec.PersonHash) (VoidPair, bool) {
	if p == nil {
		return VoidPair{}, false
	}
	i, known := slices.BinarySearchFunc(p.VoidPairs, VoidPair{Other: other}, VoidPair.compare)
	if !known {
		return VoidPair{}, false
	}
	return p.VoidPairs[i], p.VoidPairs[i].Lifted == 0
}

// WithVoidPair returns the person's pairs with one added or replaced, and whether there is room for it, or it is to be
// added anyway. The one that was lifted first makes room.
func (p *Person) WithVoidPair(next VoidPair, anyway bool) ([]VoidPair, bool) {
	pairs := slices.Clone(p.VoidPairs)
	i, known := slices.BinarySearchFunc(pairs, next, VoidPair.compare)
	switch {
	case known:
		pairs[i] = next
		return pairs, true
	case !anyway && len(pairs) >= MaxVoidPairs:
		first := slices.MinFunc(pairs, func(a, b VoidPair) int {
			return cmp.Compare(cmp.Or(a.Lifted, board.Latest), cmp.Or(b.Lifted, board.Latest))
		})
		if first.Lifted == 0 {
			return nil, false
		}
		pairs = slices.DeleteFunc(pairs, func(v VoidPair) bool { return v == first })
	}
	i, _ = slices.BinarySearchFunc(pairs, next, VoidPair.compare)
	return slices.Insert(pairs, i, next), true
}

// WithoutVoidPair returns the person's pairs without that with another person, unless it is of after a moment, and
// whether that changes them.
func (p *Person) WithoutVoidPair(other codec.PersonHash, until board.Moment) ([]VoidPair, bool) {
	pairs := slices.DeleteFunc(slices.Clone(p.VoidPairs), func(v VoidPair) bool {
		return v.Other == other && v.Since <= until
	})
	return pairs, len(pairs) < len(p.VoidPairs)
}

// voidWith returns the other persons of void pairs, and those of pairs that were void.
func (p *Person) voidWith() (now, before []codec.PersonHash) {
	for _, v := range p.VoidPairs {
		if v.Lifted == 0 {
			now = append(now, v.Other)
		} else {
			before = append(before, v.Other)
		}
	}
	return now, before
}

func appendVoidPairs(b []byte, pairs []VoidPair) []byte {
	b = binary.AppendUvarint(b, uint64(len(pairs)))
	for _, v := range pairs {
		b = appendMoment(appendMoment(binary.BigEndian.AppendUint64(b, uint64(v.Other)), v.Since), v.Lifted)
	}
	return b
}

func readVoidPairs(r *codec.Reader) (pairs []VoidPair) {
	for n := r.Count(codec.HashLen + 2); n > 0 && !r.Failed(); n-- {
		pairs = append(pairs, VoidPair{Other: r.PersonHash(), Since: readMoment(r), Lifted: readMoment(r)})
	}
	r.Check(slices.IsSortedFunc(pairs, VoidPair.compare) && len(pairs) <= mostVoidPairs, outOfRange)
	return pairs
}

// JoinVoidPairs returns the pairs of two lists as one: a pair of either is void, since the earlier time, unless both
// say that it was lifted.
func JoinVoidPairs(a, b []VoidPair) []VoidPair {
	joined := slices.Clone(a)
	for _, v := range b {
		i, known := slices.BinarySearchFunc(joined, v, VoidPair.compare)
		if !known {
			joined = slices.Insert(joined, i, v)
			continue
		}
		was := &joined[i]
		if was.Lifted == 0 != (v.Lifted == 0) { // one of them is void
			if was.Lifted != 0 {
				*was = v
			}
			continue
		}
		was.Since, was.Lifted = min(was.Since, v.Since), max(was.Lifted, v.Lifted)
	}
	return joined
}
