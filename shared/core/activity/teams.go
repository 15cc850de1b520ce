package activity

import (
	"bytes"
	"encoding/json"
	"slices"
)

// MaxTeams is the most teams of a board.
const MaxTeams = 200

// A Team is a group of people who play together on a board of teams.
type Team struct {
	Group string `json:"id"`
	Label string `json:"label,omitempty"` // its name on pages; "" for none
}

// TeamOf returns the number of a person's team on a board of teams, from 1: the first team whose group the person has;
// 0 for a person without a team.
func (b *Board) TeamOf(groups []string) int {
	return 1 + slices.IndexFunc(b.Teams, func(t Team) bool { return slices.Contains(groups, t.Group) })
}

// TeamLabel returns the label of a team of a board, "" for none.
func (r *Rules) TeamLabel(name, group string) string {
	for _, t := range r.question(name).Teams {
		if t.Group == group {
			return t.Label
		}
	}
	return ""
}

// Teams returns the groups of the teams of each board of teams, in their order, by the board's name.
func (r *Rules) Teams() map[string][]string {
	all := map[string][]string{}
	for name, b := range r.questions {
		for _, t := range b.Teams {
			all[name] = append(all[name], t.Group)
		}
	}
	return all
}

// OfTeams says whether a board's places are teams'.
func (r *Rules) OfTeams(name string) bool { return len(r.question(name).Teams) > 0 }

// teams reads the teams of a board, if it has any: a list of groups, or an object of groups with labels.
func (p *parser) teams(place string, source json.RawMessage) (teams []Team) {
	if source == nil {
		return nil
	}
	inner := func(i int) string { return member(place, Shorten(teams[i].Group)) }
	switch source[0] {
	case '[':
		var groups []string
		p.decode(place, source, &groups)
		for _, group := range groups {
			teams = append(teams, Team{Group: group})
		}
		inner = func(i int) string { return element(place, i) }
	case '{':
		var labels map[string]string
		p.decode(place, source, &labels)
		for _, group := range namesIn(source) {
			if label, read := labels[group]; read {
				teams = append(teams, Team{group, label})
			}
		}
	default:
		p.errorf("%s: neither a list of groups nor an object of groups with labels: %s", place, Shorten(string(source)))
		return nil
	}
	p.errorIf(len(teams) == 0, "%s: there must be at least one group", place)
	p.errorIf(len(teams) > MaxTeams, "%s: %d groups are more than %d", place, len(teams), MaxTeams)
	named := map[string]bool{}
	for i, t := range teams {
		if code, message := CheckID(t.Group, MaxMemberGroup); code != "" {
			p.errorf("%s: the group %s", inner(i), message)
		}
		if code, message := CheckText(t.Label, MaxLabel); code != "" && source[0] == '{' {
			p.errorf("%s: the label %s", inner(i), message)
		}
		p.errorIf(named[t.Group], "%s: the group %q is named twice", inner(i), Shorten(t.Group))
		named[t.Group] = true
	}
	return teams
}

// namesIn returns the names of an object's members, in their order.
func namesIn(source []byte) (names []string) {
	d := json.NewDecoder(bytes.NewReader(source))
	_, _ = d.Token() // the source was read
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		if text, isText := name.(string); isText && d.Decode(&value) == nil {
			names = append(names, text)
		}
	}
	return names
}
