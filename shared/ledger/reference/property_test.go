package reference_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger/reference"
)

// activities draws a history of few users, targets and moments, so that entries,
// caps and equal moments meet. It spans three months with a change of the clocks
// and one of the rules.
func activities(t *rapid.T, rules *activity.Rules, calendar *board.Calendar) []activity.Activity {
	one := rapid.Custom(func(t *rapid.T) activity.Activity {
		day := rapid.SampledFrom([]string{
			"2026-09-30", "2026-10-01", "2026-10-25", "2026-10-31", "2026-11-01", "2026-11-15", "2026-11-16", "2026-11-17",
		}).Draw(t, "day")
		hour := time.Duration(rapid.IntRange(0, 4).Draw(t, "hour")) * time.Hour
		a := activity.Activity{
			User:   rapid.SampledFrom([]string{"ann", "bob", "cat"}).Draw(t, "user"),
			Target: rapid.SampledFrom([]string{"A", "B", "C", "D"}).Draw(t, "target"),
			At:     calendar.Start(date(t, day)).Add(hour),
		}
		ruleset := rules.On(calendar.Date(a.At))
		a.Action = rapid.SampledFrom(ruleset.Words()).Draw(t, "action")
		if rule, _ := ruleset.Rule(a.Action); rule.Metric {
			a.Value = new(rapid.Int64Range(0, 3).Draw(t, "value"))
		} else if rule.TakesRef() {
			a.Ref = rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "ref")
		}
		if rule, _ := ruleset.Rule(a.Action); rule.Undo != "" && rule.Undo != a.Action {
			a.Restores = rapid.IntRange(0, 3).Draw(t, "restores") == 0
		}
		return a
	})
	return rapid.SliceOfN(one, 0, 120).Draw(t, "activities")
}

func add(l *reference.Ledger, all ...activity.Activity) {
	for _, a := range all {
		l.Add(a)
	}
}

// boards returns everything that a ledger says, over all boards and windows.
func boards(l *reference.Ledger, rules *activity.Rules) map[string][]board.Entry {
	found := map[string][]board.Entry{}
	for _, name := range rules.Boards() {
		for _, w := range board.Windows() {
			for _, p := range l.Periods(name, w) {
				found[name+" "+p.String()] = l.Board(name, p)
			}
		}
	}
	return found
}

func entries(l *reference.Ledger) map[reference.Key]reference.Entry {
	all := map[reference.Key]reference.Entry{}
	for _, user := range l.Users() {
		maps.Copy(all, l.Entries(user))
	}
	return all
}

func mustEqual(t *rapid.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func TestOrderRepetitionAndReadingDoNotMatter(t *testing.T) {
	t.Parallel()
	rules, calendar := rulesOf(t, strictRules), calendarOf(t, "Europe/Berlin")
	rapid.Check(t, func(t *rapid.T) {
		all := activities(t, rules, calendar)
		once := reference.New(rules, calendar)
		add(once, all...)

		again := append(slices.Clone(all), all[:len(all)/2]...)
		mixed := reference.New(rules, calendar)
		for i, a := range rapid.Permutation(again).Draw(t, "order") {
			mixed.Add(a)
			if i%16 == 0 {
				boards(mixed, rules) // what it has counted so far must not stay
			}
		}
		mustEqual(t, "entries", entries(once), entries(mixed))
		mustEqual(t, "boards", boards(once, rules), boards(mixed, rules))
	})
}

func TestPartsPutTogetherAreTheWhole(t *testing.T) {
	t.Parallel()
	rules, calendar := rulesOf(t, strictRules), calendarOf(t, "Europe/Berlin")
	rapid.Check(t, func(t *rapid.T) {
		all := activities(t, rules, calendar)
		cut := rapid.IntRange(0, len(all)).Draw(t, "cut")
		whole, joined := reference.New(rules, calendar), reference.New(rules, calendar)
		add(whole, all...)
		for _, part := range [][]activity.Activity{all[:cut], all[cut:]} {
			l := reference.New(rules, calendar)
			add(l, part...)
			for key, e := range entries(l) {
				joined.Put(key, e.Moments, e.Value)
			}
		}
		mustEqual(t, "entries", entries(whole), entries(joined))
		mustEqual(t, "boards", boards(whole, rules), boards(joined, rules))
	})
}

func TestEveryWindowIsTheSumOfItsDays(t *testing.T) {
	t.Parallel()
	rules, calendar := rulesOf(t, strictRules), calendarOf(t, "Europe/Berlin")
	rapid.Check(t, func(t *rapid.T) {
		l := reference.New(rules, calendar)
		add(l, activities(t, rules, calendar)...)
		user := rapid.SampledFrom([]string{"ann", "bob", "cat"}).Draw(t, "of")
		var months int64
		for _, name := range rules.Boards() {
			want := map[board.Period]int64{}
			for day := date(t, "2026-09-01"); day < date(t, "2027-01-01"); day++ {
				score, reached := l.Day(user, name, day)
				if score < 0 || (score == 0) != (reached == 0) || (reached != 0 && calendar.Date(reached) != day) {
					t.Fatalf("%s on %s: %d at %s", name, day, score, reached)
				}
				var actions int64
				for action, did := range l.Actions(user, day) {
					if rule, _ := rules.On(day).Rule(action); rule.Board == name {
						actions += did.Points
					}
				}
				mustEqual(t, "points of the actions", score, actions)
				for _, w := range board.Windows() {
					want[board.PeriodOf(w, day)] += score
				}
			}
			for p, sum := range want {
				score, _ := l.Period(user, name, p)
				mustEqual(t, name+" "+p.String(), sum, score)
				if p.Window() == board.Month {
					months += sum
				}
			}
		}
		mustEqual(t, "MonthPoints", months, l.MonthPoints(user))
	})
}

func TestWhatIsUndoneLastIsWorthNothing(t *testing.T) {
	t.Parallel()
	rules, calendar := rulesOf(t, strictRules), calendarOf(t, "Europe/Berlin")
	rapid.Check(t, func(t *rapid.T) {
		l := reference.New(rules, calendar)
		for _, a := range activities(t, rules, calendar) {
			rule, _ := rules.On(calendar.Date(a.At)).Rule(a.Action)
			if rule.Undo == "" {
				continue
			}
			a.Restores = false
			l.Add(a)
			a.Action = rule.Undo // at the same moment, where the undo wins
			l.Add(a)
		}
		mustEqual(t, "boards", map[string][]board.Entry{}, boards(l, rules))
	})
}

func TestStandingsAgreeWithTheBoard(t *testing.T) {
	t.Parallel()
	rules, calendar := rulesOf(t, strictRules), calendarOf(t, "Europe/Berlin")
	rapid.Check(t, func(t *rapid.T) {
		l := reference.New(rules, calendar)
		add(l, activities(t, rules, calendar)...)
		for _, p := range l.Periods("activity", board.Month) {
			on := l.Board("activity", p)
			for i, e := range on {
				s := l.Standing("activity", p, e.User)
				if s.Rank != int64(i)+1 || s.Total != int64(len(on)) || s.Score != e.Packed.Score() || s.Score <= 0 {
					t.Fatalf("%s of %s: %+v, want rank %d of %d", e.User, p, s, i+1, len(on))
				}
				if i > 0 && on[i-1].Packed.Score()+1 != s.Score+*s.ToNext {
					t.Fatalf("%s of %s: %d to the next place", e.User, p, *s.ToNext)
				}
			}
		}
	})
}
