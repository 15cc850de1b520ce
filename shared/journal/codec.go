package journal

import (
	"encoding/binary"
	"errors"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// ErrDamaged is wrapped by errors about an item that cannot be decoded; they name it.
var ErrDamaged = errors.New("journal: damaged item")

// The header of an item's data: format, version, and whether the body is compressed.
const (
	formatRows = 'J'
	formatSeal = 'S'
	version    = 2 // version 1 wrote the form of a ref apart

	plain      = 0
	compressed = 1

	headerLen    = 3
	compressFrom = 400 // bytes of a body
)

// A row's flags: the registers in the low bits, then these.
const (
	bitRef = 1 << (4 + iota)
	bitValue
	bitRestores
	bitKind

	registers = bitRef - 1
)

// Kinds of rows, apart from an activity with its target.
const (
	kindCompact = iota + 1
	kindReplaced
	kindVoid
	kindReplacedCompact
	kindByUser // pending, and reported by the user's own token
)

// encode returns the data of an item with rows.
func encode(key table.Key, rows []ledger.Row) []byte {
	w := writer{users: map[string]int{}, actions: map[string]int{}}
	w.b = binary.AppendUvarint(w.b, uint64(len(rows)))
	for i := range rows {
		w.row(&rows[i])
	}
	return pack(key, formatRows, w.b)
}

// pack returns the data of an item with a body.
func pack(key table.Key, format byte, body []byte) []byte {
	body = codec.Seal(body, sealContext(key))
	if len(body) < compressFrom {
		return append([]byte{format, version, plain}, body...)
	}
	return table.Compress([]byte{format, version, compressed}, body)
}

// sealContext returns an item's keys as part of its checksum, so that an item stored
// under another key is damaged.
func sealContext(key table.Key) string { return key.Partition + "\x00" + key.Sort }

// A writer appends rows.
type writer struct {
	b       []byte
	users   map[string]int
	actions map[string]int
	last    board.Moment
}

func (w *writer) row(row *ledger.Row) {
	flags, kind := byte(row.Changed)&registers, kindOf(row)
	for _, bit := range []struct {
		set bool
		bit byte
	}{{row.Ref != "", bitRef}, {row.Value != nil, bitValue}, {row.Restores, bitRestores}} {
		if bit.set {
			flags |= bit.bit
		}
	}
	if kind != 0 {
		w.b = append(w.b, flags|bitKind, kind)
	} else {
		w.b = append(w.b, flags)
	}
	w.b = number(w.b, w.users, row.User, codec.AppendID)
	if row.Action != "" {
		w.b = number(w.b, w.actions, row.Action, codec.AppendText)
	}
	w.b = binary.AppendVarint(w.b, int64(row.At-w.last))
	w.last = row.At
	switch kind {
	case kindReplaced, kindReplacedCompact:
		w.lists(row)
		return
	case kindCompact, kindVoid:
		w.b = append(w.b, row.Key...)
	default:
		w.b = codec.AppendID(w.b, row.Target)
	}
	if kind == kindVoid {
		w.b = codec.AppendText(w.b, row.Page.String())
	}
	if row.Ref != "" {
		w.b = codec.AppendID(w.b, row.Ref)
	}
	if row.Value != nil {
		w.b = binary.AppendVarint(w.b, *row.Value)
	}
}

func kindOf(row *ledger.Row) byte {
	switch {
	case row.Action == "" && len(row.ListedHashes) > 0:
		return kindReplacedCompact
	case row.Action == "":
		return kindReplaced
	case row.Page != ledger.PageKey{}:
		return kindVoid
	case row.Key != "":
		return kindCompact
	case row.ByUser:
		return kindByUser
	default:
		return 0
	}
}

// number appends the number of a text: 1 for the latest that was new, 2 for the one before
// it, and so on; 0 and the text for a new one.
func number(b []byte, known map[string]int, text string, appendText func([]byte, string) []byte) []byte {
	if n, ok := known[text]; ok {
		return binary.AppendUvarint(b, uint64(len(known)-n))
	}
	known[text] = len(known)
	return appendText(append(b, 0), text)
}

func (w *writer) lists(row *ledger.Row) {
	if len(row.ListedHashes) > 0 {
		w.hashes(row.ListedHashes)
	} else {
		w.b = binary.AppendUvarint(w.b, uint64(len(row.Listed)))
		for _, id := range row.Listed {
			w.b = codec.AppendID(w.b, id)
		}
	}
	w.hashes(row.Unlisted)
}

func (w *writer) hashes(all []uint64) {
	w.b = binary.AppendUvarint(w.b, uint64(len(all)))
	for _, hash := range all {
		w.b = binary.BigEndian.AppendUint64(w.b, hash)
	}
}
