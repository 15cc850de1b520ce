package activity

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

// Articles are the constants for ranking a forum's articles; package article uses
// them.
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

// defaultArticles returns the constants for a rules file without them.
func defaultArticles() Articles {
	return Articles{VotesPerDay: 200, VotingDays: 7, OwnVote: true, Interesting: 200}
}

// Articles returns the constants for ranking articles.
func (r *Rules) Articles() Articles { return r.articles }

// articles reads the constants over the defaults and checks them. For a file without
// them it adds the defaults to the source.
func (p *parser) articles(source json.RawMessage) {
	a := defaultArticles()
	if source == nil {
		p.rules.source = withArticles(p.rules.source, a)
	} else {
		decoder := json.NewDecoder(bytes.NewReader(source))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&a); err != nil || source[0] != '{' {
			p.errorf("articles: not an object of constants: %w", cmp.Or(err, errors.New(string(source))))
			return
		}
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

// divisors returns the divisors of a day's seconds next to n, which is from 1 to
// daySeconds.
func divisors(n int64) (below, above int64) {
	for below = n; daySeconds%below != 0; {
		below--
	}
	for above = n; daySeconds%above != 0; {
		above++
	}
	return below, above
}

// withArticles returns a rules file, a non-empty object, with the constants added at its
// end.
func withArticles(source []byte, a Articles) []byte {
	constants, err := json.Marshal(a)
	if err != nil {
		panic("activity: " + err.Error()) // never: numbers and a boolean
	}
	open := bytes.TrimRight(bytes.TrimSuffix(source, []byte("}")), " \t\r\n")
	return fmt.Appendf(nil, "%s,\n  \"articles\": %s\n}", open, constants)
}
