package reference_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger/reference"
)

func TestStandsAndCountsAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		moments reference.Moments
		stands  bool
		at      board.Moment // when it stands
	}{
		{"nothing", reference.Moments{}, false, 0},
		{"undone alone", reference.Moments{Undone: 5}, false, 0},
		{"done once", reference.Moments{First: 5, Last: 5}, true, 5},
		{"done twice counts at the first", reference.Moments{First: 5, Last: 9}, true, 5},
		{"undone before the first", reference.Moments{First: 5, Last: 9, Undone: 4}, true, 5},
		{"undone at the first", reference.Moments{First: 5, Last: 9, Undone: 5}, true, 9},
		{"undone in between counts at the last", reference.Moments{First: 5, Last: 9, Undone: 7}, true, 9},
		{"undone at the last: the undo wins", reference.Moments{First: 5, Last: 9, Undone: 9}, false, 0},
		{"undone after the last", reference.Moments{First: 5, Last: 9, Undone: 10}, false, 0},
		{
			"restored after the undo counts at the first",
			reference.Moments{First: 5, Last: 9, Undone: 10, Restored: 11},
			true,
			5,
		},
		{"restored at the undo: the restore wins", reference.Moments{First: 5, Last: 9, Undone: 10, Restored: 10}, true, 5},
		{"restored before the undo", reference.Moments{First: 5, Last: 9, Undone: 10, Restored: 9}, false, 0},
		{"restored alone", reference.Moments{Restored: 9}, false, 0},
		{"undone at the only moment", reference.Moments{First: 5, Last: 5, Undone: 5}, false, 0},
	} {
		if got := c.moments.Stands(); got != c.stands {
			t.Errorf("%s: Stands() = %v, want %v", c.name, got, c.stands)
		}
		if c.stands && c.moments.CountsAt() != c.at {
			t.Errorf("%s: CountsAt() = %d, want %d", c.name, c.moments.CountsAt(), c.at)
		}
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	nov, dec := date(t, "2026-11-01").Month(), date(t, "2026-12-01").Month()
	monthly := func(action, target, ref string, month board.MonthOf) reference.Key {
		return reference.Key{User: "ann", Action: action, Target: target, Ref: ref, Scope: activity.PerMonth, Month: month}
	}
	daily := func(action, target, day string) reference.Key {
		return reference.Key{User: "ann", Action: action, Target: target, Scope: activity.PerDay, Day: date(t, day)}
	}
	steps := reference.Key{User: "ann", Action: "steps", Day: date(t, "2026-11-02"), Metric: true}
	when := func(s string) board.Moment {
		if s == "" {
			return 0
		}
		return at(t, s)
	}
	moments := func(first, last, undone string) reference.Entry {
		return reference.Entry{Moments: reference.Moments{First: when(first), Last: when(last), Undone: when(undone)}}
	}
	type entries = map[reference.Key]reference.Entry

	for _, c := range []struct {
		name, did string
		want      entries
	}{
		{
			"liked twice in a month is one entry",
			"11-02T10:00 like A, 11-05T10:00 like A",
			entries{monthly("like", "A", "", nov): moments("11-02T10:00", "11-05T10:00", "")},
		},
		{
			"liked again next month is another entry",
			"11-02T10:00 like A, 12-01T00:00 like A",
			entries{
				monthly("like", "A", "", nov): moments("11-02T10:00", "11-02T10:00", ""),
				monthly("like", "A", "", dec): moments("12-01T00:00", "12-01T00:00", ""),
			},
		},
		{
			"an undo enters its own month and the one before, done or not",
			"12-03T10:00 unlike A",
			entries{
				monthly("like", "A", "", nov): moments("", "", "12-03T10:00"),
				monthly("like", "A", "", dec): moments("", "", "12-03T10:00"),
			},
		},
		{
			"a restore enters its own month and the one before, and leaves what was done alone",
			"11-30T10:00 like A, 12-03T10:00 restores like A",
			entries{
				monthly("like", "A", "", nov): {Moments: reference.Moments{
					First: at(t, "2026-11-30T10:00"), Last: at(t, "2026-11-30T10:00"), Restored: at(t, "2026-12-03T10:00"),
				}},
				monthly("like", "A", "", dec): {Moments: reference.Moments{Restored: at(t, "2026-12-03T10:00")}},
			},
		},
		{
			"an undo of an entry by day enters that of its own day",
			"12-01T10:00 uncomment A",
			entries{daily("comment", "A", "2026-12-01"): moments("", "", "12-01T10:00")},
		},
		{
			"comments with a ref are by month, each its own; without, by day",
			"12-02T10:00 comment A 1, 12-03T10:00 comment A 2, 12-02T11:00 comment A, 12-03T11:00 comment A",
			entries{
				monthly("comment", "A", "1", dec):   moments("12-02T10:00", "12-02T10:00", ""),
				monthly("comment", "A", "2", dec):   moments("12-03T10:00", "12-03T10:00", ""),
				daily("comment", "A", "2026-12-02"): moments("12-02T11:00", "12-02T11:00", ""),
				daily("comment", "A", "2026-12-03"): moments("12-03T11:00", "12-03T11:00", ""),
			},
		},
		{
			"a metric keeps its largest and the earliest moment of that, whatever its target",
			"11-02T09:00 steps 900, 11-02T12:00 steps 1200 watch, 11-02T11:00 steps 1200, 11-02T13:00 steps 100",
			entries{steps: {Moments: reference.Moments{First: at(t, "11-02T11:00")}, Value: 1200}},
		},
		{
			"a metric's 0 is no entry",
			"11-02T09:00 steps 0",
			entries{},
		},
	} {
		l := ledgerWith(t, activity.Default(), "UTC", c.did)
		if diff := cmp.Diff(c.want, l.Entries("ann")); diff != "" {
			t.Errorf("%s: entries (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestPutMergesAndForgetsWhatIsNotTheScopes(t *testing.T) {
	t.Parallel()
	day := date(t, "2026-11-02")
	key := reference.Key{User: "ann", Action: "like", Target: "A", Scope: activity.PerMonth, Month: day.Month()}
	sloppy := key
	sloppy.Day = day
	l := reference.New(activity.Default(), calendarOf(t, "UTC"))
	l.Put(key, reference.Moments{First: 50, Last: 60}, 0)
	l.Put(sloppy, reference.Moments{Undone: 70}, 7)
	l.Put(key, reference.Moments{First: 40, Last: 55, Undone: 65}, 0)
	want := map[reference.Key]reference.Entry{key: {Moments: reference.Moments{First: 40, Last: 60, Undone: 70}}}
	if diff := cmp.Diff(want, l.Entries("ann")); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}
