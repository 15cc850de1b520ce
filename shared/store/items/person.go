package items

import (
	"cmp"
	"encoding/binary"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/store/table"
)

// A Profile has a user's name, picture and page, and the time when the account was made.
type Profile struct {
	Name   string
	Avatar string // URL of a picture
	Link   string // URL of a page
	Since  string // when the account was made, RFC 3339; not public
}

// A Person has the data that is kept of a user beside the ledgers. It is written with a profile or a status, for a user
// with a follow list, and for everybody on a board before it is final. A user without one is shown, has no name, and
// was never erased.
type Person struct {
	ID      string            // "" in the tombstone of an erasure that is done
	Profile Profile           // the zero Profile: none
	Groups  []string          // private groups, sorted byte by byte; no answer has them but the service's
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

// A Public has the parts of a person that boards show: the name without since, and the number of final public boards on
// which the person was the first; 0 for a person who is on no live board.
type Public struct {
	Name, Avatar, Link string
	Firsts             int64
}

// Public returns the parts of the person that boards show to guests, by the rules that these see; none for nil.
func (p *Person) Public(guests *activity.Rules) Public {
	if p == nil {
		return Public{}
	}
	public := Public{Name: p.Profile.Name, Avatar: p.Profile.Avatar, Link: p.Profile.Link}
	for _, w := range p.Wreaths {
		if w.Rank == 1 && !p.Status.Suppressed() && guests.Board(w.Board) != nil {
			public.Firsts++
		}
	}
	return public
}

// Text returns it as the view keeps it, "" for nothing: three texts and a number.
func (p Public) Text() string {
	if p == (Public{}) {
		return ""
	}
	b := codec.AppendText(codec.AppendText(codec.AppendText(nil, p.Name), p.Avatar), p.Link)
	return string(binary.AppendUvarint(b, uint64(p.Firsts)))
}

// ParsePublic reads a text that Text returned. The error wraps codec.ErrDamaged.
func ParsePublic(text string) (p Public, err error) {
	if text == "" {
		return p, nil
	}
	r := codec.NewReader(text)
	p = Public{Name: r.Text(), Avatar: r.Text(), Link: r.Text(), Firsts: int64(r.Uvarint())}
	r.Check(p.Firsts >= 0 && p != (Public{}), outOfRange)
	if err := r.Done(); err != nil {
		return Public{}, wrap("read a name", err)
	}
	return p, nil
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

// Copy returns a copy to be changed, an empty person for nil.
func (p *Person) Copy() Person {
	if p == nil {
		return Person{}
	}
	return *p
}

// encode writes: id, flags, moment of the erasure, the four texts of the name, the groups, the number of boards with
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
	for _, text := range []string{p.Profile.Name, p.Profile.Avatar, p.Profile.Link, p.Profile.Since} {
		b = codec.AppendText(b, text)
	}
	b = binary.AppendUvarint(b, uint64(len(p.Groups)))
	for _, group := range p.Groups {
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
		p.Profile = Profile{Name: r.Text(), Avatar: r.Text(), Link: r.Text(), Since: r.Text()}
		for groups := r.Count(1); groups > 0; groups-- {
			p.Groups = append(p.Groups, r.Text())
		}
		r.Check(slices.IsSorted(p.Groups), outOfRange)
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
