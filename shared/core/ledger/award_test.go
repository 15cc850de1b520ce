package ledger_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
)

// award gives ada an award, on the board activity.
func award(t *testing.T, id, moment string, points int64) activity.Activity {
	t.Helper()
	return activity.Activity{
		User: "ada", Action: activity.AwardWord, At: momentAt(t, moment),
		Award: &activity.Award{ID: id, Points: points, Board: "activity", Reason: "a talk"},
	}
}

// back takes an award back.
func back(a activity.Activity) activity.Activity {
	a.Award = &activity.Award{ID: a.Award.ID, Taken: true}
	return a
}

func TestAnAwardIsARegisterOfItsMonth(t *testing.T) {
	t.Parallel()
	s := newAccounts(defaults())
	first := award(t, "talk", "11-20 12:00", 50)
	other, moved, renamed := first, first, first
	other.Award = new(*first.Award)
	other.Award.Reason = "another talk"
	moved.At++
	renamed.Award = new(*first.Award)
	renamed.Award.ID = "quiz"
	for i, step := range []struct {
		act    activity.Activity
		status ledger.Status
		points int64
	}{
		{back(first), ledger.NothingToRevoke, 0},
		{first, ledger.Counted, 50},
		{first, ledger.Duplicate, 0},
		{other, ledger.AwardDiffers, 0},
		{moved, ledger.AwardDiffers, 0},
		{renamed, ledger.Counted, 50},
		{award(t, "talk", "10-31 12:00", -5), ledger.Counted, -5}, // its month is another
		{back(first), ledger.Revoked, -50},
		{back(first), ledger.NothingToRevoke, 0},
		{first, ledger.Superseded, 0},
		{other, ledger.Superseded, 0},
	} {
		now := ledger.Arrival{Now: momentAt(t, "11-20 13:00"), AnyAge: true}
		if r := s.record(t, []activity.Activity{step.act}, now)[0]; r.Status != step.status || r.Points != step.points {
			t.Errorf("step %d: %+v, want %s with %d points", i, r, step.status, step.points)
		}
	}
	if got := s.points("ada", monthOf(time.November)); got != 50 {
		t.Errorf("%d points in November, want those of the award that stands", got)
	}
	got := s.ledger.AwardsOf(s.all(t, "ada"))
	states := map[string]ledger.EntryState{}
	for _, a := range got {
		states[a.At.String()[:7]+" "+a.ID] = a.State
	}
	want := map[string]ledger.EntryState{
		"2026-11 talk": ledger.EntryUndone, "2026-11 quiz": ledger.EntryCounted, "2026-10 talk": ledger.EntryCounted,
	}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Errorf("awards (-want +got):\n%s", diff)
	}
}

// The limits of an activity's moment, closed periods and statuses hold for an award; to take one back has no age.
func TestAwardsKeepTheLimitsOfActivities(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		now      string
		close    board.Period
		excluded bool
		erased   string
		given    ledger.Status
		back     ledger.Status
	}{
		"48 hours":          {"11-22 12:00", board.Period{}, false, "", ledger.Counted, ledger.Revoked},
		"later":             {"11-22 12:00:00.001", board.Period{}, false, "", ledger.TooLate, ledger.NothingToRevoke},
		"5 minutes ahead":   {"11-20 11:55", board.Period{}, false, "", ledger.Counted, ledger.Revoked},
		"earlier":           {"11-20 11:54:59.999", board.Period{}, false, "", ledger.TooEarly, ledger.NothingToRevoke},
		"a closed day":      {"11-20 12:00", day(time.November, 20), false, "", ledger.TooLate, ledger.NothingToRevoke},
		"a closed month":    {"11-20 12:00", monthOf(time.November), false, "", ledger.TooLate, ledger.TooLate},
		"an excluded user":  {"11-20 12:00", board.Period{}, true, "", ledger.Excluded, ledger.Excluded},
		"before an erasure": {"11-20 12:00", board.Period{}, false, "11-20 12:00", ledger.WasErased, ledger.WasErased},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, act := newAccounts(defaults()), award(t, "talk", "11-20 12:00", 50)
			if tt.close != (board.Period{}) {
				s.apply(t, board.EventClose, tt.close)
			}
			s.user("ada").Status.Excluded = tt.excluded
			if tt.erased != "" {
				s.user("ada").Erased = momentAt(t, tt.erased)
			}
			now := ledger.Arrival{Now: momentAt(t, tt.now)}
			got := s.record(t, []activity.Activity{act}, now)[0]
			after := s.record(t, []activity.Activity{back(act)}, now)[0]
			if got.Status != tt.given || after.Status != tt.back {
				t.Errorf("%s, and then %s; want %s, and %s", got.Status, after.Status, tt.given, tt.back)
			}
		})
	}
}

