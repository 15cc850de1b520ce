package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
)

// A decoder turns rows into activities and articles.
type decoder struct {
	rules    *activity.Rules
	calendar *board.Calendar
	now      board.Moment
	actions  map[string]string // the input's words that are called otherwise here
	words    map[string]bool   // that the rules know on any day
}

// decoder returns the importer's decoder, or what is wrong with Actions.
func (im *Importer) decoder() (*decoder, error) {
	d := &decoder{rules: im.Rules, calendar: im.Calendar, now: im.Now, actions: im.Actions, words: map[string]bool{}}
	var last *activity.Ruleset
	for date := d.calendar.Date(board.Earliest); date <= d.calendar.Date(board.Latest); date++ {
		if set := d.rules.On(date); set != last {
			last = set
			for _, word := range set.Words() {
				d.words[word] = true
			}
		}
	}
	for _, word := range sortedWords(im.Actions) {
		if action := im.Actions[word]; !d.words[action] {
			known := strings.Join(sortedWords(d.words), ", ")
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
}

// decode decodes a row. A word is skipped when the rules do not have it on the day,
// whatever else the row says.
func (d *decoder) decode(r row) decoded {
	if r.violation != "" {
		return decoded{violation: r.violation}
	}
	word := r.values[fieldAction]
	a := activity.Activity{
		User: r.values[fieldUser], Action: word,
		Target: r.values[fieldTarget], Ref: r.values[fieldRef],
	}
	if mapped, ok := d.actions[word]; ok {
		a.Action = mapped
	}
	if !d.words[a.Action] && word != "" {
		return decoded{skipped: word}
	}
	var violations []string
	at, err := ParseMoment(strings.TrimSpace(r.values[fieldAt]))
	if err != nil {
		violations, at = append(violations, "at: "+err.Error()), d.now
	}
	a.At = at
	rules := d.rules.On(d.calendar.Date(at))
	if _, known := rules.Rule(a.Action); !known && word != "" && err == nil {
		return decoded{skipped: word}
	}
	if text := strings.TrimSpace(r.values[fieldValue]); text != "" {
		value, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			violations = append(violations, fmt.Sprintf("value: %q is not a whole number", text))
		}
		a.Value = &value
	}
	switch text := strings.TrimSpace(r.values[fieldRestores]); text {
	case "true":
		a.Restores = true
	case "", "false":
	default:
		violations = append(violations, fmt.Sprintf("restores: %q is neither true nor false", text))
	}
	published := articleOf(r, a)
	found := rules.Violations(a)
	if published != nil {
		found = append(found, articleViolations(*published, d.now)...)
	}
	for _, v := range found {
		if v.Location == "action" && word == "" {
			v.Message = "must not be empty"
		}
		named := func(s string) bool { return strings.HasPrefix(s, v.Location+":") }
		if !slices.ContainsFunc(violations, named) {
			violations = append(violations, v.Location+": "+v.Message)
		}
	}
	return decoded{activity: a, article: published, violation: strings.Join(violations, "; ")}
}
