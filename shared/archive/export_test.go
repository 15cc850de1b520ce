package archive

import "laurel/shared/board"

var anyKey = Key{"partition", "sort"}

// Seal makes an item's data of a body, so that a fuzzer gets past the checksum.
func Seal(format byte, body []byte) []byte { return seal(anyKey, format, body) }

// Body is an item's body.
func Body(item Item) []byte {
	r, err := unseal(item.Key, item.Data[0], item.Data)
	if err != nil {
		return nil
	}
	return r.body
}

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
