package vectors_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"laurel/internal/harness"
	"laurel/internal/reference"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/run/vectors"
)

// A maker makes the vector of a scenario: the requests in their order, and the boards by the reference.
type maker struct {
	harness.T
	vectors.Vector
	rules    *activity.Rules
	calendar *board.Calendar
	ledger   *reference.Ledger
	days     []board.Date
	homes    []string // of the activities
	members  map[string]reference.Member
}

func folder(name string) string { return "../../../vectors/" + name }

// A scenario is the source of a vector, as testdata/scenarios.txt has it.
type scenario struct {
	name, about string
	place       place
	lines       []string // an empty one ends a request
}

// A place is the server of a scenario.
type place struct{ zone, now, rules string }

// scenarios are those of the file, and their other forms.
func scenarios(t harness.T) (all []scenario) {
	t.Helper()
	file := string(harness.Must(os.ReadFile("testdata/scenarios.txt"))(t))
	for _, text := range strings.Split(file, "\n\n# ")[1:] {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		words := strings.Fields(lines[0])
		s := scenario{name: words[0], place: place{zone: words[1], now: words[2]}}
		ordered := slices.Contains(words, "ordered")
		if len(words) > 3 && words[3] != "ordered" {
			s.place.rules = words[3]
		}
		s.lines = slices.DeleteFunc(lines[1:], func(line string) bool {
			about, found := strings.CutPrefix(line, "//")
			if found {
				s.about += about
			}
			return found
		})
		s.about = strings.TrimSpace(s.about)
		if all = append(all, s); !ordered {
			all = append(all, s.shuffled())
		}
	}
	return all
}

// shuffled returns the scenario in which the same activities come in the opposite order, and again in the first.
func (s scenario) shuffled() scenario {
	s.name += "-shuffled"
	s.about += " In any order, and again."
	var lines []string
	for _, line := range s.lines {
		if text, status, _ := strings.Cut(line, " : "); !strings.HasPrefix(status, "too_") {
			lines = append(lines, text)
		}
	}
	s.lines = slices.Clone(lines)
	slices.Reverse(s.lines)
	s.lines = append(append(s.lines, ""), lines...)
	return s
}

func vectorOf(t harness.T, s scenario) vectors.Vector {
	t.Helper()
	m := &maker{T: t, rules: activity.Default(), calendar: harness.Must(board.LoadCalendar(s.place.zone))(t)}
	m.Name, m.About, m.Zone, m.Now, m.Rules = s.name, s.about, s.place.zone, s.place.now, vectors.DefaultRules
	if s.place.rules != "" {
		m.Rules = "rules/" + s.place.rules + ".json"
		m.rules = harness.Must(activity.ParseRules(harness.Must(os.ReadFile(folder(m.Rules)))(t)))(t)
	}
	m.ledger = reference.New(m.rules, m.calendar)
	var body []map[string]any
	var statuses []string
	flush := func() {
		if len(body) > 0 {
			m.step(http.MethodPost, "/v1/activities", map[string]any{"activities": body}, statuses...)
		}
		body, statuses = nil, nil
	}
	for _, line := range s.lines {
		text, status, _ := strings.Cut(line, " : ")
		words := strings.Fields(text)
		if len(words) == 0 {
			flush()
		} else if one := m.activity(words, strings.HasPrefix(status, "too_")); one == nil {
			flush()
			m.other(words, status)
		} else if body = append(body, one); status != "" {
			statuses = append(statuses, status)
		}
	}
	flush()
	m.boards()
	return m.Vector
}

// id returns the vector's own id of a user or a target.
func (m *maker) id(word string) string { return m.Name + "." + word }

func (m *maker) step(method, path string, body any, statuses ...string) {
	s := vectors.Step{Method: method, Path: path, Statuses: statuses}
	if body != nil {
		s.Body = harness.Must(json.Marshal(body))(m)
	}
	m.Steps = append(m.Steps, s)
}

func (m *maker) moment(text string) board.Moment { return harness.Must(board.ParseMoment(text))(m) }

func (m *maker) meet(day board.Date, home string) {
	m.days, m.homes = append(m.days, day), append(m.homes, home)
}

// activity enters an activity, and returns it as the API takes it; nil if the words are something else.
func (m *maker) activity(words []string, refused bool) map[string]any {
	switch words[2] {
	case "award", "taken", "void", "pair", "unpair", "merge", "groups", "hides", "shadowed":
		return nil
	}
	a := activity.Activity{At: m.moment(words[0]), User: m.id(words[1]), Action: words[2]}
	if words[3] != "-" {
		a.Target = m.id(words[3])
	}
	for _, word := range words[4:] {
		switch name, value, _ := strings.Cut(word, "="); name {
		case "ref":
			a.Ref = value
		case "other":
			a.Other = m.id(value)
		case "value":
			a.Value = new(harness.Must(strconv.ParseInt(value, 10, 64))(m))
		case "restores":
			a.Restores = true
		default:
			m.Fatalf("%s: %s is not known", m.Name, word)
		}
	}
	if !refused {
		m.ledger.Add(a)
		day := m.calendar.Date(a.At)
		m.meet(day, m.rules.On(day).Find(a.Action).Board)
	}
	one := harness.Sent(a)
	one["at"] = words[0]
	return one
}

