package nightly

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// Live is what a run needs of Redis; a live.Store has it.
type Live interface {
	Periods(ctx context.Context) ([]redisstore.LivePeriod, error)
	Months(ctx context.Context) ([]board.MonthOf, error)
	Restoring(ctx context.Context, name string, p board.Period) (bool, error)
	ClosePeriod(ctx context.Context, name string, p board.Period) error
	CloseMonth(ctx context.Context, month board.MonthOf, boards ...string) error
	Total(ctx context.Context, name string, p board.Period) (int64, error)
	Entries(ctx context.Context, name string, p board.Period) iter.Seq2[board.Entry, error]
	RemoveBoard(ctx context.Context, name string, p board.Period) error
	RemovePages(ctx context.Context, month board.MonthOf) error
}

// Archive is what a run and a restore need of the archive; an archive.Archive
// has it.
type Archive interface {
	Manifest(ctx context.Context, name string, p board.Period) (archive.Manifest, error)
	Write(ctx context.Context, name string, p board.Period, source archive.Source, expires int64) (archive.Report, error)
	Entries(ctx context.Context, name string, p board.Period) iter.Seq2[board.Entry, error]
	Remove(ctx context.Context, name string, p board.Period) error
}

// Options say what a run works on, and by which clock and limits.
type Options struct {
	Live     Live
	Archive  Archive
	Rules    *activity.Rules
	Calendar *board.Calendar
	Now      board.Moment // the schedule's own time

	HotDays, HotMonths int // see board.Due

	// For how many days or months after its end a final period is kept; 0: for
	// ever. What is due later than that is removed without being archived.
	ArchiveDays, ArchiveMonths int

	Erasures Erasures // may be nil

	Articles      LiveArticles  // may be nil
	FinalArticles FinalArticles // may be nil
	KeepArticles  int64         // how many stay on each list; 0: 10,000

	Units    func() (read, write float64) // consumed so far, of the archive's store; may be nil
	Log      *slog.Logger                 // may be nil
	Progress func(Progress)               // may be nil
}

// Erasures are the users who are being erased; an erasure.Eraser has them. GoOn takes
// those that were cut off, or had to wait for a period to be final, to their end.
type Erasures interface {
	GoOn(ctx context.Context) (done, left int, err error)
}

// Progress says how far a board has been read.
type Progress struct {
	Board       string
	Period      board.Period
	Done, Total int64 // entries
}

// A Result says what a run did and what it left, for people and as the
// function's answer.
type Result struct {
	Today  board.Date `json:"today"`
	Moved  []Moved    `json:"moved"`
	Months []Emptied  `json:"months"`
	Left   []string   `json:"left"`   // the next run's: no time was left, or another board is in the way
	Failed []Failure  `json:"failed"` // the next run tries them again

	Erasures Erased   `json:"erasures,omitzero"`
	Articles Articles `json:"articles,omitzero"`
}

// Erased counts the erasures that a run met.
type Erased struct {
	Done int `json:"done"`
	Left int `json:"left"`
}

// Moved is a board that is no longer in Redis.
type Moved struct {
	Board      string       `json:"board"`
	Window     board.Window `json:"window"`
	Period     board.Period `json:"period"`
	Entries    int64        `json:"entries"`
	Pages      int64        `json:"pages"`
	Bytes      int64        `json:"bytes"` // written
	ReadUnits  float64      `json:"readUnits"`
	WriteUnits float64      `json:"writeUnits"`
	Seconds    float64      `json:"seconds"`
	WasFinal   bool         `json:"wasFinal"` // an earlier run had written it
	Expired    bool         `json:"expired"`  // not kept: its time in the archive is over
}

// Emptied is a month whose pages are no longer in Redis.
type Emptied struct {
	Month   string  `json:"month"`
	Seconds float64 `json:"seconds"`
}

// A Failure is a period, or a month's pages, that could not be moved, and why.
type Failure struct {
	Name  string `json:"name"`
	Error string `json:"error"`
}

// run is a run under way.
type run struct {
	Options
	clock  clock
	result Result
	errs   []error
}

// Run moves everything that is due. The result says what was done also when there
// is an error: that of all that failed, joined. Out of time is no error.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &run{Options: o, result: Result{Today: o.Calendar.Date(o.Now), Moved: []Moved{}, Months: []Emptied{}, Left: []string{}, Failed: []Failure{}}}
	working, cancel := r.clock.start(ctx)
	defer cancel()
	plan, err := Due(working, o)
	if err != nil {
		return r.result, err
	}
	for _, p := range plan.Periods {
		r.step(working, nameOf(p.Board, p.Period), p.Total, func() error { return r.period(working, p) })
	}
	for _, month := range plan.months {
		r.step(working, "pages "+month.String(), 0, func() error { return r.month(working, month) })
	}
	r.articles(working)
	if r.Erasures != nil {
		r.step(working, "erasures", 0, func() error { return r.erase(working) })
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		r.errs = append(r.errs, ctx.Err())
	}
	r.Log.InfoContext(ctx, "nightly run", "moved", len(r.result.Moved), "months", len(r.result.Months), "left", len(r.result.Left), "failed", len(r.result.Failed))
	return r.result, errors.Join(r.errs...)
}

// erase goes on with erasures, after the periods: some wait for one to be final.
func (r *run) erase(ctx context.Context) (err error) {
	r.result.Erasures.Done, r.result.Erasures.Left, err = r.Erasures.GoOn(ctx)
	return err
}

// step does one thing if there is time for it, and notes what came of it.
func (r *run) step(ctx context.Context, name string, entries int64, do func() error) {
	if ctx.Err() != nil || !r.clock.fits(entries) {
		r.result.Left = append(r.result.Left, name)
		r.clock.over = true // what comes later waits too: the order is meant
		return
	}
	began := time.Now()
	err := do()
	r.clock.took(entries, time.Since(began))
	switch {
	case err == nil:
	case ctx.Err() != nil, errors.Is(err, errWaits), errors.Is(err, errTime): // it was cut off, or waits for what was
		r.result.Left = append(r.result.Left, name)
	default:
		err = fmt.Errorf("nightly: %s: %w", name, err)
		r.Log.ErrorContext(ctx, "nightly step failed", "name", name, "error", err.Error())
		r.result.Failed = append(r.result.Failed, Failure{name, err.Error()})
		r.errs = append(r.errs, err)
	}
}

func nameOf(name string, p board.Period) string {
	return name + " " + p.Window().String() + " " + p.String()
}
