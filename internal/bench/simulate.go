package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/run/importer"
)

const (
	frontPage   = 100 // articles
	commonVotes = 5   // of an article that is not good, in the mean
	leastDays   = 4   // lists fill on the first; articles of the second are followed for two more

	hour = board.Moment(3_600_000)
	day  = 24 * hour
)

// A site is busy for some days, whose chances a seed decides. Days begin at the moment 0.
type site struct {
	days, articles, good, votes int // articles a day; how many are good, and the votes of one within a day, at least
	seed                        uint64
}

// A story is an article of a site.
type story struct {
	article.Article
	good  bool
	votes []board.Moment
	seen  []bool // at each full hour from its publishing on: it is on the page
}

// simulate replays days of a busy site, and looks at its front page at each hour: the first 100 of the hot list. It
// prints the fate of the good articles, for each of some numbers of votes that are worth a day.
//
// It tests a claim of the first chapter of "Redis in Action": of 1,000 articles a day 50 get 200 votes or more;
// when 200 votes are worth a day, then those 50 are among the first 100 for a day. A place on the front page brings
// no more readers, so the result is the formula's work alone. Tests of package recording show that a hot list is in
// the formula's order.
func simulate(c invocation) error {
	var s site
	c.IntVar(&s.days, "days", 5, "how many `days`, at least 4")
	c.IntVar(&s.articles, "articles", 1000, "`articles` a day")
	c.IntVar(&s.good, "good", 50, "how many of them are `good`")
	c.IntVar(&s.votes, "votes", 200, "how many `votes` a good one gets within a day, at least")
	c.Uint64Var(&s.seed, "seed", 1, "of all chances; the same `seed` is the same run")
	worth := c.String("votes-per-day", "200,50", "how many `votes` are worth a day; each number is a run of its own")
	if err := c.parse(); err != nil {
		return err
	}
	if s.days < leastDays || min(s.articles, s.good, s.votes) < 1 || s.good > s.articles {
		return fmt.Errorf("-days is at least %d, the others 1, and -good at most -articles", leastDays)
	}
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintf(c.out, "%s articles a day, %d of them good: %d votes or more within a day; %d days; seed %d\n\n",
		importer.Thousands(int64(s.articles)), s.good, s.votes, s.days, s.seed)
	_, _ = fmt.Fprintln(table, "votes a day\tgood\tafter a day\tafter two\tall the day\tleave in hour\tgood on the page\t")
	for text := range strings.SplitSeq(*worth, ",") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 {
			return fmt.Errorf("-votes-per-day: %q is not a number", text)
		}
		_, _ = fmt.Fprintf(table, "%d\t%s\t\n", n, s.run(article.Rules{VotesPerDay: n, OwnVote: true}).text())
	}
	return table.Flush()
}

// draw draws the articles.
func (s site) draw() (all []*story) {
	rng := rand.New(rand.NewPCG(s.seed, 1))
	for d := range s.days {
		for n, i := range rng.Perm(s.articles) {
			a := &story{good: n < s.good}
			a.ID = fmt.Sprintf("%d-%d", d+1, i+1)
			a.Published = board.Moment(d)*day + board.Moment(rng.Int64N(int64(day)))
			votes := int(rng.ExpFloat64() * commonVotes)
			if a.good {
				votes = s.votes + rng.IntN(s.votes/2+1)
			}
			for range votes { // half of them come within its first six hours
				a.votes = append(a.votes, a.Published+board.Moment(math.Pow(rng.Float64(), 2)*float64(day)))
			}
			all = append(all, a)
		}
	}
	return all
}

// Figures describe the good articles on the front page. They are those that were published
// after the first day, on which the lists fill, and that were a day old a day before the end,
// so that it can be seen how long they stay.
type figures struct {
	good     int   // how many were looked at
	afterDay int   // of them on the page when they were a day old
	afterTwo int   // and two days
	always   int   // on the page at each hour from their third to their 24th
	stillOn  int   // on the page at the end
	stays    []int // hours from publishing to the last on the page
	page     float64
}

// run looks at the page at each hour.
func (s site) run(rules article.Rules) *figures {
	var f figures
	all := s.draw()
	end := board.Moment(s.days) * day
	for now := hour; now <= end; now += hour {
		var stories []*story
		for _, a := range all {
			if a.Published < now {
				a.Votes = rules.OwnVotes()
				for _, vote := range a.votes {
					a.Votes += int64(min(max(now-vote, 0), 1))
				}
				stories = append(stories, a)
			}
		}
		slices.SortFunc(stories, func(a, b *story) int { return rules.CompareHot(a.Article, b.Article) })
		for i, a := range stories {
			a.seen = append(a.seen, i < frontPage)
			if i < frontPage && a.good && now > day {
				f.page += 1 / float64((end-day)/hour)
			}
		}
	}
	for _, a := range all {
		if a.good && a.Published >= day && a.Published < end-2*day {
			f.add(a.seen)
		}
	}
	slices.Sort(f.stays)
	return &f
}

// add counts an article.
func (f *figures) add(seen []bool) {
	f.good++
	count := func(number *int, on bool) {
		if on {
			*number++
		}
	}
	count(&f.afterDay, seen[24]) // the first full hour at which it is a day old
	count(&f.afterTwo, len(seen) > 48 && seen[48])
	count(&f.always, !slices.Contains(seen[2:24], false))
	count(&f.stillOn, seen[len(seen)-1])
	last := 0
	for i, on := range seen {
		if on {
			last = i + 1
		}
	}
	f.stays = append(f.stays, last)
}

// stay is the median.
func (f *figures) stay() int { return f.stays[(len(f.stays)-1)/2] }

// text is a line of the table.
func (f *figures) text() string {
	share := func(n int) string { return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(f.good)) }
	leave := strconv.Itoa(f.stay())
	if 2*f.stillOn > f.good {
		leave = "over " + leave
	}
	return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%.1f of %d", f.good, share(f.afterDay), share(f.afterTwo), share(f.always),
		leave, f.page, frontPage)
}