// other makes the step of an award or a void.
func (m *maker) other(words []string, status string) {
	var statuses []string
	if status != "" {
		statuses = []string{status}
	}
	user, fields := m.id(words[1]), map[string]string{}
	for _, word := range words[3:] {
		name, value, _ := strings.Cut(word, "=")
		fields[name] = value
	}
	switch words[2] {
	case "award", "taken":
		a := activity.Activity{At: m.moment(words[0]), User: user, Action: activity.AwardWord}
		a.Award = &activity.Award{ID: fields["id"], Board: m.rules.UsualAwardBoard(), Taken: words[2] == "taken"}
		m.meet(m.calendar.Date(a.At), a.Award.Board)
		path := "/v1/users/" + user + "/awards"
		if a.Award.Taken {
			m.step(http.MethodDelete, path+"/"+a.Award.ID, nil, statuses...)
		} else {
			a.Award.Points, a.Award.Reason = harness.Must(strconv.ParseInt(fields["points"], 10, 64))(m), "a reason"
			m.step(http.MethodPost, path, map[string]any{
				"id": a.Award.ID, "at": words[0], "points": a.Award.Points, "reason": a.Award.Reason,
			}, statuses...)
		}
		m.ledger.Add(a)
	case "void":
		target := m.id(words[3])
		m.Wait = true
		m.step(http.MethodPut, "/v1/targets/"+target+"/void", map[string]any{"until": words[0]})
		m.ledger.Void(target, m.moment(words[0]))
	case "groups", "hides", "shadowed":
		m.member(user, words)
	case "merge":
		m.Wait = true
		m.step(http.MethodPost, "/v1/users/"+user+"/merge", map[string]any{"into": m.id(words[3])})
		m.ledger.Merge(user, m.id(words[3]))
	default:
		other, void := m.id(words[3]), words[2] == "pair"
		method := map[bool]string{true: http.MethodPut, false: http.MethodDelete}[void]
		m.Wait = true
		m.step(method, "/v1/users/"+user+"/voids/"+other, nil)
		m.ledger.VoidPair(user, other, void)
	}
}

// member makes the step of a member of teams: groups as in "red,blue", or a status.
func (m *maker) member(user string, words []string) {
	if m.members == nil {
		m.members = map[string]reference.Member{}
	}
	one := m.members[user]
	switch words[2] {
	case "groups":
		one.Groups = nil
		for group := range strings.SplitSeq(words[3], ",") {
			one.Groups = append(one.Groups, m.id(group))
		}
		profile := map[string]any{"id": user, "name": words[1], "groups": one.Groups}
		m.step(http.MethodPut, "/v1/users", map[string]any{"users": []any{profile}})
	case "hides":
		one.Hidden = true
		m.step(http.MethodPut, "/v1/users/"+user+"/visibility", map[string]any{"boards": "hidden"})
	default:
		one.Absent = true
		m.step(http.MethodPut, "/v1/users/"+user+"/exclusion", map[string]any{"shadow": true})
	}
	m.members[user] = one
}

// teams writes the teams on a board that are the vector's.
func (m *maker) teams(b *vectors.Board, p board.Period) {
	for _, t := range m.ledger.Teams(b.Board, p, m.members) {
		b.Entries = append(b.Entries, vectors.Entry{Rank: t.Rank, Team: t.Group, Score: t.Sum, Members: &t.Members})
	}
}

// boards writes the boards on which anyone is, and the empty ones of the activities' homes, in every period
// with a day of a report.
func (m *maker) boards() {
	today := m.calendar.Date(m.moment(m.Now))
	for _, name := range m.rules.Boards() {
		for _, w := range m.rules.Windows(name) {
			periods := map[board.Period]bool{}
			for _, day := range m.days {
				if w.Rolls() {
					day = today
				}
				periods[m.rules.Period(name, w, day)] = true
			}
			for _, p := range slices.SortedFunc(maps.Keys(periods), board.Period.Compare) {
				b := vectors.Board{Board: name, Window: w.String(), Period: p.String(), Entries: []vectors.Entry{}}
				if m.rules.OfTeams(name) {
					m.teams(&b, p)
				}
				for _, e := range m.ledger.Board(name, p) {
					if m.rules.OfTeams(name) || m.members[e.User].Hidden || m.members[e.User].Absent {
						continue
					}
					b.Entries = append(b.Entries, vectors.Entry{
						Rank: int64(len(b.Entries) + 1), User: e.User, Score: e.Packed.Score(),
						ReachedAt: m.calendar.AtTicks(p, e.Packed.Ticks()).Time().UTC().Format(vectors.MomentForm),
					})
				}
				if len(b.Entries) > 0 || slices.Contains(m.homes, name) {
					m.Boards = append(m.Boards, b)
				}
			}
		}
	}
}

// text is the file of a vector: an entry, and an activity, in each line.
func text(t harness.T, v vectors.Vector) string {
	t.Helper()
	line := func(v any) string { return string(harness.Must(json.Marshal(v))(t)) }
	var s strings.Builder
	fmt.Fprintf(&s, "{\n  \"name\": %s,\n  \"about\": %s,\n  \"zone\": %s,\n  \"now\": %s,\n  \"rules\": %s,\n",
		line(v.Name), line(v.About), line(v.Zone), line(v.Now), line(v.Rules))
	if v.Wait {
		s.WriteString("  \"wait\": true,\n")
	}
	list(&s, "steps", v.Steps, line)
	s.WriteString(",\n")
	list(&s, "boards", v.Boards, line)
	s.WriteString("\n}\n")
	return s.String()
}

func list[V any](s *strings.Builder, name string, all []V, line func(any) string) {
	fmt.Fprintf(s, "  %q: [", name)
	for i, v := range all {
		fmt.Fprintf(s, "%s\n    %s", map[bool]string{true: ","}[i > 0], strings.ReplaceAll(strings.ReplaceAll(line(v),
			`[{`, "[\n      {"), `},{`, "},\n      {"))
	}
	s.WriteString("\n  ]")
}
