package archive

import (
	"bytes"
	"slices"

	"laurel/shared/board"
)

var anyKey = Key{Partition: "partition", Sort: "sort"}

// Seal returns an item's data with this body, so that a fuzzer passes the checksum.
func Seal(format byte, body []byte) []byte { return seal(anyKey, format, body) }

// Body returns an item's body.
func Body(item Item) []byte {
	r, err := unseal(item.Key, item.Data[0], item.Data)
	if err != nil {
		return nil
	}
	return []byte(r.Take(uint64(r.Len())))
}

// Page returns a page's data with these entries in any order.
func Page(entries []board.Entry) []byte { return sealPage(anyKey, entries) }

// OpenAny opens an item of a format and returns its entries.
func OpenAny(format byte, data []byte) ([]board.Entry, error) {
	switch format {
	case formatManifest:
		m, err := openManifest(anyKey, data)
		return m.Top, err
	case formatPage:
		return openPage(anyKey, data)
	default:
		_, _, err := openIndex(anyKey, data)
		return nil, err
	}
}

// Names reports whether an item has a user: by the id or its hash.
func Names(item Item, user string) bool {
	is := func(e board.Entry) bool { return e.User == user }
	if bytes.Contains(item.Data, []byte(user)) && len(user) > 4 {
		return true
	}
	switch item.Data[0] {
	case formatManifest:
		m, err := openManifest(item.Key, item.Data)
		return err != nil || slices.ContainsFunc(m.Top, is) || m.erasing != nil
	case formatPage:
		entries, err := openPage(item.Key, item.Data)
		return err != nil || slices.ContainsFunc(entries, is)
	default:
		spots, _, err := openIndex(item.Key, item.Data)
		return err != nil || len(ranksOf(spots, hashOf(user))) > 0
	}
}

// OpenArticle opens an article's data with this body and a checksum that fits.
func OpenArticle(id string, body []byte) (FinalArticle, error) {
	key := articleKey(id)
	return openArticle(key, id, seal(key, formatArticle, body))
}
