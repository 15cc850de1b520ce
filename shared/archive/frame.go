package archive

import (
	"errors"
	"fmt"

	"laurel/shared/codec"
	"laurel/shared/table"
)

// ErrDamaged is wrapped by errors about an item that cannot be decoded; they name it.
var ErrDamaged = errors.New("archive: damaged item")

// Kinds of items, the first byte of their data.
const (
	formatManifest = 'M'
	formatPage     = 'P'
	formatIndex    = 'I'
)

// version is the version of all formats, the second byte of an item's data.
const version = 2

const headerLen = 2

// sealContext returns an item's keys as part of its checksum, so that an item stored
// under another key is damaged.
func sealContext(key Key) string { return key.Partition + "\x00" + key.Sort }

// seal returns the data of an item with this body.
func seal(key Key, format byte, body []byte) []byte {
	return table.Compress([]byte{format, version}, codec.Seal(body, sealContext(key)))
}

// unseal returns a reader of the body of an item's data.
func unseal(key Key, format byte, data []byte) (codec.Reader, error) {
	if len(data) < headerLen {
		return codec.Reader{}, damaged(key, "too short")
	}
	if data[0] != format || data[1] != version {
		return codec.Reader{}, damaged(key, fmt.Sprintf("format %q.%d, want %q.%d", data[0], data[1], format, version))
	}
	body, err := table.Decompress(data[headerLen:])
	if err != nil {
		return codec.Reader{}, damaged(key, err.Error())
	}
	r, err := codec.Open(body, sealContext(key))
	return r, named(key, err)
}

func damaged(key Key, why string) error { return fmt.Errorf("%w: %s: %s", ErrDamaged, key, why) }

// named adds the item to an error about its data; nil stays nil.
func named(key Key, err error) error {
	if err == nil {
		return nil
	}
	return damaged(key, err.Error())
}
