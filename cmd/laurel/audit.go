package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"laurel/shared/importer"
	"laurel/shared/operate"
)

type auditCommand struct {
	Apply bool `help:"Bring Redis to what the ledgers say; without it nothing is written."`
	Final bool `help:"Make the final boards of the last months again, too, and say what differs, each with its reason."`
	operatorFlags
}

// Help is what the command's help says beside its flags.
func (auditCommand) Help() string {
	return `Compares every place on every live board, and every article's votes, with the ledgers. Each difference is a
line. Exits with 1 when there are any that are not mended. It can be run beside writers, whose reports may be
on their way; the forum's flags have to be theirs. Ledgers are the truth: --apply changes Redis alone, and
final boards are never changed.`
}

// Run does the audit.
func (c auditCommand) Run(ctx context.Context, std streams, flags given) error {
	o, err := c.operator(ctx, std, flags)
	if err != nil {
		return err
	}
	defer o.close()
	done := audited{Findings: []json.RawMessage{}}
	err = o.perform(ctx, std, performance{
		name: "audit", arguments: operate.Audit{Apply: c.Apply, Final: c.Final}, found: std.findings(&done.Findings),
	}, &done.Audited)
	if err == nil {
		err = std.show(done)
	}
	if err == nil && done.Differs() {
		return errFound
	}
	return err
}

// audited is what an audit has looked at and found. Text has the findings before, as they
// are met.
type audited struct {
	operate.Audited
	Findings []json.RawMessage `json:"findings"`
}

// findings returns what takes findings: it shows them, or for --json keeps them.
func (s streams) findings(kept *[]json.RawMessage) func(json.RawMessage) {
	return func(text json.RawMessage) {
		if s.json {
			*kept = append(*kept, text)
		} else {
			_, _ = fmt.Fprintln(s.out, string(text))
		}
	}
}

func (a audited) write(out io.Writer) error {
	_, err := fmt.Fprintf(out, "%s people: %s (%.3fs)\n", importer.Thousands(a.View.People), a.summary(), a.Seconds)
	if a.Final != nil && err == nil {
		_, err = fmt.Fprintf(out, "%d final boards, %s entries: %s\n", a.Final.Boards, importer.Thousands(a.Final.Entries),
			differences(a.Final.Total()))
	}
	return err
}

func (a audited) summary() string {
	text := differences(a.View.Differ)
	if a.Applied && a.View.Differ > 0 {
		text += ", all mended"
	}
	if a.View.Damaged > 0 {
		text += fmt.Sprintf("; %d people or articles are damaged", a.View.Damaged)
	}
	return text
}

func differences(n int64) string {
	if n == 0 {
		return "no differences"
	}
	return fmt.Sprintf("differences: %d", n)
}
