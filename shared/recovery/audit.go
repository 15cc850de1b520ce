package recovery

import (
	"context"

	"laurel/shared/audit"
	"laurel/shared/redisstore"
)

// An Audit holds Redis against the table and itself, and says what it finds.
type Audit struct {
	Options
	Apply  bool                // write what is proved; else nothing is written
	Report func(audit.Finding) // each difference, once
	Looked func(users int64)   // is told how many users were checked so far; may be nil
	Cursor *AuditCursor        // where to begin, and then how far it is; nil: the beginning
}

// An AuditCursor is how far an audit is. What Run has returned it with, beside ErrPaused,
// another Audit goes on from.
type AuditCursor struct {
	Began   bool         `json:"began,omitempty"`   // what was emptied is filled
	Filled  int          `json:"filled,omitempty"`  // so much of it
	Checked bool         `json:"checked,omitempty"` // the table against Redis
	Lacking []string     `json:"lacking,omitempty"` // users whom that has found
	From    string       `json:"from,omitempty"`    // the user after whom rows are read
	Redis   audit.Cursor `json:"redis,omitzero"`
}

// Run does the audit. Where parts of Redis were emptied, an audit that writes fills them
// first; one that doesn't says so and ends. With a Slice it may return ErrPaused.
func (a *Audit) Run(ctx context.Context) (audit.Totals, error) {
	if a.Cursor == nil {
		a.Cursor = &AuditCursor{}
	}
	if a.Slice == nil {
		a.Slice = &Slice{}
	}
	c := a.Cursor
	a.Slice.From = c.From
	totals, err := a.run(redisstore.WhenFull(ctx)) // what is proved
	c.From = a.Slice.From
	return totals, err
}

func (a *Audit) run(ctx context.Context) (totals audit.Totals, err error) {
	c := a.Cursor
	if !c.Began {
		if c.Filled, err = a.fill(ctx); err != nil || (c.Filled > 0 && !a.Apply) {
			return audit.Totals{Found: c.Filled, Unrepaired: c.Filled}, err
		}
		c.Began, a.Slice.From = true, ""
	}
	if !c.Checked {
		lacking, err := Check(ctx, a.Options)
		if c.Lacking = append(c.Lacking, lacking...); err != nil {
			return audit.Totals{}, err
		}
		c.Checked, a.Slice.From = true, ""
	}
	proofs, err := newEvidence(ctx, a.Options)
	if err != nil {
		return audit.Totals{}, err
	}
	auditor := &audit.Auditor{
		Store: audit.NewInspector(proofs.live.Redis()), Ledger: a.Ledger, Evidence: proofs, Apply: a.Apply,
		Report: a.Report, Looked: a.Looked, Cursor: &c.Redis, Pause: a.Slice.Pause,
	}
	if totals, err = auditor.Run(ctx); err != nil {
		return totals, err
	}
	for _, user := range c.Lacking {
		a.Report(audit.Finding{
			Kind: audit.Lost, User: user, Place: "pages", Is: "less than the table has", Repaired: a.Apply,
		})
	}
	items, replaced, err := a.items(ctx)
	totals.Found += c.Filled + len(c.Lacking) + items
	if totals.Repaired += replaced; a.Apply {
		totals.Repaired += c.Filled + len(c.Lacking)
	}
	totals.Unrepaired = totals.Found - totals.Repaired
	return totals, err
}

// fill reports the parts of Redis that were emptied, and fills them.
func (a *Audit) fill(ctx context.Context) (found int, err error) {
	emptied, why, err := Needed(ctx, a.Options)
	if err != nil || !emptied {
		return 0, err
	}
	if a.Apply {
		if _, err := Rebuild(ctx, a.Options); err != nil {
			return 1, err
		}
	}
	a.Report(audit.Finding{Kind: audit.Lost, Place: "Redis", Is: why, Should: "filled again", Repaired: a.Apply})
	return 1, nil
}
