package operate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"laurel/shared/core/activity"
	"laurel/shared/forum/trial"
	"laurel/shared/run/importer"
)

// maxRules is the maximum number of bytes of a rules file.
const maxRules = 256 << 10

// Try shows the boards of the current periods by other rules, in one slice, and writes nothing. Its object is a
// trial.Result.
type Try struct {
	Rules json.RawMessage `json:"rules" flag:"-"` // the rules file
}

// ReadRules returns a rules file as a Try takes it. The error names every violation and its line in the file.
func ReadRules(name string, text []byte) (json.RawMessage, error) {
	if len(text) > maxRules {
		return nil, Usage("%s: it has more than %d bytes", name, maxRules)
	}
	if _, err := activity.ParseRulesFile(name, text); err != nil {
		return nil, usageError{err}
	}
	var short bytes.Buffer
	err := json.Compact(&short, text)
	return short.Bytes(), err
}

func (t *Try) check() error {
	_, err := ReadRules("rules", t.Rules)
	return err
}

func (t *Try) do(ctx context.Context, s *slice) (Result, error) {
	rules, err := activity.ParseRules(t.Rules)
	if err != nil {
		return Result{}, usageError{err}
	}
	tried, err := trial.Run(ctx, trial.Options{
		Items: s.Items, Ledger: s.Ledger, Clock: s.Clock, Log: s.Log,
	}, rules, s.met)
	return ended(tried, triedText, err)
}

// triedText shows each board, before and after, and the users who move.
func triedText(t trial.Result) string {
	var b strings.Builder
	for _, tried := range t.Boards {
		on := importer.Thousands(tried.Before.Total) + " on it, "
		if tried.New {
			on = "a new board, "
		}
		fmt.Fprintf(&b, "%s, %s: %s%s by the file\n", tried.Board, periodText(tried.Window, tried.Period), on,
			importer.Thousands(tried.After.Total))
		switch {
		case tried.Before.Total+tried.After.Total == 0:
		case tried.New:
			placesOf(&b, tried.After.Entries)
		default:
			tops(&b, tried.Before.Entries, tried.After.Entries)
			moves(&b, "gain", tried.Gain)
			moves(&b, "lose", tried.Lose)
		}
		b.WriteByte('\n')
	}
	for _, unknown := range t.Unknown {
		fmt.Fprintf(&b, "not known: %s\n", unknown)
	}
	for _, warning := range t.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	if t.Damaged > 0 {
		fmt.Fprintf(&b, "%d people are damaged, and left out\n", t.Damaged)
	}
	fmt.Fprintf(&b, "%s people; nothing was changed\n", importer.Thousands(t.People))
	return b.String()
}

// placesOf shows the top of a new board.
func placesOf(b *strings.Builder, entries []trial.Place) {
	rows := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprint(rows, "  place\tby the file\tscore\n")
	for _, e := range entries {
		_, _ = fmt.Fprintf(rows, "  %d%s\n", e.Rank, placed(e))
	}
	_ = rows.Flush() // into memory
}

// tops shows the tops of a board side by side.
func tops(b *strings.Builder, before, after []trial.Place) {
	rows := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprint(rows, "  place\tnow\tscore\tby the file\tscore\n")
	for i := range max(len(before), len(after)) {
		row, empty := fmt.Sprintf("  %d", i+1), "\t\t"
		if i < len(before) {
			row, empty = row+placed(before[i]), ""
		}
		if i < len(after) {
			row += empty + placed(after[i])
		}
		_, _ = fmt.Fprintln(rows, row)
	}
	_ = rows.Flush() // into memory
}

// placed shows the place of a user or a team in two columns.
func placed(e trial.Place) string {
	return "\t" + called(cmp.Or(e.User, e.Team), e.Name) + "\t" + importer.Thousands(e.Score)
}

// called returns the name and id of a user or a team.
func called(user, name string) string {
	if name == "" {
		return user
	}
	return fmt.Sprintf("%s (%s)", name, user)
}

// moves lists the users who gain or lose places.
func moves(b *strings.Builder, verb string, all []trial.Move) {
	if len(all) == 0 {
		fmt.Fprintf(b, "  nobody would %s a place\n", verb)
		return
	}
	fmt.Fprintf(b, "  would %s most places:\n", verb)
	rows := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, m := range all {
		_, _ = fmt.Fprintf(rows, "    %s\t%s -> %s\t%s -> %s points\n", called(cmp.Or(m.User, m.Team), m.Name),
			ranked(m.Before.Rank), ranked(m.After.Rank), importer.Thousands(m.Before.Score), importer.Thousands(m.After.Score))
	}
	_ = rows.Flush() // into memory
}

// ranked returns a rank, - for none.
func ranked(rank int64) string {
	if rank == 0 {
		return "-"
	}
	return importer.Thousands(rank)
}
