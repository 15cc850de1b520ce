package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"laurel/shared/forum/catchup"
	"laurel/shared/forum/night"
	"laurel/shared/run/app"
	"laurel/shared/run/importer"
	"laurel/shared/store/items"
)

// Audit compares the view with the ledgers. View differences are catchup.Findings, those of final boards
// night.Differences; its object is an Audited.
type Audit struct {
	Final bool `json:"final,omitempty"` // compare final boards with the ledgers, too
}

// Audited has the counts and findings of an audit.
type Audited struct {
	View     catchup.Result    `json:"view"`
	Final    *night.Audited    `json:"final,omitempty"`
	Seconds  float64           `json:"seconds"`
	Findings []json.RawMessage `json:"findings"`
}

// Differs reports whether a difference or damage remains.
func (a Audited) Differs() bool {
	view := a.View.Differ > 0 || a.View.Damaged > 0 || a.View.Restored > 0
	return view || a.Final != nil && a.Final.Unexplained() > 0
}

// text lists the differences and counts them.
func (a Audited) text() string {
	var b strings.Builder
	for _, finding := range a.Findings {
		fmt.Fprintln(&b, string(finding))
	}
	b.WriteString(importer.Thousands(a.View.People) + " people: " + differences(a.View.Differ))
	if a.View.Damaged > 0 {
		fmt.Fprintf(&b, "; %d people or articles are damaged", a.View.Damaged)
	}
	fmt.Fprintf(&b, " (%.3fs)\n", a.Seconds)
	if a.View.Restored > 0 {
		fmt.Fprintln(&b, items.RestoredReason)
	}
	if a.Final != nil {
		fmt.Fprintf(&b, "%d final boards, %s entries: %s\n", a.Final.Boards, importer.Thousands(a.Final.Entries),
			differences(a.Final.Total()))
	}
	return b.String()
}

func (a *Audit) do(ctx context.Context, s *slice) (Result, error) {
	began := time.Now()
	done, err := s.Catchup.Run(ctx, catchup.Request{Audit: true})
	if err != nil {
		return Result{}, err
	}
	told := Audited{View: done, Findings: found(nil, done.Findings)}
	told.View.Findings = nil
	s.progress(Progress{Done: done.People, Unit: "people"})
	if a.Final {
		final, err := night.AuditFinal(ctx, s.Nights())
		if err != nil {
			return Result{}, err
		}
		told.Final, told.Findings = &final, found(told.Findings, final.Differences)
	}
	told.Seconds = time.Since(began).Seconds()
	return Result{told, told.text(), told.Differs()}, nil
}

// found adds findings to a list, even if that is empty.
func found[F any](findings []json.RawMessage, all []F) []json.RawMessage {
	for _, f := range all {
		if text, err := json.Marshal(f); err == nil { // it is text and numbers
			findings = append(findings, text)
		}
	}
	return append([]json.RawMessage{}, findings...)
}

// compared is the progress of a comparison in slices.
type compared struct {
	Began   bool `json:"began,omitempty"`   // not only waited for another one
	Renewed bool `json:"renewed,omitempty"` // the table was restored, and has a new id
	Done    bool `json:"done,omitempty"`
}

// compare does a slice of a comparison. In a process that continues to run, it waits if another comparison holds the
// claim. If it finds that the table was restored to an earlier time, the table gets a new id, and the view is filled.
func (s *slice) compare(ctx context.Context, o catchup.Request, c *compared) (catchup.Result, error) {
	o.Budget = s.work
	for {
		if err := s.renew(ctx, c); err != nil {
			return catchup.Result{}, err
		}
		o.Empty, o.Restart = o.Empty && !c.Began, !c.Began // compared boards may have been lost since
		done, err := s.Catchup.Run(ctx, o)
		if err != nil {
			return done, err
		}
		c.Began = c.Began || !done.Busy || done.Filled > 0
		s.progress(Progress{Done: done.People, Unit: "people"})
		switch {
		case done.Restored > 0 && !c.Renewed:
			continue
		case done.Left && s.work > 0:
			return done, errPaused
		case done.Left && !done.Busy:
			return done, fmt.Errorf("%w: the comparison is not through", errSlow)
		case !done.Left:
			c.Done = true
			return done, nil
		}
		if err := app.Sleep(ctx, time.Second); err != nil {
			return done, err
		}
	}
}