// An excluded user's award can be taken back, and is gone when the user is back on the boards.
func TestAnExcludedUsersAwardIsTakenBack(t *testing.T) {
	t.Parallel()
	s, act := newAccounts(defaults()), award(t, "talk", "11-20 12:00", 50)
	now := ledger.Arrival{Now: act.At}
	s.record(t, []activity.Activity{act, award(t, "quiz", "11-20 12:01", 7)}, now)
	s.user("ada").Status.Excluded = true
	if r := s.record(t, []activity.Activity{back(act)}, now)[0]; r.Status != ledger.Excluded || r.Points != 0 {
		t.Errorf("%+v", r)
	}
	if got := s.shown(t).points("ada", monthOf(time.November)); got != 7 {
		t.Errorf("%d points", got)
	}
}

// A month has room for 200 awards in 40 KB, those that were taken back included.
func TestAMonthHasRoomForAwards(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reason string
		most   int
	}{
		"number": {"a talk", ledger.MaxAwards},
		"bytes":  {strings.Repeat("語", activity.MaxReason), 85},
	} {
		s := newAccounts(defaults())
		for i := range ledger.MaxAwards + 1 {
			a := award(t, fmt.Sprint("an award with a long id ", i), "11-20 12:00", 1)
			a.Award.Reason = tt.reason
			want := ledger.Counted
			if i >= tt.most {
				want = ledger.TooManyAwards
			}
			if r := s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})[0]; r.Status != want {
				t.Fatalf("%s: award %d: %s, want %s", name, i, r.Status, want)
			}
			if i == 0 {
				s.record(t, []activity.Activity{back(a)}, ledger.Arrival{Now: a.At})
			}
		}
		m := harness.Must(ledger.DecodeMonthLedger(s.items["ada"][november]))(t)
		if size := len(s.items["ada"][november]); m.Size() < size || size > ledger.MaxAwardRoom {
			t.Errorf("%s: %d bytes, by its size %d", name, size, m.Size())
		}
	}
}

// A month that is full of entries with all moments, of pages of days and of awards is below DynamoDB's limit.
func TestAFullMonthWithAwardsIsOneItem(t *testing.T) {
	t.Parallel()
	s := newAccounts(ledger.New(harness.Must(activity.ParseRules([]byte(limitRules)))(t), defaults().Calendar()))
	arrival := ledger.Arrival{Now: momentAt(t, "12-31 12:00"), AnyAge: true}
	status := func(acts ...activity.Activity) ledger.Status {
		receipts := s.record(t, acts, arrival)
		return receipts[len(receipts)-1].Status
	}
	awarded := func(i int) activity.Activity {
		a := award(t, fmt.Sprint(i), "11-21 12:00", 1)
		a.Award.Reason = strings.Repeat("r", activity.MaxReason)
		return a
	}
	act := func(action string, i int, moment board.Moment) activity.Activity {
		return activity.Activity{User: "ada", Action: action, Target: fmt.Sprintf("%022d", i), At: moment}
	}
	var last [2]ledger.Status
	thanks := 0
	for i := 0; last != [2]ledger.Status{ledger.Capped, ledger.Capped}; i += 500 {
		for n, action := range []string{"thank", "look"} {
			var some []activity.Activity
			for j := i; j < i+500; j++ {
				some = append(some, act(action, j, momentAt(t, "11-01 12:00")+board.Moment(j%20)*24*3_600_000))
			}
			if last[n] != ledger.Capped {
				last[n] = status(some...)
			}
			if n == 0 && last[n] == ledger.Counted {
				thanks = i + 500
			}
		}
	}
	awards := 0
	for status(awarded(awards)) == ledger.Counted {
		awards++
	}
	var all []activity.Activity
	for i := range thanks { // each moment as far as can be from the one before
		restored := act("thank", i, momentAt(t, "11-01 11:00"))
		restored.Restores = true
		all = append(all, act("thank", i, momentAt(t, "11-30 11:00")), act("unthank", i, momentAt(t, "12-31 11:00")),
			restored)
	}
	if got := status(all...); got != ledger.Superseded {
		t.Errorf("the last moment of a kept entry: %s", got)
	}
	const beside = 100 // keys, revision and mark
	if size := len(s.items["ada"][november]) + beside + ledger.MaxVotes; size > 400<<10 || awards != ledger.MaxAwards {
		t.Errorf("%d entries by month and %d awards: %d bytes with votes", thanks, awards, size)
	} else {
		t.Logf("%d entries by month and %d awards: %d bytes with votes", thanks, awards, size)
	}
}

