package nightly

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"time"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/metrics"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// Live is what a run needs of Redis.
type Live interface {
	Periods(ctx context.Context) ([]redisstore.LivePeriod, error)
	Months(ctx context.Context) ([]board.MonthOf, error)
	ClosedSets(ctx context.Context) ([]*redisstore.ClosedSet, error)
	ClosePeriod(ctx context.Context, name string, p board.Period) error
	CloseMonth(ctx context.Context, month board.MonthOf, boards ...string) error
	Total(ctx context.Context, name string, p board.Period) (int64, error)
	Entries(ctx context.Context, name string, p board.Period) iter.Seq2[board.Entry, error]
	RemoveBoard(ctx context.Context, name string, p board.Period) error
	RemovePages(ctx context.Context, month board.MonthOf) error
	RemoveDayPages(ctx context.Context, day board.Date, boards ...string) error
	Totals(ctx context.Context, month board.MonthOf) iter.Seq2[[]pages.Total, error]
	PutRun(ctx context.Context, mark string) error
	HasRun(ctx context.Context, mark string) (bool, error)
	DropRun(ctx context.Context) error
}

// Archive is what a run needs of the archive; archive.Archive is one.
type Archive interface {
	Manifest(ctx context.Context, name string, p board.Period) (archive.Manifest, error)
	Write(ctx context.Context, name string, p board.Period, source archive.Source, expires int64) (archive.Report, error)
	Entries(ctx context.Context, name string, p board.Period) iter.Seq2[board.Entry, error]
}

// Options are the stores, the clock and the limits of a run.
type Options struct {
	Live     Live
	Archive  Archive
	Rules    *activity.Rules
	Calendar *board.Calendar
	Now      board.Moment // what is due, is due at this moment

	HotDays, HotMonths int // see board.Due

	// The numbers of days or months after its end for which a final period is kept; 0:
	// for ever. A period that is due after that is removed without being archived.
	ArchiveDays, ArchiveMonths int

	// Open opens again what a run has closed and not moved; nil: nothing is to be done.
	Open func(ctx context.Context) error

	// Mend makes Redis have what the table is the first to have, and says whether that was
	// missing. Nothing is closed until it has succeeded; nil: nothing is to be done.
	Mend func(ctx context.Context) (mended bool, err error)

	// Lost says whether Redis lacks something of users that the table is the first to have; nil:
	// nothing is to be done.
	Lost func(ctx context.Context) (bool, error)

	// What was accepted, which is proved before anything is closed. Without a Journal the
	// others are not needed.
	Journal       Journal
	Merger        Merger
	State         State
	JournalMonths int // for how many whole months seals are kept; 0: 13

	Erasures Erasures // may be nil

	// Refill puts what the journal has of a closed period that was reopened into Redis again,
	// before the archive's copy is replaced; may be nil.
	Refill func(ctx context.Context, name string, p board.Period) error

	Totals Totals // may be nil

	Voids Voids // may be nil

	Imports Imports // may be nil

	Articles      LiveArticles  // may be nil
	FinalArticles FinalArticles // may be nil
	KeepArticles  int64         // the number that stays on each list; 0: 10,000

	Units    func() (read, write float64) // consumed so far by the archive's store; may be nil
	Log      *slog.Logger                 // may be nil
	Metrics  *metrics.Meter               // may be nil
	Progress func(Progress)               // may be nil
}

// Erasures are the erasures that are not done; erasure.Eraser has them. GoOn continues
// those that were interrupted or waited for a period to be final.
type Erasures interface {
	GoOn(ctx context.Context) (archive.Erasures, error)
}

// Voids are the targets on which nothing counts until a moment; pages.Store has them.
type Voids interface {
	Voids(ctx context.Context) ([]pages.Void, error)
	PutVoids(ctx context.Context) error
	VoidPass(ctx context.Context) (pages.PassStep, error)
	DropVoids(ctx context.Context, before board.MonthOf) error
}

// Progress tells how many entries of a board have been read.
type Progress struct {
	Board       string
	Period      board.Period
	Done, Total int64 // entries
}

