// Package catchup brings the view to the state of the table: it compares the revisions that the view has seen with the
// items', beside writers, shows the missing ones, and fills slots that are empty or belong to something else. It
// is the one way to catch up after any loss.
//
// It promises that a comparison that comes to its end leaves nothing behind that was missing when it began; that it
// works in slices, each continuing the last; that one comparison runs at a time; and that an audit changes
// nothing.
package catchup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/projection"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

const (
	stepBuckets = 4           // buckets compared side by side
	chunkLen    = 250         // people, or articles, shown in a trip
	claimFor    = time.Minute // a comparison that was killed keeps others waiting
	cursorName  = "compare"   // of the place where comparing continues
	maxFindings = 1_000
	maxRounds   = 4
)

// Options are a Runner's dependencies. All are needed but View, without which there is nothing to compare.
type Options struct {
	Items     *items.Store
	View      view.View
	Projector *projection.Projector
	Articles  *recording.Articles
	Ledger    *ledger.Ledger
	Real      func() time.Time // for claims
	Log       *slog.Logger
	Rules     string // digest of the rules, as the view's markers have it
}

// A Runner compares the view with the table. It is safe for concurrent use.
type Runner struct{ o Options }

// New returns a runner.
func New(o Options) *Runner { return &Runner{o} }

// A Request says how the view is compared with the table.
type Request struct {
	Scores  bool          // compare scores, counts and members themselves, not revisions alone
	Audit   bool          // change nothing, and report the differences; implies Scores
	Empty   bool          // empty every slot first; of a comparison in slices, of the first alone
	Restart bool          // do not continue where another one has stopped; of a comparison in slices, of the first alone
	Alone   bool          // no other comparison can run: the caller knows that the last one was killed
	Budget  time.Duration // the time after which it stops, and the next one continues; 0: at its end
	// About how many people are met before it stops, and the next one continues: only people whom current reports
	// concern, as it reads no earlier months. It leaves alone a view that needs more. 0: all are met.
	Some int64
}

// A Result is the outcome of a comparison.
type Result struct {
	People   int64     `json:"people"`             // people who were met
	Shown    int64     `json:"shown"`              // units that the view lacked, of people and articles
	Filled   int       `json:"filled,omitempty"`   // slots that were empty, or of something else
	Damaged  int64     `json:"damaged,omitempty"`  // people and articles that cannot be read
	Restored int64     `json:"restored,omitempty"` // items of which the view has seen a later revision
	Findings []Finding `json:"findings,omitempty"` // of an audit, the first of them
	Differ   int64     `json:"differ"`             // places, names, statuses and articles, of a comparison of scores
	Left     bool      `json:"left,omitempty"`     // it is not at its end: the next one continues
	Busy     bool      `json:"busy,omitempty"`     // another comparison holds the claim
	Rounds   int       `json:"rounds,omitempty"`   // it began again when a slot was emptied meanwhile
	Met      int64     `json:"-"`                  // people compared by this call
}

// A Finding is a difference between the view and the table.
type Finding struct {
	User    string       `json:"user,omitempty"`
	Board   string       `json:"board,omitempty"`
	Period  board.Period `json:"period,omitzero"`
	Want    board.Packed `json:"want,omitempty"` // 0: not on the board
	Have    board.Packed `json:"have,omitempty"`
	Part    string       `json:"part,omitempty"` // another part of the user, or of the article, that differs
	Article string       `json:"article,omitempty"`
	Votes   int64        `json:"votes,omitempty"` // in the ledgers
	Shown   int64        `json:"shown,omitempty"` // in the view
}

// The parts that may differ beside places and votes.
const (
	PartName   = "name"   // of a user on a board
	PartStatus = "status" // whether the user is suppressed
	PartPage   = "page"   // of an article
	PartTotals = "totals" // of the teams on a board, which are not the sums of their members
)

// A progress is the place that a comparison has reached.
type progress struct {
	Bucket int    `json:"bucket,omitempty"` // the next one
	Number int64  `json:"number,omitempty"` // of the head's Behind when it began
	Fill   string `json:"fill,omitempty"`   // the id of its fill, "" if it fills nothing
	Scores bool   `json:"scores,omitempty"`
	People int64  `json:"people,omitempty"` // met so far
	Some   bool   `json:"some,omitempty"`   // without earlier months
	Votes  bool   `json:"votes,omitempty"`  // it showed votes that the view had never seen, or no longer knows
	Pass   string `json:"pass,omitempty"`   // the id of its pass over days that roll, "" if it makes none whole
}

// link returns the fill marker of a slot before a bucket.
func (p progress) link(bucket int) string { return fmt.Sprintf("%s:%d", p.Fill, bucket) }

