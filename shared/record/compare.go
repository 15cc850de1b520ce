package record

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/records"
	"laurel/shared/table"
	"laurel/shared/view"
)

const (
	compareStep  = 4 // buckets that are compared side by side
	compareSteps = records.Buckets / compareStep
	compareChunk = 250         // people, or articles, that are shown in a trip
	claimFor     = time.Minute // a comparison that stops without a word keeps others waiting
	cursorName   = "compare"   // of where comparing goes on
	maxFindings  = 1_000
	maxRounds    = 4
)

// CompareOptions say how the view is compared with the table.
type CompareOptions struct {
	Scores bool          // compare scores, counts and members themselves, not revisions alone
	Audit  bool          // change nothing, and tell what differs; implies Scores
	Empty  bool          // empty every slot first; of a comparison in slices, of the first alone
	Anew   bool          // do not go on where another one has stopped; of a comparison in slices, of the first alone
	Alone  bool          // nobody else can be at work: who says so was killed
	Budget time.Duration // after which it stops, and the next one goes on; 0: when it is through
	// About how many people are met before it stops, and the next one goes on: of those whom reports of now
	// concern, as it reads no earlier months. It leaves alone a view that needs more. 0: all are met.
	Some int64
}

// Compared says what a comparison came to.
type Compared struct {
	People   int64     `json:"people"`             // who were met
	Shown    int64     `json:"shown"`              // units that the view lacked, of people and articles
	Filled   int       `json:"filled,omitempty"`   // slots that were empty, or of something else
	Damaged  int64     `json:"damaged,omitempty"`  // people and articles that cannot be read
	Restored int64     `json:"restored,omitempty"` // items of which the view has seen a later revision
	Findings []Finding `json:"findings,omitempty"` // of an audit, the first of them
	Differ   int64     `json:"differ"`             // places, names, statuses and articles, of a comparison of scores
	Left     bool      `json:"left,omitempty"`     // it is not through: the next one goes on
	Busy     bool      `json:"busy,omitempty"`     // and is at work elsewhere
	Rounds   int       `json:"rounds,omitempty"`   // it began anew when a slot was emptied meanwhile
	Met      int64     `json:"-"`                  // of the people, those that were not met by who stopped before
}

// A Finding is a difference between the view and the table.
type Finding struct {
	User    string       `json:"user,omitempty"`
	Board   string       `json:"board,omitempty"`
	Period  board.Period `json:"period,omitzero"`
	Want    board.Packed `json:"want,omitempty"` // 0: not on the board
	Have    board.Packed `json:"have,omitempty"`
	Part    string       `json:"part,omitempty"` // what else of the user, or of the article, is otherwise
	Article string       `json:"article,omitempty"`
	Votes   int64        `json:"votes,omitempty"` // as ledgers have them
	Shown   int64        `json:"shown,omitempty"` // and the view
}

// What may be otherwise beside places and votes.
const (
	PartName   = "name"   // of a user on a board
	PartStatus = "status" // whether the user is suppressed
	PartPage   = "page"   // of an article
)

// A progress is where a comparison is, and who is at it.
type progress struct {
	Until  board.Moment `json:"until"`            // until when it is claimed, by real time
	Step   int          `json:"step,omitempty"`   // the next one
	Number int64        `json:"number,omitempty"` // of what the head said when it began
	Fill   string       `json:"fill,omitempty"`   // the id of its fill, "" if it fills nothing
	Scores bool         `json:"scores,omitempty"`
	People int64        `json:"people,omitempty"` // met so far
	Some   bool         `json:"some,omitempty"`   // without earlier months
	Votes  bool         `json:"votes,omitempty"`  // some were shown that the view had never seen: or it has lost that
}

// link returns what a slot that is being filled says before a step.
func (p progress) link(step int) string { return fmt.Sprintf("%s:%d", p.Fill, step) }

