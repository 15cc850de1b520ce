package compare

import (
	"cmp"
	"slices"
)

// A Comparison is the result of comparing members.
type Comparison struct {
	Month      string   `json:"month"`
	At         string   `json:"at"`
	Since      string   `json:"since"`
	Members    int      `json:"members"`
	Activities int      `json:"activities"`
	Actions    []string `json:"actions"`
	Waiting    int      `json:"waiting"`
	Differ     []Member `json:"differ"`
}

// Different reports whether forum and Laurel differ, apart from members of whom Laurel counts nothing.
func (r *Comparison) Different() bool {
	return slices.ContainsFunc(r.Differ, func(m Member) bool { return m.Apart == "" })
}

// Begin returns a comparison without members.
func (m *Month) Begin() *Comparison {
	return &Comparison{
		Month: m.Of.String(), At: m.Now.String(), Since: m.First.String(), Actions: m.Actions, Differ: []Member{},
	}
}

// Add adds a member, and keeps those first whose points differ most.
func (r *Comparison) Add(member Member) {
	r.Members, r.Waiting, r.Activities = r.Members+1, r.Waiting+member.waiting, r.Activities+member.activities
	if len(member.Differences) > 0 {
		index, _ := slices.BinarySearchFunc(r.Differ, member, Member.compare)
		r.Differ = slices.Insert(r.Differ, index, member)
	}
}

// A Member is one whose rows and entries differ.
type Member struct {
	User        string       `json:"user"`
	Name        string       `json:"name,omitempty"`
	Should      int64        `json:"should"`
	Has         int64        `json:"has"`
	Apart       string       `json:"apart,omitempty"`
	Differences []Difference `json:"differences"`

	waiting    int // late reports, or acts about midnight
	activities int // the forum's rows that are compared
}

// Members of whom Laurel counts nothing.
const (
	Excluded = "excluded"
	Erased   = "erased"
)

// A Difference is an act of a member, in the forum, in Laurel, or in both. Forum and Laurel are days, months for
// OtherMonth, numbers for OtherNumber and OtherPoints.
type Difference struct {
	Kind   Kind   `json:"kind"`
	Action string `json:"action,omitempty"`
	Target string `json:"target,omitempty"`
	Ref    string `json:"ref,omitempty"`
	Forum  string `json:"forum,omitempty"`
	Laurel string `json:"laurel,omitempty"`
}

// The kinds of differences.
const (
	Missing     Kind = "missing" // it is in the forum, and was not reported
	Undone      Kind = "undone"  // it is in the forum, and was taken back in Laurel
	Surplus     Kind = "surplus" // it counts in Laurel, and is not in the forum
	OtherDay    Kind = "day"     // it counts on another day
	OtherMonth  Kind = "month"   // it counts in another month
	OtherNumber Kind = "number"  // of entries that Laurel keeps without targets there are more or fewer on a day
	OtherPoints Kind = "points"  // the entries are the same, their points are not
)

// A Kind is how the forum and Laurel differ.
type Kind string

// compare puts members first whose points differ most.
func (m Member) compare(other Member) int {
	gap := func(m Member) int64 { return max(m.Should-m.Has, m.Has-m.Should) }
	return cmp.Or(cmp.Compare(m.Apart, other.Apart), cmp.Compare(gap(other), gap(m)), cmp.Compare(m.User, other.User))
}

func (d Difference) compare(other Difference) int {
	return cmp.Or(cmp.Compare(d.Action, other.Action), cmp.Compare(d.Target, other.Target), cmp.Compare(d.Ref, other.Ref),
		cmp.Compare(d.Kind, other.Kind), cmp.Compare(d.Forum, other.Forum))
}
