package activity

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/core/board"
)

// AudienceMembers is the audience of boards that only readers with a token see.
const AudienceMembers = "members"

// boardFile is a board of a rules file.
type boardFile struct {
	Counts   json.RawMessage `json:"counts"`
	Windows  []board.Window  `json:"windows"`
	From     *string         `json:"from"`
	To       *string         `json:"to"`
	People   *People         `json:"people"`
	Audience *string         `json:"audience"`
	Teams    json.RawMessage `json:"teams"`
	BoardText
}

// countsFile is the weight of an action in a board's counts: its points, or an object.
type countsFile struct {
	Points *int64 `json:"points"`
	Cap    *int   `json:"cap"`
}

// UnmarshalJSON reads a number, or an object.
func (c *countsFile) UnmarshalJSON(source []byte) error {
	if bytes.HasPrefix(source, []byte("{")) {
		type object countsFile
		if err := strictly(source, (*object)(c)); err == nil {
			return nil
		}
	} else if json.Unmarshal(source, &c.Points) == nil {
		return nil
	}
	return errors.New("neither points nor an object with points and cap: " + Shorten(string(source)))
}

// boards reads all boards.
func (p *parser) boards(file rulesFile) {
	p.errorIf(len(file.Boards) == 0, "boards: there must be at least one")
	p.errorIf(len(file.Boards) > MaxBoards, "boards: %d are more than %d", len(file.Boards), MaxBoards)
	p.rules.boards = sortedKeys(file.Boards)
	kept := 0
	for _, name := range p.rules.boards {
		b, place := file.Boards[name], "boards."+name
		p.errorIf(!isName(name), "%s: a name is a lower-case letter, then up to 31 of a-z, 0-9, _ and -", place)
		q := &Board{Text: BoardText{p.byLanguage(place+".labels", b.Labels), p.byLanguage(place+".unit", b.Unit)}}
		p.days(place, name, &b, q)
		kept += len(q.Windows)
		if b.People != nil {
			q.People = *b.People
			p.people(place+".people", q)
		}
		if b.Audience != nil {
			q.Members = *b.Audience == AudienceMembers
			p.errorIf(!q.Members, `%s.audience: %q is not "members"; leave it out for everybody`, place, Shorten(*b.Audience))
		}
		q.Teams = p.teams(place+".teams", b.Teams)
		p.counts(place+".counts", b.Counts, &q.counts)
		p.rules.questions[name] = q
	}
	p.errorIf(kept > maxBoardWindow, "boards: their %d windows together are more than %d", kept, maxBoardWindow)
	for _, name := range p.rules.boards {
		p.chain(name)
	}
}

// days reads the windows of a board, or its contest.
func (p *parser) days(place, name string, file *boardFile, q *Board) {
	if file.From == nil && file.To == nil {
		q.Windows = slices.Sorted(slices.Values(file.Windows))
		p.errorIf(len(q.Windows) == 0, "%s.windows: there must be at least one, or from and to", place)
		p.errorIf(len(slices.Compact(slices.Clone(q.Windows))) != len(q.Windows), "%s.windows: one is named twice", place)
		p.errorIf(slices.Contains(q.Windows, board.Contest),
			"%s.windows: a contest is not named here: give the board from and to", place)
		return
	}
	q.Windows = []board.Window{board.Contest}
	p.errorIf(file.Windows != nil, "%s.windows: a board with from and to has none beside them", place)
	from, known := p.day(place+".from", file.From)
	to, alsoKnown := p.day(place+".to", file.To)
	switch {
	case !known || !alsoKnown:
	case to < from:
		p.errorf("%s.to: %s is before %s", place, to, from)
	case to-from >= board.MaxContestDays:
		p.errorf("%s.to: %d days from %s on are more than %d", place, to-from+1, from, board.MaxContestDays)
	default:
		q.Contest = board.NewContest(name, from, to)
	}
}

