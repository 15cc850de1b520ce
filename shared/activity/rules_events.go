package activity

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// The types of events.
const (
	EventPeriodEnded = "period.ended" // a period is over; its boards can still change
	EventPeriodFinal = "period.final" // a period's boards are stored for good
)

// EventTypes returns the types of events, sorted.
func EventTypes() []string { return []string{EventPeriodEnded, EventPeriodFinal} }

// maxEventAddresses is how many addresses events are sent to at most.
const maxEventAddresses = 16

// An EventAddress is where events are sent. The name stands in keys of items, in logs and beside the
// secret by which they are signed; the URL may have a secret of the receiver's, and stands in none.
type EventAddress struct {
	Name  string   `json:"name"`
	URL   string   `json:"url"`
	Types []string `json:"types"`
}

// Takes says whether events of a type are sent to the address.
func (a EventAddress) Takes(kind string) bool { return slices.Contains(a.Types, kind) }

// Events returns the addresses that events are sent to. They have no part in what scores: JSON does not
// have them, and they may change at any time.
func (r *Rules) Events() []EventAddress { return r.events }

// WithEvents returns the rules with one more address of events.
func (r *Rules) WithEvents(to EventAddress) *Rules {
	next := *r
	next.events = append(slices.Clone(r.events), to)
	return &next
}

// events reads the addresses of events, and takes them out of the source.
func (p *parser) events(source json.RawMessage) {
	if source == nil {
		return
	}
	p.rules.source = withoutEvents(p.rules.source)
	decoder := json.NewDecoder(bytes.NewReader(source))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&p.rules.events); err != nil || source[0] != '[' {
		p.errorf("events: not a list of addresses: %w", cmp.Or(err, errors.New(string(source))))
		return
	}
	p.errorIf(len(p.rules.events) > maxEventAddresses, "events: there are more than %d", maxEventAddresses)
	named := map[string]bool{}
	for _, a := range p.rules.events {
		place := "events." + Shorten(a.Name)
		p.errorIf(!isName(a.Name), "events: %q is not a name: a lower-case letter, then up to 31 of a-z, 0-9, _ and -",
			Shorten(a.Name))
		p.errorIf(named[a.Name], "%s: the name is given twice", place)
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

// withoutEvents returns a rules file, an object, without its member events. All other bytes stay, so that
// who adds addresses does not come to other rules.
func withoutEvents(source []byte) []byte {
	decoder, kept := json.NewDecoder(bytes.NewReader(source)), []byte(nil)
	_, err := decoder.Token() // the brace that begins it
	for err == nil {
		at := decoder.InputOffset()
		if !decoder.More() {
			return append(append([]byte("{"), kept...), source[at:]...)
		}
		var name json.Token
		if name, err = decoder.Token(); err == nil {
			err = decoder.Decode(new(json.RawMessage))
		}
		if text, _ := name.(string); strings.EqualFold(text, "events") {
			continue
		}
		member := source[at:decoder.InputOffset()] // with the comma before it
		if len(kept) == 0 {
			member = bytes.TrimPrefix(member, []byte(","))
		}
		kept = append(kept, member...)
	}
	return source // never: it was read
}
