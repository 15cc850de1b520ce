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

// A judge decides what a row comes to.
type judge struct {
	rules    *activity.Rules
	calendar *board.Calendar
	now      board.Moment
	actions  map[string]string // the input's words that are called otherwise here
	words    map[string]bool   // that the rules know on any day
}

func newJudge(rules *activity.Rules, calendar *board.Calendar, now board.Moment, actions map[string]string) (*judge, error) {
	j := &judge{rules: rules, calendar: calendar, now: now, actions: actions, words: map[string]bool{}}
	var last *activity.Ruleset
	for d := calendar.Date(board.Earliest); d <= calendar.Date(board.Latest); d++ {
		if set := rules.On(d); set != last {
			last = set
			for _, word := range set.Words() {
				j.words[word] = true
			}
		}
	}
	for _, word := range sortedWords(actions) {
		if !j.words[actions[word]] {
			return nil, fmt.Errorf("%q is no action of the rules; they have %s", actions[word], strings.Join(sortedWords(j.words), ", "))
		}
	}
	return j, nil
}

// A verdict is what a row comes to: an activity, and the article that it
// publishes, or that its word is skipped, or what is wrong with it.
type verdict struct {
	activity       activity.Activity
	article        *article.Article
	skipped, fault string
}

// decide judges a row. A word is skipped when the rules do not have it on the day,
// whatever else the row says.
func (j *judge) decide(r row) verdict {
	if r.fault != "" {
		return verdict{fault: r.fault}
	}
	word := r.values[fieldAction]
	a := activity.Activity{
		User: r.values[fieldUser], Action: word,
		Target: r.values[fieldTarget], Ref: r.values[fieldRef],
	}
	if mapped, ok := j.actions[word]; ok {
		a.Action = mapped
	}
	if !j.words[a.Action] && word != "" {
		return verdict{skipped: word}
	}
	var faults []string
	at, err := ParseMoment(strings.TrimSpace(r.values[fieldAt]))
	if err != nil {
		faults, at = append(faults, "at: "+err.Error()), j.now
	}
	a.At = at
	rules := j.rules.On(j.calendar.Date(at))
	if _, known := rules.Rule(a.Action); !known && word != "" && err == nil {
		return verdict{skipped: word}
	}
	if text := strings.TrimSpace(r.values[fieldValue]); text != "" {
		value, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			faults = append(faults, fmt.Sprintf("value: %q is not a whole number", text))
		}
		a.Value = &value
	}
	published := articleOf(r, a)
	found := rules.Violations(a)
	if published != nil {
		found = append(found, articleViolations(*published, j.now)...)
	}
	for _, v := range found {
		if v.Location == "action" && word == "" {
			v.Message = "must not be empty"
		}
		if !slices.ContainsFunc(faults, func(s string) bool { return strings.HasPrefix(s, v.Location+":") }) {
			faults = append(faults, v.Location+": "+v.Message)
		}
	}
	return verdict{activity: a, article: published, fault: strings.Join(faults, "; ")}
}
