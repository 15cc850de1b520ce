package night

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/view"
)

// Recovered is what a recovery found, did, and ended with.
type Recovered struct {
	Findings []Finding        `json:"findings"`
	Night    *Result          `json:"night,omitempty"`
	Audit    *record.Compared `json:"audit,omitempty"` // what still differs; nil: the view cannot be reached
	Left     bool             `json:"left,omitempty"`  // the time was over: run it again
}

// Recover looks at the stores, does what can be done about what it finds, in the right order, and
// ends with an audit of the view. tell gets each finding before anything is done; it may be nil.
// Recover may be interrupted and run again.
func Recover(ctx context.Context, o Options, tell func(Finding)) (r Recovered, err error) {
	o = o.withDefaults()
	o.ByHand = false
	s := o.situation(ctx)
	for _, f := range s.findings() {
		if r.Findings = append(r.Findings, f); tell != nil {
			tell(f)
		}
	}
	found := func(kinds ...Kind) bool {
		return slices.ContainsFunc(r.Findings, func(f Finding) bool { return slices.Contains(kinds, f.Kind) })
	}
	compare := func(how record.CompareOptions) (done record.Compared) {
		if err == nil && !r.Left {
			how.Anew = true
			done, err = o.Compare(ctx, how)
			r.Left = done.Left
		}
		return done
	}
	if err = s.table; err == nil && found(FoundRestored) {
		err = NewTable(ctx, o.Records)
	}
	views := o.View != nil && !found(FoundView)
	if views && !s.full && found(FoundRestored, FoundEmptied, FoundBehind) {
		compare(record.CompareOptions{Scores: !found(FoundRestored, FoundEmptied)}) // what is filled is shown all
	}
	if err == nil && !r.Left && found(FoundPeriods, FoundFull) { // what is final makes room
		var night Result
		night, err = Run(ctx, o)
		r.Night, r.Left = &night, night.Short
	}
	if views && s.full {
		compare(record.CompareOptions{Scores: !found(FoundRestored, FoundEmptied)})
	}
	if views && err == nil && !r.Left {
		audit := compare(record.CompareOptions{Audit: true})
		r.Audit = &audit
	}
	if err != nil {
		return r, fmt.Errorf("night: recover: %w", err)
	}
	return r, nil
}

// situation looks at the stores and changes nothing.
func (o Options) situation(ctx context.Context) (s situation) {
	head, err := o.Records.Head(ctx)
	zone := o.calendar().Zone().String()
	switch {
	case err != nil:
		s.table = err
	case head == nil:
		s.table = records.ErrUnused
	case head.Zone != zone:
		s.table = fmt.Errorf("%w: %s, not %s", records.ErrZone, head.Zone, zone)
	}
	if s.table != nil {
		return s
	}
	s.head, s.plan = head, o.schedule(head).Plan(head)
	if o.View != nil {
		markers, err := o.View.Markers(ctx)
		s.state, s.view = o.look(head, markers), err
		behind := head.Behind != nil && strings.Contains(head.Behind.Reason, view.ErrFull.Error())
		s.full = behind || errors.Is(err, view.ErrFull)
	}
	if o.Dead != nil {
		s.letters, s.queue = o.Dead(ctx)
	}
	return s
}

// NewTable gives the table a new id, after it was restored to an earlier moment: every view is a
// stranger to it then, and is filled.
func NewTable(ctx context.Context, r *records.Store) error {
	_, err := r.ChangeHead(ctx, func(h *records.Head) error {
		h.Table = rand.Text()
		return nil
	})
	if err != nil {
		return fmt.Errorf("night: a new id for the table: %w", err)
	}
	return nil
}
