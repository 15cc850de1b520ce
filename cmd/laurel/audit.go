package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"laurel/shared/app"
	"laurel/shared/audit"
	"laurel/shared/importer"
	"laurel/shared/operate"
)

type auditCommand struct {
	Apply bool `help:"Write what is proved; without it nothing is written."`
	operatorFlags
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
	o, err := c.operatorOn(ctx, flags, c.open)
	if err != nil {
		return err
	}
	defer o.close()
	done, result := audited{Findings: []audit.Finding{}}, operate.Audited{}
	err = o.perform(ctx, std, performance{
		name: "audit", arguments: operate.Audit{Apply: c.Apply}, found: std.findings(&done.Findings),
	}, &result)
	if done.Totals, done.Seconds = result.Totals, result.Seconds; err == nil {
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

// findings returns what takes findings: it shows them, or for --json keeps them.
func (s streams) findings(kept *[]audit.Finding) func(json.RawMessage) {
	return func(text json.RawMessage) {
		var f audit.Finding
		if err := json.Unmarshal(text, &f); err != nil {
			return // it is of our own
		}
		if s.json {
			*kept = append(*kept, f)
		} else {
			_, _ = fmt.Fprintln(s.out, f)
		}
	}
}

func (a audited) write(out io.Writer) error {
	_, err := fmt.Fprintf(out, "%s users, %d boards, %s places on boards and in indexes: %s (%.3fs)\n",
		importer.Thousands(a.Users), a.Boards, importer.Thousands(a.Members), summary(a.Totals), a.Seconds)
	return err
}

// open opens the stores: the table only where it is named. Without it nothing is repaired
// that was accepted with one, as what Redis has may be less.
func (c auditCommand) open(ctx context.Context, flags given) (*stores, error) {
	settings, err := c.read(flags, app.NeedRedis)
	if err != nil {
		return nil, err
	}
	if settings.Endpoint != "" || settings.Data != "" {
		return openAs(ctx, settings, app.Options{}, adopt)
	}
	stamp, err := stampOfRedis(ctx, settings)
	if err == nil {
		err = adoptStamp(settings, stamp)
	}
	if err == nil && c.Apply && stamp != nil {
		err = usageError{errNoTable}
	}
	if err != nil {
		return nil, err
	}
	a, err := app.Open(settings, app.Options{})
	if err != nil {
		return nil, err
	}
	return &stores{a, opened{close: func() {}}}, nil
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
