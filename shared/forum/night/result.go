package night

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/forum/catchup"
	"laurel/shared/store/items"
)

// A Moved is a step that periods have taken.
type Moved struct {
	items.Periods
	Event  board.PeriodEvent `json:"event"`
	Boards []Made            `json:"boards,omitempty"` // that were made, with users on them
}

// A Made is a board that is final.
type Made struct {
	Board   string `json:"board"`
	Entries int64  `json:"entries"`
	Digest  string `json:"digest,omitempty"`  // in hex
	Was     bool   `json:"was,omitempty"`     // another run has made it
	Expired bool   `json:"expired,omitempty"` // not stored, as it is kept no longer
}

// Compared is a comparison with the view, and why it was made.
type Compared struct {
	Why string `json:"why"`
	catchup.Result
}

// A Result lists the actions of a tick, or of a run of several, and the work it left.
type Result struct {
	Today    board.Date     `json:"today"`
	Moved    []Moved        `json:"moved"`
	Left     []items.Left   `json:"left"`
	Compared *Compared      `json:"compared,omitempty"`
	Erasures *items.Ongoing `json:"erasures,omitempty"`
	Merges   *items.Ongoing `json:"merges,omitempty"`
	Voids    *items.Ongoing `json:"voids,omitempty"`
	Votes    int64          `json:"votes,omitempty"`   // articles whose votes are final now
	Ledgers  []string       `json:"ledgers,omitempty"` // months whose ledgers were deleted
	Events   int            `json:"events,omitempty"`  // that were written, to be sent
	Damaged  int            `json:"damaged,omitempty"` // damaged items; their people are not on the boards made
	Short    bool           `json:"short,omitempty"`   // the time was over: another run now would do more
	Overdue  float64        `json:"overdue,omitempty"` // hours for which a night has been due
}

// Add adds the result of the next tick, which continued this one's work.
func (r *Result) Add(next Result) {
	next.Moved, next.Ledgers = append(r.Moved, next.Moved...), append(r.Ledgers, next.Ledgers...)
	next.Votes += r.Votes
	next.Damaged += r.Damaged
	next.Events += r.Events
	next.Compared, next.Erasures = cmp.Or(next.Compared, r.Compared), cmp.Or(next.Erasures, r.Erasures)
	next.Merges = cmp.Or(next.Merges, r.Merges)
	next.Voids = cmp.Or(next.Voids, r.Voids)
	*r = next
}

// done says whether tonight's night is complete: the remaining work waits for an operator, or for later days.
func (r *Result) done() bool {
	later := []items.Reason{items.ReasonReopened, items.ReasonImport, items.ReasonVotes, items.ReasonHistory}
	return !slices.ContainsFunc(r.Left, func(l items.Left) bool { return !slices.Contains(later, l.Reason) })
}

// Held is how many are left, but those that wait for history, which may come for days.
func (r *Result) Held() (n int) {
	for _, l := range r.Left {
		if l.Reason != items.ReasonHistory {
			n++
		}
	}
	return n
}

// next returns the earliest time when work that only waits can continue.
func (r *Result) next() (due time.Time, waits bool) {
	for _, l := range r.Left {
		if l.Reason == items.ReasonWait && (!waits || l.Next.Before(due)) {
			due, waits = l.Next, true
		}
	}
	return due, waits
}

// moved notes a step of a period.
func (r *Result) moved(p board.Period, e board.PeriodEvent, boards []Made) {
	if n := len(r.Moved); n > 0 && len(boards)+len(r.Moved[n-1].Boards) == 0 && r.Moved[n-1].Event == e {
		if longer, ok := r.Moved[n-1].With(p); ok {
			r.Moved[n-1].Periods = longer
			return
		}
	}
	r.Moved = append(r.Moved, Moved{items.Periods{Period: p}, e, boards})
}

// leave notes pending work; periods in a row for the same reason are one.
func (r *Result) leave(l items.Left) { r.Left = items.AddLeft(r.Left, l) }

// leaveAll notes periods that are left for one reason.
func (r *Result) leaveAll(periods []board.Period, why items.Reason) {
	for _, p := range periods {
		r.leave(items.Left{Periods: items.Periods{Period: p}, Reason: why})
	}
}

// failed notes an error of a job, and returns it.
func (r *Result) failed(job string, err error) error {
	if err == nil {
		return nil
	}
	err = fmt.Errorf("night: %s: %w", job, err)
	r.leave(items.Left{Reason: items.ReasonFailed, Detail: err.Error()})
	return err
}
