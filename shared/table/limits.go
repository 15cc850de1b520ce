package table

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// MaxKeys is the limit of the keys of one read.
const MaxKeys = 100

// Limits of DynamoDB, and so of every Store.
const (
	maxPartition = 2_048     // bytes of a partition key
	maxSort      = 1_024     // bytes of a sort key
	maxItem      = 400 << 10 // bytes of an item with the names of its attributes

	maxTogether     = 100     // items of a transaction
	maxTogetherSize = 4 << 20 // bytes of them
)

// The attributes of an item in a table, whose names are part of its size. The
// table's time to live is on the last.
const (
	AttrPartition = "pk"
	AttrSort      = "sk"
	AttrData      = "data"
	AttrRevision  = "r"
	AttrMark      = "m"
	AttrExpires   = "expires"
)

// Errors of the caller: repeating the call does not help.
var (
	errKeys = errors.New("table: too many keys for one read")
	errKey  = errors.New("table: invalid key")
	errSize = errors.New("table: item is too large")
)

// Readable checks the keys of one read.
func Readable(keys []Key) error {
	if len(keys) > MaxKeys {
		return fmt.Errorf("%w: %d", errKeys, len(keys))
	}
	for _, key := range keys {
		if err := key.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Distinct checks keys and returns each of them once.
func Distinct(keys []Key) ([]Key, error) {
	once := make([]Key, 0, len(keys))
	seen := make(map[Key]bool, len(keys))
	for _, key := range keys {
		if err := key.Check(); err != nil {
			return nil, err
		}
		if !seen[key] {
			seen[key] = true
			once = append(once, key)
		}
	}
	return once, nil
}

// Check returns an error if the key is invalid.
func (k Key) Check() error {
	p, s := k.Partition, k.Sort
	if p == "" || len(p) > maxPartition || !utf8.ValidString(p) || s == "" || len(s) > maxSort || !utf8.ValidString(s) {
		return fmt.Errorf("%w: %.100q", errKey, k.String())
	}
	return nil
}

// Check returns an error if the item is too large or its key is invalid.
func (i Item) Check() error {
	if size := i.Size(); size > maxItem {
		return fmt.Errorf("%w: %.100s has %d bytes", errSize, i.Key, size)
	}
	return i.Key.Check()
}

// Between checks the bounds of Ascend and returns the least key that it reads; ok is
// false if there can be none.
func Between(partition, after, last string, limit int) (first Key, ok bool, err error) {
	first = Key{Partition: partition, Sort: after + "\x00"}
	if limit <= 0 || first.Sort > last {
		return first, false, nil
	}
	return first, true, errors.Join(first.Check(), Key{Partition: partition, Sort: last}.Check())
}

// Size returns the item's size in bytes as DynamoDB counts it: names and values.
func (i Item) Size() int {
	size := len(AttrPartition) + len(i.Partition) + len(AttrSort) + len(i.Sort) + len(AttrData) + len(i.Data)
	if i.Revision > 0 {
		size += len(AttrRevision) + numberSize(i.Revision) + len(AttrMark) + markLen
	}
	if i.Expires > 0 {
		size += len(AttrExpires) + numberSize(i.Expires)
	}
	return size
}

// numberSize is that of a number above 0: a byte, and one for two digits.
func numberSize(n int64) int {
	size := 2
	for ; n >= 100; n /= 100 {
		size++
	}
	return size
}

// Gone reports whether the item has expired at a second since the Unix epoch. DynamoDB
// deletes expired items within days, not at once.
func (i Item) Gone(now int64) bool { return i.Expires > 0 && i.Expires <= now }
