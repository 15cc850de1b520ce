package archive

import (
	"encoding/binary"

	"laurel/shared/board"
)

// TopLen is the number of first entries in the manifest.
const TopLen = 100

// A Manifest describes a final board.
type Manifest struct {
	Total   int64         // users on the board
	PageLen int64         // entries on a page
	Indexes int64         // index items
	Last    int64         // the last place's score, 0 on an empty board
	Sum     uint64        // sum of the checksums of all pages and index items
	Top     []board.Entry // the first TopLen, or all
	Erased  int64         // entries whose users were erased

	erasing *erasing // the entry being erased, nil for none
}

// Pages returns the number of pages.
func (m Manifest) Pages() int64 { return (m.Total + m.PageLen - 1) / m.PageLen }

func sealManifest(key Key, m Manifest) []byte {
	var b []byte
	for _, n := range []uint64{uint64(m.Total), uint64(m.PageLen), uint64(m.Indexes), uint64(m.Last), m.Sum} {
		b = binary.AppendUvarint(b, n)
	}
	b = appendEntries(b, m.Top)
	if m.Erased > 0 { // otherwise the same bytes as after the run
		b = binary.AppendUvarint(b, uint64(m.Erased))
		b = m.erasing.append(b)
	}
	return seal(key, formatManifest, b)
}

func openManifest(key Key, data []byte) (Manifest, error) {
	r, err := unseal(key, formatManifest, data)
	if err != nil {
		return Manifest{}, err
	}
	m := Manifest{Total: int64(r.Uvarint()), PageLen: int64(r.Uvarint()), Indexes: int64(r.Uvarint()), Last: int64(r.Uvarint()), Sum: r.Uvarint()}
	m.Top = readEntries(&r)
	if r.Len() > 0 {
		m.Erased = int64(r.Uvarint())
		m.erasing = readErasing(&r, m.Total)
		r.Check(m.Erased >= 1 && m.Erased <= m.Total, outOfRange)
	}
	r.Check(m.PageLen > 0 && m.PageLen <= 1<<20 && m.Total >= 0 && m.Total <= 1<<32 && m.Indexes >= 0 &&
		m.Last >= 0 && m.Last <= board.MaxScore && int64(len(m.Top)) == min(m.Total, TopLen), outOfRange)
	return m, named(key, r.Done())
}
