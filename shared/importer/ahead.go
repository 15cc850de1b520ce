package importer

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/records"
)

// mark marks months as being imported; without any, that the import has begun.
func (r *run) mark(ctx context.Context, src *Source, months ...board.MonthOf) error {
	months = slices.DeleteFunc(months, func(m board.MonthOf) bool { return r.marked[m] })
	if len(months) == 0 && len(r.marked) > 0 {
		return nil
	}
	for _, m := range months {
		r.marked[m] = true
	}
	_, err := r.Stores(ctx, Part{Mark: &records.Import{ID: src.id, Name: src.Name, Since: r.Now, Months: months}})
	return err
}

// months returns the months whose entries an activity changes.
func (r *run) months(a activity.Activity) []board.MonthOf {
	day := r.Calendar.Date(a.At)
	if rule := r.Rules.On(day).Find(a.Action); rule != nil && rule.Undo == a.Action {
		return []board.MonthOf{day.Month(), day.Month() - 1}
	}
	return []board.MonthOf{day.Month()}
}

// readAhead reads the input for its articles and months alone, creates the articles, marks
// the months, and returns the rows from the beginning. The second reading reports violations
// and errors of the input. A strict import ends the first reading at the first violation.
func (r *run) readAhead(ctx context.Context, src *Source, in rows) (rows, error) {
	c, months := r.creator, map[board.MonthOf]bool{}
	c.first, c.refused = true, map[int]string{}
	src.passes.Store(2)
	for ctx.Err() == nil {
		row, err := in.next()
		if err != nil {
			break
		}
		d := r.decoder.decode(row)
		if r.Strict && (d.violation != "" || len(c.refused) > 0) {
			break
		}
		if d.violation != "" || d.skipped != "" {
			continue
		}
		for _, m := range r.months(d.activity) {
			months[m] = true
		}
		if d.article != nil {
			if err := c.add(ctx, row.line.number, *d.article); err != nil {
				return nil, err
			}
		}
	}
	if err := c.flush(ctx); err != nil {
		return nil, err
	}
	if err := r.mark(ctx, src, slices.Collect(maps.Keys(months))...); err != nil {
		return nil, err
	}
	if err := src.rewind(); err != nil {
		return nil, fmt.Errorf("read it again: %w", err)
	}
	return openRows(src, historyForm(), r.Columns)
}
