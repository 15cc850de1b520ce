package journal

import (
	"slices"

	"laurel/shared/ledger"
)

const (
	maxPart   = 300 << 10 // bytes of the rows in one item, before compression
	maxListed = 2_000     // ids of a follow list in one row
	rowSpace  = 32        // bytes that a row takes at most, without its texts
)

// divide divides rows among items: at most so many rows each, and no more than an item can
// hold. A long follow list becomes several rows; merging them is the same.
func divide(rows []ledger.Row, most int) (parts [][]ledger.Row) {
	if slices.ContainsFunc(rows, isLong) {
		rows = slices.Concat(chunks(rows)...)
	}
	size, from := 0, 0
	for i := range rows {
		length := space(&rows[i])
		if i > from && (i-from >= most || size+length > maxPart) {
			parts = append(parts, rows[from:i])
			size, from = 0, i
		}
		size += length
	}
	if from < len(rows) {
		parts = append(parts, rows[from:])
	}
	return parts
}

func isLong(row ledger.Row) bool { return len(row.Listed)+len(row.Unlisted) > maxListed }

// chunks returns the rows, each in its chunks.
func chunks(rows []ledger.Row) (all [][]ledger.Row) {
	for _, row := range rows {
		if !isLong(row) {
			all = append(all, []ledger.Row{row})
			continue
		}
		for listed := range slices.Chunk(row.Listed, maxListed) {
			part := row
			part.Listed, part.Unlisted = listed, nil
			all = append(all, []ledger.Row{part})
		}
		for unlisted := range slices.Chunk(row.Unlisted, maxListed) {
			part := row
			part.Listed, part.Unlisted = nil, unlisted
			all = append(all, []ledger.Row{part})
		}
	}
	return all
}

// space returns how many bytes a row takes at most.
func space(row *ledger.Row) int {
	n := rowSpace + len(row.User) + len(row.Action) + len(row.Target) + len(row.Ref) + len(row.Key) + 8*len(row.Unlisted)
	for _, id := range row.Listed {
		n += len(id) + 3
	}
	return n
}
