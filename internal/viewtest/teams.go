package viewtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
)

// houses is a board of the teams red, blue and green.
const houses = "houses"

// TeamPlace is the place of a member of a team, by its number, on the board of teams.
func TeamPlace(p board.Period, score int64, team int) ledger.Shown {
	return ledger.Shown{Board: houses, Period: p, Packed: board.PackMember(score, team)}
}

// teams returns the board of teams as a text: "red 5/2" is a sum of 5 with two members who are seen.
func (h *View) teams(p board.Period) string {
	h.T.Helper()
	return teamsText(harness.Must(h.Read(h.T.Context(), board.View{Board: houses, Period: p}))(h.T))
}

func teamsText(page board.Page) string {
	texts := make([]string, len(page.Teams.Places))
	for i, t := range page.Teams.Places {
		texts[i] = fmt.Sprintf("%s %d/%d", t.Group, t.Sum, t.Members)
	}
	return strings.Join(texts, ", ")
}

// testTeams: a team's total follows each place of its members: those that move, hide, leave or play for another team.
func testTeams(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	ctx := t.Context()
	show := func(user string, person int64, hidden bool, places ...ledger.Shown) {
		u := Person(Unit(user, 1, 0, places...), person, user)
		u.Suppressed = hidden
		h.Apply(view.ShowApplied, u)
	}
	h.Equal("", h.teams(Month))
	show("ann", 1, false, TeamPlace(Month, 5, 1), TeamPlace(Past, 9, 1))
	show("bob", 1, false, TeamPlace(Month, 7, 2))
	show("cid", 1, false, TeamPlace(Month, 2, 1), TeamPlace(Past, 9, 2))
	show("dan", 1, false, TeamPlace(Month, 0, 3))
	h.Equal("blue 7/1, red 7/2", h.teams(Month)) // an equal sum: by the name
	show("ann", 1, false, TeamPlace(Month, 5, 1), TeamPlace(Past, 9, 1))
	h.Equal("blue 7/1, red 7/2", h.teams(Month))
	h.Apply(view.ShowStale, Person(Unit("ann", 0, 0, TeamPlace(Month, 50, 1)), 1, "ann"))

	show("cid", 2, true, TeamPlace(Month, 2, 1), TeamPlace(Past, 9, 2)) // hides
	h.Equal("blue 7/1, red 7/1", h.teams(Month))
	asked := board.View{Board: houses, Period: Month, User: "ann", Users: []string{"cid", "bob", "zed"}}
	page := harness.Must(h.Read(ctx, asked))(t)
	h.Equal(map[string]board.Membership{"ann": {Group: "red", Own: 5}, "bob": {Group: "blue", Own: 7}}, page.Members)
	h.Equal(map[string]int64{"blue": 1, "red": 2}, page.Teams.Previous)
	h.Equal(int64(2), page.Total)
	h.Equal(Month, page.Period)

	places := [][]ledger.Shown{{TeamPlace(Month, 0, 0), TeamPlace(Today, 0, 0)}}
	users := harness.Must(h.Users(ctx, []string{"cid"}, places))(t)
	h.Equal([]view.User{{Packed: []board.Packed{board.PackMember(2, 1), 0}, Suppressed: true}}, users)
	var members []string
	for m, err := range h.Members(ctx, houses, Month) {
		harness.OK(t, err)
		members = append(members, fmt.Sprintf("%s %d for %d", m.User, m.Packed.Score(), m.Packed.Team()))
	}
	slices.Sort(members)
	h.Equal([]string{"ann 5 for 1", "bob 7 for 2", "cid 2 for 1"}, members)
	var listed []string
	for _, b := range harness.Must(h.PeriodsOf(ctx, houses, board.Month))(t) {
		listed = append(listed, fmt.Sprint(b.Period, " ", b.Total))
	}
	h.Equal([]string{"2026-11 2", "2026-10 2"}, listed)
	h.Equal(2, len(harness.Must(h.Boards(ctx))(t)))

	show("ann", 3, false, TeamPlace(Month, 5, 3), TeamPlace(Past, 9, 3)) // plays for green now
	h.Equal("blue 7/1, green 5/1, red 2/0", h.teams(Month))
	h.Equal("blue 9/0, green 9/1", h.teams(Past))
	show("cid", 3, true, TeamPlace(Month, 0, 0), TeamPlace(Past, 0, 0)) // is excluded
	h.Equal("blue 7/1, green 5/1", h.teams(Month))
	show("ann", 4, false, TeamPlace(Month, 5, 0), TeamPlace(Past, 9, 0)) // has no team
	h.Equal("blue 7/1", h.teams(Month))
	h.Equal("", h.teams(Past))
	h.Equal(1, len(harness.Must(h.PeriodsOf(ctx, houses, board.Month))(t)))

	changed := Unit("bob", 2, 1, TeamPlace(Month, 9, 2))
	changed.Person, changed.Months[0].Changed = 1, true
	h.Apply(view.ShowApplied, changed)
	h.Equal("blue 9/1", h.teams(Month))
	two := Person(Unit("bob", 3, 2, TeamPlace(Month, 3, 2)), 1, "bob")
	two.Months = append(two.Months, view.MonthUnit{
		MonthRevision: view.MonthRevision{Month: October, Revision: 1}, Places: []ledger.Shown{TeamPlace(Month, 3, 2)},
	}) // a week has days of two months
	h.Apply(view.ShowApplied, two)
	h.Equal("blue 3/1", h.teams(Month))
	most := Person(Unit("eve", 1, 0, TeamPlace(Month, board.MaxScore, 2)), 1, "eve")
	h.Apply(view.ShowApplied, most)
	h.Equal(fmt.Sprintf("blue %d/2", board.MaxScore+3), h.teams(Month))
	n, err := h.CheckTotals(ctx, houses, Month, true)
	h.Equal(int64(0), n)
	harness.OK(t, err)
	h.SweepAll(Finalised(t, nil, Month), 3)
	h.Equal("", h.teams(Month))
	h.ClearAll(view.Marker{Table: h.Table, Fill: "anew"})
	if _, err := h.Read(ctx, board.View{Board: houses, Period: Month}); !errors.Is(err, view.ErrFilling) {
		t.Error(err)
	}
}

