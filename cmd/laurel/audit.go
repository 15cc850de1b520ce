package main

import (
	"context"
	"fmt"
	"time"

	"laurel/shared/app"
	"laurel/shared/audit"
	"laurel/shared/importer"
)

type auditCommand struct {
	Repair bool `help:"Write what the entries say over what differs."`
	settingFlags
}

// Help is what the command's help says beside its flags.
func (auditCommand) Help() string {
	return `Each difference is a line: the user, the board or page, what is there and what should be. Exits with 1 when
there are any that are not repaired. It can be run beside writers; the forum's flags have to be theirs.`
}

// Run does the audit.
func (c auditCommand) Run(ctx context.Context, std streams, flags given) error {
	settings, err := c.read(flags, app.NeedRedis)
	if err != nil {
		return err
	}
	stamp, err := stampOfRedis(ctx, settings)
	if err == nil {
		err = adoptStamp(settings, stamp)
	}
	if err != nil {
		return err
	}
	a, err := app.Open(settings, app.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = a.Store.Close() }()
	began := time.Now()
	totals, err := inspect(ctx, std, a, c.Repair)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "%s users, %d boards, %s places on boards and in indexes: %s (%s)\n",
		importer.Thousands(totals.Users), totals.Boards, importer.Thousands(totals.Members), summary(totals),
		time.Since(began).Round(time.Millisecond))
	if err == nil && totals.Unrepaired > 0 {
		return errFound
	}
	return err
}

// inspect runs an audit, which shows how far it is and tells what it finds.
func inspect(ctx context.Context, std streams, a *app.App, repair bool) (audit.Totals, error) {
	auditor := &audit.Auditor{
		Store: audit.NewInspector(a.Store.Redis()), Ledger: a.Ledger, Repair: repair,
		Report: func(f audit.Finding) { _, _ = fmt.Fprintln(std.out, f) },
	}
	keys, err := auditor.Store.Size(ctx)
	if err != nil {
		return audit.Totals{}, err
	}
	users := func() int64 { n, _ := auditor.Looked(); return n }
	stop := watch(std.err, work{Name: "audit", Unit: "users", Total: keys, Done: users, Count: users})
	defer stop()
	return auditor.Run(ctx)
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
		return fmt.Sprintf("differences: %d, repaired: %d; the others cannot be mended from what is stored", t.Found,
			t.Repaired)
	}
}
