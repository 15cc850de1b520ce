package audit

import (
	"fmt"
	"strconv"
	"strings"

	"laurel/shared/board"
)

// A Kind is a kind of difference.
type Kind string

// The kinds of differences.
const (
	Score     Kind = "score"     // a board differs from the user's entries
	Summary   Kind = "summary"   // a page's summary of days or months differs from the entries
	Index     Kind = "index"     // an index lacks a member, or has a wrong one
	Follows   Kind = "follows"   // the set of followed users differs from the page
	Damaged   Kind = "damaged"   // an unreadable page or key
	Misplaced Kind = "misplaced" // pages in another shard than the user's
	Reference Kind = "reference" // pages and the reference disagree: a defect of Laurel
	Unsettled Kind = "unsettled" // the user kept changing and was not checked
	Voided    Kind = "void"      // an entry on a void target is not undone
	Lost      Kind = "lost"      // the table has more than Redis
)

// A Finding is one difference: its place, the stored value and the expected one.
type Finding struct {
	Kind     Kind   `json:"kind"`
	User     string `json:"user,omitempty"`
	Place    string `json:"place"` // a board and its period, a page, or an index
	Is       string `json:"is"`
	Should   string `json:"should,omitempty"`
	Repaired bool   `json:"repaired"`
	Kept     string `json:"kept,omitempty"` // why it can't be repaired, "" if it can or was
}

// String returns the finding as one line.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-9s", f.Kind)
	if f.User != "" {
		fmt.Fprintf(&b, " user %s,", quoted(f.User))
	}
	fmt.Fprintf(&b, " %s: %s", f.Place, f.Is)
	if f.Should != "" {
		fmt.Fprintf(&b, ", should be: %s", f.Should)
	}
	switch {
	case f.Repaired:
		b.WriteString(" (repaired)")
	case f.Kept != "":
		b.WriteString(" (kept: " + f.Kept + ")")
	default:
		b.WriteString(" (--apply repairs it)")
	}
	return b.String()
}

// quoted returns an id, in quotes if it is not one word.
func quoted(id string) string {
	if q := strconv.Quote(id); q != `"`+id+`"` || strings.Contains(id, " ") {
		return q
	}
	return id
}

// shown returns a number on a board as text.
func shown(p board.Packed) string {
	if p == 0 {
		return "not on it"
	}
	return fmt.Sprintf("%d points, reached at tick %d", p.Score(), p.Ticks())
}
