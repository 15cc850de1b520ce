package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"laurel/shared/importer"
	"laurel/shared/night"
	"laurel/shared/operate"
	"laurel/shared/records"
)

type archiveCommand struct {
	DryRun bool `help:"Show what is due, and change nothing."`
	operatorFlags
}

// Help is what the command's help says beside its flags.
func (archiveCommand) Help() string {
	return `One nightly run. Each day and week that has been over for --hot-days whole days, and each month and year that
has been for --hot-months, is closed, then made final from the ledgers (written into the table, read back and
compared), then removed from Redis. Between these steps it waits a quarter of a minute, for writers that have
begun before. What is left is listed with the reason. The forum's flags have to be those of its other processes.

It can be interrupted and run again at any time, also beside another run.

  laurel archive --redis redis://localhost:6379 --dynamodb http://localhost:8000 --dry-run`
}

// Run moves what is due, or shows it.
func (c archiveCommand) Run(ctx context.Context, std streams, flags given) error {
	o, err := c.operator(ctx, std, flags)
	if err != nil {
		return err
	}
	defer o.close()
	var until int64
	work := performance{
		name: "archive", arguments: operate.Archive{DryRun: c.DryRun}, found: func(text json.RawMessage) {
			var w operate.Waiting
			if err := json.Unmarshal(text, &w); err == nil && w.Until.Unix() > until {
				until = w.Until.Unix()
				_, _ = fmt.Fprintln(std.err, waits(w))
			}
		},
	}
	if c.DryRun {
		var d due
		if err := o.perform(ctx, std, work, &d.Due); err != nil {
			return err
		}
		return std.show(d)
	}
	var result moved
	err = explainRun(o.perform(ctx, std, work, &result.Result))
	if result.Today == 0 { // it has not begun
		return err
	}
	return errors.Join(err, std.show(result))
}

// waits says what a run waits for, and how long.
func waits(w operate.Waiting) string {
	var names []string
	for _, l := range w.Left {
		if l.Reason == night.ReasonWait {
			names = append(names, l.String())
		}
	}
	if n := len(names); n > 3 {
		names = append(names[:2:2], fmt.Sprintf("and %d more", n-2))
	}
	return fmt.Sprintf("waits until %s, as reports may be on their way that began before the last step: %s",
		w.Until.Format(time.TimeOnly), strings.Join(names, ", "))
}

// explainRun says what to do about a run that has failed, or was told to end.
func explainRun(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return textError("interrupted; run it again, it goes on where it was")
	default:
		return err
	}
}

// due is what a run would do.
type due struct{ operate.Due }

func (d due) write(out io.Writer) error {
	writeImports(out, d.Imports)
	now := d.At.Format("2006-01-02 15:04 -07:00")
	if len(d.Steps)+len(d.Left) == 0 {
		_, err := fmt.Fprintf(out, "on %s nothing is due\n", now)
		return err
	}
	_, _ = fmt.Fprintf(out, "on %s:\n", now)
	return writeSteps(out, d.Steps, d.Left)
}

// moved is what a run did.
type moved struct{ night.Result }

func (result moved) write(out io.Writer) error {
	if err := writeSteps(out, result.Moved, result.Left); err != nil {
		return err
	}
	for what, o := range map[string]*night.Ongoing{"erasures": result.Erasures, "voids": result.Voids} {
		if o != nil {
			_, _ = fmt.Fprintf(out, "%s: %d done, %d left\n", what, o.Done, o.Left)
		}
	}
	for _, m := range result.Ledgers {
		_, _ = fmt.Fprintf(out, "the ledgers of %s are deleted\n", m)
	}
	_, err := fmt.Fprintf(out, "on %s: %d steps, %d left\n", result.Today, len(result.Moved), len(result.Left))
	return err
}

// writeSteps writes the steps that periods take, and what is left.
func writeSteps(out io.Writer, steps []night.Moved, left []night.Left) error {
	rows := newTable(out)
	for _, m := range steps {
		_, _ = fmt.Fprintf(rows, "%s\t%s\t\t\n", m.Periods, m.Event)
		for _, b := range m.Boards {
			_, _ = fmt.Fprintf(rows, "\t%s\t%s entries\t\n", b.Board, importer.Thousands(b.Entries))
		}
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	for _, l := range left {
		_, _ = fmt.Fprintf(out, "left: %s\n", reasonOf(l))
	}
	return nil
}

// reasonOf says what is left, and why.
func reasonOf(l night.Left) string {
	why := map[night.Reason]string{
		night.ReasonWait: "the next step is at " + l.Next.Format(time.TimeOnly), night.ReasonImport: "the import of " +
			l.Detail + " is in progress", night.ReasonParts: "its days, weeks or months are not final",
		night.ReasonVotes: "its articles can still be voted for", night.ReasonReopened: "it is reopened until the next night",
		night.ReasonView: "Redis is unavailable; laurel recover says what to do", night.ReasonBehind: "Redis is behind: " +
			l.Detail + "; the next tick goes on", night.ReasonTime: "the time was over",
		night.ReasonFailed: l.Detail,
	}[l.Reason]
	if l.Reason == night.ReasonView && l.Detail != "" {
		why += ": " + l.Detail
	}
	if name := l.String(); name != "" {
		return name + ": " + why
	}
	return why
}

// writeImports writes which imports keep months from being closed.
func writeImports(out io.Writer, all []records.Import) {
	if len(all) > 0 {
		_, _ = fmt.Fprintf(out, "%s\nnothing of these months is closed; complete the import, or use laurel import --finish "+
			"or --give-up\n", listImports(all))
	}
}

// newTable is a table whose figures are right-aligned.
func newTable(out io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
}
