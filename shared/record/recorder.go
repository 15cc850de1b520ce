// Package record is the one way of a report: it reads what the users of a batch have in the
// table, decides, writes each user's items on the revisions that were read, shows them in the
// view, and answers. Comparing and filling bring the view to what the table says (compare.go).
//
// It promises that what was answered is in the table, whatever the view does; that a write is made within ten seconds
// of its read; that one user's trouble costs that user's receipts alone; and that nothing runs on after the answer.
// Within a process one user's reports go one after the other; what is right does not depend on that.
package record

import (
	"log/slog"
	"time"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/view"
)

const (
	writeWithin = 10 * time.Second // of its read a write is made, or reads again
	recordFor   = 12 * time.Second // a batch is tried after conflicts, or until shortly before its deadline
	lockFor     = 5 * time.Second  // a batch waits for the locks of users
	showFor     = time.Second      // an answer waits for the view
	maxShows    = 4                // times that a user is read and shown again
)

// Options are what a Recorder works with. All are needed but View, without which nothing is shown.
type Options struct {
	Records *records.Store
	View    view.View
	Ledger  *ledger.Ledger
	Clock   func() time.Time // what day it is
	Real    func() time.Time // for waits
	Log     *slog.Logger
	Rules   string // digest of the rules, as the view's options have it
}

// A Recorder records activities and shows what they come to. It is safe for concurrent use.
type Recorder struct {
	Options

	within time.Duration // of its read a write is made
	locks  userLocks
	says   saying
}

// New returns a recorder.
func New(o Options) *Recorder {
	return &Recorder{Options: o, within: writeWithin, locks: userLocks{busy: map[string]chan struct{}{}}}
}

// An Arrival says when activities have arrived, and whether they may be of any age.
type Arrival struct {
	Now    board.Moment
	AnyAge bool
	Ranks  bool // the ranks afterwards are wanted, as far as the same trip tells them
}

// A Result is a receipt, or why there is none: an error of its user alone, whose activities are to be sent again.
type Result struct {
	ledger.Receipt
	Ranks []ledger.Score // by window, of the receipt's board and day; those that are known
	Err   error
}

func (r *Recorder) now() board.Moment { return board.MomentOf(r.Clock()) }

func (r *Recorder) today() board.Date { return r.Ledger.Calendar().Date(r.now()) }
