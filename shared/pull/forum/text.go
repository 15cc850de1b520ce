package forum

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"laurel/shared/compare"
	"laurel/shared/importer"
)

// text says what differs.
func text(d compare.Difference) string {
	what := strings.Join(strings.Fields(d.Action+" "+d.Target+" "+d.Ref), " ")
	switch d.Kind {
	case compare.Missing:
		return what + ": in the forum (" + d.Forum + "), not in Laurel"
	case compare.Undone:
		return what + ": in the forum (" + d.Forum + "), taken back in Laurel"
	case compare.Surplus:
		return what + ": in Laurel (" + d.Laurel + "), not in the forum"
	case compare.OtherPoints:
		return "the same activities, " + d.Forum + " points by the rules, " + d.Laurel + " in Laurel"
	default:
		return what + ": " + d.Forum + " in the forum, " + d.Laurel + " in Laurel"
	}
}

// Text shows who differs, and by what.
func Text(r *compare.Comparison) string {
	var b strings.Builder
	rows := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if len(r.Differ) > 0 {
		_, _ = fmt.Fprint(rows, "member\tshould have\thas\twhat differs\n")
	}
	for _, m := range r.Differ {
		who := m.User
		if m.Name != "" {
			who = fmt.Sprintf("%s (%s)", m.Name, m.User)
		}
		if m.Apart != "" {
			who += ", " + m.Apart
		}
		for i, d := range m.Differences {
			if i > 0 {
				_, _ = fmt.Fprintf(rows, "\t\t\t%s\n", text(d))
				continue
			}
			_, _ = fmt.Fprintf(rows, "%s\t%s\t%s\t%s\n", who, importer.Thousands(m.Should), importer.Thousands(m.Has), text(d))
		}
	}
	_ = rows.Flush() // into memory
	fmt.Fprintf(&b, "%s: %s; %s members and %s activities (%s) compared", r.Month, outcome(r),
		importer.Thousands(int64(r.Members)), importer.Thousands(int64(r.Activities)), strings.Join(r.Actions, ", "))
	if r.Waiting > 0 {
		fmt.Fprintf(&b, "; %d are recent, or about midnight, and left out", r.Waiting)
	}
	b.WriteByte('\n')
	return b.String()
}

func outcome(r *compare.Comparison) string {
	switch len(r.Differ) {
	case 0:
		return "equal"
	case 1:
		return "1 member differs"
	default:
		return fmt.Sprintf("%d members differ", len(r.Differ))
	}
}
