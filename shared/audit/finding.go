package audit

import (
	"fmt"
	"strconv"
	"strings"

	"laurel/shared/board"
)

// A Kind is what sort of a difference was found.
type Kind string

// The kinds of differences.
const (
	Score     Kind = "score"     // a board differs from the user's entries
	Summary   Kind = "summary"   // a page says of its days, or of its months, what the entries do not
	Index     Kind = "index"     // an index lacks something, or has something that is not there
	Follows   Kind = "follows"   // the set of whom a user follows has others than the page
	Damaged   Kind = "damaged"   // a page or a key that cannot be read
	Misplaced Kind = "misplaced" // pages in a shard that is not the user's
	Reference Kind = "reference" // pages and the reference disagree: a fault in Laurel itself
	Unsettled Kind = "unsettled" // the user kept changing, so nothing can be said
)

// A Finding is one difference: where, what is there, and what should be.
type Finding struct {
	Kind     Kind
	User     string
	Place    string // a board and its period, a page, or an index
	Is       string
	Should   string
	Repaired bool
}

// String is the finding as one line.
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
	if f.Repaired {
		b.WriteString(" (repaired)")
	}
	return b.String()
}

// quoted shows an id as it is, unless that would not be one word.
func quoted(id string) string {
	if q := strconv.Quote(id); q != `"`+id+`"` || strings.Contains(id, " ") {
		return q
	}
	return id
}

// shown says what a number on a board means.
func shown(p board.Packed) string {
	if p == 0 {
		return "not on it"
	}
	return fmt.Sprintf("%d points, reached at tick %d", p.Score(), p.Ticks())
}