func TestAwardsAreEntriesDaysAndTotals(t *testing.T) {
	t.Parallel()
	s := newAccounts(ledger.New(harness.Must(activity.ParseRules([]byte(awardRules)))(t), defaults().Calendar()))
	given, taken := award(t, "talk", "11-20 12:00", 50), award(t, "quiz", "11-20 13:00", 9)
	help := award(t, "help", "11-21 12:00", -4)
	help.Award.Board = "helpers"
	now := ledger.Arrival{Now: help.At}
	s.record(t, []activity.Activity{given, taken, help}, now)
	s.record(t, []activity.Activity{back(taken)}, now)
	for name, want := range map[string]string{
		"":         "help -4 helpers counted 2026-11-21, quiz 0 activity undone -, talk 50 activity counted 2026-11-20",
		"activity": "quiz 0 activity undone -, talk 50 activity counted 2026-11-20",
		"copy":     "quiz 0 copy undone -, talk 50 copy counted 2026-11-20",
		"helpers":  "help -4 helpers counted 2026-11-21",
	} {
		var got []string
		for _, e := range harness.Must(s.ledger.ListedOn(s.all(t, "ada"), name))(t) {
			on := "-"
			if e.On != 0 {
				on = e.On.String()
			}
			got = append(got, fmt.Sprint(e.Ref, " ", e.Points, " ", e.Board, " ", e.State, " ", on))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("entries of %q: %s\nwant %s", name, text, want)
		}
	}
	days := harness.Must(s.ledger.DaysOf(s.all(t, "ada"), november.First()+19, november.First()+20))(t)
	want := []ledger.DayActivity{
		{
			Day: november.First() + 19, Scores: map[string]int64{"activity": 50, "copy": 50, "helpers": 0},
			Actions: map[string]ledger.Tally{"award": {Count: 1, Points: 50}},
		},
		{
			Day: november.First() + 20, Scores: map[string]int64{"activity": 0, "copy": 0, "helpers": -4},
			Actions: map[string]ledger.Tally{"award": {Count: 1, Points: -4}},
		},
	}
	if diff := cmp.Diff(want, days); diff != "" {
		t.Errorf("days (-want +got):\n%s", diff)
	}
	totals := map[string]int64{}
	for _, total := range harness.Must(s.ledger.MonthTotals(s.all(t, "ada"), november))(t) {
		totals[total.Board] = total.Score
	}
	if diff := cmp.Diff(map[string]int64{"activity": 50, "copy": 50, "helpers": -4}, totals); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}

const awardRules = `{"boards": {"activity": {"windows": ["day", "month"]},
  "copy": {"counts": "activity", "windows": ["month"]},
  "helpers": {"counts": {"like": 3}, "windows": ["month"]}}, "versions": [{"actions": {
  "like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "by": ["user"]}}}]}`

// Sealed bytes of awards that no ledger has are damage.
func TestDamagedAwardsAreErrors(t *testing.T) {
	t.Parallel()
	m := &ledger.MonthLedger{User: "ada", Awards: map[string]ledger.Award{
		"1": {At: momentAt(t, "11-20 12:00"), Points: -3, Board: "activity", Reason: "why", Taken: true},
		"b": {At: board.Earliest, Points: activity.MaxAward, Board: "b"},
	}}
	right := m.Encode()
	again := harness.Must(ledger.DecodeMonthLedger(right))(t)
	if diff := cmp.Diff(m, again); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	body := string(right[:len(right)-4])
	frame := string((&ledger.MonthLedger{User: "ada"}).Encode())
	frame = frame[:len(frame)-4]
	for damage, text := range map[string]string{
		"none, and their number": frame + "\x00",
		"too many":               frame + "\xc9\x01" + strings.Repeat("\x00", 2_000),
		"one twice":              strings.Replace(body, frame+"\x02", frame+"\x03", 1) + body[len(body)-16:],
		"an unknown flag":        body[:len(body)-1] + "\x02",
		"trailing data":          body + "\x00",
	} {
		if _, err := ledger.DecodeMonthLedger(codec.Seal([]byte(text), "")); !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("%s: %v", damage, err)
		}
	}
	keys := slices.Sorted(maps.Keys(again.Awards))
	over := again.Awards[keys[1]]
	over.Points++
	again.Awards[keys[1]] = over
	if _, err := ledger.DecodeMonthLedger(again.Encode()); !errors.Is(err, codec.ErrDamaged) {
		t.Errorf("points over the limit: %v", err)
	}
}
