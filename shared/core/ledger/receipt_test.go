package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// step is an activity of one user and the receipt it must get.
type step struct {
	word, target, moment string // of 2026, UTC; target has a ref behind it; word may be "restore"
	status               ledger.Status
	points               int64
	day                  string
	scores               string // day/month
}

// run decides on steps one by one.
func run(t *testing.T, l *ledger.Ledger, steps []step) {
	t.Helper()
	s := newAccounts(l)
	for i, st := range steps {
		a := activity.Activity{User: "ada", Action: st.word, At: momentAt(t, st.moment)}
		a.Target, a.Ref, _ = strings.Cut(st.target, " ")
		if st.word == "restore" {
			a.Action, a.Restores = "like", true
			if a.Ref != "" {
				a.Action = "comment"
			}
		}
		if st.word == "steps" {
			var value int64
			if _, err := fmt.Sscan(st.target, &value); err != nil {
				t.Fatal(err)
			}
			a.Target, a.Value = "", &value
		}
		r := s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At, AnyAge: true})[0]
		scores := ""
		for _, score := range r.Scores {
			if scores != "" {
				scores += "/"
			}
			scores += fmt.Sprint(score.Score)
		}
		got := step{st.word, st.target, st.moment, r.Status, r.Points, r.Day.String()[5:], scores}
		if diff := cmp.Diff(st, got, cmp.AllowUnexported(step{})); diff != "" {
			t.Errorf("step %d, %s %s at %s (-want +got):\n%s", i+1, st.word, st.target, st.moment, diff)
		}
	}
}

