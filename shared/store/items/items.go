package items

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/store/table"
)

// A FollowPart is a sixteenth of a follow list: the ids of its targets with their moments.
type FollowPart struct {
	Targets []Followed // by the hash of the id, then id
}

// A Followed is a target of a follow list.
type Followed struct {
	ID           string
	Last, Undone board.Moment
}

// Compare is the order of targets in a part of a list.
func (f Followed) Compare(other Followed) int {
	return cmp.Or(cmp.Compare(codec.Hash(f.ID), codec.Hash(other.ID)), cmp.Compare(f.ID, other.ID))
}

func (p *FollowPart) encode(key table.Key) []byte {
	b := binary.AppendUvarint(begin(), uint64(len(p.Targets)))
	for _, t := range p.Targets {
		b = appendMoment(appendMoment(codec.AppendID(b, t.ID), t.Last), t.Undone)
	}
	return seal(b, key)
}

func decodeFollows(key table.Key, data []byte) (*FollowPart, error) {
	return decode(key, data, func(r *codec.Reader, p *FollowPart) {
		p.Targets = make([]Followed, r.Count(3))
		for i := range p.Targets {
			p.Targets[i] = Followed{ID: r.ID(), Last: readMoment(r), Undone: readMoment(r)}
		}
	})
}

func decodeArticle(key table.Key, data []byte) (*article.Page, error) {
	page, err := article.DecodePage(key.Sort, string(data))
	return &page, err
}

// A Void says until when a target is void, and how far that is carried out.
type Void struct {
	Target      string
	Until       board.Moment
	Begun, Done board.Moment // the moments up to which arriving and all activities are undone; 0: none are
	Progress                 // of its pass
}

func (v *Void) encode(key table.Key) []byte {
	b := appendMoment(codec.AppendText(begin(), string(v.State)), v.Until)
	b = appendMoment(appendMoment(appendMoment(b, v.Begun), v.Done), v.Since)
	return seal(append(b, byte(v.Bucket)), key)
}

func decodeVoid(key table.Key, data []byte) (*Void, error) {
	return decode(key, data, func(r *codec.Reader, v *Void) {
		v.Target, v.State, v.Until = key.Sort, State(r.Text()), readMoment(r)
		v.Begun, v.Done, v.Since = readMoment(r), readMoment(r), readMoment(r)
		v.Bucket = int(r.Byte())
		states := []State{Waiting, Running, Done, Withdrawn}
		r.Check(slices.Contains(states, v.State) && v.Bucket < Buckets, outOfRange)
	})
}

// An Erasure is how far the erasure of a person is; it has no id.
type Erasure struct {
	Progress                  // of its second half: Since is when the first ended, 0 until then
	Asked    board.Moment     `json:"asked,omitempty"`
	At       board.Moment     `json:"at,omitempty"` // the tombstone's moment
	Removed  map[string]int64 `json:"removed"`
}

func (e *Erasure) encode(table.Key) []byte { return encodeJSON(e) }

// encodeJSON and decodeJSON are for erasures, merges and acts: text and numbers.
func encodeJSON(value any) []byte {
	data, _ := json.Marshal(value) //nolint:errchkjson // text and numbers
	return data
}

func decodeJSON[T any](_ table.Key, data []byte) (*T, error) {
	value := new(T)
	if err := json.Unmarshal(data, value); err != nil {
		return nil, fmt.Errorf("%w: %w", codec.ErrDamaged, err)
	}
	return value, nil
}

// An item other than the head, an erasure and a ledger is the number of the format, the bytes that its encode writes,
// and a checksum, which covers the item's key too.

func begin() []byte { return []byte{Format} }

func seal(b []byte, key table.Key) []byte { return codec.Seal(b, key.Partition+"\x00"+key.Sort) }

// decode reads an item with a function that reads all that is after the number of the format. The error wraps
// codec.ErrDamaged or ledger.ErrFormat.
func decode[T any](key table.Key, data []byte, read func(*codec.Reader, *T)) (*T, error) {
	r, err := codec.Open(data, key.Partition+"\x00"+key.Sort)
	if err != nil {
		return nil, err
	}
	if format := r.Byte(); format > Format {
		return nil, fmt.Errorf("%w %d, this program reads %d", ledger.ErrFormat, format, Format)
	}
	value := new(T)
	read(&r, value)
	return value, r.Done()
}

const outOfRange = "out of range"

func appendMoment(b []byte, m board.Moment) []byte { return binary.AppendUvarint(b, uint64(m)) }

func readMoment(r *codec.Reader) board.Moment {
	m := board.Moment(r.Uvarint())
	r.Check(m == 0 || m.Valid(), outOfRange)
	return m
}

func decodeLedger(_ table.Key, data []byte) (*ledger.MonthLedger, error) {
	return ledger.DecodeMonthLedger(data)
}

// rowBy returns a function that reads an item. The error of a row names its key.
func rowBy[T any](decode func(table.Key, []byte) (T, error)) func(table.Item) Row[T] {
	return func(item table.Item) Row[T] {
		value, err := decode(item.Key, item.Data)
		if err != nil {
			return Row[T]{Err: fmt.Errorf("items: %s: %w", item.Key, err)}
		}
		return Row[T]{Value: value, Revision: item.Revision}
	}
}
