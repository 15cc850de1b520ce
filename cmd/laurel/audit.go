package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"laurel/shared/app"
	"laurel/shared/audit"
	"laurel/shared/importer"
	"laurel/shared/recovery"
)

type auditCommand struct {
	Apply bool `help:"Write what is proved; without it nothing is written."`
	settingFlags
}

// Help is what the command's help says beside its flags.
func (auditCommand) Help() string {
	return `Each difference is a line: the user, the board or page, what is there and what should be. Exits with 1 when
there are any that are not repaired. It can be run beside writers; the forum's flags have to be theirs.

Without --apply nothing is written. With it, what the table has is merged into Redis first, and damaged pages
are made anew; then what the entries or the journal prove is written. Nothing is removed because something is
missing: what can't be explained is kept and named.`
}

// Run does the audit.
func (c auditCommand) Run(ctx context.Context, std streams, flags given) error {
	settings, err := c.read(flags, app.NeedRedis)
	if err != nil {
		return err
	}
	a, closeAll, err := c.open(ctx, settings)
	if err != nil {
		return err
	}
	defer closeAll()
	done, err := inspect(ctx, std, a, c.Apply)
	if err == nil {
		err = std.show(done)
	}
	if err == nil && done.Unrepaired > 0 {
		return errFound
	}
	return err
}

// audited is what an audit has looked at and found. Text has the findings before, as they
// are met.
type audited struct {
	audit.Totals
	Findings []audit.Finding `json:"findings"`
	Seconds  float64         `json:"seconds"`
}

func (a audited) write(out io.Writer) error {
	_, err := fmt.Fprintf(out, "%s users, %d boards, %s places on boards and in indexes: %s (%.3fs)\n",
		importer.Thousands(a.Users), a.Boards, importer.Thousands(a.Members), summary(a.Totals), a.Seconds)
	return err
}

// open opens the stores: the table only where it is named. Without it nothing is repaired
// that was accepted with one, as what Redis has may be less.
func (c auditCommand) open(ctx context.Context, settings *app.Config) (a *app.App, closeAll func(), err error) {
	if settings.Endpoint != "" || settings.Data != "" {
		s, err := openAs(ctx, settings, app.Options{}, adopt)
		if err != nil {
			return nil, nil, err
		}
		return s.App, s.close, nil
	}
	stamp, err := stampOfRedis(ctx, settings)
	if err == nil {
		err = adoptStamp(settings, stamp)
	}
	if err == nil && c.Apply && stamp != nil {
		err = usageError{errNoTable}
	}
	if err == nil {
		a, err = app.Open(settings, app.Options{})
	}
	if err != nil {
		return nil, nil, err
	}
	return a, func() { _ = a.Store.Close() }, nil
}

// inspect runs an audit, which shows how far it is and tells what it finds.
func inspect(ctx context.Context, std streams, a *app.App, apply bool) (done audited, err error) {
	done.Findings = []audit.Finding{}
	report := func(f audit.Finding) {
		if std.json {
			done.Findings = append(done.Findings, f)
		} else {
			_, _ = fmt.Fprintln(std.out, f)
		}
	}
	began := time.Now()
	defer func() { done.Seconds = time.Since(began).Seconds() }()
	stop := func() {}
	defer func() { stop() }() //nolint:gocritic // stop is another one when the audit has begun
	begun := func(auditor *audit.Auditor) {
		keys, _ := auditor.Store.Size(ctx) // the audit finds out by itself that Redis is unavailable
		users := func() int64 { n, _ := auditor.Looked(); return n }
		stop = watch(std.err, work{Name: "audit", Unit: "users", Total: keys, Done: users, Count: users})
	}
	if a.Kept != nil {
		held := recovery.Audit{Options: a.Recovery(a.Clock()), Apply: apply, Report: report, Begun: begun}
		done.Totals, err = held.Run(ctx)
		return done, err
	}
	auditor := &audit.Auditor{
		Store: audit.NewInspector(a.Store.Redis()), Ledger: a.Ledger, Apply: apply, Report: report,
	}
	begun(auditor)
	done.Totals, err = auditor.Run(ctx)
	return done, err
}

func summary(t audit.Totals) string {
	switch {
	case t.Found == 0:
		return "no differences"
	case t.Repaired == 0:
		return fmt.Sprintf("differences: %d", t.Found)
	case t.Unrepaired == 0:
		return fmt.Sprintf("differences: %d, all repaired", t.Found)
	default:
		return fmt.Sprintf("differences: %d, repaired: %d; the others are kept", t.Found, t.Repaired)
	}
}
