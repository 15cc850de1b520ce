package reference_test

import (
	"fmt"
	"strings"
	"testing"

	"laurel/shared/board"
)

// dayCases are worked by hand from the design, with the strict rules: what ann did, and
// the points of days and when they were reached, of "activity" where no board is named.
var dayCases = []struct{ name, zone, did, want string }{
	{
		"liked, unliked and liked again counts on the day of the last like", "UTC",
		"11-02T10:00 like A, 11-03T10:00 unlike A, 11-04T10:00 like A", "11-02 0, 11-04 2 11-04T10:00",
	},
	{
		"liked, liked again, nothing undone: the first day has the point", "UTC",
		"11-04T10:00 like A, 11-02T10:00 like A", "11-02 2 11-02T10:00, 11-04 0",
	},
	{
		"an unlike on the 2nd takes the point back from the 1st", "UTC",
		"11-01T10:00 like A, 11-02T10:00 unlike A", "11-01 0, 11-02 0",
	},
	{
		"an unlike in the next month takes back what was earned in the one before", "UTC",
		"10-31T10:00 like A, 11-01T00:10 like A, 11-01T00:05 unlike A", "10-31 0, 11-01 2 11-01T00:10",
	},
	{
		"an unlike two months later takes nothing back", "UTC",
		"09-30T10:00 like A, 11-01T10:00 unlike A", "09-30 2 09-30T10:00",
	},
	{
		"an unlike does not reach the month after it", "UTC",
		"10-31T23:59 unlike A, 11-01T00:00 like A", "11-01 2 11-01T00:00",
	},
	{
		"at an equal moment the undo wins", "UTC",
		"11-02T10:00 like A, 11-02T10:00 unlike A", "11-02 0",
	},
	{
		"a restore takes the undo back, and the first like has the point again", "UTC",
		"11-02T10:00 like A, 11-03T10:00 unlike A, 11-04T10:00 restores like A", "11-02 2 11-02T10:00, 11-04 0",
	},
	{
		"what was done to a void target until then is undone, what comes later counts", "UTC",
		"11-02T10:00 like A, 11-02T10:00 comment A, 11-02T10:00 bookmark B, 11-04T10:00 like A, " +
			"11-03T10:00 void A",
		"11-02 4 11-02T10:00, 11-04 2 11-04T10:00",
	},
	{
		"a restore after a void counts, one before does not", "UTC",
		"11-02T10:00 like A, 11-04T10:00 restores like A, 11-02T10:00 bookmark A, " +
			"11-03T09:00 restores bookmark A, 11-03T10:00 void A",
		"11-02 2 11-02T10:00",
	},
	{
		"an undo of something else takes nothing back", "UTC",
		"11-02T10:00 comment A 1, 11-02T11:00 uncomment A, 11-02T11:00 uncomment A 2, " +
			"11-02T11:00 uncomment B 1",
		"11-02 3 11-02T10:00",
	},
	{
		"an uncomment without ref, a day later, does not reach the comment", "UTC",
		"11-02T10:00 comment A, 11-03T10:00 uncomment A", "11-02 3 11-02T10:00",
	},
	{
		"past the cap nothing counts, and reached is the cap-th earliest", "UTC",
		"11-02T12:00 like C, 11-02T11:00 like B, 11-02T10:00 like A", "11-02 4 11-02T11:00",
	},
	{
		"taken back within the cap, the next one moves up", "UTC",
		"11-02T10:00 like A, 11-02T11:00 like B, 11-02T12:00 like C, 11-02T13:00 unlike A", "11-02 4 11-02T12:00",
	},
	{
		"both kinds of comment share the one cap", "UTC",
		"11-02T12:00 comment A, 11-02T11:00 comment A 1, 11-02T10:00 comment A 2", "11-02 6 11-02T11:00",
	},
	{
		"reached is the latest over the actions, each within its own cap", "UTC",
		"11-02T10:00 like A, 11-02T11:00 like B, 11-02T10:30 bookmark A, 11-02T12:00 like C",
		"11-02 8 11-02T11:00",
	},
	{
		"a metric is worth its value, on its own board, since it was first reported", "UTC",
		"11-02T10:00 steps 900, 11-02T12:00 steps 1200, 11-02T11:00 steps 1200, 11-03T00:00 steps 5, " +
			"11-04T00:00 steps 0",
		"steps 11-02 1200 11-02T11:00, steps 11-03 5 11-03T00:00, steps 11-04 0, 11-02 0",
	},
	{
		"new rules hold from their day on, to the millisecond", "UTC",
		"2026-11-15T23:59:59.997Z like A, 2026-11-15T23:59:59.998Z like B, 2026-11-15T23:59:59.999Z like C, " +
			"2026-11-16T00:00:00.000Z like D, 2026-11-16T00:00:00.001Z like E, 2026-11-16T00:00:00.002Z like F, " +
			"2026-11-16T00:00:00.003Z like G",
		"11-15 4 2026-11-15T23:59:59.998Z, 11-16 15 2026-11-16T00:00:00.002Z",
	},
	{
		"an entry that moves over the change is worth what its new day says", "UTC",
		"11-15T10:00 like A, 11-15T11:00 unlike A, 11-16T10:00 like A", "11-15 0, 11-16 5 11-16T10:00",
	},
	{
		"what is worth no points does not move reached", "UTC",
		"11-16T10:00 like A, 11-16T11:00 bookmark A, 11-17T11:00 bookmark B", "11-16 5 11-16T10:00, 11-17 0",
	},
	{
		"the spring day of 23 hours is one day of the forum's calendar", "Europe/Berlin",
		// The last moment of the 28th at +01:00, midnight, the last moment of the 29th at +02:00, midnight.
		"2026-03-28T22:59:59.999Z visit A, 2026-03-28T23:00:00.000Z visit A, 2026-03-29T21:59:59.999Z visit B, " +
			"2026-03-29T22:00:00.000Z visit A",
		"03-28 1 2026-03-28T22:59:59.999Z, 03-29 2 2026-03-29T21:59:59.999Z, 03-30 1 2026-03-29T22:00:00.000Z",
	},
	{
		"the autumn day of 25 hours too, and its repeated hour is two hours", "Europe/Berlin",
		// The unlike comes 45 minutes after the like.
		"2026-10-25T02:30:00+02:00 like A, 2026-10-25T02:15:00+01:00 unlike A, " +
			"2026-10-25T22:59:59.999Z like B, 2026-10-25T23:00:00.000Z like C",
		"10-25 2 2026-10-25T22:59:59.999Z, 10-26 2 2026-10-25T23:00:00.000Z",
	},
	{
		"the month is the forum's as well: an entry by its local month", "Asia/Shanghai",
		// October, then November.
		"2026-10-31T15:59:59.999Z like A, 2026-10-31T16:00:00.000Z like A",
		"10-31 2 2026-10-31T15:59:59.999Z, 11-01 2 2026-10-31T16:00:00.000Z",
	},
}

func TestDay(t *testing.T) {
	t.Parallel()
	for _, c := range dayCases {
		l := ledgerOf(t, strictRules, c.zone, c.did)
		for want := range strings.SplitSeq(c.want, ", ") {
			name, words := "activity", strings.Fields(want)
			if words[0] == "steps" {
				name, words = words[0], words[1:]
			}
			score, reached := l.Day("ann", name, date(t, words[0]))
			var since board.Moment
			if len(words) == 3 {
				since = at(t, words[2])
			}
			if fmt.Sprint(score) != words[1] || reached != since {
				t.Errorf("%s: %d at %s, want %s", c.name, score, reached, want)
			}
		}
	}
}