func TestReceiptsTellTheEffect(t *testing.T) {
	t.Parallel()
	tests := map[string][]step{
		"a like sent twice": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"like", "1", "11-20 12:00", "duplicate", 0, "11-20", "2/2"},
		},
		"a like repeated on another day is one entry": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"like", "1", "11-21 12:00", "duplicate", 0, "11-20", "2/2"},
			{"like", "1", "11-19 12:00", "duplicate", 0, "11-19", "2/2"},
		},
		"next month it is another": {
			{"like", "1", "11-30 12:00", "counted", 2, "11-30", "2/2"},
			{"like", "1", "12-01 12:00", "counted", 2, "12-01", "2/2"},
		},
		"liked, unliked and liked again": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"unlike", "1", "11-21 12:00", "revoked", -2, "11-20", "0/0"},
			{"unlike", "1", "11-21 13:00", "nothing_to_revoke", 0, "11-20", "0/0"},
			{"like", "1", "11-22 12:00", "counted", 2, "11-22", "2/2"},
			{"like", "1", "11-21 11:00", "duplicate", 0, "11-22", "2/2"},
		},
		"an undo that comes first has decided": {
			{"unlike", "1", "11-20 12:00", "nothing_to_revoke", 0, "11-20", "0/0"},
			{"like", "1", "11-20 11:00", "superseded", 0, "11-20", "0/0"},
			{"like", "1", "11-20 12:00", "superseded", 0, "11-20", "0/0"},
			{"like", "1", "11-20 12:00:00.001", "counted", 2, "11-20", "2/2"},
			{"unlike", "1", "11-20 11:30", "superseded", 0, "11-20", "2/2"},
		},
		"an undo of an earlier time moves the point to the later one": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"like", "1", "11-22 12:00", "duplicate", 0, "11-20", "2/2"},
			{"unlike", "1", "11-21 12:00", "superseded", 0, "11-22", "2/2"},
		},
		"an undo in the next month": {
			{"like", "1", "11-30 12:00", "counted", 2, "11-30", "2/2"},
			{"unlike", "1", "12-01 12:00", "revoked", -2, "11-30", "0/0"},
			{"like", "1", "11-30 13:00", "superseded", 0, "11-30", "0/0"},
		},
		"an undo that takes two months back tells of its own": {
			{"like", "1", "11-30 12:00", "counted", 2, "11-30", "2/2"},
			{"like", "1", "12-01 10:00", "counted", 2, "12-01", "2/2"},
			{"unlike", "1", "12-01 12:00", "revoked", -4, "12-01", "0/0"},
		},
		"an undo is taken back": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"unlike", "1", "11-21 12:00", "revoked", -2, "11-20", "0/0"},
			{"restore", "1", "11-22 12:00", "counted", 2, "11-20", "2/2"}, // where it was earned
			{"restore", "1", "11-22 12:00", "duplicate", 0, "11-20", "2/2"},
			{"unlike", "1", "11-22 11:00", "superseded", 0, "11-20", "2/2"},
			{"unlike", "1", "11-23 12:00", "revoked", -2, "11-20", "0/0"},
		},
		"a restore without an activity is kept": {
			{"restore", "1", "11-20 12:00", "superseded", 0, "11-20", "0/0"},
			{"unlike", "1", "11-20 11:00", "nothing_to_revoke", 0, "11-20", "0/0"},
			{"like", "1", "11-20 10:00", "counted", 2, "11-20", "2/2"},
		},
		"a restore in the next month": {
			{"like", "1", "11-30 12:00", "counted", 2, "11-30", "2/2"},
			{"unlike", "1", "12-01 12:00", "revoked", -2, "11-30", "0/0"},
			{"restore", "1", "12-02 12:00", "counted", 2, "11-30", "2/2"},
		},
		"an undo and a restore over two months tell of the own month's if it rose or fell, else of the other's": {
			{"like", "A", "11-30 12:00", "counted", 2, "11-30", "2/2"},
			{"restore", "A", "12-02 12:00", "duplicate", 0, "11-30", "2/2"},
			{"unlike", "A", "12-01 12:00", "superseded", 0, "11-30", "2/2"}, // of before the restore
			{"like", "A", "12-03 12:00", "counted", 2, "12-03", "2/2"},
			{"unlike", "A", "12-04 12:00", "revoked", -4, "12-03", "0/0"},
			{"restore", "A", "12-05 12:00", "counted", 4, "12-03", "2/2"},
		},
		"a restore tells of the other month's if the own one stood already": {
			{"like", "A", "11-30 12:00", "counted", 2, "11-30", "2/2"},
			{"unlike", "A", "12-01 12:00", "revoked", -2, "11-30", "0/0"},
			{"like", "A", "12-03 12:00", "counted", 2, "12-03", "2/2"},
			{"restore", "A", "12-05 12:00", "counted", 2, "11-30", "2/2"},
			{"unlike", "A", "12-04 12:00", "superseded", 0, "12-03", "2/2"},
		},
		"at an equal moment the restore wins": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"restore", "1", "11-21 12:00", "duplicate", 0, "11-20", "2/2"},
			{"unlike", "1", "11-21 12:00", "superseded", 0, "11-20", "2/2"},
		},
		"comments by day": {
			{"comment", "1", "11-20 12:00", "counted", 3, "11-20", "3/3"},
			{"comment", "1", "11-20 13:00", "duplicate", 0, "11-20", "3/3"},
			{"comment", "1", "11-21 13:00", "counted", 3, "11-21", "3/6"},
			{"uncomment", "1", "11-21 14:00", "revoked", -3, "11-21", "0/3"},
			{"uncomment", "1", "11-22 14:00", "nothing_to_revoke", 0, "11-22", "0/3"},
		},
		"the day's largest value": {
			{"steps", "0", "11-20 08:00", "duplicate", 0, "11-20", "0/0"},
			{"steps", "500", "11-20 12:00", "counted", 500, "11-20", "500/500"},
			{"steps", "400", "11-20 13:00", "duplicate", 0, "11-20", "500/500"},
			{"steps", "500", "11-20 11:00", "duplicate", 0, "11-20", "500/500"},
			{"steps", "900", "11-20 20:00", "counted", 400, "11-20", "900/900"},
			{"steps", "100", "11-21 20:00", "counted", 100, "11-21", "100/1000"},
		},
		"following oneself": {
			{"follow", "ada", "11-20 12:00", "self", 0, "11-20", ""},
			{"unfollow", "ada", "11-20 12:00", "self", 0, "11-20", ""},
			{"follow", "bob", "11-20 12:00", "counted", 2, "11-20", "2/2"},
		},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, defaults(), steps)
		})
	}
}

// With a cap of two, the third entry moves up when one of the two is taken back.
func TestTheCapIsMetFromBothSides(t *testing.T) {
	t.Parallel()
	rules := harness.Must(activity.ParseRules([]byte(handRules)))(t)
	run(t, ledger.New(rules, board.NewCalendar(time.UTC)), []step{
		{"comment", "1", "11-02 12:00", "counted", 3, "11-02", "3"},
		{"comment", "2", "11-02 12:00", "counted", 3, "11-02", "6"},
		{"comment", "3", "11-02 11:00", "capped", 0, "11-02", "6"},
		{"uncomment", "1", "11-02 13:00", "revoked", 0, "11-02", "6"},
		{"uncomment", "2", "11-02 13:00", "revoked", -3, "11-02", "3"},
		{"comment", "4", "11-02 14:00", "counted", 3, "11-02", "6"},
		{"like", "A", "11-02 10:00", "counted", 2, "11-02", "8"},
		{"like", "B", "11-02 11:00", "counted", 2, "11-02", "10"},
		{"like", "C", "11-02 12:00", "capped", 0, "11-02", "10"},
		{"unlike", "A", "11-02 13:00", "revoked", 0, "11-02", "10"},
		{"restore", "A", "11-02 14:00", "capped", 0, "11-02", "10"},
		{"unlike", "D", "11-02 13:00", "nothing_to_revoke", 0, "11-02", "10"},
		{"like", "D", "11-02 12:00", "superseded", 0, "11-02", "10"},
		{"like", "E", "11-30 15:00", "counted", 5, "11-30", "5"}, // three of them count by then
		{"unlike", "E", "12-01 12:00", "revoked", -5, "11-30", "0"},
		{"like", "F", "11-30 10:00", "counted", 5, "11-30", "5"},
		{"like", "G", "11-30 11:00", "counted", 5, "11-30", "10"},
		{"like", "H", "11-30 12:00", "counted", 5, "11-30", "15"},
		{"restore", "E", "12-02 12:00", "capped", 0, "11-30", "15"},
	})
}

