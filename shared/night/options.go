package night

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"laurel/shared/board"
	"laurel/shared/final"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/view"
)

// A View is what a tick needs of the view; view.Store is one.
type View interface {
	Markers(ctx context.Context) ([]view.Marker, error)
	Is(m view.Marker, table string) bool
	Sweep(ctx context.Context, life *board.Life, beat int64) error
	ReadAll(ctx context.Context, views []board.View) ([]view.Page, error)
}

// Options are the stores, the clocks and the limits of ticks.
type Options struct {
	Records *records.Store
	Finals  *final.Store
	Ledger  *ledger.Ledger

	View     View
	Rules    string // digest of the rules, as markers have it
	Compare  func(context.Context, record.CompareOptions) (record.Compared, error)
	Show     func(ctx context.Context, user string) error         // Recorder.ShowUser
	Erasures func(context.Context) (records.Ongoing, error)       // second halves that are due
	Voids    func(context.Context) (records.Ongoing, error)       // passes that are due
	Trim     func(ctx context.Context, keep int64) (int64, error) // takes old articles off their lists
	Waits    func(until time.Time, left []Left)                   // told when Run waits; may be nil

	Clock func() time.Time // what is due is due by it
	Real  func() time.Time // for waits
	Wait  time.Duration    // of a step after the one before: records.StepWait

	HotDays, HotMonths int // see board.Due
	LedgerMonths       int // for which a final month keeps its ledgers

	// The numbers of days or months after its end for which a final period is kept; 0: for ever.
	ArchiveDays, ArchiveMonths int

	ByHand  bool // a person has asked: what was reopened is closed again at once
	Log     *slog.Logger
	Metrics *metrics.Meter // may be nil
}

func (o Options) calendar() *board.Calendar { return o.Ledger.Calendar() }

func (o Options) today() board.Date { return o.calendar().Date(board.MomentOf(o.Clock())) }

// real is the moment by the clock of waits.
func (o Options) real() board.Moment { return board.MomentOf(o.Real()) }

// boards returns the boards that keep a window.
func (o Options) boards(w board.Window) []string {
	return slices.DeleteFunc(slices.Clone(o.Ledger.Rules().Boards()), func(name string) bool {
		return !slices.Contains(o.Ledger.Rules().Windows(name), w)
	})
}

// expires returns when a period's boards are deleted, in seconds since the Unix epoch, 0 for
// never, and whether they would be by now.
func (o Options) expires(p board.Period) (at int64, already bool) {
	at = final.Expires(p, o.calendar(), o.ArchiveDays, o.ArchiveMonths)
	return at, at > 0 && at <= o.Clock().Unix()
}

// schedule returns when periods take their steps, at this moment.
func (o Options) schedule(head *records.Head) records.Schedule {
	s := records.NewSchedule(o.Ledger, o.HotDays, o.HotMonths, o.today(), o.real())
	s.Wait, s.Reopened = o.Wait, o.ByHand || head.Night != o.today()
	return s
}
