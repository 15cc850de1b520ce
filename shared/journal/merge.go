package journal

import (
	"container/heap"
	"context"
	"fmt"
	"slices"

	"laurel/shared/ledger"
	"laurel/shared/table"
)

// ByUser calls take with the rows of each user on sealed days: users in the order of
// their ids, each once with all rows. It ends at the first error. It holds a segment of
// each run in memory.
func (j *Journal) ByUser(
	ctx context.Context, days []Sealed, take func(user string, rows []ledger.Row) error,
) error {
	var runs cursors
	for _, day := range days {
		for _, r := range day.runs {
			c := &cursor{journal: j, sealed: day, run: r}
			if more, err := c.fill(ctx); err != nil {
				return err
			} else if more {
				runs = append(runs, c)
			}
		}
	}
	heap.Init(&runs)
	for len(runs) > 0 {
		user := runs[0].rows[0].User
		var rows []ledger.Row
		for len(runs) > 0 && runs[0].rows[0].User == user {
			more, err := runs[0].move(ctx, user, &rows)
			if err != nil {
				return err
			}
			if more {
				heap.Fix(&runs, 0)
			} else {
				heap.Pop(&runs)
			}
		}
		if err := take(user, rows); err != nil {
			return err
		}
	}
	return nil
}

// A cursor reads the rows of a run, one segment at a time.
type cursor struct {
	journal *Journal
	sealed  Sealed
	run     run
	next    int64 // segment
	rows    []ledger.Row
}

// move moves the rows of a user to rows, and reports whether the run has more.
func (c *cursor) move(ctx context.Context, user string, rows *[]ledger.Row) (more bool, err error) {
	for {
		end := slices.IndexFunc(c.rows, func(row ledger.Row) bool { return row.User != user })
		if end >= 0 {
			*rows = append(*rows, c.rows[:end]...)
			c.rows = c.rows[end:]
			return true, nil
		}
		*rows = append(*rows, c.rows...)
		c.rows = nil
		if more, err := c.fill(ctx); !more || err != nil {
			return false, err
		}
	}
}

// fill reads the next segment if there are no rows left, and the one after it if all of its
// users were erased.
func (c *cursor) fill(ctx context.Context) (more bool, err error) {
	for len(c.rows) == 0 && c.next < c.run.segments {
		if _, c.rows, err = c.journal.segment(ctx, c.sealed, c.run, c.next); err != nil {
			return false, err
		}
		c.next++
	}
	return len(c.rows) > 0, nil
}

// segment reads a segment of a run.
func (j *Journal) segment(ctx context.Context, day Sealed, r run, n int64) (table.Item, []ledger.Row, error) {
	key := day.segmentKey(r, n)
	items, err := j.table.Get(ctx, key)
	if err != nil {
		return table.Item{}, nil, fmt.Errorf("journal: read %s: %w", key, err)
	}
	if len(items) == 0 {
		return table.Item{}, nil, damaged(key, "missing")
	}
	rows, err := decode(items[0])
	return items[0], rows, err
}

// cursors is a heap of runs by their next user.
type cursors []*cursor

// Len implements heap.Interface.
func (c *cursors) Len() int { return len(*c) }

// Less implements heap.Interface.
func (c *cursors) Less(a, b int) bool { return (*c)[a].rows[0].User < (*c)[b].rows[0].User }

// Swap implements heap.Interface.
func (c *cursors) Swap(a, b int) { (*c)[a], (*c)[b] = (*c)[b], (*c)[a] }

// Push implements heap.Interface.
func (c *cursors) Push(x any) { *c = append(*c, x.(*cursor)) }

// Pop implements heap.Interface.
func (c *cursors) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
