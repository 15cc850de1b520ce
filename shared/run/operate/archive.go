package operate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/forum/night"
	"laurel/shared/run/importer"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
)

// Archive is a nightly run. Its object is a night.Result, or with DryRun a Due.
type Archive struct {
	DryRun      bool         `json:"dryRun,omitempty"`      // show the due steps, and change nothing
	HistoryIsIn bool         `json:"historyIsIn,omitempty"` // nothing more comes of the time before the table
	Done        night.Result `json:"done,omitzero" flag:"-"`
}

func (a *Archive) check() error {
	if a.DryRun && a.HistoryIsIn {
		return Usage("--history-is-in changes the due steps, and --dry-run changes nothing: name one of them")
	}
	return nil
}

// Due shows the steps that a nightly run would take.
type Due struct {
	At time.Time `json:"at"`
	night.Plan
}

// do uses all the time of its slice.
func (a *Archive) do(ctx context.Context, s *slice) (Result, error) {
	o := s.Nights()
	if a.DryRun {
		plan, err := night.Look(ctx, o)
		return ended(Due{s.Clock().In(s.Calendar.Zone()).Truncate(time.Second), plan}, Due.text, err)
	}
	if a.HistoryIsIn {
		if err := s.Items.HistoryIsIn(ctx); err != nil {
			return Result{}, err
		}
	}
	var told int64
	o.Waits = func(until time.Time, left []items.Left) {
		if until.Unix() > told {
			told = until.Unix()
			s.progress(Progress{Note: waits(until, left)})
		}
	}
	done, err := night.Run(ctx, o)
	stuck := done.Short && len(done.Moved) == 0
	a.Done.Add(done)
	switch {
	case a.Done.Today == 0: // it has not begun
		return Result{}, err
	case err != nil || !done.Short || stuck:
		return Result{Object: a.Done, Text: a.text()}, err
	default:
		return Result{}, errPaused
	}
}

// waits describes the wait of a run, and its length.
func waits(until time.Time, left []items.Left) string {
	var names []string
	for _, l := range left {
		if l.Reason == items.ReasonWait {
			names = append(names, l.String())
		}
	}
	if n := len(names); n > 3 {
		names = append(names[:2:2], fmt.Sprintf("and %d more", n-2))
	}
	return fmt.Sprintf("waits until %s, as reports may be on their way that began before the last step: %s",
		until.Format(time.TimeOnly), strings.Join(names, ", "))
}

// text describes the due steps, and the periods that are left.
func (d Due) text() string {
	text, now := "", d.At.Format("2006-01-02 15:04 -07:00")
	if len(d.Imports) > 0 {
		text = importer.InProgress(d.Imports) + "\nnothing of these months is closed; complete the import, or use " +
			"laurel import --finish or --give-up\n"
	}
	if len(d.Steps)+len(d.Left) == 0 {
		return text + "on " + now + " nothing is due\n"
	}
	return text + "on " + now + ":\n" + steps(d.Steps, d.Left)
}

// text describes the steps taken, and the periods that are left.
func (a *Archive) text() string {
	var b strings.Builder
	r := a.Done
	b.WriteString(steps(r.Moved, r.Left))
	for kind, o := range map[string]*items.Ongoing{
		"erasures": r.Erasures, "voids": r.Voids, "merges": r.Merges,
	} {
		if o != nil {
			fmt.Fprintf(&b, "%s: %d done, %d left\n", kind, o.Done, o.Left)
		}
	}
	for _, month := range r.Ledgers {
		fmt.Fprintf(&b, "the ledgers of %s are deleted\n", month)
	}
	fmt.Fprintf(&b, "on %s: %d steps, %d left\n", r.Today, len(r.Moved), len(r.Left))
	return b.String()
}

