package report

import (
	"fmt"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/strictjson"
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

// sent reads one activity and notes what is wrong with its form.
func (r reading) sent(at string) (s sent, ok bool, err error) {
	ok, err = r.Object(at, func(name string) (err error) {
		place, before := at+"."+strictjson.Shorten(name), r.Faults.Count()
		switch field := s.text(name); {
		case field != nil:
			*field, err = r.Text(place)
			if *field != nil && **field == "" {
				r.Faults.Add(place, "must not be empty", "")
			}
		case name == "value":
			s.value, err = r.Number(place)
		default:
			err = r.Wrong(place, "is not a field of an activity")
		}
		if r.Faults.Count() > before {
			s.faulty = append(s.faulty, name)
		}
		return err
	})
	return s, ok, err
}

// activity notes what is wrong with the meaning of one activity, and returns it.
func (r reading) activity(at string, s sent) activity.Activity {
	note := func(field, message string, value any) {
		if !slices.Contains(s.faulty, field) { // one fault a field is enough
			r.Faults.Add(at+"."+field, message, value)
		}
	}
	a := activity.Activity{User: r.Sender.User, At: r.Moment, Value: s.value}
	a.Action, a.Target, a.Ref = deref(s.action), deref(s.target), deref(s.ref)
	if r.Sender.Service {
		a.User, a.At = deref(s.user), r.moment(s.at, note)
	} else {
		for _, name := range []string{"user", "at"} {
			if given := *s.text(name); given != nil {
				note(name, "is for the forum's service to give", *given)
			}
		}
	}
	rules := r.Ledger.Rules().On(r.Ledger.Calendar().Date(a.At))
	for _, f := range rules.Faults(a) {
		if field := s.text(f.Field); field != nil && *field == nil {
			f.Message, f.Value = "is missing", nil
		}
		note(f.Field, f.Message, f.Value)
	}
	if rule, known := rules.Rule(a.Action); known && !rule.MayReport(r.Sender.Reporter()) {
		r.Forbidden = true
		note("action", fmt.Sprintf("is not for the %s to report", r.Sender.Reporter()), a.Action)
	}
	return a
}

// moment reads when an activity happened: the judge's moment, when that was left
// out or can't be read.
func (r reading) moment(at *string, note func(field, message string, value any)) board.Moment {
	if at == nil {
		return r.Moment
	}
	m, err := board.ParseMoment(*at)
	if err != nil {
		note("at", "must be an RFC 3339 date and time with a zone, such as 2026-11-20T12:00:00Z, from 2000 to 2138", *at)
		return r.Moment
	}
	return m
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