// testRollingTeams: totals are of the days that a slot keeps: begun, emptied, whole and dropped as boards of people.
func testRollingTeams(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	unit := func(user string, revision, score int64, team, from, to int) view.Unit {
		u := Person(Unit(user, revision, revision-1), 1, user)
		u.Days = view.Days{First: last7(from).Last(), Last: last7(to).Last()}
		for n := from; n <= to; n++ {
			u.Rolling = append(u.Rolling, TeamPlace(last7(n), score+int64(n-from), team))
		}
		return u
	}
	read := func(n int) string {
		page, err := h.Read(t.Context(), board.View{Board: houses, Period: last7(n), Exact: true})
		if errors.Is(err, view.ErrUnready) {
			return "unready"
		}
		harness.OK(t, err)
		return teamsText(page)
	}
	was, now := rollingFrom(-1, 1, 1), rollingFrom(0, 2, 1)
	h.fillRolling(was)
	h.Apply(view.ShowApplied, unit("ann", 1, 1, 1, -2, 3))
	h.Apply(view.ShowApplied, unit("bob", 1, 5, 1, -1, 1))
	h.Equal("red 7/2", read(-1))
	h.Equal("red 11/2", read(1))
	h.setDays(true, was, now) // today + 2 begins, and is not whole; yesterday is dropped
	h.Equal("unready", read(-1))
	h.Equal("unready", read(2))
	h.Equal("red 9/2", read(0))
	pages := harness.Must(h.ReadAll(t.Context(), []board.View{
		{Board: houses, Period: last7(3), Optional: true}, {Board: houses, Period: last7(2), User: "ann"},
	}))(t)
	h.Equal([]bool{true, false}, []bool{pages[0].Unready, pages[1].Unready})
	h.Equal("red 11/2", teamsText(pages[1])) // the day before answers
	h.Equal(last7(1), pages[1].Period)
	h.Equal(map[string]board.Membership{"ann": {Group: "red", Own: 4}}, pages[1].Members)
	h.Equal(view.ShowShort, harness.Must(h.Show(t.Context(), 0, unit("ann", 1, 1, 1, -1, 1)))(t)[0])
	h.Apply(view.ShowApplied, unit("ann", 2, 1, 2, 0, 2))
	h.Apply(view.ShowApplied, unit("bob", 1, 5, 1, 0, 2))
	whole := rollingFrom(0, 2, 2)
	h.setDays(true, now, whole)
	h.Equal("red 7/1, blue 3/1", read(2))
	h.Equal("red 5/1, blue 1/1", read(0))
	again := rollingFrom(1, 3, 2)
	h.setDays(true, whole, again)
	h.setDays(true, again, rollingFrom(1, 3, 3))
	h.Equal("", read(3)) // begun: empty before it is shown
	h.Equal("red 6/1, blue 2/1", read(1))
}
