package journal

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

const (
	// partitions is the number of partitions of an hour: DynamoDB limits one to 1,000
	// write units a second.
	partitions = 16
	// lifetime is the time from an entry's arrival to its expiry.
	lifetime = 35 * 24 * time.Hour
)

// A Journal is the journal of one forum. It is safe for concurrent use.
type Journal struct {
	table table.Store
}

// New returns the journal in a table.
func New(t table.Store) *Journal { return &Journal{table: t} }

// An Entry is where the rows of one request or message are stored. It is for one
// goroutine.
type Entry struct {
	table   table.Store
	key     table.Key
	arrival board.Moment
	expires int64
	items   int // that were put, or may have been
}

// NewEntry returns a new entry for what arrived at a moment.
func (j *Journal) NewEntry(arrival board.Moment) *Entry {
	return &Entry{
		table: j.table, key: entryKey(arrival), arrival: arrival, expires: arrival.Time().Add(lifetime).Unix(),
	}
}

func entryKey(arrival board.Moment) table.Key {
	partition, sort := randomKey(arrival)
	return table.Key{Partition: hourPartition(hourOf(arrival), partition), Sort: sort}
}

// Put stores rows in place of those that the entry had. It can be repeated; without rows
// it empties the entry, and does nothing if nothing was put. After an error each row that
// is among the former and the new ones is stored.
func (e *Entry) Put(ctx context.Context, rows ...ledger.Row) error {
	parts, former := divide(rows, math.MaxInt), *e
	if e.items == 0 || max(len(parts), e.items) == 1 {
		return e.put(ctx, parts)
	}
	// A row may be in another item now: it must not be in none when one cannot be put.
	e.key, e.items = entryKey(e.arrival), 0
	if err := e.put(ctx, parts); err != nil {
		return err
	}
	return former.put(ctx, nil)
}

// put stores parts in the items of the entry, and empties the others.
func (e *Entry) put(ctx context.Context, parts [][]ledger.Row) error {
	for n := range max(len(parts), e.items) {
		item := table.Item{Key: e.key, Expires: e.expires}
		if n > 0 {
			item.Sort += "#" + strconv.Itoa(n)
		}
		var part []ledger.Row
		if n < len(parts) {
			part = parts[n]
		}
		item.Data = encode(item.Key, part)
		e.items = max(e.items, n+1)
		if err := e.table.Set(ctx, item); err != nil {
			return fmt.Errorf("journal: put: %w", err)
		}
	}
	return nil
}

// randomKey returns a partition and a sort key that nobody else has.
func randomKey(arrival board.Moment) (partition int, sort string) {
	var random [9]byte
	_, _ = rand.Read(random[:]) // never fails
	return int(random[8] % partitions), sortKey(arrival) + hex.EncodeToString(random[:8])
}

// arrivalLen is the length of an arrival in a sort key.
const arrivalLen = 13

// sortKey returns the start of the sort keys of an arrival, which sort by it.
func sortKey(arrival board.Moment) string { return fmt.Sprintf("%0*d", arrivalLen, int64(arrival)) }

// arrivalOf returns the arrival in a sort key.
func arrivalOf(key table.Key) (board.Moment, error) {
	digits := key.Sort[:min(arrivalLen, len(key.Sort))]
	arrival, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !board.Moment(arrival).Valid() {
		return 0, damaged(key, "no arrival in the sort key")
	}
	return board.Moment(arrival), nil
}

// hourOf returns the UTC hour of a moment, in hours since the Unix epoch.
func hourOf(m board.Moment) int64 { return int64(m) / time.Hour.Milliseconds() }

func hourPartition(hour int64, partition int) string {
	name := time.Unix(hour*3600, 0).UTC().AppendFormat([]byte(table.SetPrefix), "2006-01-02T15")
	return string(append(name, '#', byte('0'+partition/10), byte('0'+partition%10)))
}
