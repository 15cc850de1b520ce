package operate

import (
	"context"
	"fmt"
	"time"

	"laurel/shared/night"
	"laurel/shared/record"
)

// Audit are the arguments of "audit". What it finds are record.Findings of the view, or
// night.Differences of final boards; its result is an Audited.
type Audit struct {
	Apply bool `json:"apply,omitempty"` // bring the view to what the ledgers say
	Final bool `json:"final,omitempty"` // hold final boards against the ledgers, too
}

// Audited is what an audit has looked at.
type Audited struct {
	View    record.Compared `json:"view"`
	Final   *night.Audited  `json:"final,omitempty"`
	Applied bool            `json:"applied,omitempty"`
	Seconds float64         `json:"seconds"`
}

// Differs says whether anything is left that should not be.
func (a Audited) Differs() bool {
	return a.View.Differ > 0 && !a.Applied || a.View.Damaged > 0 || a.Final != nil && a.Final.Unexplained() > 0
}

// auditCursor is an audit in slices: only one that applies goes on where it was.
type auditCursor struct {
	Began   bool    `json:"began,omitempty"`
	Differ  int64   `json:"differ,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
}

// audit compares the view with the ledgers.
func audit(ctx context.Context, s *slice, a Audit, c *auditCursor) (any, error) {
	done, err := s.compare(ctx, record.CompareOptions{Scores: true, Audit: !a.Apply}, c)
	if err != nil {
		return nil, err
	}
	told := Audited{View: done, Applied: a.Apply, Seconds: c.Seconds}
	if a.Final {
		defer s.took(&told.Seconds)()
		final, err := night.AuditFinal(ctx, s.Nights())
		if err != nil {
			return nil, err
		}
		for _, d := range final.Differences {
			s.find(d)
		}
		told.Final = &final
	}
	return told, nil
}

// compare does a slice of a comparison, and adds to the cursor what came of it.
func (s *slice) compare(ctx context.Context, o record.CompareOptions, c *auditCursor) (record.Compared, error) {
	defer s.took(&c.Seconds)()
	o.Empty, o.Anew = o.Empty && !c.Began, !c.Began // what was compared before may have been lost since
	if !o.Audit {
		o.Budget = s.work
	}
	done, err := s.Recorder.Compare(ctx, o)
	if err != nil {
		return done, err
	}
	for _, f := range done.Findings {
		s.find(f)
	}
	done.Findings = nil
	c.Began, c.Differ = true, c.Differ+done.Differ
	done.Differ = c.Differ
	s.progress(done.People, 0, "people")
	switch {
	case done.Busy && s.work == 0: // of a process that runs on
		return s.compareSoon(ctx, o, c)
	case done.Left && s.work > 0:
		return done, errPaused
	case done.Left:
		return done, fmt.Errorf("%w: the comparison is not through", ErrSlow)
	default:
		return done, nil
	}
}

// compareSoon compares when the one that is at work is over.
func (s *slice) compareSoon(ctx context.Context, o record.CompareOptions, c *auditCursor) (record.Compared, error) {
	select {
	case <-ctx.Done():
		return record.Compared{}, ctx.Err()
	case <-time.After(time.Second):
		return s.compare(ctx, o, c)
	}
}

// took adds to seconds, when it is called, what it took since.
func (s *slice) took(seconds *float64) func() {
	began := time.Now()
	return func() { *seconds += time.Since(began).Seconds() }
}