// steps lists the steps of periods, with figures right-aligned, and the periods that are left.
func steps(moved []night.Moved, left []items.Left) string {
	var b strings.Builder
	rows := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, m := range moved {
		_, _ = fmt.Fprintf(rows, "%s\t%s\t\t\n", m.Periods, m.Event)
		for _, made := range m.Boards {
			_, _ = fmt.Fprintf(rows, "\t%s\t%s entries\t\n", made.Board, importer.Thousands(made.Entries))
		}
	}
	_ = rows.Flush() // into memory
	for _, l := range left {
		b.WriteString("left: " + reasonOf(l) + "\n")
	}
	return b.String()
}

// reasonOf tells why a period is left.
func reasonOf(l items.Left) string {
	why := map[items.Reason]string{
		items.ReasonWait:   "the next step is at " + l.Next.Format(time.TimeOnly),
		items.ReasonImport: "the import of " + l.Detail + " is in progress",
		items.ReasonHistory: "history may come until " + l.Next.Format("2006-01-02 15:04 -07:00") +
			"; laurel archive --history-is-in says that all is in",
		items.ReasonParts:    "its days, weeks or months are not final",
		items.ReasonVotes:    "its articles can still be voted for",
		items.ReasonReopened: "it is reopened until the next night",
		items.ReasonView:     "the view is unavailable; run laurel repair",
		items.ReasonRestored: items.RestoredReason,
		items.ReasonBehind:   "the view is behind: " + l.Detail + "; the next tick continues",
		items.ReasonTime:     "the time was over",
		items.ReasonFailed:   l.Detail,
	}[l.Reason]
	if l.Reason == items.ReasonView && l.Detail != "" {
		why += ": " + l.Detail
	}
	if name := l.String(); name != "" {
		return name + ": " + why
	}
	return why
}

// Reopen makes a final period live again, in one slice. Its object is a night.Reopened.
type Reopen struct {
	Period string `arg:"" json:"period"`
	Apply  bool   `json:"apply,omitempty"`
	Reason string `json:"reason,omitempty" placeholder:"TEXT"`
	period board.Period
}

func (r *Reopen) check() error {
	err := r.period.UnmarshalText([]byte(r.Period))
	nobodys := r.period.Window() == board.Contest && r.period.Board() == ""
	if err != nil || !r.period.Window().Ends() || nobodys {
		return Usage("%q is not a period such as 2026-11-20, 2026-W47, 2026-11, 2026-Q4, 2026, "+
			"or a board's contest such as autumn:2026-11-01..2026-11-30", r.Period)
	}
	return checkReason(r.Reason)
}

func (r *Reopen) do(ctx context.Context, s *slice) (Result, error) {
	told, err := night.Reopen(ctx, s.Nights(), r.period, r.Apply, r.Reason)
	switch {
	case errors.Is(err, final.ErrNotFinal):
		err = fmt.Errorf("%s is not final: it is live, or on its way", r.Period)
	case errors.Is(err, night.ErrLedgers):
		err = fmt.Errorf("%w; the final boards stay as they are", err)
	}
	return ended(told, reopened, err)
}

// namedDifferences is the number of differences that are shown.
const namedDifferences = 20

// reopened lists the first differences, and the outcome.
func reopened(r night.Reopened) string {
	if r.Was {
		return r.Period.String() + " is reopened already\n"
	}
	var b strings.Builder
	for _, d := range r.Differences[:min(len(r.Differences), namedDifferences)] {
		user := d.User
		if user == "" {
			user = "an erased user"
		}
		fmt.Fprintf(&b, "%s: %s has %s, would have %s: %s\n", d.Board, user, importer.Thousands(d.Final),
			importer.Thousands(d.Ledger), d.Why)
	}
	if more := len(r.Differences) - namedDifferences; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	outcome := "would be live again; --apply does it"
	if r.Applied {
		outcome = "is live again until the next nightly run"
	}
	fmt.Fprintf(&b, "%s: %s; %s\n", r.Period, differences(r.Total()), outcome)
	return b.String()
}
