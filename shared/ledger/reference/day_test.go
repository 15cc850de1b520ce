package reference_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A dayWant is a day of ann's on a board; reached "" is none.
type dayWant struct {
	board, day string
	score      int64
	reached    string
}

// dayCases are worked by hand from the design. The strict rules hold where the
// name of a case does not say otherwise.
var dayCases = []struct {
	name string
	zone string // UTC when empty
	did  []did
	want []dayWant
}{
	{
		name: "liked, unliked and liked again counts on the day of the last like",
		did: []did{
			{at: "2026-11-02T10:00", action: "like", target: "A"},
			{at: "2026-11-03T10:00", action: "unlike", target: "A"},
			{at: "2026-11-04T10:00", action: "like", target: "A"},
		},
		want: []dayWant{{"activity", "2026-11-02", 0, ""}, {"activity", "2026-11-04", 2, "2026-11-04T10:00"}},
	},
	{
		name: "liked, liked again, nothing undone: the first day has the point",
		did: []did{
			{at: "2026-11-04T10:00", action: "like", target: "A"},
			{at: "2026-11-02T10:00", action: "like", target: "A"},
		},
		want: []dayWant{{"activity", "2026-11-02", 2, "2026-11-02T10:00"}, {"activity", "2026-11-04", 0, ""}},
	},
	{
		name: "an unlike on the 2nd takes the point back from the 1st",
		did: []did{
			{at: "2026-11-01T10:00", action: "like", target: "A"},
			{at: "2026-11-02T10:00", action: "unlike", target: "A"},
		},
		want: []dayWant{{"activity", "2026-11-01", 0, ""}, {"activity", "2026-11-02", 0, ""}},
	},
	{
		name: "an unlike in the next month takes back what was earned in the one before",
		did: []did{
			{at: "2026-10-31T10:00", action: "like", target: "A"},
			{at: "2026-11-01T00:10", action: "like", target: "A"},
			{at: "2026-11-01T00:05", action: "unlike", target: "A"},
		},
		want: []dayWant{{"activity", "2026-10-31", 0, ""}, {"activity", "2026-11-01", 2, "2026-11-01T00:10"}},
	},
	{
		name: "an unlike two months later takes nothing back",
		did: []did{
			{at: "2026-09-30T10:00", action: "like", target: "A"},
			{at: "2026-11-01T10:00", action: "unlike", target: "A"},
		},
		want: []dayWant{{"activity", "2026-09-30", 2, "2026-09-30T10:00"}},
	},
	{
		name: "an unlike does not reach the month after it",
		did: []did{
			{at: "2026-10-31T23:59", action: "unlike", target: "A"},
			{at: "2026-11-01T00:00", action: "like", target: "A"},
		},
		want: []dayWant{{"activity", "2026-11-01", 2, "2026-11-01T00:00"}},
	},
	{
		name: "at an equal moment the undo wins",
		did: []did{
			{at: "2026-11-02T10:00", action: "like", target: "A"},
			{at: "2026-11-02T10:00", action: "unlike", target: "A"},
		},
		want: []dayWant{{"activity", "2026-11-02", 0, ""}},
	},
	{
		name: "an undo of something else takes nothing back",
		did: []did{
			{at: "2026-11-02T10:00", action: "comment", target: "A", ref: "1"},
			{at: "2026-11-02T11:00", action: "uncomment", target: "A"},
			{at: "2026-11-02T11:00", action: "uncomment", target: "A", ref: "2"},
			{at: "2026-11-02T11:00", action: "uncomment", target: "B", ref: "1"},
		},
		want: []dayWant{{"activity", "2026-11-02", 3, "2026-11-02T10:00"}},
	},
	{
		name: "an uncomment without ref, a day later, does not reach the comment",
		did: []did{
			{at: "2026-11-02T10:00", action: "comment", target: "A"},
			{at: "2026-11-03T10:00", action: "uncomment", target: "A"},
		},
		want: []dayWant{{"activity", "2026-11-02", 3, "2026-11-02T10:00"}},
	},
	{
		name: "past the cap nothing counts, and reached is the cap-th earliest",
		did: []did{
			{at: "2026-11-02T12:00", action: "like", target: "C"},
			{at: "2026-11-02T11:00", action: "like", target: "B"},
			{at: "2026-11-02T10:00", action: "like", target: "A"},
		},
		want: []dayWant{{"activity", "2026-11-02", 4, "2026-11-02T11:00"}},
	},
	{
		name: "taken back within the cap, the next one moves up",
		did: []did{
			{at: "2026-11-02T10:00", action: "like", target: "A"},
			{at: "2026-11-02T11:00", action: "like", target: "B"},
			{at: "2026-11-02T12:00", action: "like", target: "C"},
			{at: "2026-11-02T13:00", action: "unlike", target: "A"},
		},
		want: []dayWant{{"activity", "2026-11-02", 4, "2026-11-02T12:00"}},
	},
	{
		name: "both kinds of comment share the one cap",
		did: []did{
			{at: "2026-11-02T12:00", action: "comment", target: "A"},
			{at: "2026-11-02T11:00", action: "comment", target: "A", ref: "1"},
			{at: "2026-11-02T10:00", action: "comment", target: "A", ref: "2"},
		},
		want: []dayWant{{"activity", "2026-11-02", 6, "2026-11-02T11:00"}},
	},
	{
		name: "reached is the latest over the actions, each within its own cap",
		did: []did{
			{at: "2026-11-02T10:00", action: "like", target: "A"},
			{at: "2026-11-02T11:00", action: "like", target: "B"},
			{at: "2026-11-02T10:30", action: "bookmark", target: "A"},
			{at: "2026-11-02T12:00", action: "like", target: "C"},
		},
		want: []dayWant{{"activity", "2026-11-02", 8, "2026-11-02T11:00"}},
	},
	{
		name: "a metric is worth its value, on its own board, since it was first reported",
		did: []did{
			{at: "2026-11-02T10:00", action: "steps", value: 900},
			{at: "2026-11-02T12:00", action: "steps", value: 1200},
			{at: "2026-11-02T11:00", action: "steps", value: 1200},
			{at: "2026-11-03T00:00", action: "steps", value: 5},
			{at: "2026-11-04T00:00", action: "steps", value: 0},
		},
		want: []dayWant{
			{"steps", "2026-11-02", 1200, "2026-11-02T11:00"},
			{"steps", "2026-11-03", 5, "2026-11-03T00:00"},
			{"steps", "2026-11-04", 0, ""},
			{"activity", "2026-11-02", 0, ""},
		},
	},
	{
		name: "new rules hold from their day on, to the millisecond",
		did: []did{
			{at: "2026-11-15T23:59:59.997Z", action: "like", target: "A"},
			{at: "2026-11-15T23:59:59.998Z", action: "like", target: "B"},
			{at: "2026-11-15T23:59:59.999Z", action: "like", target: "C"},
			{at: "2026-11-16T00:00:00.000Z", action: "like", target: "D"},
			{at: "2026-11-16T00:00:00.001Z", action: "like", target: "E"},
			{at: "2026-11-16T00:00:00.002Z", action: "like", target: "F"},
			{at: "2026-11-16T00:00:00.003Z", action: "like", target: "G"},
		},
		want: []dayWant{
			{"activity", "2026-11-15", 4, "2026-11-15T23:59:59.998Z"},
			{"activity", "2026-11-16", 15, "2026-11-16T00:00:00.002Z"},
		},
	},
	{
		name: "an entry that moves over the change is worth what its new day says",
		did: []did{
			{at: "2026-11-15T10:00", action: "like", target: "A"},
			{at: "2026-11-15T11:00", action: "unlike", target: "A"},
			{at: "2026-11-16T10:00", action: "like", target: "A"},
		},
		want: []dayWant{{"activity", "2026-11-15", 0, ""}, {"activity", "2026-11-16", 5, "2026-11-16T10:00"}},
	},
	{
		name: "what is worth no points does not move reached",
		did: []did{
			{at: "2026-11-16T10:00", action: "like", target: "A"},
			{at: "2026-11-16T11:00", action: "bookmark", target: "A"},
			{at: "2026-11-17T11:00", action: "bookmark", target: "B"},
		},
		want: []dayWant{{"activity", "2026-11-16", 5, "2026-11-16T10:00"}, {"activity", "2026-11-17", 0, ""}},
	},
	{
		name: "the spring day of 23 hours is one day of the forum's calendar",
		zone: "Europe/Berlin",
		did: []did{
			{at: "2026-03-28T22:59:59.999Z", action: "visit", target: "A"}, // 23:59 on the 28th, +01:00
			{at: "2026-03-28T23:00:00.000Z", action: "visit", target: "A"}, // midnight
			{at: "2026-03-29T21:59:59.999Z", action: "visit", target: "B"}, // 23:59, +02:00
			{at: "2026-03-29T22:00:00.000Z", action: "visit", target: "A"},
		},
		want: []dayWant{
			{"activity", "2026-03-28", 1, "2026-03-28T22:59:59.999Z"},
			{"activity", "2026-03-29", 2, "2026-03-29T21:59:59.999Z"},
			{"activity", "2026-03-30", 1, "2026-03-29T22:00:00.000Z"},
		},
	},
	{
		name: "the autumn day of 25 hours too, and its repeated hour is two hours",
		zone: "Europe/Berlin",
		did: []did{
			{at: "2026-10-25T02:30:00+02:00", action: "like", target: "A"},
			{at: "2026-10-25T02:15:00+01:00", action: "unlike", target: "A"}, // 45 minutes later
			{at: "2026-10-25T22:59:59.999Z", action: "like", target: "B"},
			{at: "2026-10-25T23:00:00.000Z", action: "like", target: "C"},
		},
		want: []dayWant{
			{"activity", "2026-10-25", 2, "2026-10-25T22:59:59.999Z"},
			{"activity", "2026-10-26", 2, "2026-10-25T23:00:00.000Z"},
		},
	},
	{
		name: "the month is the forum's as well: an entry by its local month",
		zone: "Asia/Shanghai",
		did: []did{
			{at: "2026-10-31T15:59:59.999Z", action: "like", target: "A"}, // October
			{at: "2026-10-31T16:00:00.000Z", action: "like", target: "A"}, // November
		},
		want: []dayWant{
			{"activity", "2026-10-31", 2, "2026-10-31T15:59:59.999Z"},
			{"activity", "2026-11-01", 2, "2026-10-31T16:00:00.000Z"},
		},
	},
}

func TestDay(t *testing.T) {
	t.Parallel()
	for _, c := range dayCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			zone := c.zone
			if zone == "" {
				zone = "UTC"
			}
			l := ledgerOf(t, rulesOf(t, strictRules), zone, c.did...)
			for _, want := range c.want {
				score, reached := l.Day("ann", want.board, date(t, want.day))
				got := dayWant{want.board, want.day, score, ""}
				if reached != 0 {
					got.reached = reached.String()
				}
				if want.reached != "" {
					want.reached = at(t, want.reached).String()
				}
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(dayWant{})); diff != "" {
					t.Errorf("day (-want +got):\n%s", diff)
				}
			}
		})
	}
}
