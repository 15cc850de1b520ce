package compare

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"laurel/shared/importer"
)

func (d Difference) compare(other Difference) int {
	return cmp.Or(cmp.Compare(d.Action, other.Action), cmp.Compare(d.Target, other.Target), cmp.Compare(d.Ref, other.Ref),
		cmp.Compare(d.Kind, other.Kind), cmp.Compare(d.Forum, other.Forum))
}

// compare puts those of whom most points differ first.
func (m Member) compare(other Member) int {
	gap := func(m Member) int64 { return max(m.Should-m.Has, m.Has-m.Should) }
	return cmp.Or(cmp.Compare(m.Apart, other.Apart), cmp.Compare(gap(other), gap(m)), cmp.Compare(m.User, other.User))
}

// text says what differs.
func (d Difference) text() string {
	what := strings.Join(strings.Fields(d.Action+" "+d.Target+" "+d.Ref), " ")
	switch d.Kind {
	case Missing:
		return what + ": in the forum (" + d.Forum + "), not in Laurel"
	case Undone:
		return what + ": in the forum (" + d.Forum + "), taken back in Laurel"
	case Surplus:
		return what + ": in Laurel (" + d.Laurel + "), not in the forum"
	case OtherPoints:
		return "the same activities, " + d.Forum + " points by the rules, " + d.Laurel + " in Laurel"
	default:
		return what + ": " + d.Forum + " in the forum, " + d.Laurel + " in Laurel"
	}
}

// String shows who differs, and by what.
func (r *Result) String() string {
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
				_, _ = fmt.Fprintf(rows, "\t\t\t%s\n", d.text())
				continue
			}
			_, _ = fmt.Fprintf(rows, "%s\t%s\t%s\t%s\n", who, importer.Thousands(m.Should), importer.Thousands(m.Has), d.text())
		}
	}
	_ = rows.Flush() // into memory
	fmt.Fprintf(&b, "%s: %s; %s members and %s activities (%s) compared", r.Month, r.outcome(),
		importer.Thousands(int64(r.Members)), importer.Thousands(int64(r.Activities)), strings.Join(r.Actions, ", "))
	if r.Waiting > 0 {
		fmt.Fprintf(&b, "; %d are recent, or about midnight, and left out", r.Waiting)
	}
	b.WriteByte('\n')
	return b.String()
}

func (r *Result) outcome() string {
	switch len(r.Differ) {
	case 0:
		return "equal"
	case 1:
		return "1 member differs"
	default:
		return fmt.Sprintf("%d members differ", len(r.Differ))
	}
}
