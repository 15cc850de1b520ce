package items

import (
	"context"
	"slices"
	"time"

	"laurel/shared/core/board"
)

// An Import is one in progress. Its months are held in Life.
type Import struct {
	ID     string          `json:"id"`
	Name   string          `json:"name"` // of the input, for people
	Since  board.Moment    `json:"since"`
	Months []board.MonthOf `json:"months"`
}

// MarkImport adds months to an import in progress, which begins with the first mark: until it ends, nights close
// nothing of them. An importer marks months before it merges a row of theirs.
func (s *Store) MarkImport(ctx context.Context, id, name string, moment board.Moment, months ...board.MonthOf) error {
	if _, err := s.Head(ctx); err != nil { // it begins the table
		return err
	}
	_, err := s.ChangeHead(ctx, func(h *Head) error {
		i := slices.IndexFunc(h.Imports, func(i Import) bool { return i.ID == id })
		known := i >= 0
		if !known {
			i = len(h.Imports)
			h.Imports = append(h.Imports, Import{ID: id, Name: name, Since: moment})
		}
		mark := &h.Imports[i]
		all := slices.Concat(mark.Months, months)
		slices.Sort(all)
		all = slices.Compact(all)
		if known && len(all) == len(mark.Months) {
			return ErrUnchanged
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

// EndImport removes the mark of an import, whose rows the view may lack. The record has an import of awards as one act,
// with their number.
func (s *Store) EndImport(ctx context.Context, id string, awards int64) error {
	var recorded []Change
	if awards > 0 {
		recorded = append(recorded, s.Act(Act{Command: "import", Count: awards}))
	}
	_, err := s.ChangeHead(ctx, func(h *Head) error {
		i := slices.IndexFunc(h.Imports, func(i Import) bool { return i.ID == id })
		if i < 0 {
			return ErrUnchanged
		}
		for _, c := range recorded {
			c.Act.Reason = h.Imports[i].Name
		}
		h.Imports, h.Life = slices.Delete(slices.Clone(h.Imports), i, i+1), h.Life.Release(id)
		h.FallBehind("an import has ended", board.MomentOf(time.Now()))
		return nil
	}, recorded...)
	return err
}

// HistoryIsIn says in the head that no more history comes: periods from before the table may be closed.
func (s *Store) HistoryIsIn(ctx context.Context) error {
	_, err := s.ChangeHead(ctx, func(h *Head) error {
		if h.HistoryIn {
			return ErrUnchanged
		}
		h.HistoryIn = true
		return nil
	})
	return err
}

// historyWait is how long periods that ended before the table began wait for history.
const historyWait = 14 * 24 * time.Hour

// AwaitsHistory returns until when periods that ended before the table began wait for history; 0: no longer.
func (h *Head) AwaitsHistory(now board.Moment) board.Moment {
	if until := h.Begun.Add(historyWait); !h.HistoryIn && now < until {
		return until
	}
	return 0
}

// Untitled says in the head that on a day something was published that guests of the forum cannot read.
func (s *Store) Untitled(ctx context.Context, day board.Date) error {
	_, err := s.ChangeHead(ctx, func(h *Head) error {
		if h.Untitled >= day {
			return ErrUnchanged
		}
		h.Untitled = day
		return nil
	})
	return err
}