// day reads a day of a contest.
func (p *parser) day(place string, text *string) (board.Date, bool) {
	if text == nil {
		p.errorf("%s: a contest has from and to; one is missing", place)
		return 0, false
	}
	day, err := board.ParseDate(*text)
	if err != nil {
		p.errorf("%s: %v", place, err)
	}
	return day, err == nil
}

// counts reads the counts of a board, if it has any.
func (p *parser) counts(place string, source json.RawMessage, c *counts) {
	switch {
	case source == nil:
	case source[0] == '"':
		p.decode(place, source, &c.board)
	case source[0] == '{':
		p.decode(place, source, &c.actions)
		p.errorIf(len(c.actions) == 0, "%s: there must be at least one action or metric", place)
	default:
		p.errorf(`%s: neither a board's name nor an object of actions: %s`, place, Shorten(string(source)))
	}
}

// chain checks the boards that a board's counts name, one after the other.
func (p *parser) chain(name string) {
	place, seen := "boards."+name+".counts", []string{name}
	for next := p.rules.questions[name].counts.board; next != ""; {
		b := p.rules.questions[next]
		if b == nil {
			p.errorf("%s: there is no board %q", place, next)
			return
		}
		if slices.Contains(seen, next) {
			p.errorf("%s: the boards count each other in a circle: %s", place, next)
			p.rules.questions[name].counts.board = "" // so that nothing follows it
			return
		}
		p.errorIf(b.Members && !p.rules.questions[name].Members,
			`%s: %s is for members; give this board "audience": "members", too`, place, next)
		seen, next = append(seen, next), b.counts.board
	}
}

// audiences checks that no public board counts an action whose home is a board for members, in any version.
func (p *parser) audiences() {
	for _, name := range p.rules.boards {
		b := p.rules.questions[name]
		for _, action := range sortedKeys(b.counts.actions) {
			for i, rs := range p.rules.versions {
				if rule := rs.words[action]; rule != nil && !b.Members && p.rules.forMembers(rule.Board) {
					p.errorf("boards.%s.counts.%s: its board %s in versions[%d] is for members; "+
						`give this board "audience": "members", too`, name, action, rule.Board, i)
				}
			}
		}
	}
}

// people checks the conditions on people.
func (p *parser) people(place string, b *Board) {
	named := map[string]string{}
	for _, list := range []struct {
		field  string
		groups []string
	}{{"in", b.People.In}, {"notIn", b.People.NotIn}} {
		field := place + "." + list.field
		p.errorIf(len(list.groups) > maxNamed, "%s: %d groups are more than %d", field, len(list.groups), maxNamed)
		p.errorIf(list.groups != nil && len(list.groups) == 0, "%s: there must be at least one group", field)
		for i, group := range list.groups {
			if code, message := CheckID(group, MaxMemberGroup); code != "" {
				p.errorf("%s[%d]: %s", field, i, message)
			}
			if other, twice := named[group]; twice {
				p.errorf("%s[%d]: the group %q is named already, in %s", field, i, Shorten(group), other)
			}
			named[group] = list.field
		}
	}
	if n := b.People.NewDays; n < 0 || n > maxNewDays {
		p.errorf("%s.newDays: %d is not from 1 to %d", place, n, maxNewDays)
	}
	p.errorIf(b.People.NewDays > 0 && slices.Contains(b.Windows, board.All),
		"%s.newDays: all time has no start at which an account is new; leave the window all out", place)
	p.errorIf(b.People.Everybody(), "%s: name in, notIn or newDays, or leave it out", place)
}

// countsOfAll checks the actions that boards count by the last version.
func (p *parser) countsOfAll(last *Ruleset) {
	for _, name := range p.rules.boards {
		actions := p.rules.questions[name].counts.actions
		for _, action := range sortedKeys(actions) {
			p.countsOf(fmt.Sprintf("boards.%s.counts.%s", name, action), last.Find(action), action, actions[action])
		}
	}
}

