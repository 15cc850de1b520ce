package night

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

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
// ends with an audit of the view, which may be the last finding. tell gets each before anything is
// done about it; it may be nil. Recover may be interrupted and run again.
func Recover(ctx context.Context, o Options, tell func(Finding)) (Recovered, error) {
	o.ByHand = false
	r := &recovery{Options: o, tell: tell}
	s := o.situation(ctx)
	for _, f := range s.findings() {
		r.find(f)
	}
	err := s.table
	if err == nil && r.found(FoundRestored) {
		err = NewTable(ctx, o.Records)
	}
	views := !r.found(FoundView)
	scores := !r.found(FoundRestored, FoundEmptied) // what is filled is shown all
	if err == nil && views && !s.full && r.found(FoundRestored, FoundEmptied, FoundBehind) {
		_, err = r.compare(ctx, record.CompareOptions{Scores: scores})
	}
	if err == nil && !r.Left && r.found(FoundPeriods, FoundFull) { // what is final makes room
		var night Result
		night, err = Run(ctx, o)
		r.Night, r.Left = &night, night.Short
	}
	if err == nil && views && s.full {
		_, err = r.compare(ctx, record.CompareOptions{Scores: scores})
	}
	if err == nil && views {
		err = r.audit(ctx)
	}
	if err != nil {
		return r.Recovered, fmt.Errorf("night: recover: %w", err)
	}
	return r.Recovered, nil
}

// A recovery is one at work.
type recovery struct {
	Options
	tell func(Finding)
	Recovered
}

func (r *recovery) find(f Finding) {
	if r.Findings = append(r.Findings, f); r.tell != nil {
		r.tell(f)
	}
}

func (r *recovery) found(kinds ...Kind) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return slices.Contains(kinds, f.Kind) })
}

// compare compares the view with the table, once no other comparison is at work.
func (r *recovery) compare(ctx context.Context, how record.CompareOptions) (done record.Compared, err error) {
	how.Anew = true
	for !r.Left {
		if done, err = r.Compare(ctx, how); err != nil || !done.Busy {
			r.Left = done.Left
			return done, err
		}
		select {
		case <-ctx.Done():
			return done, context.Cause(ctx)
		case <-time.After(time.Second):
		}
	}
	return done, nil
}

// audit looks at all that the view has, and mends what differs. Where nothing does, the view may still
// not have seen the last revisions.
func (r *recovery) audit(ctx context.Context) error {
	audit, err := r.compare(ctx, record.CompareOptions{Audit: true})
	if audit.Differ > 0 {
		r.find(differing(audit.Differ))
	}
	var mended record.Compared
	if err == nil {
		mended, err = r.compare(ctx, record.CompareOptions{Scores: audit.Differ > 0})
	}
	if audit.Differ == 0 && mended.Differ > 0 { // lists of votes that were lost
		r.find(differing(mended.Differ))
	}
	if err == nil && audit.Differ+mended.Shown > 0 {
		audit, err = r.compare(ctx, record.CompareOptions{Audit: true})
	}
	if err == nil && !r.Left {
		r.Audit = &audit
	}
	return err
}

// situation looks at the stores and changes nothing.
func (o Options) situation(ctx context.Context) (s situation) {
	head, err := o.Records.Peek(ctx)
	switch {
	case err != nil:
		s.table = err
	case head == nil:
		s.table = records.ErrUnused
	}
	if s.table != nil {
		return s
	}
	s.head, s.plan = head, o.schedule(head).Plan(head)
	markers, err := o.View.Markers(ctx)
	s.state, s.view = o.look(head, markers), err
	behind := head.Behind != nil && strings.Contains(head.Behind.Reason, view.ErrFull.Error())
	s.full = behind || errors.Is(err, view.ErrFull)
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
