package journal

import (
	"fmt"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// decode returns the rows of an item.
func decode(item table.Item) ([]ledger.Row, error) {
	r, err := unpack(item, formatRows)
	if err != nil {
		return nil, err
	}
	rows := readRows(&r)
	if err := r.Done(); err != nil {
		return nil, damaged(item.Key, err.Error())
	}
	return rows, nil
}

// unpack returns a reader of the body of an item's data.
func unpack(item table.Item, format byte) (codec.Reader, error) {
	data := item.Data
	if len(data) < headerLen {
		return codec.Reader{}, damaged(item.Key, "too short")
	}
	if data[0] != format || data[1] != version || data[2] > compressed {
		return codec.Reader{}, damaged(item.Key, fmt.Sprintf("header %q, want %q.%d", data[:headerLen], format, version))
	}
	body := data[headerLen:]
	if data[2] == compressed {
		var err error
		if body, err = table.Decompress(body); err != nil {
			return codec.Reader{}, damaged(item.Key, err.Error())
		}
	}
	r, err := codec.Open(body, sealContext(item.Key))
	if err != nil {
		return codec.Reader{}, damaged(item.Key, err.Error())
	}
	return r, nil
}

func damaged(key table.Key, why string) error { return fmt.Errorf("%w: %s: %s", ErrDamaged, key, why) }

// minRow is the least length of a row in bytes.
const minRow = 5

func readRows(r *codec.Reader) []ledger.Row {
	rows := make([]ledger.Row, r.Count(minRow))
	var users, actions []string
	var last board.Moment
	for i := range rows {
		row := &rows[i]
		flags, kind := r.Byte(), byte(0)
		if flags&bitKind != 0 {
			kind = r.Byte()
			r.Check(kind >= kindCompact && kind <= kindByUser, "unknown kind of a row")
		}
		row.Changed, row.Restores = ledger.Registers(flags&registers), flags&bitRestores != 0
		row.User = numbered(r, &users, r.ID)
		if kind != kindReplaced && kind != kindReplacedCompact {
			row.Action = numbered(r, &actions, r.Text)
			r.Check(row.Action != "", "no action")
		}
		last += board.Moment(r.Varint())
		row.At = last
		readKind(r, row, kind, flags)
		if r.Failed() {
			return nil
		}
	}
	return rows
}

// numbered reads a number and, if it is new, the text that follows it.
func numbered(r *codec.Reader, known *[]string, read func() string) string {
	n := r.Uvarint()
	if n == 0 {
		*known = append(*known, read())
		n = 1
	}
	if n > uint64(len(*known)) {
		r.Fail("unknown number")
		return ""
	}
	return (*known)[uint64(len(*known))-n]
}

func readHashes(r *codec.Reader) []uint64 {
	all := make([]uint64, r.Count(codec.HashLen))
	for i := range all {
		all[i] = r.Uint64()
	}
	return all
}

// readKind reads what a row has by its kind.
func readKind(r *codec.Reader, row *ledger.Row, kind, flags byte) {
	switch kind {
	case kindReplaced:
		row.Listed = make([]string, r.Count(1))
		for i := range row.Listed {
			row.Listed[i] = r.ID()
		}
		row.Unlisted = readHashes(r)
		return
	case kindReplacedCompact:
		row.ListedHashes = readHashes(r)
		r.Check(len(row.ListedHashes) > 0, "nobody on a compact follow list")
		row.Unlisted = readHashes(r)
		return
	case kindCompact, kindVoid:
		row.Key = r.Key()
	default:
		row.Target, row.ByUser = r.ID(), kind == kindByUser
	}
	if kind == kindVoid {
		var ok bool
		row.Page, ok = ledger.ParsePageKey(r.Text())
		r.Check(ok, "unknown page")
	}
	if flags&bitRef != 0 {
		row.Ref = r.ID()
		r.Check(row.Ref != "", "empty ref")
	}
	if flags&bitValue != 0 {
		row.Value = new(r.Varint())
	}
}
