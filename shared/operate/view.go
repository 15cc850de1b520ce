package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"laurel/shared/importer"
	"laurel/shared/night"
	"laurel/shared/record"
	"laurel/shared/records"
)

// Audit compares the view with the ledgers. What differs are record.Findings of the view, and
// night.Differences of final boards; its object is an Audited.
type Audit struct {
	Apply bool     `json:"apply,omitempty"` // bring the view to what the ledgers say
	Final bool     `json:"final,omitempty"` // compare final boards with the ledgers, too
	Begun compared `json:"begun,omitzero" kong:"-"`
}

// Audited is what an audit has looked at and found.
type Audited struct {
	View     record.Compared   `json:"view"`
	Final    *night.Audited    `json:"final,omitempty"`
	Applied  bool              `json:"applied,omitempty"`
	Seconds  float64           `json:"seconds"`
	Findings []json.RawMessage `json:"findings"`
}

// Differs says whether anything is left that should not be.
func (a Audited) Differs() bool {
	view := a.View.Differ > 0 && !a.Applied || a.View.Damaged > 0 || a.View.Restored > 0
	return view || a.Final != nil && a.Final.Unexplained() > 0
}

// text lists the differences, and says how many there are.
func (a Audited) text() string {
	var b strings.Builder
	for _, finding := range a.Findings {
		fmt.Fprintln(&b, string(finding))
	}
	b.WriteString(importer.Thousands(a.View.People) + " people: " + differences(a.View.Differ))
	if a.Applied && a.View.Differ > 0 {
		b.WriteString(", all mended")
	}
	if a.View.Damaged > 0 {
		fmt.Fprintf(&b, "; %d people or articles are damaged", a.View.Damaged)
	}
	fmt.Fprintf(&b, " (%.3fs)\n", a.Seconds)
	if a.View.Restored > 0 {
		fmt.Fprintln(&b, records.RestoredReason)
	}
	if a.Final != nil {
		fmt.Fprintf(&b, "%d final boards, %s entries: %s\n", a.Final.Boards, importer.Thousands(a.Final.Entries),
			differences(a.Final.Total()))
	}
	return b.String()
}

func (a *Audit) do(ctx context.Context, s *slice) (Result, error) {
	done, err := s.compare(ctx, record.CompareOptions{Scores: true, Audit: !a.Apply}, &a.Begun)
	if err != nil {
		return Result{}, err
	}
	told := Audited{View: done, Applied: a.Apply, Seconds: a.Begun.Seconds, Findings: a.Begun.Findings}
	if a.Final {
		began := time.Now()
		final, err := night.AuditFinal(ctx, s.Nights())
		if err != nil {
			return Result{}, err
		}
		told.Final, told.Findings = &final, found(told.Findings, final.Differences)
		told.Seconds += time.Since(began).Seconds()
	}
	return Result{told, told.text(), told.Differs()}, nil
}

// found adds what was found to findings, of which there is always a list.
func found[F any](findings []json.RawMessage, all []F) []json.RawMessage {
	for _, f := range all {
		if text, err := json.Marshal(f); err == nil { // it is text and numbers
			findings = append(findings, text)
		}
	}
	return append([]json.RawMessage{}, findings...)
}

// compared is how far a comparison in slices is: only one that applies goes on where it was.
type compared struct {
	Began    bool              `json:"began,omitempty"`
	Renewed  bool              `json:"renewed,omitempty"` // the table was restored, and has a new id
	Differ   int64             `json:"differ,omitempty"`
	Seconds  float64           `json:"seconds,omitempty"`
	Findings []json.RawMessage `json:"findings,omitempty"`
}

