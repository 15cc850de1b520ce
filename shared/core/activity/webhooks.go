package activity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The sources of webhooks, as HookSources lists them.
const (
	StandardHooks  = "standard"
	DiscourseHooks = "discourse"
	NodeBBHooks    = "nodebb"
)

// A HookSignature is the way in which a source signs bodies alone: a header with the name of an algorithm, "=" and
// hexadecimal digits. The zero value is of Standard Webhooks, which sign an id and a time, too.
type HookSignature struct{ Header, Algorithm string }

var hookSignatures = map[string]HookSignature{
	DiscourseHooks: {"X-Discourse-Event-Signature", "sha256"},
	NodeBBHooks:    {"X-Webhook-Signature", "sha1"},
	StandardHooks:  {},
}

// HookSources returns the sources of webhooks, sorted.
func HookSources() []string { return sortedKeys(hookSignatures) }

// HookSignatureOf returns the way in which a source signs.
func HookSignatureOf(source string) HookSignature { return hookSignatures[source] }

// A Hook has the rules for a source of webhooks. The zero value is a source without rules.
type Hook struct {
	// Instance is the forum's address, without a slash at its end; webhooks of another one are
	// ignored. Addresses of pages and pictures begin with it.
	Instance string `json:"instance"`
	// Login is Laurel's own address as visitors know it, without a slash at its end: there the
	// forum tells their identity. Without it login by the forum is off.
	Login string `json:"login"`
	// Received is the action of the author of a liked post, "" for none.
	Received string `json:"received"`
	// Solved is the action of the author of an answer that solves a topic, "" for none.
	Solved string `json:"solved"`
	// Categories are the actions in place of others, by the id of a category.
	Categories map[string]map[string]string `json:"categories"`
	// IgnoreCategories are the ids of categories in which nothing counts.
	IgnoreCategories []int64 `json:"ignoreCategories"`
	// Groups are the private groups of people by the forum's names of its groups: no others are kept. As the
	// addresses of events, they have no part in scoring, and the rules in JSON do not have them.
	Groups map[string]string `json:"groups"`
	// Erase says that a user whom the forum deletes is erased.
	Erase bool `json:"erase"`
}

// Hook returns the rules for a source of webhooks.
func (r *Rules) Hook(source string) Hook { return r.hooks[source] }

// Word returns the action that stands for another one in a category.
func (h Hook) Word(category, action string) string {
	if word := h.Categories[category][action]; word != "" {
		return word
	}
	return action
}

