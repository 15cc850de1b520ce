package activity

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Guests returns the rules that readers without a token see: without the boards for members, without the actions whose
// home is one of these, and without the names of people's groups. JSON returns the file without all of that. They are
// for reading alone: a board that names groups admits nobody, and webhooks and events are by the rules themselves.
func (r *Rules) Guests() *Rules {
	secret := false
	for _, b := range r.questions {
		secret = secret || b.Members || b.People.Grouped()
	}
	if !secret {
		return r
	}
	guests := &Rules{questions: map[string]*Board{}, articles: r.articles}
	for _, name := range r.boards {
		if b := *r.questions[name]; !b.Members {
			b.People = b.People.unnamed()
			guests.questions[name] = &b
			guests.boards = append(guests.boards, name)
		}
	}
	for _, rs := range r.versions {
		guests.versions = append(guests.versions, rs.on(guests.questions))
	}
	secrets := r.wordsBeside(guests)
	guests.source = pruned(r.source, nil, func(path []string, value []byte) bool {
		return r.hides(path, value, secrets)
	})
	return guests
}

// unnamed returns conditions without the names of groups.
func (p *People) unnamed() People { return People{NewDays: p.NewDays, secret: p.Grouped()} }

// on returns the ruleset of the actions whose home is among some boards, with their weights on these.
func (rs *Ruleset) on(boards map[string]*Board) *Ruleset {
	kept := &Ruleset{firstDay: rs.firstDay, rules: map[string]Rule{}, words: map[string]*Rule{}}
	for name, rule := range rs.rules {
		if boards[rule.Board] != nil {
			kept.rules[name] = rule
		}
	}
	moved := map[string]*Rule{} // by action, as an undo has the rule of its action
	for _, word := range rs.names {
		was := rs.words[word]
		if boards[was.Board] == nil {
			continue
		}
		if moved[was.Action] == nil {
			rule := *was
			rule.weights, rule.caps = nil, nil
			for _, w := range was.weights {
				if boards[w.Board] != nil {
					rule.add(w)
				}
			}
			moved[was.Action] = &rule
		}
		kept.words[word] = moved[was.Action]
		kept.names = append(kept.names, word)
	}
	return kept
}

// wordsBeside returns the words of all versions that others, which have fewer, have in none.
func (r *Rules) wordsBeside(others *Rules) map[string]bool {
	words := map[string]bool{}
	for _, rs := range r.versions {
		for _, word := range rs.names {
			words[word] = true
		}
	}
	for _, rs := range others.versions {
		for _, word := range rs.names {
			delete(words, word)
		}
	}
	return words
}

// hides says whether guests do not see a member of the rules file: secrets are the words that they do not know.
func (r *Rules) hides(path []string, value []byte, secrets map[string]bool) bool {
	matches := func(pattern ...string) bool { return isAt(path, pattern) }
	name := path[len(path)-1]
	var text string
	switch {
	case matches("boards", "*"):
		return r.forMembers(name)
	case matches("boards", "*", "people"):
		var p People
		return json.Unmarshal(value, &p) == nil && p.NewDays == 0
	case matches("boards", "*", "people", "in"), matches("boards", "*", "people", "notIn"):
		return true
	case matches("versions", "*", "actions", "*"), matches("versions", "*", "metrics", "*"):
		var home struct {
			Board string `json:"board"`
		}
		return json.Unmarshal(value, &home) == nil && r.forMembers(home.Board)
	case matches("hooks", "*", "received"), matches("hooks", "*", "solved"):
		return json.Unmarshal(value, &text) == nil && secrets[text]
	case matches("hooks", "*", "categories", "*", "*"):
		return secrets[name] || json.Unmarshal(value, &text) == nil && secrets[text]
	default:
		return false
	}
}

// isAt says whether a path has the names of a pattern, of which "*" is any. A field of a file may be written in
// capitals, too.
func isAt(path, pattern []string) bool {
	return slices.EqualFunc(path, pattern, func(name, wanted string) bool {
		return wanted == "*" || strings.EqualFold(name, wanted)
	})
}

// leaveOut takes the members at a pattern out of the rules' source, which have no part in scoring: the rules are the
// same with and without them.
func (p *parser) leaveOut(pattern ...string) {
	p.rules.source = pruned(p.rules.source, nil, func(path []string, _ []byte) bool { return isAt(path, pattern) })
}

func (r *Rules) forMembers(name string) bool { return r.question(name).Members }

// pruned returns a JSON value at a path of names and indexes, without the members of objects that hides names by their
// path and value. All other bytes stay.
func pruned(source []byte, path []string, hides func(path []string, value []byte) bool) []byte {
	decoder := json.NewDecoder(bytes.NewReader(source))
	opening, err := decoder.Token()
	if opening != json.Delim('{') && opening != json.Delim('[') {
		return source
	}
	kept := source[:1:1]
	for err == nil {
		offset := decoder.InputOffset()
		if !decoder.More() {
			return append(kept, source[offset:]...)
		}
		var name json.Token = "*"
		if opening == json.Delim('{') {
			name, err = decoder.Token()
		}
		var value json.RawMessage
		if err == nil {
			err = decoder.Decode(&value)
		}
		text, _ := name.(string)
		member, end := append(slices.Clone(path), text), decoder.InputOffset()
		if opening == json.Delim('{') && hides(member, value) {
			continue
		}
		before := source[offset : end-int64(len(value))] // the comma and the name
		if cut, ok := bytes.CutPrefix(bytes.TrimLeft(before, " \t\r\n"), []byte(",")); ok && len(kept) == 1 {
			before = cut
		}
		kept = append(append(kept, before...), pruned(value, member, hides)...)
	}
	return source // never: it was read
}
