package report

import (
	"fmt"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/strictjson"
)

// A Judge says what is wrong with a report, by who sent it and when.
type Judge struct {
	Ledger *ledger.Ledger // the rules and the calendar of the forum
	Sender Sender
	Moment board.Moment // of what has none of its own
}

// A Verdict is what reading a report came to. Its activities can be recorded if
// there are no faults.
type Verdict struct {
	Activities []activity.Activity
	Faults     strictjson.Faults
	Forbidden  bool // one of the faults is that the sender may not report such a thing
}

// reading is one report on its way to a verdict.
type reading struct {
	Judge
	*strictjson.Reader
	*Verdict
}

// Report reads {"activities":[...]}. The error is about bytes that are not JSON,
// as strictjson.Reason tells it.
func (j Judge) Report(body []byte) (*Verdict, error) { return j.read(body, reading.report) }

// Message reads what a message of the queue is: one activity, or a report. The
// error is Report's.
func (j Judge) Message(body []byte) (*Verdict, error) {
	if isReport(body) {
		return j.Report(body)
	}
	return j.read(body, reading.one)
}

func (j Judge) read(body []byte, document func(reading) error) (*Verdict, error) {
	v := &Verdict{}
	r := reading{j, strictjson.NewReader(body, &v.Faults), v}
	if err := document(r); err != nil {
		return nil, err
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	return v, nil
}

// isReport says whether a document is an object with the name activities, which
// no activity has.
func isReport(body []byte) bool {
	found := false
	r := strictjson.NewReader(body, &strictjson.Faults{})
	_, _ = r.Object("", func(name string) error { // what is wrong with it is said when it is read
		found = found || name == "activities"
		return r.Skip()
	})
	return found
}

// report reads a report.
func (r reading) report() error {
	given := false
	ok, err := r.Object("body", func(name string) error {
		if name != "activities" {
			return r.Wrong("body."+strictjson.Shorten(name), "is not a field of a report")
		}
		given = true
		return r.all()
	})
	if ok && !given {
		r.Faults.Add("body.activities", "is missing", nil)
	}
	return err
}

// one reads an activity that is the whole document.
func (r reading) one() error {
	s, ok, err := r.sent("body")
	if ok && err == nil {
		r.Activities = append(r.Activities, r.activity("body", s))
	}
	return err
}

// all reads the list of a report, as far as the sender may go.
func (r reading) all() error {
	const at = "body.activities"
	limit := r.Sender.limit()
	n, ok, err := r.Array(at, func(i int) error {
		if i >= limit {
			return r.Skip()
		}
		place := fmt.Sprintf("%s[%d]", at, i)
		s, ok, err := r.sent(place)
		if ok && err == nil {
			r.Activities = append(r.Activities, r.activity(place, s))
		}
		return err
	})
	switch {
	case err != nil || !ok:
		return err
	case n == 0:
		r.Faults.Add(at, "must have at least 1", nil)
	case n > limit:
		r.Faults.Add(at, fmt.Sprintf("must have at most %d", limit), n)
	}
	return nil
}