// A Result lists what a run did and what it left; it is the function's answer.
type Result struct {
	Today  board.Date `json:"today"`
	Moved  []Moved    `json:"moved"`
	Months []Emptied  `json:"months"`
	Left   []string   `json:"left"`            // for the next run: no time was left, or another board comes first
	Failed []Failure  `json:"failed"`          // the next run repeats them
	Short  bool       `json:"short,omitempty"` // the time was over: another run now would do more

	Proof        Proof `json:"proof,omitzero"`
	Sealed       int   `json:"sealed,omitempty"`       // days of the journal
	SealsExpired int   `json:"sealsExpired,omitempty"` // days
	UnsealedDays int   `json:"unsealedDays,omitempty"` // days that are still not sealed

	Imports []state.Import `json:"imports,omitempty"` // in progress: nothing of their months is closed

	Erasures archive.Erasures `json:"erasures,omitzero"`
	Articles Articles         `json:"articles,omitzero"`
}

// Add adds what the next run did, to which this one had left something.
func (r *Result) Add(next Result) {
	next.Moved, next.Months = slices.Insert(next.Moved, 0, r.Moved...), slices.Insert(next.Months, 0, r.Months...)
	next.Proof.Mended += r.Proof.Mended
	next.Sealed += r.Sealed
	next.SealsExpired += r.SealsExpired
	next.Erasures.Done += r.Erasures.Done
	next.Articles.add(r.Articles)
	*r = next
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
	WasFinal   bool         `json:"wasFinal"` // an earlier run wrote it
	Expired    bool         `json:"expired"`  // removed without being archived
}

// Emptied is a month whose pages are no longer in Redis.
type Emptied struct {
	Month   string  `json:"month"`
	Seconds float64 `json:"seconds"`
}

// A Failure is the error of a period or of a month's pages.
type Failure struct {
	Name  string `json:"name"`
	Error string `json:"error"`
}

// run is the state of a run.
type run struct {
	Options
	clock    clock
	began    time.Time
	first    board.Date // that this run has proved
	mark     string     // in Redis since all that was there that is to become final
	result   Result
	errs     []error
	unproved bool // rows of the journal that Redis may lack: nothing is closed
}

// Run moves everything that is due. The error joins those of all steps; the result is
// valid with it. Running out of time is no error.
func Run(ctx context.Context, o Options) (_ Result, err error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, work := o.Metrics.Begin(redisstore.WhenFull(ctx), "nightly")
	defer func() { work.End(err != nil) }()
	r := &run{Options: o, began: time.Now(), result: Result{
		Today: o.Calendar.Date(o.Now), Moved: []Moved{}, Months: []Emptied{},
		Left: []string{}, Failed: []Failure{},
	}}
	working, cancel := r.clock.start(ctx)
	defer cancel()
	r.prepare(working)
	if o.Journal != nil {
		work.Count("JournalMended", int(r.result.Proof.Mended))
		work.Count("UnsealedDays", r.result.UnsealedDays)
	}
	plan, err := Due(working, o)
	if err != nil {
		return r.result, errors.Join(append(r.errs, err)...)
	}
	work.Count("ImportDays", r.imported(ctx, plan.Imports))
	for _, p := range plan.Periods {
		r.closing(working, nameOf(p.Board, p.Period), p.Total, func() error { return r.period(working, p) })
	}
	for _, month := range plan.months {
		r.closing(working, "pages "+month.String(), 0, func() error { return r.month(working, month) })
	}
	if r.mark != "" {
		r.step(working, "mark of the run", 0, func() error { return r.Live.DropRun(working) })
	}
	if r.Voids != nil {
		r.step(working, "voids to drop", 0, func() error { return r.dropVoids(working) })
	}
	r.articles(working)
	if r.Erasures != nil {
		r.step(working, "erasures", 0, func() error { return r.erase(working) })
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		r.errs = append(r.errs, ctx.Err())
	}
	r.result.Short = !r.clock.fits(0)
	r.Log.InfoContext(ctx, "nightly run", "moved", len(r.result.Moved), "months", len(r.result.Months), "left",
		len(r.result.Left), "failed", len(r.result.Failed))
	return r.result, errors.Join(r.errs...)
}