// A comparison is the work of one call.
type comparison struct {
	Request
	o        Options
	head     *items.Head
	progress progress
	cursor   *items.Cursor[progress]    // nil: it is not claimed
	marks    []view.Marker              // of the slots, as it found them
	fills    map[view.Slot]string       // the links of the chains of slots that are being filled
	passes   map[view.Slot]view.Rolling // the days of slots that the pass makes whole, with the links of its chains
	reach    view.Days                  // of units: from the oldest that any slot keeps to the newest
	days     view.Days                  // that every slot has boards of that can be compared
	all      bool                       // everything is shown: the rules have changed
	first    int                        // the bucket that it began with

	mu     sync.Mutex
	done   Result
	known  map[[8]byte]bool // people who were met
	places map[board.ID]bool
	counts map[string]int64                    // of votes that stand, by article
	listed []*article.Page                     // articles on lists, if their author is not withheld
	held   map[string]items.Row[*items.Person] // authors who are withheld
	voting []string                            // articles
	lost   map[items.Key]bool                  // erased people who may be on boards
}

// Run brings the view to the state of the table: every item of a later revision than the view has seen is shown, beside
// writers; slots that are empty, or of something else, are filled. With a budget it works in slices, and the next call
// continues. One comparison runs at a time; an audit runs beside it.
func (r *Runner) Run(ctx context.Context, q Request) (all Result, err error) {
	if q.Audit && r.o.View != nil {
		return r.audit(ctx, q)
	}
	for r.o.View != nil {
		done, err := r.once(ctx, q)
		done.Rounds += all.Rounds
		done.Shown, done.Filled, done.Differ = all.Shown+done.Shown, all.Filled+done.Filled, all.Differ+done.Differ
		done.Restored += all.Restored
		done.Findings = append(all.Findings, done.Findings...)
		if all = done; err != nil || !done.Left || done.Busy || q.Budget > 0 || q.Some > 0 || all.Rounds == maxRounds {
			return all, err
		}
		q.Empty, q.Restart = false, false
	}
	return all, nil
}

// confirmAfter is when an audit looks again at a difference: a writer has shown its report by then.
const confirmAfter = projection.Wait + projection.Wait/4

// audit compares all once more if something differs, and reports the differences that stay: a report under way costs a
// second pass. Above maxFindings only the count matters.
func (r *Runner) audit(ctx context.Context, q Request) (Result, error) {
	first, err := r.once(ctx, q)
	if err != nil || first.Differ == 0 || first.Differ > maxFindings {
		return first, err
	}
	select {
	case <-ctx.Done():
		return first, context.Cause(ctx)
	case <-time.After(confirmAfter):
	}
	done, err := r.once(ctx, q)
	if err != nil || done.Differ > maxFindings {
		return done, err
	}
	done.Findings = slices.DeleteFunc(done.Findings, func(f Finding) bool { return !slices.Contains(first.Findings, f) })
	done.Differ = int64(len(done.Findings))
	return done, err
}

func (r *Runner) once(ctx context.Context, q Request) (Result, error) {
	began := time.Now()
	q.Scores = q.Scores || q.Audit
	c := newComparison(r.o, q)
	c.done.Rounds = 1
	err := c.begin(ctx)
	if err == nil && !c.done.Left {
		err = c.run(ctx, began)
	}
	if errors.Is(err, table.ErrConflict) || errors.Is(err, view.ErrCleared) {
		c.done.Busy, c.done.Left, err = true, true, nil // another comparison has taken over, as this one ran for long
	}
	if c.done.Restored > 0 && !c.Audit {
		err = errors.Join(err, c.sayRestored(ctx))
	}
	c.o.Log.InfoContext(ctx, "the view is compared", "people", c.done.People, "shown", c.done.Shown,
		"filled", c.done.Filled, "differ", c.done.Differ, "left", c.done.Left, "seconds", time.Since(began).Seconds())
	return c.done, errors.Join(err, c.release(ctx))
}

func newComparison(o Options, q Request) *comparison {
	return &comparison{
		o: o, Request: q, fills: map[view.Slot]string{}, passes: map[view.Slot]view.Rolling{}, known: map[[8]byte]bool{},
		places: map[board.ID]bool{}, counts: map[string]int64{}, held: map[string]items.Row[*items.Person]{},
		lost: map[items.Key]bool{},
	}
}

// run makes one step after the other, as long as there is time.
func (c *comparison) run(ctx context.Context, began time.Time) error {
	for c.progress.Bucket < items.Buckets {
		over := c.Budget > 0 && time.Since(began) > c.Budget || c.Some > 0 && c.done.Met >= c.Some
		if over && c.progress.Bucket > c.first {
			c.done.Left = true
			return c.forget(ctx)
		}
		if err := c.step(ctx); err != nil || c.done.Left {
			return err
		}
	}
	return c.finish(ctx)
}
