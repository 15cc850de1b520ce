package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/record"
	"laurel/shared/table/embedded"
)

// A simulation replays days of a busy site in virtual time through a real store, and looks
// at its front page: the first 100 of the hot list.
//
// What it tests is a claim of the first chapter of "Redis in Action": of 1,000 articles a
// day 50 get 200 votes or more; when 200 votes are worth a day, then those 50 are among the
// first 100 for a day. A place on the front page brings no more readers, so what is seen is
// the formula's work alone.
type simulation struct {
	Scale
	forums []*activity.Rules // one for each number of votes a day
}

// parseSimulation reads the flags.
func parseSimulation(c invocation) (s simulation, err error) {
	c.IntVar(&s.Days, "days", 5, "how many `days`, at least 4")
	c.IntVar(&s.Articles, "articles", 1000, "`articles` a day")
	c.IntVar(&s.Good, "good", 50, "how many of them are `good`")
	c.IntVar(&s.Votes, "votes", 200, "how many `votes` a good one gets within a day, at least")
	c.Uint64Var(&s.Seed, "seed", 1, "of all chances; the same `seed` is the same run")
	worth := c.String("votes-per-day", "200,50", "how many `votes` are worth a day; each number is a run of its own")
	if err := c.parse(); err != nil {
		return s, err
	}
	if s.Days < MinDays || min(s.Articles, s.Good, s.Votes) < 1 || s.Good > s.Articles {
		return s, fmt.Errorf("-days is at least %d, the others 1, and -good at most -articles", MinDays)
	}
	for text := range strings.SplitSeq(*worth, ",") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return s, fmt.Errorf("-votes-per-day: %q is not a number", text)
		}
		rules, err := votesWorthADay(n)
		if err != nil {
			return s, fmt.Errorf("-votes-per-day: %w", err)
		}
		s.forums = append(s.forums, rules)
	}
	return s, nil
}

// simulate replays the site once for each number of votes a day, and prints the figures.
func simulate(ctx context.Context, c invocation) error {
	s, err := parseSimulation(c)
	if err != nil {
		return err
	}
	site := NewSite(s.Scale)
	runs := make([][]Sample, len(s.forums))
	for i, rules := range s.forums {
		if runs[i], err = s.run(ctx, site, rules); err != nil {
			return err
		}
	}
	const title = "%s articles a day, %d of them good: %d votes or more within a day; %s votes in %d days; seed %d\n\n"
	_, _ = fmt.Fprintf(c.out, title, importer.Thousands(int64(s.Articles)), s.Good, s.Votes,
		importer.Thousands(int64(len(site.Likes))), s.Days, s.Seed)
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "votes a day\tgood\tafter a day\tafter two\tall the day\tleave in hour\tgood on the page\t")
	for i, rules := range s.forums {
		writeFigures(table, rules, site.Look(runs[i]))
	}
	return table.Flush()
}

func writeFigures(table io.Writer, rules *activity.Rules, f Figures) {
	leave := strconv.Itoa(f.Stay)
	if 2*f.StillOn > f.Good {
		leave = "over " + leave
	}
	_, _ = fmt.Fprintf(table, "%d\t%d\t%s\t%s\t%s\t%s\t%.1f of %d\t\n", rules.Articles().VotesPerDay, f.Good,
		share(f.AfterDay, f.Good), share(f.AfterTwo, f.Good), share(f.Always, f.Good),
		leave, float64(f.OfPage)*Page/1_000, Page)
}

func share(n, of int) string {
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(1, of)))
}

// run runs the site through a store of its own.
func (s simulation) run(ctx context.Context, site *Site, rules *activity.Rules) (samples []Sample, err error) {
	server, err := testserver.StartRedis(ctx)
	if err != nil {
		return nil, err
	}
	defer server.Stop()
	client := redis.NewClient(server.Options())
	defer func() { _ = client.Close() }()
	a, err := newApp(ctx, client, rules, start)
	if err != nil {
		return nil, err
	}
	return replay(ctx, site, a.Recorder)
}

// newApp returns an App on an empty Redis and a table in memory, filled, whose clock stands.
func newApp(
	ctx context.Context, client redis.UniversalClient, rules *activity.Rules, now board.Moment,
) (*app.App, error) {
	c := &app.Config{
		Calendar: board.NewCalendar(time.UTC), Rules: rules, Shards: 1, HotDays: 3, HotMonths: 2, LedgerMonths: 13,
	}
	o := app.Defaults(c)
	o.Clock = now.Time
	a := app.New(c, client, embedded.New(now.Time), o)
	_, err := a.Recorder.Compare(ctx, record.CompareOptions{})
	return a, err
}
