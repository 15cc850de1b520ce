package activity

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

// Articles are the constants by which a forum's articles are ranked; what follows
// from them is in package article.
type Articles struct {
	// VotesPerDay is how many votes are worth a day of freshness. It divides
	// daySeconds, so that a vote is worth whole seconds.
	VotesPerDay int64 `json:"votesPerDay"`
	// VotingDays is how many days from its publishing on an article takes votes.
	VotingDays int64 `json:"votingDays"`
	// OwnVote says whether the author's own vote counts, from the start.
	OwnVote bool `json:"ownVote"`
	// Interesting is from how many votes on an article is called interesting.
	Interesting int64 `json:"interesting"`
}

// Limits of the constants.
const (
	daySeconds     = 86_400
	maxVotingDays  = 366
	maxInteresting = 1_000_000_000
)

// defaultArticles are the constants of a rules file that names none.
func defaultArticles() Articles {
	return Articles{VotesPerDay: 200, VotingDays: 7, OwnVote: true, Interesting: 200}
}

// Articles returns the constants by which articles are ranked.
func (r *Rules) Articles() Articles { return r.articles }

// articles reads the constants over the defaults and checks them. A file without
// them shows the defaults all the same, at its end.
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
		p.errorf("articles.votesPerDay: a vote is worth whole seconds, and the %d of a day cannot be divided by %d; %d and %d would do",
			daySeconds, a.VotesPerDay, below, above)
	}
	if a.VotingDays < 1 || a.VotingDays > maxVotingDays {
		p.errorf("articles.votingDays: %d is not from 1 to %d", a.VotingDays, maxVotingDays)
	}
	if a.Interesting < 1 || a.Interesting > maxInteresting {
		p.errorf("articles.interesting: %d is not from 1 to %d", a.Interesting, maxInteresting)
	}
	p.rules.articles = a
}

// divisors returns the divisors of a day's seconds next to n, which is between 1
// and them.
func divisors(n int64) (below, above int64) {
	for below = n; daySeconds%below != 0; {
		below--
	}
	for above = n; daySeconds%above != 0; {
		above++
	}
	return below, above
}

// withArticles puts the constants at the end of a rules file, which is an object
// with something in it.
func withArticles(source []byte, a Articles) []byte {
	constants, err := json.Marshal(a)
	if err != nil {
		panic("activity: " + err.Error()) // numbers and a truth value
	}
	open := bytes.TrimRight(bytes.TrimSuffix(source, []byte("}")), " \t\r\n")
	return fmt.Appendf(nil, "%s,\n  \"articles\": %s\n}", open, constants)
}
