package compare

import (
	"slices"

	"laurel/shared/activity"
)

// A Comparison is what came of comparing members.
type Comparison struct {
	Month      string   `json:"month" example:"2026-11"`
	At         string   `json:"at" format:"date-time" example:"2026-11-20T12:00:00Z" doc:"When that was"`
	Members    int      `json:"members" example:"1" doc:"How many were compared"`
	Activities int      `json:"activities" example:"12" doc:"How many of the forum's are of the month"`
	Actions    []string `json:"actions" nullable:"false" example:"[\"comment\",\"publish\"]" doc:"Which were compared"`
	Waiting    int      `json:"waiting" example:"0" doc:"How many activities have just happened, or about midnight, and may still differ"`
	Differ     []Member `json:"differ" nullable:"false" doc:"Those of whom most points differ first"`
}

// Different says whether forum and Laurel differ, but for members of whom Laurel counts nothing.
func (r *Comparison) Different() bool {
	return slices.ContainsFunc(r.Differ, func(m Member) bool { return m.Apart == "" })
}

// Begin returns a comparison of nobody.
func (m *Month) Begin() *Comparison {
	return &Comparison{Month: m.Of.String(), At: m.Now.String(), Actions: m.Actions, Differ: []Member{}}
}

// Add adds a member, as Compare returns one, and keeps those first of whom most points differ.
func (m *Month) Add(to *Comparison, member Member, waiting int, rows []activity.Activity) {
	to.Members++
	to.Waiting += waiting
	for _, r := range rows {
		if m.In(r.At) {
			to.Activities++
		}
	}
	if len(member.Differences) > 0 {
		at, _ := slices.BinarySearchFunc(to.Differ, member, Member.compare)
		to.Differ = slices.Insert(to.Differ, at, member)
	}
}
