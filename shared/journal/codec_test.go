package journal_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laurel/shared/activity"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

var itemKey = table.Key{Partition: "JOURNAL#2026-11-20T00#07", Sort: "1795132800000aaaabbbbccccdddd"}

// Rows of all kinds read back in order, and equal rows are equal bytes.
func TestRowsReadBack(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 1))
	for n := range 200 {
		rows := make([]ledger.Row, n)
		for i := range rows {
			rows[i] = randomRow(rng, start)
		}
		data := journal.Encode(itemKey, rows)
		got, err := journal.Decode(table.Item{Key: itemKey, Data: data})
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			same(t, got[i:i+1], rows[i:i+1])
		}
		if again := journal.Encode(itemKey, got); !slices.Equal(data, again) || len(got) != n {
			t.Fatalf("%d rows read as %d, which are other bytes", n, len(got))
		}
	}
}

// A damaged item is an error that names it.
func TestDamageIsAnError(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 1))
	for _, n := range []int{1, 60} { // plain and compressed
		var rows []ledger.Row
		for range n {
			rows = append(rows, randomRow(rng, start))
		}
		data := journal.Encode(itemKey, rows)
		var damaged [][]byte
		for i := range data {
			flipped := slices.Clone(data)
			flipped[i] ^= 0x41
			damaged = append(damaged, flipped, data[:i])
		}
		for _, d := range append(damaged, nil, append(slices.Clone(data), 0)) {
			_, err := journal.Decode(table.Item{Key: itemKey, Data: d})
			if !errors.Is(err, journal.ErrDamaged) || !strings.Contains(err.Error(), itemKey.String()) {
				t.Fatalf("%d bytes of %d: %v", len(d), len(data), err)
			}
		}
		other := itemKey
		other.Sort = "1795132800001aaaabbbbccccdddd"
		if _, err := journal.Decode(table.Item{Key: other, Data: data}); !errors.Is(err, journal.ErrDamaged) {
			t.Errorf("under another key: %v", err)
		}
	}
}

// What decodes from any body encodes to rows that decode the same.
func FuzzDecode(f *testing.F) {
	rng := rand.New(rand.NewPCG(9, 1))
	for n := range 6 {
		var rows []ledger.Row
		for range n {
			rows = append(rows, randomRow(rng, start))
		}
		f.Add(journal.Body(rows))
	}
	f.Add(journal.Body([]ledger.Row{{Activity: activity.Activity{User: "ada", Action: "steps", Value: new(int64)}}}))
	f.Fuzz(func(t *testing.T, body []byte) {
		rows, err := journal.Decode(table.Item{Key: itemKey, Data: journal.Pack(itemKey, body)})
		if err != nil {
			return
		}
		again, err := journal.Decode(table.Item{Key: itemKey, Data: journal.Encode(itemKey, rows)})
		if err != nil {
			t.Fatal(err)
		}
		same(t, again, rows)
	})
}
