package activity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"laurel/shared/core/board"
)

// rulesFile is the shape of a rules file.
type rulesFile struct {
	Boards   map[string]boardFile `json:"boards"`
	Articles json.RawMessage      `json:"articles"`
	Hooks    map[string]Hook      `json:"hooks"`
	Events   json.RawMessage      `json:"events"`
	Fair     *fairFile            `json:"fair"`
	Versions []versionFile        `json:"versions"`
}

type versionFile struct {
	From    string                `json:"from"`
	Actions map[string]actionRule `json:"actions"`
	Metrics map[string]metricRule `json:"metrics"`
}

type actionRule struct {
	Undo         string     `json:"undo"`
	Board        string     `json:"board"`
	Points       int64      `json:"points"`
	Entry        Scope      `json:"entry"`
	EntryWithRef Scope      `json:"entryWithRef"`
	Cap          *int       `json:"cap"`
	Target       string     `json:"target"`
	Targets      string     `json:"targets"`
	NotOwn       bool       `json:"notOwn"`
	ByOther      bool       `json:"byOther"`
	MinAgeDays   int        `json:"minAgeDays"`
	By           []Reporter `json:"by"`

	Labels map[string]string `json:"labels"` // its name in the elements, by language
}

type metricRule struct {
	Board string     `json:"board"`
	Min   int64      `json:"min"`
	Max   int64      `json:"max"`
	By    []Reporter `json:"by"`

	MinAgeDays int `json:"minAgeDays"`

	Labels map[string]string `json:"labels"`
}

// isName reports whether a text can name a board, an action or a metric: names are used
// in addresses, keys and pages. Compiling a regular expression would slow a cold start.
func isName(text string) bool {
	const letters, others, most = "abcdefghijklmnopqrstuvwxyz", "0123456789_-", 32
	return text != "" && len(text) <= most && strings.IndexByte(letters, text[0]) >= 0 &&
		strings.Trim(text, letters+others) == ""
}

// ParseRules reads rules. The error joins everything that is wrong with them, each with its line and column.
func ParseRules(source []byte) (*Rules, error) { return ParseRulesFile("rules", source) }

// ParseRulesFile reads a rules file, whose name stands before the line in errors.
func ParseRulesFile(name string, source []byte) (*Rules, error) {
	if !json.Valid(source) {
		return nil, syntax(name, source)
	}
	p := parser{rules: &Rules{source: bytes.TrimSpace(source), questions: map[string]*Board{}}}
	p.file()
	if err := p.err(name, source); err != nil {
		return nil, err
	}
	return p.rules, nil
}

func (p *parser) file() {
	var file rulesFile
	p.decode("", p.rules.source, &file)
	p.boards(file)
	p.errorIf(len(file.Versions) == 0, "versions: there must be at least one")
	for i, v := range file.Versions {
		p.version(fmt.Sprintf("versions[%d]", i), i, v)
	}
	if n := len(p.rules.versions); n > 0 {
		p.countsOfAll(p.rules.versions[n-1])
		p.audiences()
	}
	if len(p.faults) == 0 {
		p.scopes()
		p.weigh()
	}
	p.hookRules(file.Hooks)
	p.events(file.Events)
	p.fair(file.Fair)
	p.articles(file.Articles)
}

func (p *parser) version(place string, i int, v versionFile) {
	rs := &Ruleset{rules: map[string]Rule{}, words: map[string]*Rule{}}
	switch day, err := board.ParseDate(v.From); {
	case i == 0:
		p.errorIf(v.From != "", "%s.from: the first version is in force from the beginning and has none", place)
	case err != nil:
		p.errorf("%s.from: %v", place, err)
	case day <= p.rules.versions[i-1].firstDay:
		p.errorf("%s.from: %s is not after the version before", place, v.From)
	default:
		rs.firstDay = day
	}
	p.errorIf(len(v.Actions)+len(v.Metrics) == 0, "%s: there must be at least one action or metric", place)
	for _, name := range sortedKeys(v.Actions) {
		p.action(place+".actions."+name, name, v.Actions[name], rs)
	}
	for _, name := range sortedKeys(v.Metrics) {
		p.metric(place+".metrics."+name, name, v.Metrics[name], rs)
	}
	rs.names = sortedKeys(rs.words)
	p.rules.versions = append(p.rules.versions, rs)
}

