package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"laurel/internal/simulation"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/localserver"
)

// simulateCommand has a subcommand for each thing to be simulated.
type simulateCommand struct {
	FrontPage frontPageCommand `cmd:"" help:"Days of a busy site: do good articles stay among the first 100?"`
}

type frontPageCommand struct {
	Days        int     `default:"5" help:"How many days, at least 4 (default: 5)." placeholder:"N"`
	Articles    int     `default:"1000" help:"Articles a day (default: 1000)." placeholder:"N"`
	Good        int     `default:"50" help:"How many of them are good (default: 50)." placeholder:"N"`
	Votes       int     `default:"200" help:"How many votes a good one gets within a day, at least (default: 200)." placeholder:"N"`
	VotesPerDay []int64 `default:"200,50" help:"How many votes are worth a day; each number is a run of its own (default: 200,50)." placeholder:"N"`
	Seed        uint64  `default:"1" help:"Of all chances; the same seed is the same run (default: 1)." placeholder:"N"`
	Plot        string  `help:"Draw the ranks over time into a file, .svg or .png, those of the first run." placeholder:"FILE"`
	Redis       string  `env:"LAUREL_REDIS_URL" group:"Store" help:"A Redis whose database is empty, and will be again (default: one in this process)." placeholder:"URL"`
}

// Help is what the command's help says beside its flags.
func (frontPageCommand) Help() string {
	return `Articles and votes of several days go through the store in virtual time, an hour at once. Of all articles the good ones get many votes within a day, the others few. The table says how many of the good were among the first 100 of the hot list at the first full hour at which they were a day old, and two days; how many were there at each hour from the third to the 24th; and in which hour after publishing they left it for good, the median. Counted are those of the second day until two days before the end.

  laurel simulate front-page --plot ranks.svg`
}

// errNotEmpty is the error about a database that would have to be emptied.
const errNotEmpty = textError("the database of --redis is not empty; name another one")

// Run replays the site once for each number of votes a day.
func (c frontPageCommand) Run(ctx context.Context, std streams) error {
	scale := simulation.Scale{Days: c.Days, Articles: c.Articles, Good: c.Good, Votes: c.Votes, Seed: c.Seed}
	if err := scale.Check(); err != nil {
		return usageError{textError("--" + err.Error())}
	}
	format := ""
	if c.Plot != "" {
		var err error
		if format, err = simulation.Format(c.Plot); err != nil {
			return usageError{err}
		}
	}
	var forums []*activity.Rules
	for _, n := range c.VotesPerDay {
		rules, err := simulation.Rules(activity.Default(), n)
		if err != nil {
			return usageError{err}
		}
		forums = append(forums, rules)
	}
	site := simulation.NewSite(scale)
	var recorded atomic.Int64
	stop := watch(std.err, work{
		Name: "front page", Unit: "votes", Total: int64(len(site.Likes) * len(forums)), Done: recorded.Load, Count: recorded.Load,
	})
	defer stop()
	runs, err := c.replayAll(ctx, site, forums, &recorded)
	stop()
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(std.out, "%s articles a day, %d of them good: %d votes or more within a day; %s votes in %d days; seed %d\n\n", importer.Thousands(int64(c.Articles)),
		c.Good, c.Votes, importer.Thousands(int64(len(site.Likes))), c.Days, c.Seed)
	table := newTable(std.out)
	_, _ = fmt.Fprintln(table, "votes a day\tgood\tafter a day\tafter two\tall the day\tleave in hour\tgood on the page\t")
	for i, rules := range forums {
		writeFigures(table, rules, site.Look(runs[i]))
	}
	if err := table.Flush(); err != nil || format == "" {
		return err
	}
	return drawFile(c.Plot, format, site, runs[0])
}

// replayAll makes the runs: side by side where each has a store of its own, else
// one after the other.
func (c frontPageCommand) replayAll(ctx context.Context, site *simulation.Site, forums []*activity.Rules, recorded *atomic.Int64) ([][]simulation.Sample, error) {
	group, ctx := errgroup.WithContext(ctx)
	if c.Redis != "" {
		group.SetLimit(1)
	}
	runs := make([][]simulation.Sample, len(forums))
	for i, rules := range forums {
		group.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				runs[i], err = c.replay(ctx, site, rules, recorded)
			}
			return err
		})
	}
	return runs, group.Wait()
}

func writeFigures(table io.Writer, rules *activity.Rules, f simulation.Figures) {
	leave := strconv.Itoa(f.Stay)
	if 2*f.StillOn > f.Good {
		leave = "over " + leave
	}
	_, _ = fmt.Fprintf(table, "%d\t%d\t%s\t%s\t%s\t%s\t%.1f of %d\t\n", rules.Articles().VotesPerDay, f.Good,
		share(f.AfterDay, f.Good), share(f.AfterTwo, f.Good), share(f.Always, f.Good), leave, float64(f.OfPage)*simulation.Page/1_000, simulation.Page)
}

func share(n, of int) string {
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(1, of)))
}

// replay runs the site through a store of its own, and leaves it empty.
func (c frontPageCommand) replay(ctx context.Context, site *simulation.Site, rules *activity.Rules, recorded *atomic.Int64) (samples []simulation.Sample, err error) {
	address := c.Redis
	if address == "" {
		embedded, stop, err := localserver.StartRedis()
		if err != nil {
			return nil, err
		}
		defer stop()
		address = embedded
	}
	client, err := live.Dial(address, false)
	if err != nil {
		return nil, usageError{err}
	}
	defer func() { _ = client.Close() }()
	if n, err := client.DBSize(ctx).Result(); err != nil {
		return nil, fmt.Errorf("look into the Redis: %w", err)
	} else if n > 0 {
		return nil, usageError{errNotEmpty}
	}
	defer func() { err = errors.Join(err, emptied(ctx, client)) }()
	return simulation.Run(ctx, site, live.New(client, ledger.New(rules, board.NewCalendar(time.UTC)), 1), recorded)
}

// emptied empties the database, also after an interruption.
func emptied(ctx context.Context, client redis.UniversalClient) error {
	return client.FlushDB(context.WithoutCancel(ctx)).Err()
}

// drawFile draws the picture into a file.
func drawFile(path, format string, site *simulation.Site, samples []simulation.Sample) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(site.Draw(samples, format, file), file.Close())
}