// weigh gives the actions of all versions their weights on the boards.
func (p *parser) weigh() {
	positive := map[string]bool{}
	for i, rs := range p.rules.versions {
		for _, word := range rs.names {
			rule := rs.words[word]
			if rule.Action != word {
				continue
			}
			for _, name := range p.rules.boards {
				if w, ok := p.weight(name, rule); ok {
					rule.add(w)
					positive[name] = positive[name] || w.Points > 0
				}
			}
			p.errorIf(len(rule.caps) > MaxCaps, "versions[%d].actions.%s: boards give it more than %d caps beside its own",
				i, word, MaxCaps)
		}
		p.fits(fmt.Sprintf("versions[%d]", i), rs)
	}
	for _, name := range p.rules.boards {
		p.errorIf(!positive[name], "boards.%s: it counts nothing with points above 0", name)
	}
}

// countsOf checks an action in a board's counts by the rule that the last version has for it.
func (p *parser) countsOf(place string, rule *Rule, action string, c countsFile) {
	switch {
	case rule == nil:
		p.errorf("%s: there is no action or metric %q in the last version", place, Shorten(action))
		return
	case rule.Action != action:
		p.errorf("%s: it is the undo of %s; name that", place, rule.Action)
		return
	case c.Points != nil:
		n := *c.Points
		p.errorIf(n == 0, "%s: with 0 points it counts nothing; leave it out", place)
		p.errorIf(n < -maxPoints || n > maxPoints, "%s: %d points are not from -%d to %d", place, n, maxPoints, maxPoints)
	}
	if c.Cap == nil {
		p.errorIf(c.Points == nil && rule.Points == 0 && !rule.Metric,
			"%s: the action itself has 0 points; name points", place)
		return
	}
	switch n := *c.Cap; {
	case rule.Metric:
		p.errorf("%s.cap: a metric has no entries to be capped", place)
	case rule.Cap == 0:
		p.errorf("%s.cap: the action itself has no cap", place)
	case n < 1 || n > rule.Cap:
		p.errorf("%s.cap: %d is not from 1 to the action's own cap %d", place, n, rule.Cap)
	}
}

// weight returns the weight of an action on a board, and whether the board counts it.
func (p *parser) weight(name string, rule *Rule) (Weight, bool) {
	b := p.rules.questions[name]
	for source := name; b != nil; b = p.rules.questions[source] {
		if b.counts.board == "" {
			w := Weight{Board: name, Action: rule.Action, Points: rule.Points, Cap: rule.Cap, metric: rule.Metric}
			if w.metric {
				w.Points = 1
			}
			if b.counts.actions == nil {
				return w, rule.Board == source
			}
			c, counted := b.counts.actions[rule.Action]
			if c.Points != nil {
				w.Points = *c.Points
			}
			if c.Cap != nil && (w.Cap == 0 || *c.Cap < w.Cap) {
				w.Cap = *c.Cap
			}
			return w, counted
		}
		source = b.counts.board
	}
	return Weight{}, false
}

// add adds the weight of an action on a board.
func (r *Rule) add(w Weight) {
	if w.Cap != r.Cap && !slices.Contains(r.caps, w.Cap) {
		r.caps = append(r.caps, w.Cap)
		slices.Sort(r.caps)
	}
	r.weights = append(r.weights, w)
	for i := range r.weights {
		r.weights[i].Limit = slices.Index(r.caps, r.weights[i].Cap) + 1
	}
}

// fits checks that no day can be worth more than a board can show, so that sums of days are exact.
func (p *parser) fits(place string, rs *Ruleset) {
	for _, name := range p.rules.boards {
		most := int64(0)
		for _, w := range rs.Weights(name) {
			most += w.most(rs.words[w.Action])
		}
		p.errorIf(most > board.MaxScore,
			"%s: a day on board %s could be worth %d points, more than %d", place, name, most, board.MaxScore)
	}
}
