package walk_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// An awardID names an award of a user.
type awardID struct {
	month board.MonthOf
	id    string
}

// refusesAward says whether an award is not kept: its limits are those of an activity, and its month may have another
// one of its id. One to be taken back has to be there, in a month that is not closed.
func (m *model) refusesAward(p *person, a activity.Activity, life *board.Life) bool {
	day := m.calendar.Date(a.At)
	if a.Award.Taken {
		return len(m.taken(p, a.Award.ID, life)) == 0
	}
	known, found := p.awards[awardID{day.Month(), a.Award.ID}]
	differs := found && !known.Award.Taken && (known.At != a.At || *known.Award != *a.Award)
	return !life.TakesReports(day) || a.At <= p.erased || p.status.Excluded || differs
}

// taken returns the awards that are taken back by an id.
func (m *model) taken(p *person, id string, life *board.Life) (all []awardID) {
	for key := range p.awards {
		if key.id == id && !life.Closed(board.PeriodOf(board.Month, key.month.First())) {
			all = append(all, key)
		}
	}
	return all
}

// acceptAward enters an award that is kept.
func (m *model) acceptAward(p *person, a activity.Activity, life *board.Life) {
	if a.Award.Taken {
		for _, key := range m.taken(p, a.Award.ID, life) {
			was := p.awards[key]
			given := *was.Award
			given.Taken, was.Award = true, &given
			p.awards[key] = was
		}
		return
	}
	key := awardID{m.calendar.Date(a.At).Month(), a.Award.ID}
	if _, found := p.awards[key]; !found {
		p.awards[key] = a
	}
}

// awarded is an award as the lines of entries have it.
func awarded(id string, moment board.Moment, state string, points int64) string {
	if state == string(ledger.EntryUndone) {
		points = 0
	}
	return fmt.Sprintf("award %s first %s %s %d", id, short(moment), state, points)
}

// awardLines returns the awards of a person in months that are not final, in the form of GET.
func (f *forum) awardLines(p *person) (lines []string) {
	for key, a := range p.awards {
		state := string(ledger.EntryCounted)
		if a.Award.Taken {
			state = string(ledger.EntryUndone)
		}
		if !f.life.Final(board.PeriodOf(board.Month, key.month.First())) {
			lines = append(lines, awarded(key.id, a.At, state, a.Award.Points))
		}
	}
	return lines
}

// newAward returns an award to a user of the last time.
func (f *forum) newAward(user, id string, back time.Duration) activity.Activity {
	var boards []string
	for _, name := range f.rules.Boards() {
		if f.rules.AwardBoard(name) == name {
			boards = append(boards, name)
		}
	}
	return activity.Activity{
		User: user, Action: activity.AwardWord, At: f.moment().Add(-time.Duration(f.rng.Int64N(int64(back)))),
		Award: &activity.Award{
			ID: id, Points: f.rng.Int64N(100) - 40, Board: boards[f.rng.IntN(len(boards))], Reason: "because",
		},
	}
}

// award gives a user an award, a new one or one of before, or takes one back.
func (f *forum) award() {
	if f.depth > 0 { // another step may have one on its way
		return
	}
	user := f.user()
	a := f.newAward(user, fmt.Sprint("award-", f.rng.IntN(5)), 47*time.Hour)
	path := "/v1/users/" + url.PathEscape(user) + "/awards"
	keys := []awardID{}
	for key := range f.people[user].awards {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b awardID) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	method, body := http.MethodPost, ""
	switch n := f.rng.IntN(4); {
	case len(keys) > 0 && n == 0:
		if was := f.people[user].awards[keys[f.rng.IntN(len(keys))]]; was.At > f.moment().Add(-47*time.Hour) {
			given := *was.Award
			given.Taken, a = false, was
			a.Award = &given
		}
	case len(keys) > 0 && n == 1:
		a.Award = &activity.Award{ID: keys[f.rng.IntN(len(keys))].id, Taken: true}
		method, path = http.MethodDelete, path+"/"+a.Award.ID
	}
	if method == http.MethodPost {
		body = string(harness.Must(json.Marshal(harness.Sent(a)))(f.T))
	}
	f.sendAward(a, method, path, body)
}

// sendAward sends it, and enters the result.
func (f *forum) sendAward(a activity.Activity, method, path, body string) {
	reports, erased := f.begin([]activity.Activity{a}), f.erasures()
	var got httpapi.Receipt
	var statuses []ledger.Status
	f.run(method+" "+path+" "+body, func(p *process) bool {
		answer := f.send(p, method, path, body)
		switch answer.status {
		case http.StatusOK:
			harness.OK(f.T, json.Unmarshal([]byte(answer.body), &got))
			statuses = []ledger.Status{ledger.Status(got.Status)}
		case http.StatusConflict, http.StatusNotFound:
			statuses = []ledger.Status{ledger.AwardDiffers}
		case http.StatusServiceUnavailable:
			return f.touchedTable(p)
		default:
			f.Errorf("status %d: %s", answer.status, answer.body)
		}
		return true
	})
	f.sync()
	f.receipts(reports, []activity.Activity{a}, statuses, erased)
	f.points[a.User] += got.Points
	f.end(reports)
}
