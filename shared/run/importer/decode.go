package importer

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
)

// A decoder turns rows into activities and articles.
type decoder struct {
	*Importer
	words map[string]bool // that the rules know on any day
}

// decoder returns the importer's decoder, or the faults of Actions.
func (im *Importer) decoder() (*decoder, error) {
	d := &decoder{im, map[string]bool{activity.AwardWord: true}}
	for set := range d.Rules.Versions() {
		for _, word := range set.Words() {
			d.words[word] = true
		}
	}
	for _, word := range slices.Sorted(maps.Keys(im.Actions)) {
		if action := im.Actions[word]; !d.words[action] {
			known := strings.Join(slices.Sorted(maps.Keys(d.words)), ", ")
			return nil, fmt.Errorf("%q is no action of the rules; they have %s", action, known)
		}
	}
	return d, nil
}

// A decoded row is an activity and the article that it publishes, or the input's word
// that is skipped, or the violations for which the row is rejected.
type decoded struct {
	activity           activity.Activity
	article            *article.Article
	skipped, violation string
	flaws              []flaw // beside a violation, too
}

// decode decodes a row. A word is skipped when the rules do not have it on the day, even if the row has other faults.
func (d *decoder) decode(r row) decoded {
	if r.violation != "" {
		return decoded{violation: r.violation}
	}
	word := activity.TrimID(r.values[fieldAction])
	a := activity.Activity{
		User: r.values[fieldUser], Action: word,
		Target: none(r.values[fieldTarget]), Ref: none(r.values[fieldRef]),
		Other: none(r.values[fieldOther]),
	}
	flaws, nobody := ids(&a.User, &a.Target, &a.Ref, &a.Other)
	if mapped, ok := d.Actions[word]; ok {
		a.Action = mapped
	}
	if !d.words[a.Action] && word != "" {
		return decoded{skipped: word}
	}
	var violations []string
	if nobody != "" {
		violations = append(violations, nobody)
	}
	moment, err := parseMoment(activity.TrimID(r.values[fieldAt]))
	if err != nil {
		violations, moment = append(violations, "at: "+err.Error()), d.Now
	}
	a.At = moment
	rules := d.Rules.On(d.Calendar.Date(moment))
	if a.Action == activity.AwardWord {
		return d.award(r, a, violations, flaws)
	}
	if rules.Find(a.Action) == nil && word != "" && err == nil {
		return decoded{skipped: word}
	}
	if text := none(r.values[fieldValue]); text != "" {
		value, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			violations = append(violations, fmt.Sprintf("value: %q is not a whole number", text))
		}
		a.Value = &value
	}
	switch text := none(r.values[fieldRestores]); text {
	case "true":
		a.Restores = true
	case "", "false":
	default:
		violations = append(violations, fmt.Sprintf("restores: %q is neither true nor false", text))
	}
	published, cleaned := articleOf(r, a)
	flaws = append(flaws, cleaned...)
	found := rules.Violations(a)
	if published != nil {
		found = append(found, articleViolations(*published, d.Now)...)
	}
	for i := range found {
		if found[i].Location == "action" && word == "" {
			found[i].Message = "must not be empty"
		}
	}
	return decoded{activity: a, article: published, violation: joined(violations, found), flaws: flaws}
}

// joined returns violations as one text, each place once.
func joined(violations []string, found []activity.Violation) string {
	for _, v := range found {
		named := func(s string) bool { return strings.HasPrefix(s, v.Location+":") }
		if !slices.ContainsFunc(violations, named) {
			violations = append(violations, v.Location+": "+v.Message)
		}
	}
	return strings.Join(violations, "; ")
}

// psqlMoment is a moment as psql prints one with a zone, whose minutes it leaves out.
var psqlMoment = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?) ?(?:([+-]\d\d):?(\d\d)?|Z|UTC)$`)

// parseMoment reads a moment as files have it: RFC 3339 or psql's with a zone, Unix seconds or Unix milliseconds.
// Digits finer than a millisecond are cut off. No number is both: as seconds, milliseconds from 2000 on would be past
// the year 31,000.
func parseMoment(s string) (board.Moment, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil && strings.Trim(fraction, "0123456789") == "" {
		const earliest, latest = int64(board.Earliest / 1000), int64(board.Latest / 1000)
		switch {
		case board.Moment(n).Valid():
			return board.Moment(n), nil
		case n >= earliest && n < latest:
			thousandths, _ := strconv.ParseInt((fraction + "000")[:3], 10, 64)
			return board.Moment(n*1000 + thousandths), nil
		}
		return 0, fmt.Errorf("%q is neither in seconds nor in milliseconds a moment from 2000 to 2138", s)
	}
	given := s
	if part := psqlMoment.FindStringSubmatch(s); part != nil && part[3] != "" {
		given = part[1] + "T" + part[2] + part[3] + ":" + cmp.Or(part[4], "00")
	} else if part != nil {
		given = part[1] + "T" + part[2] + "Z"
	}
	m, err := board.ParseMoment(given)
	if err != nil {
		return 0, fmt.Errorf("%q is neither RFC 3339 with a zone, such as 2026-11-20T12:00:00Z, "+
			"nor Unix seconds or milliseconds, from 2000 to 2138", s)
	}
	return m, nil
}

// Activities passes the activities of an input to take, in its order, without recording them. Actions that the
// rules lack are left out; the first row that could not be recorded ends it.
func Activities(src *Source, rules *activity.Rules, take func(activity.Activity)) error {
	im := Importer{Rules: rules, Calendar: board.NewCalendar(time.UTC), Now: board.MomentOf(time.Now())}
	d, _ := im.decoder() // it maps no word
	in, err := openRows(src, historyForm(), nil)
	if err != nil {
		return fmt.Errorf("%s: %w", src.Name, err)
	}
	for row, err := range in.all() {
		if err != nil {
			return fmt.Errorf("%s: %w", src.Name, err)
		}
		switch one := d.decode(row); {
		case one.violation != "":
			return fmt.Errorf("%s: line %d: %s", src.Name, row.line.number, one.violation)
		case one.skipped == "":
			take(one.activity)
		}
	}
	return nil
}
