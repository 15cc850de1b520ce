package archive

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"unicode/utf8"
)

// What DynamoDB takes, and so every Store.
const (
	maxKeys      = 100       // of one read
	maxPartition = 2_048     // bytes of a partition key
	maxSort      = 1_024     // bytes of a sort key
	maxItem      = 400 << 10 // bytes of an item with the names of its attributes
)

// A unit is a strongly consistent read of so many bytes, or a write.
const (
	readUnit  = 4 << 10
	writeUnit = 1 << 10
)

// The attributes of an item. The table's time to live is on expires.
const (
	attrPartition = "pk"
	attrSort      = "sk"
	attrData      = "data"
	attrExpires   = "expires"
)

// These are errors of the caller: no Store would take it, today or tomorrow.
var (
	errKeys = errors.New("archive: too many keys for one read")
	errKey  = errors.New("archive: key cannot be stored")
	errSize = errors.New("archive: item is too large")
)

// checkKeys says what is wrong with keys, and returns each of them once.
func checkKeys(keys []Key) ([]Key, error) {
	once := make([]Key, 0, len(keys))
	seen := make(map[Key]bool, len(keys))
	for _, key := range keys {
		if err := checkKey(key); err != nil {
			return nil, err
		}
		if !seen[key] {
			seen[key] = true
			once = append(once, key)
		}
	}
	return once, nil
}

func checkKey(key Key) error {
	p, s := key.Partition, key.Sort
	if p == "" || len(p) > maxPartition || !utf8.ValidString(p) || s == "" || len(s) > maxSort || !utf8.ValidString(s) {
		return fmt.Errorf("%w: %.100q", errKey, key.String())
	}
	return nil
}

func checkItem(item Item) error {
	if size := sizeOf(item); size > maxItem {
		return fmt.Errorf("%w: %.100s has %d bytes", errSize, item.Key, size)
	}
	return checkKey(item.Key)
}

// sizeOf is an item's size as DynamoDB reckons it: names and values.
func sizeOf(item Item) int {
	size := len(attrPartition) + len(item.Partition) + len(attrSort) + len(item.Sort) + len(attrData) + len(item.Data)
	if item.Expires > 0 {
		size += len(attrExpires) + 1 + (len(strconv.FormatInt(item.Expires, 10))+1)/2
	}
	return size
}

// unitsOf is how many units so many bytes are: one at the least.
func unitsOf(size, unit int) float64 {
	return float64(max((size+unit-1)/unit, 1))
}

// A meter counts the units that a Store consumes.
type meter struct {
	mu          sync.Mutex
	read, write float64
}

// Units returns the read and write units consumed so far.
func (m *meter) Units() (read, write float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.read, m.write
}

func (m *meter) count(read, write float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.read += read
	m.write += write
}

// gone is whether an item is there no longer for a reader. DynamoDB removes what
// has expired within days, not at once.
func gone(expires, now int64) bool { return expires > 0 && expires <= now }
