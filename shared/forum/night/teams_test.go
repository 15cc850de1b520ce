package night_test

import (
	"fmt"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/night"
	"laurel/shared/store/items"
)

// housed is a forum on the 20th: ann, bob and the hidden hid play for red, cid for blue, and the excluded out for red.
func housed(t *testing.T, rules *activity.Rules) *forum {
	t.Helper()
	f := newForum(t, rules)
	f.did("ann like a", "bob like a", "bob like b", "cid like a", "hid like a", "out like a", "eve like a", "eve like b")
	for user, group := range map[string]string{"ann": "red", "bob": "red", "hid": "red", "cid": "blue", "out": "red"} {
		f.showPerson(user, func(p *items.Person) {
			p.ID, p.Profile.Groups = user, []string{group}
			p.Status = ledger.UserStatus{Hidden: user == "hid", Excluded: user == "out"}
		})
	}
	return f
}

// textOf returns teams as a text: "red 8/2".
func textOf(teams []board.Team) string {
	var texts []string
	for _, t := range teams {
		texts = append(texts, fmt.Sprintf("%s %d/%d", t.Group, t.Sum, t.Members))
	}
	return strings.Join(texts, ", ")
}

// finalTeams returns the teams on a final board.
func (f *forum) finalTeams(period string) string {
	f.Helper()
	return textOf(harness.Must(f.App.Finals.Teams(f.Context(), "houses", f.period(period)))(f))
}

// liveTeams returns the teams on a live board.
func (f *forum) liveTeams(period string) string {
	f.Helper()
	page := harness.Must(f.App.View.Read(f.Context(), board.View{Board: "houses", Period: f.period(period)}))(f)
	return textOf(page.Teams.Places)
}

// A final board of teams has the sums of the night, with hidden members and without excluded ones. It stays when people
// change groups or are erased, which changes live boards. There are no wreaths for teams, and an audit knows why places
// differ.
func TestFinalBoardsOfTeams(t *testing.T) {
	t.Parallel()
	f := housed(t, withTeams(t, everyWindow(t)))
	if got := f.liveTeams("2026-11-20"); got != "red 8/2, blue 2/1" {
		t.Error("live:", got)
	}
	f.on("2026-11-24")
	f.nights()
	const stored = "red 8/2, blue 2/1"
	if got := f.finalTeams("2026-11-20"); got != stored {
		t.Error("final:", got)
	}
	if got := f.liveTeams("2026-11-20"); got != "" {
		t.Error("the view has a final board:", got)
	}
	for _, user := range []string{"ann", "bob", "cid"} {
		for _, w := range harness.Must(f.People.Wreaths(t.Context(), user, f.App.Rules))(t) {
			if w.Board == "houses" {
				t.Errorf("%s has the wreath %+v", user, w)
			}
		}
	}
	audit := func() map[night.Why]int64 {
		a := f.audit()
		if a.Unexplained() > 0 {
			t.Errorf("unexplained: %+v", a)
		}
		return a.Differs
	}
	if differs := audit(); len(differs) > 0 {
		t.Error("an audit at once finds", differs)
	}
	f.showPerson("bob", func(p *items.Person) { p.Profile.Groups = []string{"blue"} })
	f.showPerson("cid", func(p *items.Person) { p.Profile.Groups = nil })
	if differs := audit(); differs[night.WhyGroups] != 2 {
		t.Error("after a change of groups an audit finds", differs)
	}
	if got := f.liveTeams("2026-11"); got != "blue 4/1, red 4/1" {
		t.Error("live after a change of groups:", got)
	}
	for range 3 {
		harness.Must(f.People.Erase(t.Context(), "bob", 0, ""))(t)
		f.Pass(items.StepWait)
	}
	if got := f.liveTeams("2026-11"); got != "red 4/1" {
		t.Error("live after an erasure:", got)
	}
	if got := f.finalTeams("2026-11-20"); got != stored {
		t.Error("final after an erasure:", got)
	}
	f.on("2027-02-01")
	f.nights()
	if got := f.finalTeams("2026-11"); got != "red 4/1" {
		t.Error("the final month:", got)
	}
	page := harness.Must(f.App.Finals.Read(t.Context(), board.View{
		Board: "houses", Period: f.period("2026-11-20"), User: "ann", Users: []string{"bob", "cid", "hid", "eve"},
	}))(t)
	if got := fmt.Sprint(page.Members); got != "map[ann:{red 0 2} cid:{blue 0 2}]" {
		t.Error("members of the final board:", got)
	}
}

