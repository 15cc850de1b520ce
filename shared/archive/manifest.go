package archive

import (
	"encoding/binary"

	"laurel/shared/board"
	"laurel/shared/codec"
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
	Copy    int64         // number of the copy that pages and index are of, 0 for the first
	Next    int64         // number of the copy that replaces this one, when the period was reopened; else 0

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
	if m.Erased+m.Copy+m.Next > 0 { // otherwise the same bytes as after the run
		b = binary.AppendUvarint(b, uint64(m.Erased))
		b = m.erasing.append(b)
	}
	if m.Copy+m.Next > 0 {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(m.Copy)), uint64(m.Next))
	}
	return seal(key, formatManifest, b)
}

func openManifest(key Key, data []byte) (Manifest, error) {
	r, err := unseal(key, formatManifest, data)
	if err != nil {
		return Manifest{}, err
	}
	var m Manifest
	for _, n := range []*int64{&m.Total, &m.PageLen, &m.Indexes, &m.Last} {
		*n = int64(r.Uvarint())
	}
	m.Sum = r.Uvarint()
	m.Top = readEntries(&r)
	if r.Len() > 0 {
		m.Erased = int64(r.Uvarint())
		m.erasing = readErasing(&r, m.Total)
		if r.Len() > 0 {
			m.Copy, m.Next = int64(r.Uvarint()), int64(r.Uvarint())
			r.Check(m.Copy >= 0 && m.Copy <= 1<<32 && m.Next >= 0 && m.Next <= 1<<32 && m.Copy+m.Next > 0, outOfRange)
			r.Check(m.Next == 0 || m.Next > m.Copy, outOfRange)
		}
		r.Check(m.Erased >= 0 && m.Erased+m.Copy+m.Next >= 1 && m.Erased <= m.Total, outOfRange)
	}
	r.Check(m.PageLen > 0 && m.PageLen <= 1<<20 && m.Total >= 0 && m.Total <= 1<<32 && m.Indexes >= 0 &&
		m.Last >= 0 && m.Last <= board.MaxScore && int64(len(m.Top)) == min(m.Total, TopLen), outOfRange)
	return m, named(key, r.Done())
}

// erasing is an entry whose erasure has begun: the manifest has it from before the page
// and the index are changed until both are. So the next erasure on that board finds what
// a crash left, and two erasures do not mix up the manifest's sum.
type erasing struct {
	rank int64  // from 1
	hash uint64 // of the user's id
}

// append appends the entry to a manifest's body; nil is none.
func (e *erasing) append(b []byte) []byte {
	if e == nil {
		return binary.AppendUvarint(b, 0)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(e.rank)), e.hash)
}

func readErasing(r *codec.Reader, total int64) *erasing {
	rank := r.Uvarint()
	if rank == 0 {
		return nil
	}
	e := &erasing{rank: int64(rank), hash: r.Uvarint()}
	r.Check(rank <= uint64(total) && e.hash < 1<<hashBits, outOfRange)
	return e
}
