package recovery

import (
	"context"

	"laurel/shared/audit"
	"laurel/shared/redisstore"
)

// An Audit holds Redis against the table and itself, and says what it finds.
type Audit struct {
	Options
	Apply  bool                 // write what is proved; else nothing is written
	Report func(audit.Finding)  // each difference, once
	Begun  func(*audit.Auditor) // may be nil: is called with the audit of Redis, to tell how far it is
}

// Run does the audit. Where parts of Redis were emptied, an audit that writes fills them
// first; one that doesn't says so and ends.
func (a *Audit) Run(ctx context.Context) (audit.Totals, error) {
	ctx = redisstore.WhenFull(ctx) // what is proved
	filled, err := a.fill(ctx)
	if err != nil || (filled > 0 && !a.Apply) {
		return audit.Totals{Found: filled, Unrepaired: filled}, err
	}
	lacking, err := Check(ctx, a.Options)
	if err != nil {
		return audit.Totals{}, err
	}
	proofs, err := newEvidence(ctx, a.Options)
	if err != nil {
		return audit.Totals{}, err
	}
	auditor := &audit.Auditor{
		Store: audit.NewInspector(proofs.live.Redis()), Ledger: a.Ledger, Evidence: proofs, Apply: a.Apply,
		Report: a.Report,
	}
	if a.Begun != nil {
		a.Begun(auditor)
	}
	totals, err := auditor.Run(ctx)
	if err != nil {
		return totals, err
	}
	for _, user := range lacking {
		a.Report(audit.Finding{
			Kind: audit.Lost, User: user, Place: "pages", Is: "less than the table has", Repaired: a.Apply,
		})
	}
	items, replaced, err := a.items(ctx)
	totals.Found += filled + len(lacking) + items
	if totals.Repaired += replaced; a.Apply {
		totals.Repaired += filled + len(lacking)
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
