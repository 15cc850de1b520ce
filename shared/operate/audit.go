package operate

import (
	"context"

	"laurel/shared/audit"
	"laurel/shared/recovery"
)

// Audit are the arguments of "audit". What it finds are audit.Findings, its result is an
// Audited.
type Audit struct {
	Apply bool `json:"apply,omitempty"` // write what is proved; else nothing is written
}

// Audited is what an audit has looked at.
type Audited struct {
	audit.Totals
	Seconds float64 `json:"seconds"`
}

// auditCursor is an audit in slices.
type auditCursor struct {
	Audit   recovery.AuditCursor `json:"audit,omitzero"`
	Seconds float64              `json:"seconds,omitempty"`
}

func auditSlice(ctx context.Context, s *slice, a Audit, c *auditCursor) (any, error) {
	totals, err := s.audit(ctx, a.Apply, c)
	if err != nil {
		return nil, err
	}
	return Audited{totals, c.Seconds}, nil
}

// audit holds Redis against the table, or where there is none against itself.
func (s *slice) audit(ctx context.Context, apply bool, c *auditCursor) (totals audit.Totals, err error) {
	defer s.took(&c.Seconds)()
	report := func(f audit.Finding) { s.find(f) }
	redis := audit.NewInspector(s.Store.Redis())
	keys, _ := redis.Size(ctx) // the audit finds out by itself that Redis is unavailable
	looked := func(users int64) { s.progress(users, max(keys, users), "users") }
	if s.Kept == nil {
		a := &audit.Auditor{Store: redis, Ledger: s.Ledger, Apply: apply, Report: report, Looked: looked}
		return a.Run(ctx)
	}
	a := recovery.Audit{Options: s.Recovery(s.now), Apply: apply, Report: report, Looked: looked, Cursor: &c.Audit}
	a.Slice = &recovery.Slice{Pause: s.over}
	return a.Run(ctx)
}
