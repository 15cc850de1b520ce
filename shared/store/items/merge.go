package items

import (
	"bytes"
	"encoding/binary"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/table"
)

// MaxMerged is how many people may be merged into one, those who were merged into them included.
const MaxMerged = 20

// A Merge is how far the merge of a person into another is, under the key of the person who was merged. That person's
// item names the other one.
type Merge struct {
	Progress                  // Since is the mark's time; the pass begins a while later
	At       board.Moment     `json:"at"` // of the mark, by the forum's clock
	Joined   map[string]int64 `json:"joined"`
}

func (m *Merge) encode(table.Key) []byte { return encodeJSON(m) }

// CompareKeys is the order of people's keys in a list.
func CompareKeys(a, b Key) int { return bytes.Compare(a[:], b[:]) }

func appendKeys(b []byte, keys []Key) []byte {
	b = binary.AppendUvarint(b, uint64(len(keys)))
	for _, k := range keys {
		b = append(b, k[:]...)
	}
	return b
}

func readKeys(r *codec.Reader) (keys []Key) {
	for n := r.Count(len(Key{})); n > 0 && !r.Failed(); n-- {
		if text := r.Take(uint64(len(Key{}))); !r.Failed() {
			keys = append(keys, Key([]byte(text)))
		}
	}
	r.Check(slices.IsSortedFunc(keys, CompareKeys) && len(keys) <= MaxMerged, outOfRange)
	return keys
}