// renew gives the table a new id, if a comparison has found that it was restored to an earlier time.
func (s *slice) renew(ctx context.Context, c *compared) error {
	head, err := s.Items.Head(ctx)
	if err != nil || head.Restored == 0 || c.Renewed {
		return err
	}
	const note = "the table was restored to an earlier moment: it gets a new id, and the view is filled from it"
	s.progress(Progress{Note: note})
	c.Renewed, c.Began = true, false
	return s.Items.NewTable(ctx)
}

// CatchUp adds scores that the view lacks: an import asks for it. Its object is a catchup.Result.
type CatchUp struct {
	Scores bool     `json:"scores,omitempty"` // compare the scores themselves, as single keys were lost
	Begun  compared `json:"begun,omitzero"`
}

func (c *CatchUp) do(ctx context.Context, s *slice) (Result, error) {
	done, err := s.compare(ctx, catchup.Request{Scores: c.Scores}, &c.Begun)
	return ended(done, func(catchup.Result) string { return "" }, err)
}

// Repair finds faults of the stores, and mends those that it can. Its object is a night.Repaired; it shows findings
// first.
type Repair struct {
	Reshard bool     `json:"reshard,omitempty"`         // first fill the view into another number of shards
	Empty   bool     `json:"empty,omitempty"`           // first empty it: the table was restored to an earlier moment
	Shards  int      `json:"shards,omitempty" flag:"-"` // the number that the process must have; 0: any
	Begun   compared `json:"begun,omitzero" flag:"-"`

	// Outside holds the caller's findings, of parts that the process with the stores cannot check.
	Outside []night.Finding `json:"outside,omitempty" flag:"-"`
}

func (r *Repair) do(ctx context.Context, s *slice) (Result, error) {
	if r.Shards != 0 && r.Shards != s.Shards {
		return Result{}, Usage("the function has %d shards: set BoardShards and deploy, then reshard", s.Shards)
	}
	if err := r.fill(ctx, s); err != nil {
		return Result{}, err
	}
	tell := func(f night.Finding) { s.watch.Found(f.Says + " " + f.Does) }
	done, err := night.Repair(ctx, s.Nights(), tell)
	if err == nil && done.Left {
		err = errPaused
	}
	for _, f := range r.Outside {
		if done.Findings = append(done.Findings, f); err == nil {
			tell(f)
		}
	}
	result, err := ended(done, repaired, err)
	result.Differs = done.Audit == nil || done.Audit.Differ > 0
	return result, err
}

// fill empties the view and fills it, if the flags ask for it.
func (r *Repair) fill(ctx context.Context, s *slice) error {
	if r.Begun.Done || !r.Empty && !r.Reshard {
		return nil
	}
	if r.Empty && !r.Begun.Renewed { // processes with the old id are refused from now on
		if err := s.Items.NewTable(ctx); err != nil {
			return err
		}
		r.Begun.Renewed = true
	}
	done, err := s.compare(ctx, catchup.Request{Empty: true}, &r.Begun)
	switch {
	case errors.Is(err, errPaused):
		return err
	case err != nil:
		return fmt.Errorf("%w; run it again to continue", err)
	}
	s.watch.Found(fmt.Sprintf("%d parts of the view are filled, with %s people.", done.Filled,
		importer.Thousands(done.People)))
	return nil
}

// repaired shows the result of the audit at the end.
func repaired(r night.Repaired) (text string) {
	if len(r.Findings) == 0 {
		text = "Nothing is wrong.\n"
	}
	if r.Audit == nil {
		return text + "The view cannot be reached: no audit was made.\n"
	}
	return text + fmt.Sprintf("The audit of %d people: %s.\n", r.Audit.People, differences(r.Audit.Differ))
}
