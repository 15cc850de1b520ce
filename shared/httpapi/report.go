package httpapi

import (
	"fmt"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// How many activities one request may report.
const (
	maxByUser    = 100
	maxByService = 500
)

// A sent is one activity as it came. What was left out is nil.
type sent struct {
	action, target, ref, user, at *string
	value                         *int64
	faulty                        []string // the fields that have a fault already
}

// text returns the field of a name that is a string; nil when there is none.
func (s *sent) text(name string) **string {
	switch name {
	case "action":
		return &s.action
	case "target":
		return &s.target
	case "ref":
		return &s.ref
	case "user":
		return &s.user
	case "at":
		return &s.at
	default:
		return nil
	}
}

// A judge says what is wrong with a report, by who sent it and when.
type judge struct {
	ledger *ledger.Ledger
	caller Caller
	now    board.Moment
	faults *faults
}

func (j *judge) limit() int {
	if j.caller.Service {
		return maxByService
	}
	return maxByUser
}

// read reads a report and returns its activities, which can be recorded if there
// are no faults. The error is about bytes that are not JSON.
func (j *judge) read(body []byte) ([]activity.Activity, error) {
	r := newReader(body, j.faults)
	var activities []activity.Activity
	given := false
	ok, err := r.object("body", func(name string) error {
		if name != "activities" {
			return r.wrong("body."+shorten(name), "is not a field of a report")
		}
		given = true
		var err error
		activities, err = j.readAll(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	if ok && !given {
		j.faults.add("body.activities", "is missing", nil)
	}
	return activities, r.end()
}

func (j *judge) readAll(r *reader) ([]activity.Activity, error) {
	const at = "body.activities"
	var activities []activity.Activity
	n, ok, err := r.array(at, func(i int) error {
		if i >= j.limit() {
			return r.json.SkipValue()
		}
		place := fmt.Sprintf("%s[%d]", at, i)
		s, ok, err := r.activity(place)
		if ok && err == nil {
			activities = append(activities, j.activity(place, s))
		}
		return err
	})
	switch {
	case err != nil || !ok:
		return nil, err
	case n == 0:
		j.faults.add(at, "must have at least 1", nil)
	case n > j.limit():
		j.faults.add(at, fmt.Sprintf("must have at most %d", j.limit()), n)
	}
	return activities, nil
}

// activity reads one activity and notes what is wrong with its form.
func (r *reader) activity(at string) (s sent, ok bool, err error) {
	ok, err = r.object(at, func(name string) (err error) {
		place, before := at+"."+shorten(name), r.faults.count()
		switch field := s.text(name); {
		case field != nil:
			*field, err = r.text(place)
			if *field != nil && **field == "" {
				r.faults.add(place, "must not be empty", "")
			}
		case name == "value":
			s.value, err = r.number(place)
		default:
			err = r.wrong(place, "is not a field of an activity")
		}
		if r.faults.count() > before {
			s.faulty = append(s.faulty, name)
		}
		return err
	})
	return s, ok, err
}

// activity notes what is wrong with the meaning of one activity, and returns it.
func (j *judge) activity(at string, s sent) activity.Activity {
	note := func(field, message string, value any) {
		if !slices.Contains(s.faulty, field) { // one fault a field is enough
			j.faults.add(at+"."+field, message, value)
		}
	}
	a := activity.Activity{User: j.caller.Subject, At: j.now, Value: s.value}
	a.Action, a.Target, a.Ref = deref(s.action), deref(s.target), deref(s.ref)
	if j.caller.Service {
		a.User, a.At = deref(s.user), j.moment(s.at, note)
	} else {
		for _, name := range []string{"user", "at"} {
			if given := *s.text(name); given != nil {
				note(name, "is for the forum's service to give", *given)
			}
		}
	}
	rules := j.ledger.Rules().On(j.ledger.Calendar().Date(a.At))
	for _, f := range rules.Faults(a) {
		if field := s.text(f.Field); field != nil && *field == nil {
			f.Message, f.Value = "is missing", nil
		}
		note(f.Field, f.Message, f.Value)
	}
	if rule, known := rules.Rule(a.Action); known && !rule.MayReport(j.caller.reporter()) {
		j.faults.forbidden = true
		note("action", fmt.Sprintf("is not for the %s to report", j.caller.reporter()), a.Action)
	}
	return a
}

// moment reads when an activity happened: now, when that was left out or can't
// be read.
func (j *judge) moment(at *string, note func(field, message string, value any)) board.Moment {
	if at == nil {
		return j.now
	}
	m, err := board.ParseMoment(*at)
	if err != nil {
		note("at", "must be an RFC 3339 date and time with a zone, such as 2026-11-20T12:00:00Z, from 2000 to 2138", *at)
		return j.now
	}
	return m
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
