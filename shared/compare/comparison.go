package compare

import (
	"cmp"
	"slices"
)

// A Comparison is the result of comparing members.
type Comparison struct {
	Month      string   `json:"month" example:"2026-11"`
	At         string   `json:"at" format:"date-time" example:"2026-11-20T12:00:00Z" doc:"When that was"`
	Since      string   `json:"since" format:"date-time" example:"2026-11-01T00:00:00Z" doc:"What happened earlier was not"`
	Members    int      `json:"members" example:"1" doc:"How many were compared"`
	Activities int      `json:"activities" example:"12" doc:"How many of the forum's are of the month"`
	Actions    []string `json:"actions" example:"comment,publish" doc:"Which were compared"`
	Waiting    int      `json:"waiting" example:"0"`
	Differ     []Member `json:"differ" doc:"Those of whom most points differ first"`
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
	User        string       `json:"user" example:"ann"`
	Name        string       `json:"name,omitempty" example:"Ann Lee"`
	Should      int64        `json:"should" example:"42" doc:"Points of the month by the forum and the rules in force"`
	Has         int64        `json:"has" example:"39" doc:"Points of the month here, for the same actions"`
	Apart       string       `json:"apart,omitempty" enum:"excluded,erased" doc:"Why nothing of the member counts here"`
	Differences []Difference `json:"differences" doc:"By action, target and ref"`

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
	Kind   Kind   `json:"kind" enum:"missing,undone,surplus,day,month,number,points" example:"missing"`
	Action string `json:"action,omitempty" example:"comment"`
	Target string `json:"target,omitempty" example:"article-42"`
	Ref    string `json:"ref,omitempty" example:"comment-7"`
	Forum  string `json:"forum,omitempty" example:"2026-11-14" doc:"The day, month or number in the forum"`
	Laurel string `json:"laurel,omitempty" example:"2026-11-15" doc:"That here"`
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