func TestAnActivityIsAcceptedFor48Hours(t *testing.T) {
	t.Parallel()
	l := defaults()
	now := momentAt(t, "11-20 12:00")
	tests := []struct {
		age    time.Duration
		anyAge bool
		want   ledger.Status
	}{
		{48 * time.Hour, false, ledger.Counted},
		{48*time.Hour + time.Millisecond, false, ledger.TooLate},
		{48*time.Hour + time.Millisecond, true, ledger.Counted},
		{-5 * time.Minute, false, ledger.Counted},
		{-5*time.Minute - time.Millisecond, false, ledger.TooEarly},
		{-5*time.Minute - time.Millisecond, true, ledger.TooEarly},
	}
	for _, tt := range tests {
		s := newAccounts(l)
		a := activity.Activity{User: "ada", Action: "like", Target: "1", At: now.Add(-tt.age)}
		r := s.record(t, []activity.Activity{a}, ledger.Arrival{Now: now, AnyAge: tt.anyAge})[0]
		if r.Status != tt.want {
			t.Errorf("%s old: %s, want %s", tt.age, r.Status, tt.want)
		}
		if kept := len(s.items["ada"]) > 0; kept != (tt.want == ledger.Counted) {
			t.Errorf("%s old: kept %v", tt.age, kept)
		}
	}
}

// Reports of members by their own tokens are held to the rules; so are undos of an excluded member.
func TestMembersReportByTheRules(t *testing.T) {
	t.Parallel()
	rules := harness.Must(activity.ParseRules([]byte(`{"boards":{"a":{"windows":["day"]}},"versions":[{"actions":{
		"like":{"undo":"unlike","board":"a","points":1,"entry":"month","cap":5,"by":["user","service"],
			"targets":"published","notOwn":true,"minAgeDays":2},
		"visit":{"board":"a","points":1,"entry":"day","cap":5,"by":["user"]}}}]}`)))(t)
	l, noon := ledger.New(rules, board.NewCalendar(time.UTC)), momentAt(t, "11-20 12:00")
	old := noon.Add(-48 * time.Hour)
	for _, c := range []struct {
		action, target    string
		since             board.Moment
		service, excluded bool
		want              ledger.Status
	}{
		{"like", "a", old, false, false, ledger.Counted},
		{"like", "a", old + 1, false, false, ledger.TooNew},
		{"like", "a", 0, false, false, ledger.TooNew},
		{"like", "other", old, false, false, ledger.UnknownTarget},
		{"like", "gone", old, false, false, ledger.UnknownTarget},
		{"unlike", "gone", old, false, false, ledger.NothingToRevoke},
		{"like", "own", old, false, false, ledger.Self},
		{"like", "own", 0, true, false, ledger.Counted},
		{"visit", "own", 0, false, false, ledger.Counted},
		{"visit", "other", 0, false, false, ledger.Counted},
		{"like", "a", old, false, true, ledger.Excluded},
		{"unlike", "a", old, false, true, ledger.Excluded},
		{"unlike", "other", old, false, true, ledger.Excluded},
	} {
		act := activity.Activity{User: "ada", Action: c.action, Target: c.target, At: noon, ByUser: !c.service}
		d, err := l.DecideAccount(&ledger.Account{
			User: "ada", Since: c.since, Status: ledger.UserStatus{Excluded: c.excluded},
			Months: map[board.MonthOf]*ledger.MonthLedger{november: nil, november - 1: nil},
		}, []activity.Activity{act}, ledger.Surroundings{Now: noon, Articles: map[string]ledger.KnownArticle{
			"a": {Author: "bob"}, "own": {Author: "ada"}, "gone": {Author: "bob", Deleted: true},
		}})
		kept := c.want.Kept() || c.action == "unlike" && c.target == "a"
		if err != nil || d.Receipts[0].Status != c.want || (len(d.Changed) > 0) != kept {
			t.Errorf("%+v: %+v, changed %v, %v", c, d.Receipts, d.Changed, err)
		}
	}
}
