package record

import (
	"context"
	"slices"

	"laurel/shared/board"
	"laurel/shared/records"
)

// MarkImport adds months to an import in progress, which begins with the first mark: until it
// ends, nights close nothing of them. Whoever imports marks months before merging a row of
// theirs.
func (r *Recorder) MarkImport(ctx context.Context, id, name string, at board.Moment, months ...board.MonthOf) error {
	if _, err := r.records.Head(ctx); err != nil { // it begins the table
		return err
	}
	_, err := r.records.ChangeHead(ctx, func(h *records.Head) error {
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
	_, err := r.records.ChangeHead(ctx, func(h *records.Head) error {
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

// Imports returns the imports in progress.
func (r *Recorder) Imports(ctx context.Context) ([]records.Import, error) {
	head, err := r.records.Peek(ctx)
	if err != nil || head == nil {
		return nil, err
	}
	return head.Imports, nil
}
