package archive

import (
	"fmt"
	"strconv"

	"laurel/shared/board"
	"laurel/shared/table"
)

// The types of the table.
type (
	// A Key names an item.
	Key = table.Key
	// An Item is a value in a Store.
	Item = table.Item
	// A Store stores items.
	Store = table.Store
)

// The errors of a Store, as in package table.
var (
	ErrExists      = table.ErrExists
	ErrUnavailable = table.ErrUnavailable
)

const (
	prefixPage  = "page#"
	prefixIndex = "index#"
)

// manifests returns the partition of the manifests of a board's window, which lists its
// periods without a scan: the names of periods sort by time.
func manifests(name string, w board.Window) string { return name + "#" + w.String() }

func manifestKey(name string, p board.Period) Key {
	return Key{Partition: manifests(name, p.Window()), Sort: p.String()}
}

// partition returns the partition of the items of a copy of a board: 0 is the first, the
// next ones are of a period that was reopened.
func partition(name string, p board.Period, copied int64) string {
	part := manifests(name, p.Window()) + "#" + p.String()
	if copied > 0 {
		part += "#" + strconv.FormatInt(copied, 10)
	}
	return part
}

func pageKey(name string, p board.Period, copied, page int64) Key {
	return Key{Partition: partition(name, p, copied), Sort: fmt.Sprintf("%s%06d", prefixPage, page)}
}

func indexKey(name string, p board.Period, copied int64, from uint64) Key {
	return Key{Partition: partition(name, p, copied), Sort: fmt.Sprintf("%s%010x", prefixIndex, from)}
}
