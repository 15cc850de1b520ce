package questions_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

const mostLate = 48 * time.Hour

// act has the forum report, or changes a member.
func (f *forum) act() {
	f.Helper()
	switch n := f.rng.IntN(10); {
	case n < 5:
		f.report()
	case n < 6:
		f.award()
	case n < 8:
		f.profile()
	default:
		f.status()
	}
}

func (f *forum) user() string { return f.users[f.rng.IntN(len(f.users))] }

// time returns a time at which something was done: now, before, around a midnight, or 48 hours ago.
func (f *forum) time() board.Moment {
	now := f.moment()
	switch f.rng.IntN(8) {
	case 0:
		return now - board.Moment(f.rng.IntN(3))
	case 1:
		return now.Add(-mostLate) - board.Moment(f.rng.IntN(2)) // accepted, and too late
	case 2, 3:
		midnight := f.calendar.Start(f.today()-board.Date(f.rng.IntN(2))) + board.Moment(f.rng.IntN(3)-1)
		return min(midnight, now)
	default:
		return now.Add(-time.Duration(f.rng.Int64N(int64(mostLate))))
	}
}

// activity returns a random one.
func (f *forum) activity() activity.Activity {
	a := activity.Activity{User: f.user(), At: f.time(), Target: fmt.Sprint("t", f.rng.IntN(5))}
	rules := f.rules.On(f.calendar.Date(a.At))
	a.Action = rules.Words()[f.rng.IntN(len(rules.Words()))]
	switch rule := rules.Find(a.Action); {
	case rule.Metric:
		a.Target, a.Value = "", new(int64(f.rng.IntN(4)*500))
	default:
		if rule.TakesRef() && f.rng.IntN(2) == 0 {
			a.Ref = fmt.Sprint("c", f.rng.IntN(2))
		}
		if rule.ByOther {
			a.Other = f.user()
		}
		a.Restores = rule.Undo != "" && a.Action != rule.Undo && f.rng.IntN(6) == 0
		if a.Ref != "" && (a.Restores || a.Action == rule.Undo) && f.rng.IntN(3) == 0 {
			a.Target = ""
		}
	}
	return a
}

// report sends activities, some of them again.
func (f *forum) report() {
	f.Helper()
	var acts []activity.Activity
	for range 2 + f.rng.IntN(14) {
		if len(f.sent) > 0 && f.rng.IntN(6) == 0 {
			acts = append(acts, f.sent[f.rng.IntN(len(f.sent))])
		} else {
			acts = append(acts, f.activity())
		}
	}
	receipts := harness.JSON[httpapi.Receipts](f.T, f.Post(f.service, harness.ReportOf(f.T, acts))).Receipts
	f.reports += len(acts)
	for i, a := range acts {
		undoes := a.Action == f.rules.On(f.calendar.Date(a.At)).Find(a.Action).Undo
		late, excluded := a.At < f.moment().Add(-mostLate), f.people[a.User].excluded
		if status := receipts[i].Status; (status == "too_late") != late || !late && (status == "excluded") != excluded {
			f.Errorf("%s: %s is %s", f.moment(), harness.ReportOf(f.T, acts[i:i+1]), status)
		}
		if !late && (!excluded || undoes) {
			f.Add(a)
			f.sent = append(f.sent, a)
		}
	}
	f.sent = f.sent[max(0, len(f.sent)-60):]
}

// award gives an award, again, or takes one back.
func (f *forum) award() {
	f.Helper()
	user := f.user()
	if f.people[user].excluded {
		return
	}
	path := "/v1/users/" + url.PathEscape(user) + "/awards"
	own := slices.DeleteFunc(slices.Clone(f.awards), func(a activity.Activity) bool {
		return a.User != user || a.At < f.moment().Add(-20*24*time.Hour)
	})
	if len(own) > 0 && f.rng.IntN(3) == 0 {
		a := own[f.rng.IntN(len(own))]
		f.status200(f.Delete(path+"/"+a.Award.ID, f.service))
		f.awards = slices.DeleteFunc(f.awards, func(b activity.Activity) bool { return b.Award.ID == a.Award.ID })
		taken := *a.Award
		taken.Taken, a.Award = true, &taken
		f.Add(a)
		return
	}
	boards := slices.DeleteFunc(slices.Clone(f.rules.Boards()), func(name string) bool {
		return f.rules.AwardBoard(name) != name || f.rules.OfTeams(name)
	})
	f.numbers++
	a := activity.Activity{User: user, Action: activity.AwardWord, At: max(f.time(), f.moment().Add(-mostLate))}
	a.Award = &activity.Award{
		ID: fmt.Sprint("award-", f.numbers), Points: f.rng.Int64N(160) - 60, Board: boards[f.rng.IntN(len(boards))],
		Reason: "because",
	}
	if a.Award.Points == 0 {
		return
	}
	text := harness.Must(json.Marshal(harness.Sent(a)))(f.T)
	for range 1 + f.rng.IntN(2) {
		f.status200(f.Do(http.MethodPost, path, f.service, string(text)))
	}
	f.Add(a)
	f.awards = append(f.awards, a)
}

// profile puts a profile, with or without the parts that boards ask for.
func (f *forum) profile() {
	f.Helper()
	user := f.user()
	p, profile := f.people[user], map[string]any{"name": "Name of " + user}
	if f.rng.IntN(3) > 0 {
		groups := slices.DeleteFunc([]string{"writers", "staff", "bots", "Writers"}, func(string) bool {
			return f.rng.IntN(2) == 0
		})
		profile["groups"], p.Groups = groups, groups
	}
	switch f.rng.IntN(4) {
	case 0:
		profile["since"], p.Since = "none", 0
	case 1, 2:
		p.Since = f.today() - board.Date(f.rng.IntN(60))
		end := f.calendar.Start(p.Since+1) - 1
		profile["since"] = []board.Moment{f.calendar.Start(p.Since), end}[f.rng.IntN(2)].String()
		p.Since = f.calendar.Date(f.calendar.Start(p.Since)) // a day that the zone may lack
	}
	text := harness.Must(json.Marshal(profile))(f.T)
	f.status200(f.Put("/v1/users/"+url.PathEscape(user), f.service, string(text)))
	f.SetPerson(user, p.Person)
}

// status hides, shows, excludes or shadows a member, or puts one back.
func (f *forum) status() {
	f.Helper()
	user := f.user()
	p, path := f.people[user], "/v1/users/"+url.PathEscape(user)
	switch f.rng.IntN(6) {
	case 0, 1:
		f.status200(f.Put(path+"/visibility", f.service, `{"boards":"hidden"}`))
		p.hidden = true
	case 2:
		f.status200(f.Put(path+"/visibility", f.service, `{"boards":"shown"}`))
		p.hidden = false
	case 3:
		shadow := f.rng.IntN(2) == 0
		f.status200(f.Put(path+"/exclusion", f.service, fmt.Sprintf(`{"shadow":%t}`, shadow)))
		p.excluded, p.shadowed = !shadow, shadow
	default:
		f.status200(f.Delete(path+"/exclusion", f.service))
		p.excluded, p.shadowed = false, false
	}
	p.Suppressed = p.hidden || p.excluded || p.shadowed
	f.SetPerson(user, p.Person)
}

// status200 checks an answer's status.
func (f *forum) status200(a harness.Answer) {
	f.Helper()
	if a.Status != http.StatusOK {
		f.Fatalf("%s: status %d: %s", f.moment(), a.Status, a.Body)
	}
}
