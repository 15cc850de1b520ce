package items

import (
	"cmp"
	"encoding/binary"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/store/table"
)

// A Person has the data that is kept of a user beside the ledgers. It is written with a profile or a status, for a user
// with a follow list, and for everybody on a board before it is final. A user without one is shown, has no name, and
// was never erased.
type Person struct {
	ID      string            // "" in the tombstone of an erasure that is done
	Profile profile.Profile   // without a name: none
	Status  ledger.UserStatus // hidden, excluded, shadowed, public days
	Totals  []ledger.MonthTotal
	Wreaths []Wreath // the newest first; at most mostWreaths

	VoidPairs []VoidPair // by Other

	Into   string // the id of the person into whom this one was merged, who has everything but ledgers since; "": none
	Merged []Key  // of people who were merged into this one, in the order of keys; at most MaxMerged

	Follows bool         // has items of a follow list
	Relists bool         // the person's articles are to be put on lists, or taken off, as Status says now
	Erased  board.Moment // the moment of the last erasure, up to which everything of the id is gone; 0: none
	Erasing bool         // that erasure is running, and ID is still there for it
}

// Public returns the parts of the person that boards show to guests, by the rules that these see; none for nil.
func (p *Person) Public(guests *activity.Rules) profile.Public {
	if p == nil {
		return profile.Public{}
	}
	public := p.Profile.Public()
	for _, w := range p.Wreaths {
		if w.Rank == 1 && !p.Status.Suppressed() && guests.Board(w.Board) != nil {
			public.Firsts++
		}
	}
	return public
}

// Tombstone says whether nobody has taken the person's place since the erasure.
func (p *Person) Tombstone() bool { return p.Erased != 0 && (p.Erasing || p.ID == "") }

// OffBoards says whether the person is on no live board: suppressed, or merged into another one, who has the points.
func (p *Person) OffBoards() bool { return p.Status.Suppressed() || p.Into != "" }

// Erases says whether a running erasure takes an author's name off an article that was published at a moment. For nil
// it is false.
func (p *Person) Erases(published board.Moment) bool {
	return p != nil && p.Erasing && published <= p.Erased
}

// flags are the flags of a person, by their bits.
func (p *Person) flags() []*bool {
	s := &p.Status
	return []*bool{&s.Hidden, &s.Excluded, &s.Shadowed, &s.DaysPublic, &p.Follows, &p.Erasing, &p.Relists}
}

// texts are the texts of the profile, in their order.
func (p *Person) texts() []*string {
	return []*string{&p.Profile.Name, &p.Profile.Avatar, &p.Profile.Link, &p.Profile.Since}
}

// Copy returns a copy to be changed, an empty person for nil.
func (p *Person) Copy() Person {
	if p == nil {
		return Person{}
	}
	return *p
}

// encode writes: id, flags, moment of the erasure, the texts of the profile, the groups, the number of boards with
// totals, for each of them its name and its months: month (the difference to the one before), score, reached; the void
// pairs; the person into whom this one was merged; the keys of those merged into this one; then the wreaths.
func (p *Person) encode(key table.Key) []byte {
	var flags byte
	for bit, flag := range p.flags() {
		if *flag {
			flags |= 1 << bit
		}
	}
	b := appendMoment(append(codec.AppendID(begin(), p.ID), flags), p.Erased)
	for _, text := range p.texts() {
		b = codec.AppendText(b, *text)
	}
	b = binary.AppendUvarint(b, uint64(len(p.Profile.Groups)))
	for _, group := range p.Profile.Groups {
		b = codec.AppendText(b, group)
	}
	totals := slices.SortedFunc(slices.Values(p.Totals), func(a, b ledger.MonthTotal) int {
		return cmp.Or(cmp.Compare(a.Board, b.Board), cmp.Compare(a.Month, b.Month))
	})
	pieces := byBoard(totals, func(t ledger.MonthTotal) string { return t.Board })
	b = binary.AppendUvarint(b, uint64(len(pieces)))
	for _, piece := range pieces {
		b = binary.AppendUvarint(codec.AppendText(b, piece[0].Board), uint64(len(piece)))
		var month board.MonthOf
		for _, t := range piece {
			b = binary.AppendVarint(binary.AppendUvarint(b, uint64(t.Month-month)), t.Score)
			b, month = appendMoment(b, t.Reached), t.Month
		}
	}
	b = codec.AppendText(appendVoidPairs(b, p.VoidPairs), p.Into)
	return seal(appendWreaths(appendKeys(b, p.Merged), p.Wreaths), key)
}

// byBoard divides a list in the order of its boards into a piece of each.
func byBoard[T any](all []T, name func(T) string) (pieces [][]T) {
	for start, i := 0, 1; i <= len(all); i++ {
		if i == len(all) || name(all[i]) != name(all[start]) {
			pieces, start = append(pieces, all[start:i]), i
		}
	}
	return pieces
}

func decodePerson(key table.Key, data []byte) (*Person, error) {
	return decode(key, data, func(r *codec.Reader, p *Person) {
		p.ID = r.ID()
		flags := r.Byte()
		for bit, flag := range p.flags() {
			*flag = flags&(1<<bit) != 0
		}
		r.Check(int(flags) < 1<<len(p.flags()), outOfRange)
		p.Erased = readMoment(r)
		for _, text := range p.texts() {
			*text = r.Text()
		}
		for groups := r.Count(1); groups > 0; groups-- {
			p.Profile.Groups = append(p.Profile.Groups, r.Text())
		}
		r.Check(slices.IsSorted(p.Profile.Groups), outOfRange)
		for boards := r.Count(3); boards > 0; boards-- {
			name, month := r.Text(), board.MonthOf(0)
			for n := r.Count(3); n > 0; n-- {
				month += board.MonthOf(r.Uvarint())
				t := ledger.MonthTotal{Board: name, Month: month, Score: r.Varint(), Reached: readMoment(r)}
				r.Check(month > 0 && month < lastMonth, outOfRange)
				p.Totals = append(p.Totals, t)
			}
		}
		p.VoidPairs = readVoidPairs(r)
		p.Into, p.Merged = r.Text(), readKeys(r)
		p.Wreaths = readWreaths(r)
	})
}

const lastMonth = 12 * 2_200
