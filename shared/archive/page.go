package archive

import (
	"encoding/binary"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// PageLen is the number of entries of a page, except the last. At ten bytes an entry a
// page is 40 KB, ten read units.
const PageLen = 4_000

// appendEntries appends a page's body.
func appendEntries(b []byte, entries []board.Entry) []byte {
	b = binary.AppendUvarint(b, uint64(len(entries)))
	last := int64(board.MaxScore)
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(last-e.Packed.Score()))
		last = e.Packed.Score()
	}
	var ticks int64
	for _, e := range entries {
		b = binary.AppendVarint(b, e.Packed.Ticks()-ticks)
		ticks = e.Packed.Ticks()
	}
	for _, e := range entries {
		b = codec.AppendID(b, e.User)
	}
	return b
}

// readEntries reads a page's body. Entries out of order are damage.
func readEntries(r *codec.Reader) []board.Entry {
	entries := make([]board.Entry, r.Count(3))
	scores := make([]int64, len(entries))
	last := int64(board.MaxScore)
	for i := range scores {
		last -= int64(min(r.Uvarint(), board.MaxScore+1))
		scores[i] = last
		r.Check(last >= 1, outOfRange)
	}
	var ticks int64
	for i := range entries {
		ticks += r.Varint()
		entries[i].Packed = board.Pack(scores[i], ticks)
		r.Check(entries[i].Packed.Ticks() == ticks, outOfRange)
	}
	for i := range entries {
		entries[i].User = r.ID()
		r.Check(len(entries[i].User) <= activity.MaxUserID, outOfRange)
	}
	if r.Failed() {
		return nil
	}
	r.Check(ordered(entries), outOfOrder)
	return entries
}

// Reasons why an item is damaged.
const (
	outOfOrder = "out of order"
	outOfRange = "out of range"
)

// ordered reports whether entries are in a board's order. Erased entries keep their
// places, and their order among equal scores is not known any more.
func ordered(entries []board.Entry) bool {
	named := -1 // the last entry with an id
	for i, e := range entries {
		if i > 0 && entries[i-1].Packed > e.Packed {
			return false
		}
		if e.Erased() {
			continue
		}
		if named >= 0 && board.Compare(entries[named], e) >= 0 {
			return false
		}
		named = i
	}
	return true
}

func sealPage(key Key, entries []board.Entry) []byte {
	return seal(key, formatPage, appendEntries(nil, entries))
}

func openPage(key Key, data []byte) ([]board.Entry, error) {
	r, err := unseal(key, formatPage, data)
	if err != nil {
		return nil, err
	}
	entries := readEntries(&r)
	return entries, named(key, r.Done())
}
