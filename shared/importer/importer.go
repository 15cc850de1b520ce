package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// ErrFaulty is wrapped by the error of a strict import that has met a faulty
// line.
var ErrFaulty = errors.New("faulty line")

// An Importer loads inputs into a store. Its fields are not to be changed once it
// is used; it is for one goroutine.
type Importer struct {
	Store    Store
	Articles Articles // creates the articles of lines with a title; nil leaves them out
	Final    Final    // what has left for the archive is not created again; nil when there is none
	Rules    *activity.Rules
	Calendar *board.Calendar
	Now      board.Moment      // what is over 5 minutes after it is too_early
	Columns  map[string]string // a field's name -> the input's
	Actions  map[string]string // the input's word -> the rules'
	Strict   bool              // stop at the first faulty line

	recorder atomic.Pointer[recorder]
	before   atomic.Int64 // recorded by earlier imports
}

// Check says what is wrong with Columns and Actions.
func (im *Importer) Check() error {
	_, err := names(im.Columns)
	if err != nil {
		return err
	}
	_, err = newJudge(im.Rules, im.Calendar, im.Now, im.Actions)
	return err
}

// Recorded returns how many activities have a receipt so far, over all imports.
// It may be called at any time.
func (im *Importer) Recorded() int64 {
	n := im.before.Load()
	if r := im.recorder.Load(); r != nil {
		n += r.recorded.Load()
	}
	return n
}

// Import loads one input. Faulty lines go to faults. Whatever the error, what was
// recorded stays, the summary accounts for every line that was read, and the
// import can be run again.
func (im *Importer) Import(ctx context.Context, src *Source, faults *FaultFile) (Summary, error) {
	began := time.Now()
	summary := newSummary()
	judge, err := newJudge(im.Rules, im.Calendar, im.Now, im.Actions)
	if err != nil {
		return summary, err
	}
	in, err := openRows(src, im.Columns)
	if err != nil {
		return summary, fmt.Errorf("%s: %w", src.Name, err)
	}
	creator := &creator{store: im.Articles, final: im.Final, summary: &summary}
	if im.Articles != nil && src.rewinds && in.titled() {
		if in, err = im.createFirst(ctx, src, in, judge, creator); err != nil {
			summary.Took = time.Since(began)
			return summary, fmt.Errorf("%s: %w", src.Name, err)
		}
	}
	rec := startRecorder(ctx, im.Store, ledger.Arrival{Now: im.Now, AnyAge: true})
	im.recorder.Store(rec)
	err = im.read(ctx, in, judge, creator, rec, faults, &summary)
	ended := rec.finish()
	if err == nil || context.Cause(ctx) != nil {
		err = ended // what stopped the reading is known there too
	}
	im.recorder.Store(nil)
	im.before.Add(rec.recorded.Load())

	summary.Receipts = rec.receipts
	summary.Unanswered -= summary.Recorded() // of those that were to be recorded
	summary.Took = time.Since(began)
	if err != nil {
		err = fmt.Errorf("%s: %w", src.Name, err)
	}
	return summary, err
}

// read reads all rows. Unanswered counts those that are given to the recorder.
func (im *Importer) read(ctx context.Context, in rows, judge *judge, creator *creator, rec *recorder, faults *FaultFile, summary *Summary) error {
	for ctx.Err() == nil {
		r, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the input breaks off: %w", err)
		}
		summary.Lines++
		v := judge.decide(r)
		if v.article != nil && v.fault == "" {
			if v.fault, err = creator.outcome(ctx, r.line.number, *v.article); err != nil {
				summary.Unanswered++
				return err
			}
		}
		switch {
		case v.skipped != "":
			summary.Skipped[v.skipped]++
		case v.fault != "":
			summary.Faulty++
			if err := faults.Add(r.line.number, v.fault, r.line.text); err != nil {
				return err
			}
			if im.Strict {
				return fmt.Errorf("%w %d: %s", ErrFaulty, r.line.number, v.fault)
			}
		default:
			summary.Unanswered++
			day := im.Calendar.Date(v.activity.At)
			summary.extend(day, day)
			if err := rec.add(v.activity); err != nil {
				return err
			}
		}
	}
	return context.Cause(ctx)
}
