package operate

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"laurel/shared/forum/fair"
	"laurel/shared/run/importer"
)

// Fair lists people who act mostly for each other, in one slice, and changes nothing. Its object is a fair.Result.
type Fair struct{}

func (*Fair) do(ctx context.Context, s *slice) (Result, error) {
	found, err := fair.Run(ctx, fair.Options{
		Items: s.Items, Ledger: s.Ledger, Clock: s.Clock, Log: s.Log,
	}, s.met)
	return ended(found, fairText, err)
}

// fairText shows pairs and groups as tables.
func fairText(r fair.Result) string {
	var b strings.Builder
	rows := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if len(r.Pairs) > 0 {
		_, _ = fmt.Fprintln(rows, "from\tto\tacts\tof all\tshare\tback\tundone\tfirst\tlast\t")
	}
	for _, p := range r.Pairs {
		_, _ = fmt.Fprintf(rows, "%s\t%s\t%s\t%d\t%s\n", p.From, p.To, shareOf(p.Acts), p.Back, spanOf(p.Acts, p.Void))
	}
	_ = rows.Flush() // into memory
	for _, g := range r.Groups {
		fmt.Fprintf(&b, "group of %d: %s: %d acts of %d (%d%%), undone %d, first %s, last %s\n", len(g.People),
			strings.Join(g.People, " "), g.Acts.Acts, g.All, g.Share(), g.Undone, g.First, g.Last)
	}
	if r.Damaged > 0 {
		fmt.Fprintf(&b, "%d people are damaged, and left out\n", r.Damaged)
	}
	fmt.Fprintf(&b, "%s people; pairs: %d, groups: %d, of %d acts or more for one person and %d%% of all; "+
		"nothing was changed\n", importer.Thousands(r.People), len(r.Pairs), len(r.Groups), r.Thresholds.Acts,
		r.Thresholds.Share)
	return b.String()
}

func shareOf(a fair.Acts) string { return fmt.Sprintf("%d\t%d\t%d%%", a.Acts, a.All, a.Share()) }

func spanOf(a fair.Acts, void bool) string {
	text := fmt.Sprintf("%d\t%s\t%s\t", a.Undone, a.First, a.Last)
	if void {
		text += "void"
	}
	return text
}
