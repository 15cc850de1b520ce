package article

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"laurel/shared/activity"
)

// ErrDamaged is wrapped by the errors about a page that cannot be read.
var ErrDamaged = errors.New("article: damaged page")

// VersionLen is the length of a page's version.
const VersionLen = 8

// A State is how far an article's life is.
type State byte

// The states of an article, in their order.
const (
	Voting  State = iota // its voters are kept: votes count that are of its voting week
	Settled              // its voters are dropped: its votes are final
	Left                 // off every list, and on its way to the archive
	Deleted              // off every list; its id is not given again
)

// A Page is what a store keeps of an article beside its votes. That of a deleted
// one has neither title nor link nor groups.
type Page struct {
	Version string // VersionLen bytes, new with every change
	State   State
	Article
}

// Listed says whether the article is on lists.
func (p Page) Listed() bool { return p.State == Voting || p.State == Settled }

// Encode writes the page; the id is the store's to keep.
func (p Page) Encode() string {
	b := make([]byte, 0, 64+len(p.Author)+len(p.Title)+len(p.Link)+16*len(p.Groups))
	b = append(b, p.Version...)
	b = append(append(b, byte(len(p.Author))), p.Author...)
	b = append(b, byte(p.State))
	b = binary.AppendUvarint(b, uint64(p.Published))
	b = appendText(appendText(b, p.Title), p.Link)
	b = binary.AppendUvarint(b, uint64(len(p.Groups)))
	for _, g := range p.Groups {
		b = appendText(b, g)
	}
	return string(binary.LittleEndian.AppendUint32(b, checksum(b, p.ID)))
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// checksum is the CRC-32C of a page with its id, so that it can't stand in for
// another article's.
func checksum(body []byte, id string) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum(body, table), table, []byte(id))
}

// DecodePage reads the page of an article.
func DecodePage(id, page string) (Page, error) {
	const checksumLen = 4
	end := len(page) - checksumLen
	if end < VersionLen {
		return Page{}, fmt.Errorf("%w: of %q: %d bytes are too few", ErrDamaged, id, len(page))
	}
	if checksum([]byte(page[:end]), id) != binary.LittleEndian.Uint32([]byte(page[end:])) {
		return Page{}, fmt.Errorf("%w: of %q: checksum does not match", ErrDamaged, id)
	}
	r := reader{rest: page[VersionLen:end]}
	p := Page{Version: page[:VersionLen]}
	p.ID = id
	p.Author = r.take(uint64(r.byte()))
	p.State = State(r.byte())
	p.Published = r.moment()
	p.Title = r.text()
	p.Link = r.text()
	for n := r.uvarint(); n > 0 && !r.bad; n-- {
		p.Groups = append(p.Groups, r.text())
	}
	if r.bad || r.rest != "" || p.State > Deleted || len(p.Author) > activity.MaxUserID || len(p.Groups) > MaxGroups || !slices.IsSorted(p.Groups) {
		return Page{}, fmt.Errorf("%w: of %q: it breaks off or goes on", ErrDamaged, id)
	}
	return p, nil
}
