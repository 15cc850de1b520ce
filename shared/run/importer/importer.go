package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
)

// An Importer loads inputs into a store. Its fields do not change once it is used. It is for one goroutine.
type Importer struct {
	Stores   Stores
	Rules    *activity.Rules
	Calendar *board.Calendar
	Now      board.Moment      // an activity more than 5 minutes later is too_early
	Columns  map[string]string // a field's name -> the input's
	Actions  map[string]string // the input's word -> the rules'
	Strict   bool              // stop at the first rejected line
	Last     bool              // no more history comes after it

	recorded atomic.Int64
	awards   map[string]int64 // that stand, by the id of their input
}

// Into returns an Importer into the stores of an App.
func Into(a *app.App) *Importer {
	return &Importer{Stores: Here(a), Rules: a.Rules, Calendar: a.Calendar, Now: board.MomentOf(a.Clock())}
}

// Check returns the faults of Columns and Actions.
func (im *Importer) Check() error {
	_, columns := historyForm().names(im.Columns)
	_, actions := im.decoder()
	return cmp.Or(columns, actions)
}

// Recorded returns how many activities have a receipt and profiles are written so far, over
// all imports. It may be called at any time.
func (im *Importer) Recorded() int64 { return im.recorded.Load() }

// Import loads one input, counts its lines, and writes rejected ones to a file. Its mark is removed when all
// of it is loaded. After an error too, recorded lines stay, the summary accounts for every line that was
// read, and the import can be run again.
func (im *Importer) Import(ctx context.Context, src *Source, summary *Summary, rejected *RejectedFile) error {
	err := im.importMarked(ctx, src, summary, rejected)
	if err != nil && !errors.Is(err, errNothing) {
		return err
	}
	return cmp.Or(im.end(ctx, src.id), err)
}

// importMarked loads one input, whose mark stays.
func (im *Importer) importMarked(ctx context.Context, src *Source, summary *Summary, rejected *RejectedFile) error {
	r := &run{Importer: im, src: src, rejected: rejected, summary: summary, refused: map[int]string{}}
	err := r.measured(func() error { return cmp.Or(r.history(ctx), r.nothing()) })
	if im.awards == nil {
		im.awards = map[string]int64{}
	}
	im.awards[src.id] = r.awards
	return err
}

// end removes the mark of an input that is loaded.
func (im *Importer) end(ctx context.Context, id string) error {
	return im.do(ctx, Part{End: id, Awards: im.awards[id]})
}

// do makes the stores do a part without an answer, again while they are unavailable.
func (im *Importer) do(ctx context.Context, part Part) error {
	return retry(ctx, func() error { _, err := im.Stores(ctx, part); return err })
}

// A run is the import of one input.
type run struct {
	*Importer
	src      *Source
	decoder  *decoder
	rejected *RejectedFile
	summary  *Summary
	begun    bool           // the import is marked
	from, to board.MonthOf  // the months that are
	refused  map[int]string // why articles were, by the line
	awards   int64          // that stand
	lines    int
}

// nothing returns an error if the input had no row.
func (r *run) nothing() error {
	if r.lines == 0 {
		return errNothing
	}
	return nil
}

func (r *run) history(ctx context.Context) (err error) {
	if r.decoder, err = r.Importer.decoder(); err != nil {
		return err
	}
	in, err := openRows(r.src, historyForm(), r.Columns)
	if err != nil {
		return err
	}
	if err := r.mark(ctx); err != nil { // before an article is created
		return err
	}
	if r.src.file != nil {
		if in, err = r.readAhead(ctx, in); err != nil {
			return err
		}
	}
	w, ctx := newWriting[activity.Activity](ctx, 1, activitiesAtOnce)
	w.write = func(batch []activity.Activity) error { return r.merge(ctx, batch) }
	return w.finish(r.each(ctx, in, func(row row) error { return r.row(ctx, row, w) }))
}

// measured imports the input, and completes the summary.
func (r *run) measured(load func() error) error {
	began := time.Now()
	err := load()
	s := r.summary
	s.Took += time.Since(began)
	s.Unanswered = s.Lines - s.Rejected - s.Recorded() - s.Profiles - s.Merged - sum(s.Skipped)
	if err != nil {
		return fmt.Errorf("%s: %w", r.src.Name, err)
	}
	return nil
}

// each reads all rows.
func (r *run) each(ctx context.Context, in *rows, do func(row) error) error {
	for row, err := range in.all() {
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return fmt.Errorf("truncated input: %w", err)
		}
		r.summary.Lines++
		r.lines++
		if err := do(row); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// row has a row recorded.
func (r *run) row(ctx context.Context, row row, w *writing[activity.Activity]) error {
	d := r.decoder.decode(row)
	r.summary.warn(d.flaws)
	if line := row.line.number; d.article != nil && d.violation == "" {
		if r.src.file == nil { // it was not read ahead
			if err := r.create(ctx, []int{line}, []article.Article{*d.article}); err != nil {
				return err
			}
		}
		d.violation = r.refused[line]
	}
	switch {
	case d.skipped != "":
		r.summary.Skipped[d.skipped]++
	case d.violation != "":
		return r.reject(row, d.violation)
	default:
		s, day := r.summary, r.Calendar.Date(d.activity.At)
		s.From, s.To = min(cmp.Or(s.From, day), day), max(s.To, day)
		if err := r.mark(ctx, r.months(d.activity)...); err != nil {
			return err
		}
		w.add(d.activity)
	}
	return nil
}

// quotedValue matches the parts of a reason that belong to one line.
var quotedValue = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// reject rejects a row, which ends a strict import.
func (r *run) reject(row row, violation string) error {
	r.summary.Rejected++
	reason, _, _ := strings.Cut(violation, "; ")
	r.summary.Reasons[quotedValue.ReplaceAllString(reason, `"..."`)]++
	if err := r.rejected.add(row.line.number, violation, row.line.text); err != nil {
		return err
	}
	if r.Strict {
		return fmt.Errorf("rejected line %d: %s", row.line.number, violation)
	}
	return nil
}

// mark marks months as being imported, and all from the first of them to the present: once a ledger of an early
// month is there, those after it are due, whose lines may come later. Without any, it marks that the import has begun.
func (r *run) mark(ctx context.Context, months ...board.MonthOf) error {
	from, to := r.from, r.to
	for _, m := range months {
		from, to = min(cmp.Or(from, m), m), max(to, m, r.Calendar.Date(r.Now).Month())
	}
	if r.begun && from == r.from && to == r.to {
		return nil
	}
	var all []board.MonthOf
	for m := from; m <= to && m != 0; m++ {
		all = append(all, m)
	}
	r.begun, r.from, r.to = true, from, to
	return r.do(ctx, Part{Mark: &items.Import{ID: r.src.id, Name: r.src.Name, Since: r.Now, Months: all}})
}

// months returns the months whose entries an activity changes.
func (r *run) months(a activity.Activity) []board.MonthOf {
	day := r.Calendar.Date(a.At)
	if rule := r.Rules.On(day).Find(a.Action); rule != nil && rule.Undo == a.Action {
		return []board.MonthOf{day.Month(), day.Month() - 1}
	}
	return []board.MonthOf{day.Month()}
}