func (p *parser) action(place, name string, a actionRule, rs *Ruleset) {
	rule := Rule{
		Action: name, Undo: a.Undo, Board: a.Board, By: a.By, Points: a.Points,
		Entry: a.Entry, EntryWithRef: a.EntryWithRef, TargetIsUser: a.Target == "user",
		Published: a.Targets == "published", NotOwn: a.NotOwn, MinAgeDays: a.MinAgeDays,
		ByOther: a.ByOther,
	}
	p.byLanguage(place+".labels", a.Labels)
	p.errorIf(a.Targets != "" && a.Targets != "published",
		`%s.targets: %q is not "published"; leave it out for any target`, place, a.Targets)
	p.errorIf(rule.TargetIsUser && (rule.Published || rule.NotOwn),
		"%s: targets and notOwn are for articles, and its target is a user", place)
	p.errorIf(a.ByOther && (rule.TargetIsUser || a.Entry != PerMonth || a.EntryWithRef == PerDay),
		"%s: byOther is for entries by month on something, as no other entry keeps the other person", place)
	p.errorIf(a.ByOther && rule.MayReport(ByUser),
		"%s: byOther is for the service, as members name no other person", place)
	p.errorIf(a.Points < -maxPoints || a.Points > maxPoints,
		"%s.points: %d is not from -%d to %d", place, a.Points, maxPoints, maxPoints)
	p.errorIf(a.Entry != PerDay && a.Entry != PerMonth, "%s.entry: %q is neither day nor month", place, a.Entry)
	p.errorIf(a.EntryWithRef != "" && a.EntryWithRef != PerDay && a.EntryWithRef != PerMonth,
		"%s.entryWithRef: %q is neither day nor month", place, a.EntryWithRef)
	if a.Cap != nil {
		if rule.Cap = *a.Cap; rule.Cap < 1 || rule.Cap > MaxDayEntries {
			p.errorf("%s.cap: %d is not from 1 to %d; leave it out for none", place, *a.Cap, MaxDayEntries)
		}
	}
	p.errorIf(a.Target != "" && a.Target != "user",
		`%s.target: %q is not "user"; leave it out for anything else`, place, a.Target)
	p.add(place, rule, rs)
}

func (p *parser) metric(place, name string, m metricRule, rs *Ruleset) {
	p.byLanguage(place+".labels", m.Labels)
	p.errorIf(m.Min < 0 || m.Max > board.MaxScore || m.Min > m.Max,
		"%s: min %d and max %d are not in order within 0 to %d", place, m.Min, m.Max, board.MaxScore)
	p.add(place, Rule{
		Action: name, Board: m.Board, By: m.By, Metric: true, Min: m.Min, Max: m.Max,
		MinAgeDays: m.MinAgeDays,
	}, rs)
}

// add checks the part that actions and metrics have in common and enters the rule.
func (p *parser) add(place string, rule Rule, rs *Ruleset) {
	home := p.rules.questions[rule.Board]
	p.errorIf(home == nil, "%s.board: there is no board %q", place, rule.Board)
	p.errorIf(home != nil && !home.Home(), "%s.board: %s has counts of its own, and is nobody's home", place, rule.Board)
	p.errorIf(rule.MinAgeDays < 0 || rule.MinAgeDays > maxMinAgeDays,
		"%s.minAgeDays: %d is not from 0 to %d", place, rule.MinAgeDays, maxMinAgeDays)
	p.errorIf(len(rule.By) == 0, "%s.by: nobody may report it; name user, service or both", place)
	for _, by := range rule.By {
		p.errorIf(by != ByUser && by != ByService, "%s.by: %q is neither user nor service", place, by)
	}
	words := []string{rule.Action}
	if rule.Undo != "" {
		words = append(words, rule.Undo)
	}
	for _, word := range words {
		p.errorIf(!isName(word), "%s: %q is not a name: a lower-case letter, then up to 31 of a-z, 0-9, _ and -", place, word)
		p.errorIf(word == AwardWord, "%s: %q is the word of awards", place, word)
		if other, taken := rs.words[word]; taken {
			p.errorf("%s: the word %q belongs to %s already", place, word, other.Action)
		}
		rs.words[word] = &rule
	}
	rs.rules[rule.Action] = rule
}

// scopes checks that the kind of an entry changes at a month's start only: within one month every version that
// knows an action has the same scopes for it, and it stays an action or a metric.
func (p *parser) scopes() {
	type shape struct {
		entry, withRef                Scope
		metric, targetIsUser, byOther bool
	}
	shapeOf := func(r Rule) shape { return shape{r.Entry, r.EntryWithRef, r.Metric, r.TargetIsUser, r.ByOther} }
	for i, v := range p.rules.versions {
		month := v.firstDay.Month().First()
		for _, name := range sortedKeys(v.rules) {
			// Look back over the versions that share a day's month with this one.
			for j := i - 1; j >= 0 && p.rules.versions[j+1].firstDay > month; j-- {
				if was, ok := p.rules.versions[j].rules[name]; ok && shapeOf(was) != shapeOf(v.rules[name]) {
					p.errorf("versions[%d].%s: the kind of an entry may change at a month's start only, not on %s",
						i, name, v.firstDay)
					break
				}
			}
		}
	}
}