// A comparison is one call of Compare.
type comparison struct {
	*Recorder
	CompareOptions
	head     *records.Head
	at       progress
	revision int64 // of the cursor
	claimed  bool
	marks    []view.Marker        // of the slots, as it found them
	fills    map[view.Slot]string // the links of the chains of slots that are being filled
	all      bool                 // everything is shown: the rules are others
	from     int                  // the step that it began with

	mu     sync.Mutex
	done   Compared
	known  map[[8]byte]bool // people who were met
	places map[boardPeriod]bool
	counts map[string]int64                        // of votes that stand, by article
	listed []*article.Page                         // articles on lists, if their author is not withheld
	held   map[string]records.Row[*records.Person] // authors who are withheld
	voting []string                                // articles
	lost   map[records.Key]bool                    // who were erased, and may be on boards
}

// Compare brings the view to what the table says: whatever has a later revision than the view has seen is shown, beside
// writers; slots that are empty, or of something else, are filled. It is the one way to catch up. With a budget it
// works in slices, and the next call goes on where it was. One comparison is at work at a time; an audit is beside it.
func (r *Recorder) Compare(ctx context.Context, o CompareOptions) (all Compared, err error) {
	if o.Audit && r.View != nil {
		return r.audit(ctx, o)
	}
	for r.View != nil {
		done, err := r.compareOnce(ctx, o)
		done.Rounds += all.Rounds
		done.Shown, done.Filled, done.Differ = all.Shown+done.Shown, all.Filled+done.Filled, all.Differ+done.Differ
		done.Restored += all.Restored
		done.Findings = append(all.Findings, done.Findings...)
		if all = done; err != nil || !done.Left || done.Busy || o.Budget > 0 || o.Some > 0 || all.Rounds == maxRounds {
			return all, err
		}
		o.Empty, o.Anew = false, false
	}
	return all, nil
}

// confirmAfter is when an audit looks again at what differs: whoever was writing has shown it.
const confirmAfter = showFor + showFor/4

// audit compares all once more if something differs, and tells what does as before: a report under way costs a
// second pass. Of very many differences no one matters.
func (r *Recorder) audit(ctx context.Context, o CompareOptions) (Compared, error) {
	first, err := r.compareOnce(ctx, o)
	if err != nil || first.Differ == 0 || first.Differ > maxFindings {
		return first, err
	}
	select {
	case <-ctx.Done():
		return first, context.Cause(ctx)
	case <-time.After(confirmAfter):
	}
	done, err := r.compareOnce(ctx, o)
	if err != nil || done.Differ > maxFindings {
		return done, err
	}
	done.Findings = slices.DeleteFunc(done.Findings, func(f Finding) bool { return !slices.Contains(first.Findings, f) })
	done.Differ = int64(len(done.Findings))
	return done, err
}

func (r *Recorder) compareOnce(ctx context.Context, o CompareOptions) (Compared, error) {
	began := time.Now()
	o.Scores = o.Scores || o.Audit
	c := newComparison(r, o)
	c.done.Rounds = 1
	err := c.begin(ctx)
	if err == nil && !c.done.Left {
		err = c.run(ctx, began)
	}
	if errors.Is(err, table.ErrConflict) || errors.Is(err, view.ErrCleared) {
		c.done.Busy, c.done.Left, err = true, true, nil // another one has taken over, as this one was at work for long
	}
	if c.done.Restored > 0 && !c.Audit {
		err = errors.Join(err, c.sayRestored(ctx))
	}
	c.Log.InfoContext(ctx, "the view is compared", "people", c.done.People, "shown", c.done.Shown,
		"filled", c.done.Filled, "differ", c.done.Differ, "left", c.done.Left, "seconds", time.Since(began).Seconds())
	return c.done, errors.Join(err, c.release(ctx))
}

func newComparison(r *Recorder, o CompareOptions) *comparison {
	return &comparison{
		Recorder: r, CompareOptions: o, fills: map[view.Slot]string{}, known: map[[8]byte]bool{},
		places: map[boardPeriod]bool{}, counts: map[string]int64{}, held: map[string]records.Row[*records.Person]{},
		lost: map[records.Key]bool{},
	}
}

// run makes one step after the other, as long as there is time.
func (c *comparison) run(ctx context.Context, began time.Time) error {
	for c.at.Step < compareSteps {
		if c.at.Step > c.from && (c.Budget > 0 && time.Since(began) > c.Budget || c.Some > 0 && c.done.Met >= c.Some) {
			c.done.Left = true
			return c.forget(ctx)
		}
		if err := c.step(ctx); err != nil || c.done.Left {
			return err
		}
	}
	return c.finish(ctx)
}