// voidAgain has the void targets carried out again: what the proof has mended, or the mending
// of lost writes, was not there when they were, nor what is refilled of periods that were
// reopened. A pass that has begun is ended. It says whether entries were undone.
func (r *run) voidAgain(ctx context.Context) (undone bool, err error) {
	voids, err := r.Voids.Voids(ctx)
	if err != nil || len(voids) == 0 {
		return false, err
	}
	refilled, err := r.refillReopened(ctx)
	if err != nil {
		return false, err
	}
	if refilled || r.result.Proof.Mended > 0 {
		err = r.Voids.PutVoids(ctx)
	} else if !slices.ContainsFunc(voids, func(v pages.Void) bool { return v.Done < v.Begun }) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	pass, err := r.Voids.VoidPass(ctx)
	return pass.Undone > 0, err
}

// refillReopened puts what the journal has of periods that were reopened into Redis again, while
// they are open: of a day that is closed no entry is void. It says whether there are any.
func (r *run) refillReopened(ctx context.Context) (refilled bool, err error) {
	set, err := r.closedSet(ctx)
	if err != nil || r.Refill == nil {
		return false, err
	}
	for _, at := range set.AllReopened() {
		if at.Board == "" || set.Periods.Has(at.Board, at.Period) {
			continue
		}
		err := r.Refill(ctx, at.Board, at.Period)
		if err != nil && !errors.Is(err, redisstore.ErrNotReopening) {
			return refilled, err
		}
		refilled = true
	}
	return refilled, nil
}

// dropVoids drops the voids that end before the first month that is live.
func (r *run) dropVoids(ctx context.Context) error {
	months, err := r.Live.Months(ctx)
	if err != nil {
		return err
	}
	for _, mark := range r.result.Imports {
		months = append(months, mark.Months...)
	}
	return r.Voids.DropVoids(ctx, slices.Min(append(months, r.result.Today.Month())))
}

// erase continues erasures, after the periods: some wait for one to be final.
func (r *run) erase(ctx context.Context) (err error) {
	r.result.Erasures, err = r.Erasures.GoOn(ctx)
	if done := r.result.Erasures; done.Left > 0 {
		r.Log.WarnContext(metrics.Counted(ctx), "erasures in progress", "erasures", done.Left,
			"days", r.daysSince(done.Since))
	}
	return err
}

// closing is step for one that closes something.
func (r *run) closing(ctx context.Context, name string, entries int64, do func() error) {
	if r.unproved {
		r.result.Left = append(r.result.Left, name)
		return
	}
	r.step(ctx, name, entries, do)
}

// step runs do if there is time for it, and adds the outcome to the result. It says whether
// do has succeeded.
func (r *run) step(ctx context.Context, name string, entries int64, do func() error) bool {
	if ctx.Err() != nil || !r.clock.fits(entries) {
		r.result.Left = append(r.result.Left, name)
		r.clock.over = true // later steps wait too, to keep the order
		return false
	}
	began := time.Now()
	err := do()
	r.clock.took(entries, time.Since(began))
	switch {
	case err == nil:
		return true
	case ctx.Err() != nil, errors.Is(err, errWaits), errors.Is(err, errTime),
		errors.Is(err, errImported), errors.Is(err, errLost): // cancelled, or waits for a cancelled step
		r.result.Left = append(r.result.Left, name)
	default:
		err = fmt.Errorf("nightly: %s: %w", name, err)
		r.Log.ErrorContext(ctx, "nightly step failed", "name", name, "error", err.Error())
		r.result.Failed = append(r.result.Failed, Failure{name, err.Error()})
		r.errs = append(r.errs, err)
	}
	return false
}

func nameOf(name string, p board.Period) string {
	return name + " " + p.Window().String() + " " + p.String()
}
