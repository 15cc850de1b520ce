package records

import (
	"encoding/binary"
	"fmt"
	"slices"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// An item other than the head, an erasure and a ledger is the number of the format, what its
// encode writes, and a checksum, which is of the item's key too.

func begin() []byte { return []byte{Format} }

func seal(b []byte, key table.Key) []byte { return codec.Seal(b, key.Partition+"\x00"+key.Sort) }

// open returns a reader of what is after the number of the format. The error wraps
// codec.ErrDamaged or ledger.ErrFormat.
func open(key table.Key, data []byte) (codec.Reader, error) {
	r, err := codec.Open(data, key.Partition+"\x00"+key.Sort)
	if err != nil {
		return r, fmt.Errorf("records: %s: %w", key, err)
	}
	if format := r.Byte(); format > Format {
		return r, fmt.Errorf("records: %s: %w %d, this program reads %d", key, ledger.ErrFormat, format, Format)
	}
	return r, nil
}

func done(key table.Key, r *codec.Reader) error {
	if err := r.Done(); err != nil {
		return fmt.Errorf("records: %s: %w", key, err)
	}
	return nil
}

const outOfRange = "out of range"

func appendMoment(b []byte, m board.Moment) []byte { return binary.AppendUvarint(b, uint64(m)) }

func readMoment(r *codec.Reader) board.Moment {
	m := board.Moment(r.Uvarint())
	r.Check(m == 0 || m.Valid(), outOfRange)
	return m
}

// The flags of a person.
const (
	flagHidden = 1 << iota
	flagExcluded
	flagShadowed
	flagDaysPublic
	flagFollows
	flagErasing
	endOfFlags
)

func (p *Person) flags() (b byte) {
	for flag, is := range map[byte]bool{
		flagHidden: p.Status.Hidden, flagExcluded: p.Status.Excluded, flagShadowed: p.Status.Shadowed,
		flagDaysPublic: p.Status.DaysPublic, flagFollows: p.Follows, flagErasing: p.Erasing,
	} {
		if is {
			b |= flag
		}
	}
	return b
}

// encode writes: id, flags, moment of the erasure, the four texts of the name, the number of boards with
// totals, for each of them its name and its months: month (the difference to the one before), score,
// reached; then the wreaths.
func (p *Person) encode(key table.Key) []byte {
	b := append(codec.AppendID(begin(), p.ID), p.flags())
	b = appendMoment(b, p.Erased)
	for _, text := range []string{p.Name.Name, p.Name.Avatar, p.Name.Link, p.Name.Since} {
		b = codec.AppendText(b, text)
	}
	totals := slices.SortedFunc(slices.Values(p.Totals), compareTotals)
	pieces := byBoard(totals, func(t ledger.MonthTotal) string { return t.Board })
	b = binary.AppendUvarint(b, uint64(len(pieces)))
	for _, piece := range pieces {
		b = binary.AppendUvarint(codec.AppendText(b, piece[0].Board), uint64(len(piece)))
		var month board.MonthOf
		for _, t := range piece {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(t.Month-month)), uint64(t.Score))
			b, month = appendMoment(b, t.Reached), t.Month
		}
	}
	return seal(appendWreaths(b, p.Wreaths), key)
}

// byBoard divides what is in the order of its boards into a piece of each.
func byBoard[T any](all []T, name func(T) string) (pieces [][]T) {
	for from, i := 0, 1; i <= len(all); i++ {
		if i == len(all) || name(all[i]) != name(all[from]) {
			pieces, from = append(pieces, all[from:i]), i
		}
	}
	return pieces
}

func decodePerson(key table.Key, data []byte) (*Person, error) {
	r, err := open(key, data)
	if err != nil {
		return nil, err
	}
	p := &Person{ID: r.ID()}
	flags := r.Byte()
	r.Check(flags < endOfFlags, outOfRange)
	p.Status = ledger.UserStatus{
		Hidden: flags&flagHidden != 0, Excluded: flags&flagExcluded != 0, Shadowed: flags&flagShadowed != 0,
		DaysPublic: flags&flagDaysPublic != 0,
	}
	p.Follows, p.Erasing = flags&flagFollows != 0, flags&flagErasing != 0
	p.Erased = readMoment(&r)
	p.Name = Name{Name: r.Text(), Avatar: r.Text(), Link: r.Text(), Since: r.Text()}
	for boards := r.Count(3); boards > 0; boards-- {
		name, month := r.Text(), board.MonthOf(0)
		for n := r.Count(3); n > 0; n-- {
			month += board.MonthOf(r.Uvarint())
			t := ledger.MonthTotal{Board: name, Month: month, Score: int64(r.Uvarint()), Reached: readMoment(&r)}
			r.Check(month > 0 && month < lastMonth, outOfRange)
			p.Totals = append(p.Totals, t)
		}
	}
	p.Wreaths = readWreaths(&r)
	if err := done(key, &r); err != nil {
		return nil, err
	}
	return p, nil
}

const lastMonth = 12 * 2_200

func (p *FollowPart) encode(key table.Key) []byte {
	b := binary.AppendUvarint(begin(), uint64(len(p.Targets)))
	for _, t := range p.Targets {
		b = appendMoment(appendMoment(codec.AppendID(b, t.ID), t.Last), t.Undone)
	}
	return seal(b, key)
}

func decodeFollows(key table.Key, data []byte) (*FollowPart, error) {
	r, err := open(key, data)
	if err != nil {
		return nil, err
	}
	p := &FollowPart{Targets: make([]Followed, r.Count(3))}
	for i := range p.Targets {
		p.Targets[i] = Followed{ID: r.ID(), Last: readMoment(&r), Undone: readMoment(&r)}
	}
	if err := done(key, &r); err != nil {
		return nil, err
	}
	return p, nil
}
