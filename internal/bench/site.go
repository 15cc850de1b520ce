package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
)

// start is when the first day begins.
var start = board.MomentOf(time.Date(2026, time.November, 2, 0, 0, 0, 0, time.UTC))

const (
	hour = board.Moment(3_600_000)
	day  = 24 * hour
)

// commonVotes is how many votes an article has in the mean that is not good.
const commonVotes = 5

// Scale is how large and how busy a site is.
type Scale struct {
	Days     int    // how long it is watched; at least MinDays
	Articles int    // a day
	Good     int    // of them
	Votes    int    // that a good one gets within a day, at least
	Seed     uint64 // of all chances
}

// MinDays is the shortest run: the lists fill on the first day, the articles of
// the second are looked at a day later, and the days after show how long they stay.
const MinDays = 4

// A Publication is an article of a site, and whether it is good.
type Publication struct {
	article.Article
	Good bool
}

// A Site is everything that happens on one, in the order in which it happens.
type Site struct {
	Scale
	Articles []Publication
	Likes    []activity.Activity
}

// NewSite draws a site.
func NewSite(s Scale) *Site {
	rng := rand.New(rand.NewPCG(s.Seed, 1))
	site := &Site{Scale: s}
	users := 10 * (s.Votes + s.Votes/2 + 100)
	for d := range s.Days {
		for n, i := range rng.Perm(s.Articles) {
			a := Publication{Good: n < s.Good, Article: article.Article{
				ID: fmt.Sprintf("%d-%d", d+1, i+1), Author: fmt.Sprintf("author-%d", rng.IntN(s.Articles)),
				Title:     fmt.Sprintf("Article %d of day %d", i+1, d+1),
				Published: start + board.Moment(d)*day + board.Moment(rng.Int64N(int64(day))),
			}}
			site.Articles = append(site.Articles, a)
			votes := int(rng.ExpFloat64() * commonVotes)
			if a.Good {
				votes = s.Votes + rng.IntN(s.Votes/2+1)
			}
			site.vote(rng, a, min(votes, users), users)
		}
	}
	slices.SortFunc(site.Articles, func(a, b Publication) int { return article.CompareNew(b.Article, a.Article) })
	slices.SortStableFunc(site.Likes, func(a, b activity.Activity) int {
		if a.At != b.At {
			return int(a.At - b.At)
		}
		return strings.Compare(a.Target+" "+a.User, b.Target+" "+b.User)
	})
	return site
}

// vote draws the votes for an article, each by another user: half of them come within
// its first six hours.
func (s *Site) vote(rng *rand.Rand, a Publication, votes, users int) {
	first := rng.IntN(users)
	for i := range votes {
		at := a.Published + board.Moment(math.Pow(rng.Float64(), 2)*float64(day))
		s.Likes = append(s.Likes,
			activity.Activity{User: fmt.Sprintf("reader-%d", (first+i)%users), Action: article.Like, Target: a.ID, At: at})
	}
}

// Ends returns the end of the site's last day.
func (s *Site) Ends() board.Moment { return start + board.Moment(s.Days)*day }

// votesWorthADay returns rules of which so many votes are worth a day.
func votesWorthADay(votes int64) (*activity.Rules, error) {
	var file map[string]any
	if err := json.Unmarshal(activity.Default().JSON(), &file); err != nil {
		return nil, err
	}
	articles := activity.Default().Articles()
	articles.VotesPerDay = votes
	file["articles"] = articles
	source, err := json.Marshal(file)
	if err != nil {
		return nil, err
	}
	return activity.ParseRules(source)
}