// compare does a slice of a comparison, and adds what came of it to the slices before. In a process
// that runs on, it waits for a comparison that is at work elsewhere. If it changes the view and finds that the table
// was restored to an earlier moment, the table gets a new id, and the view is filled.
func (s *slice) compare(ctx context.Context, o record.CompareOptions, c *compared) (record.Compared, error) {
	began := time.Now()
	defer func() { c.Seconds += time.Since(began).Seconds() }()
	if !o.Audit {
		o.Budget = s.work
	}
	for {
		if err := s.renew(ctx, o, c); err != nil {
			return record.Compared{}, err
		}
		o.Empty, o.Anew = o.Empty && !c.Began, !c.Began // what was compared before may have been lost since
		done, err := s.Recorder.Compare(ctx, o)
		if err != nil {
			return done, err
		}
		c.Findings, done.Findings = found(c.Findings, done.Findings), nil
		c.Began, c.Differ = true, c.Differ+done.Differ
		done.Differ = c.Differ
		s.progress(Progress{Done: done.People, Unit: "people"})
		switch {
		case done.Restored > 0 && !o.Audit && !c.Renewed:
			continue
		case done.Left && s.work > 0:
			return done, errPaused
		case done.Left && !done.Busy:
			return done, fmt.Errorf("%w: the comparison is not through", errSlow)
		case !done.Left:
			return done, nil
		}
		select {
		case <-ctx.Done():
			return done, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// renew gives the table a new id, if a comparison has found that it was restored to an earlier moment.
func (s *slice) renew(ctx context.Context, o record.CompareOptions, c *compared) error {
	head, err := s.Records.Head(ctx)
	if err != nil || head.Restored == 0 || o.Audit || c.Renewed {
		return err
	}
	const note = "the table was restored to an earlier moment: it gets a new id, and Redis is filled from it"
	s.progress(Progress{Note: note})
	c.Renewed, c.Began = true, false
	return s.Records.NewTable(ctx)
}

// Rebuild fills the view. Its object is a record.Compared.
type Rebuild struct {
	All     bool     `json:"all,omitempty"`             // compare the scores themselves, as single keys were lost
	Reshard bool     `json:"reshard,omitempty"`         // into another number of shards
	Empty   bool     `json:"empty,omitempty"`           // empty it first: the table was restored to an earlier moment
	Shards  int      `json:"shards,omitempty" kong:"-"` // that the process has to have; 0: any
	Begun   compared `json:"begun,omitzero" kong:"-"`
}

func (r *Rebuild) do(ctx context.Context, s *slice) (Result, error) {
	if r.Shards != 0 && r.Shards != s.Shards {
		return Result{}, Usage("the function has %d shards: set BoardShards and deploy, then reshard", s.Shards)
	}
	if r.Empty && !r.Begun.Began { // whoever still has the old id is refused from now on
		if err := s.Records.NewTable(ctx); err != nil {
			return Result{}, err
		}
	}
	done, err := s.compare(ctx, record.CompareOptions{Scores: r.All, Empty: r.Empty || r.Reshard}, &r.Begun)
	if err != nil && !errors.Is(err, errPaused) {
		err = fmt.Errorf("%w; run it again to continue", err)
	}
	return ended(done, func(done record.Compared) string {
		text := "nothing is missing"
		if done.Filled != 0 || done.Shown != 0 {
			text = fmt.Sprintf("%s shown, %d parts filled", importer.Thousands(done.Shown), done.Filled)
		}
		return fmt.Sprintf("%s people: %s\n", importer.Thousands(done.People), text)
	}, err)
}

// Recover looks what is wrong, and does what can be done about it. Its object is a night.Recovered;
// what it finds is told before.
type Recover struct {
	// Outside are those of who asks, where the process of the stores cannot look.
	Outside []night.Finding `json:"outside,omitempty" kong:"-"`
}

func (r *Recover) do(ctx context.Context, s *slice) (Result, error) {
	tell := func(f night.Finding) { s.watch.Found(f.Says + " " + f.Does) }
	done, err := night.Recover(ctx, s.Nights(), tell)
	if err == nil && done.Left {
		err = errPaused
	}
	for _, f := range r.Outside {
		if done.Findings = append(done.Findings, f); err == nil {
			tell(f)
		}
	}
	result, err := ended(done, recovered, err)
	result.Differs = done.Audit == nil || done.Audit.Differ > 0
	return result, err
}

// recovered says what the audit at the end came to.
func recovered(r night.Recovered) (text string) {
	if len(r.Findings) == 0 {
		text = "Nothing is wrong.\n"
	}
	if r.Audit == nil {
		return text + "Redis cannot be reached: no audit was made.\n"
	}
	return text + fmt.Sprintf("The audit of %d people: %s.\n", r.Audit.People, differences(r.Audit.Differ))
}
