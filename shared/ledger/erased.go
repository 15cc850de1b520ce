package ledger

import (
	"slices"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// Erased are the moments at which users were erased, by codec.Hash of their ids.
type Erased map[uint64]board.Moment

// Until returns the moment up to which everything of a user is erased, 0 for nothing.
func (e Erased) Until(user string) board.Moment {
	if len(e) == 0 {
		return 0
	}
	return e[codec.Hash(user)]
}

// Keep takes out of a row whom the user has followed and who was erased since. It says
// whether anything of the row is left; of a user who was erased since nothing is.
func (e Erased) Keep(row *Row) bool {
	if len(e) == 0 {
		return true
	}
	if row.At <= e.Until(row.User) {
		return false
	}
	if row.Changed&Follow == 0 {
		return true
	}
	if row.Action == "" {
		row.Listed = slices.DeleteFunc(slices.Clone(row.Listed), func(id string) bool { return row.At <= e.Until(id) })
		row.Unlisted = slices.DeleteFunc(slices.Clone(row.Unlisted), func(h uint64) bool { return row.At <= e[h] })
		return len(row.Listed)+len(row.Unlisted) > 0
	}
	hash, compact := codec.HashInKey(row.Key)
	if !compact {
		hash = codec.Hash(row.Target)
	}
	if row.At <= e[hash] {
		row.Changed &^= Follow
	}
	return row.Changed != 0
}
