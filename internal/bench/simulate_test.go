package main

import (
	"io"
	"strings"
	"testing"

	"laurel/shared/core/article"
)

// The claims of docs/articles.md about the number of votes that are worth a day.
func TestGuideOnVotes(t *testing.T) {
	t.Parallel()
	s := site{days: 5, articles: 1000, good: 50, votes: 200, seed: 1}
	figuresOf := func(votesPerDay int64) *figures { return s.run(article.Rules{VotesPerDay: votesPerDay, OwnVote: true}) }
	if f := figuresOf(200); f.good < 90 || f.always < f.good || f.afterDay < f.good*95/100 || f.page < 60 || f.page > 70 {
		t.Errorf("at 200: %s", f.text())
	}
	if f := figuresOf(50); f.stay() < 48 || f.always < f.good*4/10 || f.always > f.good*6/10 {
		t.Errorf("at 50: %s", f.text())
	}
	s.votes = 100
	if f := figuresOf(200); f.stay() > 14 {
		t.Errorf("with half the votes: %s", f.text())
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"simulate -days 3":            "-days is at least 4",
		"simulate -good 2000":         "-good at most -articles",
		"simulate -votes-per-day two": `-votes-per-day: "two" is not a number`,
		"simulate front-page":         "unexpected argument front-page",
		"cost -batch 101":             "-batch is from 1 to 100",
		"cost -users -1":              "no number is below 0",
		"cost -waf":                   "-waf requires -cdn",
		"":                            "usage: bench cost|hostile|load|simulate",
	} {
		if err := run(strings.Fields(args), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
