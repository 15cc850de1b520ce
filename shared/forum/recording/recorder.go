// Package recording is the one way of a report: it reads the items that the users of a batch have in the
// table, decides, writes each user's items on the revisions that were read, shows them in the
// view, and answers.
//
// It promises that answered reports are in the table, even if the view fails; that a write is made within ten seconds
// of its read; that one user's trouble costs that user's receipts alone; and that nothing runs on after the answer.
// Within a process one user's reports run one after the other; correctness does not depend on that.
package recording

import (
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/projection"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

const (
	// WriteWithin is how long after its read a write is made; later, the caller reads again.
	WriteWithin = 10 * time.Second

	recordFor = 12 * time.Second // a batch is tried after conflicts, or until shortly before its deadline
	lockFor   = 5 * time.Second  // a batch waits for the locks of users
)

// Options are the dependencies of a Recorder and of Articles. All are needed but View, without which nothing is shown.
type Options struct {
	Items     *items.Store
	View      view.View
	Projector *projection.Projector
	Ledger    *ledger.Ledger
	Real      func() time.Time // for waits
}

// A Recorder records activities and shows their places and votes. It is safe for concurrent use.
type Recorder struct {
	items     *items.Store
	projector *projection.Projector
	ledger    *ledger.Ledger
	real      func() time.Time

	within time.Duration // of its read a write is made
	locks  userLocks
}

// New returns a recorder.
func New(o Options) *Recorder {
	return &Recorder{
		items: o.Items, projector: o.Projector, ledger: o.Ledger, real: o.Real,
		within: WriteWithin, locks: userLocks{busy: map[string]chan struct{}{}},
	}
}

// An Arrival says when activities have arrived, and whether they may be of any age.
type Arrival struct {
	Now    board.Moment
	AnyAge bool
	Ranks  bool // the ranks afterwards are wanted, as far as the same trip returns them
}

// A Result is a receipt, or the error against it: it concerns its user alone, whose activities should be sent again.
type Result struct {
	ledger.Receipt
	Ranks []ledger.Score // by window, of the receipt's board and day; only known ones
	Err   error
}
