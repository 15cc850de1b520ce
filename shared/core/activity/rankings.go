package activity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Limits of the names of boards.
const (
	MaxLabel     = 60 // characters of a label or a unit
	maxLanguages = 100
	maxTag       = 35 // characters of a language tag
)

// A BoardText is the names that pages give a board and its points, by BCP 47 language tag. It
// has no part in scoring and belongs to no version: it may change at any time.
type BoardText struct {
	Labels map[string]string `json:"labels"`
	Unit   map[string]string `json:"unit"`
}

// byLanguage checks texts by language, and returns them in a map that is not nil.
func (p *parser) byLanguage(place string, texts map[string]string) map[string]string {
	p.errorIf(len(texts) > maxLanguages, "%s: %d languages are more than %d", place, len(texts), maxLanguages)
	named := map[string]bool{}
	for _, tag := range sortedKeys(texts) {
		lower := strings.ToLower(tag)
		p.errorIf(!isLanguage(lower), "%s: %q is not a language tag, such as en or zh-Hant", place, Shorten(tag))
		p.errorIf(named[lower], "%s: the language %q is named twice", place, tag)
		named[lower] = true
		if code, message := CheckText(texts[tag], MaxLabel); code != "" {
			p.errorf("%s.%s: %s", place, Shorten(tag), message)
		}
	}
	if texts == nil {
		return map[string]string{}
	}
	return texts
}

// isLanguage reports whether a text in lower case has the form of a BCP 47 language tag: a
// language of 2 or 3 letters, then parts of up to 8 letters and digits.
func isLanguage(tag string) bool {
	const letters, digits = "abcdefghijklmnopqrstuvwxyz", "0123456789"
	language, rest, more := strings.Cut(tag, "-")
	if len(tag) > maxTag || len(language) < 2 || len(language) > 3 || strings.Trim(language, letters) != "" {
		return false
	}
	for more {
		var part string
		if part, rest, more = strings.Cut(rest, "-"); part == "" || len(part) > 8 ||
			strings.Trim(part, letters+digits) != "" {
			return false
		}
	}
	return true
}

// Articles are the constants for ranking a forum's articles; package article uses them.
type Articles struct {
	// VotesPerDay is how many votes are worth a day of freshness. It divides
	// daySeconds, so that a vote is worth whole seconds.
	VotesPerDay int64 `json:"votesPerDay"`
	// VotingDays is for how many days after its publishing an article takes votes.
	VotingDays int64 `json:"votingDays"`
	// OwnVote says whether the author's own vote counts, from the start.
	OwnVote bool `json:"ownVote"`
	// Interesting is the number of votes that make an article interesting.
	Interesting int64 `json:"interesting"`
}

// Limits of the constants.
const (
	daySeconds     = 86_400
	maxVotingDays  = 366
	maxInteresting = 1_000_000_000
)

// Articles returns the constants for ranking articles.
func (r *Rules) Articles() Articles { return r.articles }

// articles reads the constants over the defaults and checks them. For a file without
// them it adds the defaults to the source.
func (p *parser) articles(source json.RawMessage) {
	a := Articles{VotesPerDay: 200, VotingDays: 7, OwnVote: true, Interesting: 200}
	if source == nil {
		p.rules.source = withArticles(p.rules.source, a)
	} else {
		p.decode("articles", source, &a)
	}
	switch {
	case a.VotesPerDay < 1 || a.VotesPerDay > daySeconds:
		p.errorf("articles.votesPerDay: %d is not from 1 to %d", a.VotesPerDay, daySeconds)
	case daySeconds%a.VotesPerDay != 0:
		below, above := divisors(a.VotesPerDay)
		p.errorf("articles.votesPerDay: %d does not divide %d, the seconds of a day; %d and %d do",
			a.VotesPerDay, daySeconds, below, above)
	}
	p.errorIf(a.VotingDays < 1 || a.VotingDays > maxVotingDays,
		"articles.votingDays: %d is not from 1 to %d", a.VotingDays, maxVotingDays)
	p.errorIf(a.Interesting < 1 || a.Interesting > maxInteresting,
		"articles.interesting: %d is not from 1 to %d", a.Interesting, maxInteresting)
	p.rules.articles = a
}

// divisors returns the divisors of a day's seconds next to n, which is from 1 to daySeconds.
func divisors(n int64) (below, above int64) {
	for below = n; daySeconds%below != 0; {
		below--
	}
	for above = n; daySeconds%above != 0; {
		above++
	}
	return below, above
}

// withArticles returns a rules file, a non-empty object, with the constants added at its end.
func withArticles(source []byte, a Articles) []byte {
	constants, err := json.Marshal(a)
	if err != nil {
		panic("activity: " + err.Error()) // never: numbers and a boolean
	}
	open := bytes.TrimRight(bytes.TrimSuffix(source, []byte("}")), " \t\r\n")
	return fmt.Appendf(nil, "%s,\n  \"articles\": %s\n}", open, constants)
}