// Words returns the actions that may stand for another one, itself first: something can have moved since it was done.
func (h Hook) Words(action string) []string {
	all := []string{action}
	for _, category := range sortedKeys(h.Categories) {
		if word := h.Categories[category][action]; word != "" && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// Ignores says whether nothing counts in a category.
func (h Hook) Ignores(category string) bool {
	return slices.ContainsFunc(h.IgnoreCategories, func(id int64) bool { return strconv.FormatInt(id, 10) == category })
}

// hookRules checks the rules for webhooks.
func (p *parser) hookRules(given map[string]Hook) {
	for _, source := range sortedKeys(given) {
		place, h := "hooks."+source, given[source]
		p.errorIf(!slices.Contains(HookSources(), source), "%s: the sources are %s", place,
			strings.Join(HookSources(), ", "))
		p.hookAddress(place+".instance", h.Instance)
		p.hookAddress(place+".login", h.Login)
		p.errorIf(h.Login != "" && (source != DiscourseHooks || h.Instance == ""), "%s.login: is for %s with an instance",
			place, DiscourseHooks)
		p.hookWord(place+".received", h.Received)
		p.received(place+".received", h.Received)
		p.hookWord(place+".solved", h.Solved)
		for _, category := range sortedKeys(h.Categories) {
			_, err := strconv.ParseInt(category, 10, 64)
			p.errorIf(err != nil, "%s.categories: %q is not the id of a category", place, Shorten(category))
			words := h.Categories[category]
			for _, action := range sortedKeys(words) {
				path := place + ".categories." + category
				p.errorIf(words[action] == "", "%s.%s: must not be empty", path, Shorten(action))
				p.hookWord(path+"."+Shorten(action), words[action])
			}
		}
		p.hookGroups(place+".groups", h.Groups)
		p.errorIf(source == StandardHooks && (h.Received+h.Solved+h.Instance+h.Login != "" ||
			len(h.Categories)+len(h.IgnoreCategories) > 0), "%s: it has erase and groups alone", place)
	}
	if p.rules.hooks = given; len(given) > 0 {
		p.leaveOut("hooks", "*", "groups")
	}
}

// hookGroups records an error for each group that no person can have.
func (p *parser) hookGroups(place string, groups map[string]string) {
	for _, name := range sortedKeys(groups) {
		_, message := CheckID(groups[name], MaxMemberGroup)
		p.errorIf(name == "", "%s: the forum's name of a group must not be empty", place)
		p.errorIf(message != "", "%s.%s: %s", place, Shorten(name), message)
	}
}

// hookAddress records an error if an address is given and is none of a site.
func (p *parser) hookAddress(place, address string) {
	code, _ := CheckURL(address)
	p.errorIf(address != "" && (code != "" || strings.HasSuffix(address, "/") || strings.ContainsAny(address, "?#")),
		"%s: %s is not an address such as https://forum.example", place, Shorten(address))
}

// hookWord records an error if a word is no action of any version.
func (p *parser) hookWord(place, word string) {
	for _, version := range p.rules.versions {
		if rule := version.Find(word); rule != nil && rule.Action == word && !rule.Metric && !rule.TargetIsUser {
			return
		}
	}
	p.errorIf(word != "", "%s: the rules have no action %s on something", place, Shorten(word))
}

// received records an error if the action of the author of a liked post has not an entry for each giver.
func (p *parser) received(place, word string) {
	for i, version := range p.rules.versions {
		rule := version.Find(word)
		p.errorIf(rule != nil && rule.Action == word && !rule.ByOther,
			`%s: the action %s in versions[%d] needs "byOther": true, an entry for each giver`, place, word, i)
	}
}

// The types of events.
const (
	EventPeriodEnded = "period.ended" // a period is over; its boards can still change
	EventPeriodFinal = "period.final" // a period's boards are stored for good
	EventPointsTaken = "points.taken" // an operator, or the service, has lowered a person's points
)

// EventTypes returns the types of events, sorted.
func EventTypes() []string { return []string{EventPeriodEnded, EventPeriodFinal, EventPointsTaken} }

// maxEventAddresses is how many addresses events are sent to at most.
const maxEventAddresses = 16

// An EventAddress is where events are sent. The name stands in keys of items, in logs and beside the
// secret by which they are signed; the URL may have a secret of the receiver's, and stands in none.
type EventAddress struct {
	Name  string   `json:"name"`
	URL   string   `json:"url"`
	Types []string `json:"types"`

	// Private says that the address has events of boards for members, too.
	Private bool `json:"private"`
}

// Takes says whether events of a type are sent to the address, about a board that guests see or about another one.
func (a EventAddress) Takes(kind string, public bool) bool {
	return slices.Contains(a.Types, kind) && (public || a.Private)
}

// Events returns the addresses that events are sent to. They have no part in scoring: JSON does not
// have them, and they may change at any time.
func (r *Rules) Events() []EventAddress { return r.events }

// WithEvents returns the rules with one more address of events.
func (r *Rules) WithEvents(address EventAddress) *Rules {
	next := *r
	next.events = append(slices.Clone(r.events), address)
	return &next
}

// events reads the addresses of events, and takes them out of the source.
func (p *parser) events(source json.RawMessage) {
	if source == nil {
		return
	}
	p.leaveOut("events")
	p.decode("events", source, &p.rules.events)
	p.errorIf(len(p.rules.events) > maxEventAddresses, "events: there are more than %d", maxEventAddresses)
	named := map[string]bool{}
	for i, a := range p.rules.events {
		place := fmt.Sprintf("events[%d]", i)
		p.errorIf(!isName(a.Name), "%s.name: %q is not a name: a lower-case letter, then up to 31 of a-z, 0-9, _ and -",
			place, Shorten(a.Name))
		p.errorIf(named[a.Name], "%s.name: %q is given twice", place, Shorten(a.Name))
		named[a.Name] = true
		if code, message := CheckURL(a.URL); code != "" {
			p.errorf("%s.url: %s", place, message)
		}
		p.errorIf(len(a.Types) == 0, "%s.types: there must be at least one", place)
		p.errorIf(len(slices.Compact(slices.Sorted(slices.Values(a.Types)))) != len(a.Types),
			"%s.types: one is named twice", place)
		for _, kind := range a.Types {
			p.errorIf(!slices.Contains(EventTypes(), kind), "%s.types: %q is not one of %s", place, Shorten(kind),
				strings.Join(EventTypes(), ", "))
		}
	}
}
