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

// Run does the audit.
func (a *Audit) Run(ctx context.Context) (audit.Totals, error) {
	ctx = redisstore.WhenFull(ctx) // what is proved
	lost, err := a.lost(ctx)
	if err != nil {
		return audit.Totals{}, err
	}
	r := open(a.Options)
	auditor := &audit.Auditor{
		Store: audit.NewInspector(r.live.Redis()), Ledger: a.Ledger, Apply: a.Apply && lost == 0, Report: a.Report,
	}
	if a.Begun != nil {
		a.Begun(auditor)
	}
	totals, err := auditor.Run(ctx)
	totals.Found, totals.Unrepaired = totals.Found+lost, totals.Unrepaired+lost
	return totals, err
}

// lost reports what Redis lacks of what the table has.
func (a *Audit) lost(ctx context.Context) (lost int, err error) {
	emptied, why, err := Needed(ctx, a.Options)
	if err != nil {
		return 0, err
	}
	if emptied {
		a.Report(audit.Finding{Kind: audit.Lost, Place: "Redis", Is: why, Should: "laurel rebuild"})
		return 1, nil
	}
	users, err := Check(ctx, a.Options)
	for _, user := range users {
		a.Report(audit.Finding{
			Kind: audit.Lost, User: user, Place: "pages", Is: "less than the table has", Should: "laurel rebuild --all",
		})
	}
	return len(users), err
}
