package archive

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// PageLen is how many entries a page holds; the last one may hold fewer. At ten
// bytes an entry a page is 40 KB: ten read units.
const PageLen = 4_000

// Forms of an id on a page.
const (
	idText = iota
	idNumber
	idUUID
	idErased // nothing follows
)

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
		b = appendID(b, e.User)
	}
	return b
}

func appendID(b []byte, id string) []byte {
	if id == "" {
		return append(b, idErased)
	}
	if n, err := strconv.ParseUint(id, 10, 64); err == nil && strconv.FormatUint(n, 10) == id {
		return binary.AppendUvarint(append(b, idNumber), n)
	}
	if u, ok := parseUUID(id); ok {
		return append(append(b, idUUID), u...)
	}
	b = binary.AppendUvarint(append(b, idText), uint64(len(id)))
	return append(b, id...)
}

// parseUUID reads a UUID in its usual form, lower case with hyphens.
func parseUUID(id string) ([]byte, bool) {
	if len(id) != 36 || strings.ToLower(id) != id {
		return nil, false
	}
	u, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	return u, err == nil && len(u) == 16 && formatUUID(u) == id
}

func formatUUID(u []byte) string {
	h := hex.EncodeToString(u)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// entries reads a page's body. What is not in a board's order is damage.
func (r *reader) entries() []board.Entry {
	entries := make([]board.Entry, r.count())
	scores := make([]int64, len(entries))
	last := int64(board.MaxScore)
	for i := range scores {
		last -= int64(min(r.uvarint(), board.MaxScore+1))
		if scores[i] = last; last < 1 {
			r.bad = true
		}
	}
	var ticks int64
	for i := range entries {
		ticks += r.varint()
		entries[i].Packed = board.Pack(scores[i], ticks)
		if entries[i].Packed.Ticks() != ticks {
			r.bad = true
		}
	}
	for i := range entries {
		if entries[i].User = r.id(); r.bad {
			return nil
		}
	}
	r.bad = !ordered(entries)
	return entries
}

// ordered is whether entries are in a board's order. Those who were erased have
// kept their places, and among equal scores it is not known any more why.
func ordered(entries []board.Entry) bool {
	named := -1 // who was the last that is named
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

func (r *reader) id() string {
	var id string
	switch r.uvarint() {
	case idErased:
		return ""
	case idNumber:
		id = strconv.FormatUint(r.uvarint(), 10)
	case idUUID:
		if u := r.bytes(16); u != nil {
			id = formatUUID(u)
		}
	case idText:
		id = string(r.bytes(r.uvarint()))
	default:
		r.bad = true
	}
	r.bad = r.bad || id == "" || len(id) > activity.MaxUserID
	return id
}

func sealPage(key Key, entries []board.Entry) []byte {
	return seal(key, formatPage, appendEntries(nil, entries))
}

func openPage(key Key, data []byte) ([]board.Entry, error) {
	r, err := unseal(key, formatPage, data)
	if err != nil {
		return nil, err
	}
	entries := r.entries()
	return entries, r.done()
}
