package record

import (
	"bytes"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/records"
)

const (
	mergeRows  = 2_000 // activities that are read, decided and written together, but for a user of more
	mergeSteps = 4     // side by side
)

// Merge records history: activities without violations, of any age and in any order. It takes as many as the caller has
// memory for, and writes each ledger once for all that its user did in the month, but after conflicts. It shows
// nothing: who merges compares the view at the end. It returns results in the order of the activities.
func (r *Recorder) Merge(ctx context.Context, acts []activity.Activity, now board.Moment) []Result {
	results := make([]Result, len(acts))
	head, err := r.Records.Head(ctx)
	if err != nil {
		for i := range results {
			results[i].Err = err
		}
		return results
	}
	users := tasksOf(acts, results, head)
	slices.SortFunc(users, func(a, b *task) int { return bytes.Compare(a.key[:], b.key[:]) })
	var steps errgroup.Group
	steps.SetLimit(mergeSteps)
	for len(users) > 0 {
		n, rows := 0, 0
		for ; n < len(users) && (n == 0 || rows+len(users[n].acts) <= mergeRows); n++ {
			rows += len(users[n].acts)
		}
		some := users[:n:n]
		users = users[n:]
		steps.Go(func() error {
			b := &batch{Recorder: r, arrival: Arrival{Now: now, AnyAge: true}, head: head, quiet: true}
			if err := b.record(ctx, some); err != nil {
				failAll(some, err)
			}
			return nil
		})
	}
	_ = steps.Wait() // each result has its error
	return results
}

// MarkImport adds months to an import in progress, which begins with the first mark: until it ends, nights close
// nothing of them. Whoever imports marks months before merging a row of theirs.
func (r *Recorder) MarkImport(ctx context.Context, id, name string, at board.Moment, months ...board.MonthOf) error {
	if _, err := r.Records.Head(ctx); err != nil { // it begins the table
		return err
	}
	_, err := r.Records.ChangeHead(ctx, func(h *records.Head) error {
		i := slices.IndexFunc(h.Imports, func(i records.Import) bool { return i.ID == id })
		known := i >= 0
		if !known {
			i = len(h.Imports)
			h.Imports = append(h.Imports, records.Import{ID: id, Name: name, Since: at})
		}
		mark := &h.Imports[i]
		all := slices.Concat(mark.Months, months)
		slices.Sort(all)
		all = slices.Compact(all)
		if known && len(all) == len(mark.Months) {
			return records.ErrUnchanged
		}
		mark.Months = all
		h.Life = h.Life.Hold(id, months...)
		if len(all) > 0 && (h.From == 0 || all[0] < h.From) {
			h.From = all[0]
		}
		return nil
	})
	return err
}

// EndImport removes the mark of an import, whose rows the view may lack.
func (r *Recorder) EndImport(ctx context.Context, id string) error {
	_, err := r.Records.ChangeHead(ctx, func(h *records.Head) error {
		left := slices.DeleteFunc(slices.Clone(h.Imports), func(i records.Import) bool { return i.ID == id })
		if len(left) == len(h.Imports) {
			return records.ErrUnchanged
		}
		h.Imports, h.Life = left, h.Life.Release(id)
		h.Behind = behind(h, "an import has ended")
		return nil
	})
	return err
}

// Untitled says in the head that something that guests of the forum cannot read was published on a day.
func (r *Recorder) Untitled(ctx context.Context, day board.Date) error {
	_, err := r.Records.ChangeHead(ctx, func(h *records.Head) error {
		if h.Untitled >= day {
			return records.ErrUnchanged
		}
		h.Untitled = day
		return nil
	})
	return err
}

// HistoryIsIn says in the head that no more history comes: periods from before the table may be closed.
func (r *Recorder) HistoryIsIn(ctx context.Context) error {
	_, err := r.Records.ChangeHead(ctx, func(h *records.Head) error {
		if h.HistoryIn {
			return records.ErrUnchanged
		}
		h.HistoryIn = true
		return nil
	})
	return err
}
