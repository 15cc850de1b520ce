package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/records"
)

// ErrRejected is wrapped by the error of a strict import that rejects a line.
var ErrRejected = errors.New("rejected line")

// An Importer loads inputs into a store. Its fields do not change once it is used. It
// is for one goroutine.
type Importer struct {
	Stores   Stores
	Rules    *activity.Rules
	Calendar *board.Calendar
	Now      board.Moment      // an activity more than 5 minutes later is too_early
	Columns  map[string]string // a field's name -> the input's
	Actions  map[string]string // the input's word -> the rules'
	Strict   bool              // stop at the first rejected line

	recorded atomic.Int64
}

// Check returns what is wrong with Columns and Actions.
func (im *Importer) Check() error {
	_, columns := historyForm().names(im.Columns)
	_, actions := im.decoder()
	return cmp.Or(columns, actions)
}

// Recorded returns how many activities have a receipt and profiles are written so far, over
// all imports. It may be called at any time.
func (im *Importer) Recorded() int64 { return im.recorded.Load() }

// Import loads one input and writes rejected lines to a file. Its mark is removed when all
// of it is loaded. After an error too, what
// was recorded stays, the summary accounts for every line that was read, and the
// import can be run again.
func (im *Importer) Import(ctx context.Context, src *Source, rejected *RejectedFile) (Summary, error) {
	began := time.Now()
	run := &run{Importer: im, rejected: rejected, summary: newSummary(), marked: map[board.MonthOf]bool{}}
	err := run.input(ctx, src)
	if err == nil {
		_, err = im.Stores(ctx, Part{End: src.id})
	}
	return run.ended(src, began, err)
}

// A run is the import of one input.
type run struct {
	*Importer
	decoder  *decoder
	creator  *creator
	rejected *RejectedFile
	summary  Summary
	marked   map[board.MonthOf]bool
}

func (r *run) input(ctx context.Context, src *Source) (err error) {
	if r.decoder, err = r.Importer.decoder(); err != nil {
		return err
	}
	in, err := openRows(src, historyForm(), r.Columns)
	if err != nil {
		return err
	}
	r.creator = &creator{stores: r.Stores, summary: &r.summary}
	if err := r.mark(ctx, src); err != nil { // before an article is created
		return err
	}
	if src.rewinds {
		if in, err = r.readAhead(ctx, src, in); err != nil {
			return err
		}
	}
	w, ctx := newWriting[activity.Activity](ctx, 1, activitiesAtOnce)
	w.write = func(batch []activity.Activity) error { return r.merge(ctx, batch) }
	err = w.finish(r.each(ctx, in, func(row row) error { return r.row(ctx, src, row, w) }))
	r.summary.Unanswered -= r.summary.Recorded() // of those that were to be recorded
	return err
}

// ended returns the summary of an input, and what has ended it.
func (r *run) ended(src *Source, began time.Time, err error) (Summary, error) {
	r.summary.Took = time.Since(began)
	if err != nil {
		err = fmt.Errorf("%s: %w", src.Name, err)
	}
	return r.summary, err
}

// each reads all rows.
func (r *run) each(ctx context.Context, in rows, do func(row) error) error {
	for ctx.Err() == nil {
		row, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("truncated input: %w", err)
		}
		r.summary.Lines++
		if err := do(row); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// row has a row recorded. Unanswered counts those that are given to be.
func (r *run) row(ctx context.Context, src *Source, row row, w *writing[activity.Activity]) (err error) {
	d := r.decoder.decode(row)
	if d.article != nil && d.violation == "" {
		if d.violation, err = r.creator.outcome(ctx, row.line.number, *d.article); err != nil {
			r.summary.Unanswered++
			return err
		}
	}
	switch {
	case d.skipped != "":
		r.summary.Skipped[d.skipped]++
	case d.violation != "":
		return r.reject(row, d.violation)
	default:
		r.summary.Unanswered++
		day := r.Calendar.Date(d.activity.At)
		r.summary.extend(day, day)
		if err := r.mark(ctx, src, r.months(d.activity)...); err != nil {
			return err
		}
		w.add(d.activity)
	}
	return nil
}

// reject rejects a row, which ends a strict import.
func (r *run) reject(row row, violation string) error {
	r.summary.Rejected++
	r.summary.reject(violation)
	if err := r.rejected.Add(row.line.number, violation, row.line.text); err != nil {
		return err
	}
	if r.Strict {
		return fmt.Errorf("%w %d: %s", ErrRejected, row.line.number, violation)
	}
	return nil
}

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