// A board of teams counts final months by totals, in longer windows as in live ones.
func TestYearsOfTeamsAreOfTotals(t *testing.T) {
	t.Parallel()
	source := strings.Replace(string(everyWindow(t).JSON()), `"boards": {`, `"boards": {
		"houses": {"counts": "activity", "windows": ["month", "year", "all"], "teams": ["blue", "red"]},`, 1)
	f := newForum(t, harness.Must(activity.ParseRules([]byte(source)))(t))
	f.did("ann like a", "bob like a", "bob like b", "hid like a")
	for user, group := range map[string]string{"ann": "blue", "bob": "red", "hid": "blue"} {
		f.setPerson(user, func(p *items.Person) {
			p.ID, p.Profile.Groups, p.Status.Hidden = user, []string{group}, user == "hid"
		})
	}
	f.on("2027-02-01")
	f.nights()
	f.did("bob like c")
	if got := f.liveTeams("all"); got != "red 6/1, blue 4/1" {
		t.Error(got)
	}
	f.on("2027-03-02")
	f.nights()
	if got := f.finalTeams("2026"); got != "blue 4/1, red 4/1" {
		t.Error(got)
	}
	if a := f.audit(); a.Total() > 0 {
		t.Errorf("%+v", a)
	}
}

// Events of boards of teams have the first teams, at the end and when the period is final.
func TestEventsOfTeams(t *testing.T) {
	t.Parallel()
	f := housed(t, withEvents(withTeams(t, activity.Default())))
	f.nights()
	f.on("2026-11-21")
	f.nights()
	f.on("2026-11-24")
	f.nights()
	var got []string
	for _, row := range harness.Must(f.App.Items.Events(t.Context(), "all", 100))(t) {
		if e := row.Value; e.Board == "houses" {
			text := fmt.Sprint(e.Type, " ", e.Period, " ", e.Total, " ", len(e.Entries))
			for _, team := range e.Teams {
				text += fmt.Sprintf(" %d %s %d/%d", team.Rank, team.Group, team.Sum, team.Members)
			}
			got = append(got, text)
		}
	}
	want := "period.ended 2026-11-20 2 0 1 red 8/2 2 blue 2/1, period.final 2026-11-20 2 0 1 red 8/2 2 blue 2/1"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
}

// The night's comparison finds a total that is not the sum of its members, and corrects it; an audit tells it.
func TestTotalsThatDifferAreCorrected(t *testing.T) {
	t.Parallel()
	f := housed(t, withTeams(t, activity.Default()))
	f.nights()
	for _, key := range f.client.Keys(t.Context(), "*:teams:*").Val() {
		harness.OK(t, f.client.HIncrBy(t.Context(), key, "1", 7).Err())
	}
	done := harness.Must(f.Catchup.Run(t.Context(), auditing))(t)
	parts := map[string]bool{}
	for _, found := range done.Findings {
		parts[found.Part+" "+found.Board+" "+found.Period.String()] = true
	}
	if len(parts) != 2 || !parts["totals houses 2026-11-20"] || !parts["totals houses 2026-11"] {
		t.Error("an audit finds", parts)
	}
	if done := harness.Must(f.Catchup.Run(t.Context(), catchup.Request{Scores: true}))(t); done.Differ != 2 {
		t.Errorf("a comparison finds %+v", done)
	}
	if got := f.liveTeams("2026-11"); got != "red 8/2, blue 2/1" {
		t.Error(got)
	}
	if done := harness.Must(f.Catchup.Run(t.Context(), auditing))(t); done.Differ > 0 {
		t.Errorf("an audit finds still %+v", done.Findings)
	}
}
