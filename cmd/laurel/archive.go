package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"laurel/shared/importer"
	"laurel/shared/nightly"
	"laurel/shared/operate"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

type archiveCommand struct {
	DryRun bool `help:"Show what is due, and change nothing."`
	operatorFlags
}

// Help is what the command's help says beside its flags.
func (archiveCommand) Help() string {
	return `One nightly run. First what the journal has since the last sealed day is merged into Redis, which changes
nothing on a good night, and those days are sealed. Then each day that has been over for --hot-days whole days,
and each month that has been for --hot-months, is closed, copied into the archive, read back and compared, and
then removed from Redis. The forum's flags have to be those of its other processes.

It can be interrupted and run again at any time, also beside another run. Exits with 1 when a period failed;
the others have moved all the same.

  laurel archive --redis redis://localhost:6379 --dynamodb http://localhost:8000 --dry-run`
}

// Run moves what is due, or shows it.
func (c archiveCommand) Run(ctx context.Context, std streams, flags given) error {
	o, err := c.operator(ctx, flags)
	if err != nil {
		return err
	}
	defer o.close()
	work := performance{name: "archive", arguments: operate.Archive{DryRun: c.DryRun}}
	if c.DryRun {
		var d due
		if err := o.perform(ctx, std, work, &d.Due); err != nil {
			return err
		}
		return std.show(d)
	}
	var result night
	err = explainRun(o.perform(ctx, std, work, &result.Result))
	if result.Today == 0 { // it has not begun
		return err
	}
	return errors.Join(err, std.show(result))
}

// explainRun says what to do about a run that has failed, or was told to end.
func explainRun(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return textError("interrupted; run it again, it goes on where it was")
	case errors.Is(err, redisstore.ErrUnavailable):
		return fmt.Errorf("%w; once the store is well, run it again", err)
	default:
		return err
	}
}

// due is what a run would move.
type due struct{ operate.Due }

func (d due) write(out io.Writer) error {
	writeImports(out, d.Imports)
	now := d.At.Format("2006-01-02 15:04 -07:00")
	if len(d.Periods) == 0 && len(d.Months) == 0 {
		_, err := fmt.Fprintf(out, "on %s nothing is due\n", now)
		return err
	}
	_, _ = fmt.Fprintf(out, "on %s these are due:\n\n", now)
	table := newTable(out)
	_, _ = fmt.Fprintln(table, "board\twindow\tperiod\tentries\t")
	for _, p := range d.Periods {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t\n", p.Board, p.Window, p.Period, importer.Thousands(p.Entries))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(d.Months) > 0 {
		_, err := fmt.Fprintf(out, "\nand then the users' pages of %s\n", strings.Join(d.Months, ", "))
		return err
	}
	return nil
}

// night is what a run did.
type night struct{ nightly.Result }

func (result night) write(out io.Writer) error {
	writeProof(out, result.Result)
	writeImports(out, result.Imports)
	if len(result.Moved) > 0 {
		table := newTable(out)
		_, _ = fmt.Fprintln(table, "board\twindow\tperiod\tentries\tpages\tbytes\treads\twrites\tseconds\t")
		for _, m := range result.Moved {
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%s\t%.1f\t%.1f\t%.2f\t%s\n", m.Board, m.Window, m.Period,
				importer.Thousands(m.Entries), m.Pages, importer.Thousands(m.Bytes), m.ReadUnits, m.WriteUnits, m.Seconds,
				remark(m))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	for _, m := range result.Months {
		_, _ = fmt.Fprintf(out, "the users' pages of %s are removed (%.2f s)\n", m.Month, m.Seconds)
	}
	for _, f := range result.Failed {
		_, _ = fmt.Fprintf(out, "%s failed\n", f.Name)
	}
	for _, name := range result.Left {
		_, _ = fmt.Fprintf(out, "%s is left for the next run\n", name)
	}
	_, err := fmt.Fprintf(out, "on %s: moved %d, left %d, failed %d\n", result.Today, len(result.Moved), len(result.Left),
		len(result.Failed))
	return err
}

// writeImports writes which imports keep months from being moved.
func writeImports(out io.Writer, all []state.Import) {
	if len(all) > 0 {
		_, _ = fmt.Fprintf(out, "%s\nnothing of these months is moved; complete the import, or use laurel import --finish "+
			"or --give-up\n", listImports(all))
	}
}

// writeProof writes what the journal's steps came to, if there were any.
func writeProof(out io.Writer, result nightly.Result) {
	if p := result.Proof; p.Days > 0 || p.Rows > 0 {
		_, _ = fmt.Fprintf(out, "journal: %s rows of %d days proved, %s mended, %d days sealed (%.2f s)\n",
			importer.Thousands(p.Rows), p.Days, importer.Thousands(p.Mended), result.Sealed, p.Seconds)
	}
	if result.SealsExpired > 0 {
		_, _ = fmt.Fprintf(out, "journal: the seals of %d days have expired\n", result.SealsExpired)
	}
	if result.UnsealedDays > 0 {
		_, _ = fmt.Fprintf(out, "journal: %d days are not sealed yet\n", result.UnsealedDays)
	}
}

func remark(m nightly.Moved) string {
	switch {
	case m.Expired:
		return "not kept: it would have expired"
	case m.WasFinal:
		return "was final already"
	default:
		return ""
	}
}

// newTable is a table whose figures are right-aligned.
func newTable(out io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
}
