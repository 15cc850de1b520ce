package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/localserver"
	"laurel/shared/record"
	"laurel/shared/table/embedded"
	"laurel/shared/view"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		_, _ = fmt.Fprintf(os.Stderr, "simulation: %v\n", err)
		os.Exit(1)
	}
}

// options are the program's flags.
type options struct {
	Scale
	forums []*activity.Rules // one for each number of votes a day
	plot   string
	redis  string
	notes  io.Writer // gets a line for each virtual day
}

// parse reads the flags.
func parse(args []string, notes io.Writer) (options, error) {
	o := options{notes: notes}
	flags := flag.NewFlagSet("simulation", flag.ContinueOnError)
	flags.SetOutput(notes)
	flags.IntVar(&o.Days, "days", 5, "how many `days`, at least 4")
	flags.IntVar(&o.Articles, "articles", 1000, "`articles` a day")
	flags.IntVar(&o.Good, "good", 50, "how many of them are `good`")
	flags.IntVar(&o.Votes, "votes", 200, "how many `votes` a good one gets within a day, at least")
	flags.Uint64Var(&o.Seed, "seed", 1, "of all chances; the same `seed` is the same run")
	flags.StringVar(&o.plot, "plot", "", "draw the ranks over time of the first run into an SVG `file`")
	flags.StringVar(&o.redis, "redis", "",
		"`URL` of a Redis whose database is empty, and will be again (default: one in this process)")
	worth := flags.String("votes-per-day", "200,50", "how many `votes` are worth a day; each number is a run of its own")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %s", flags.Arg(0))
	}
	if err := o.Check(); err != nil {
		return o, fmt.Errorf("--%w", err)
	}
	for text := range strings.SplitSeq(*worth, ",") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return o, fmt.Errorf("--votes-per-day: %q is not a number", text)
		}
		rules, err := Rules(activity.Default(), n)
		if err != nil {
			return o, fmt.Errorf("--votes-per-day: %w", err)
		}
		o.forums = append(o.forums, rules)
	}
	return o, nil
}

// run replays the site once for each number of votes a day, and prints the figures.
func run(ctx context.Context, args []string, out, notes io.Writer) error {
	o, err := parse(args, notes)
	if err != nil {
		return err
	}
	site := NewSite(o.Scale)
	runs, err := o.replayAll(ctx, site)
	if err != nil {
		return err
	}
	const title = "%s articles a day, %d of them good: %d votes or more within a day; %s votes in %d days; seed %d\n\n"
	_, _ = fmt.Fprintf(out, title, importer.Thousands(int64(o.Articles)), o.Good, o.Votes,
		importer.Thousands(int64(len(site.Likes))), o.Days, o.Seed)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "votes a day\tgood\tafter a day\tafter two\tall the day\tleave in hour\tgood on the page\t")
	for i, rules := range o.forums {
		writeFigures(table, rules, site.Look(runs[i]))
	}
	if err := table.Flush(); err != nil || o.plot == "" {
		return err
	}
	file, err := os.Create(o.plot)
	if err != nil {
		return err
	}
	return errors.Join(site.Draw(runs[0], file), file.Close())
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

// replayAll makes the runs: side by side where each has a store of its own, else
// one after the other.
func (o options) replayAll(ctx context.Context, site *Site) ([][]Sample, error) {
	group, ctx := errgroup.WithContext(ctx)
	if o.redis != "" {
		group.SetLimit(1)
	}
	runs := make([][]Sample, len(o.forums))
	for i, rules := range o.forums {
		group.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				runs[i], err = o.replay(ctx, site, rules)
			}
			return err
		})
	}
	return runs, group.Wait()
}

// replay runs the site through a store of its own, and leaves it empty.
func (o options) replay(ctx context.Context, site *Site, rules *activity.Rules) (samples []Sample, err error) {
	address := o.redis
	if address == "" {
		started, stop, err := localserver.StartRedis()
		if err != nil {
			return nil, err
		}
		defer stop()
		address = started
	}
	client, err := view.Dial(address, false)
	if err != nil {
		return nil, fmt.Errorf("--redis: %w", err)
	}
	defer func() { _ = client.Close() }()
	if n, err := client.DBSize(ctx).Result(); err != nil {
		return nil, fmt.Errorf("look into the Redis: %w", err)
	} else if n > 0 {
		return nil, errors.New("the database of --redis is not empty; name another one")
	}
	// It is emptied after an interruption, too.
	defer func() { err = errors.Join(err, client.FlushDB(context.WithoutCancel(ctx)).Err()) }()
	store, err := open(ctx, client, rules)
	if err != nil {
		return nil, err
	}
	return Run(ctx, site, store, func(days int) {
		_, _ = fmt.Fprintf(o.notes, "%d votes a day: day %d of %d\n", rules.Articles().VotesPerDay, days, site.Days)
	})
}

// open opens a recorder on an empty Redis and a table in memory.
func open(ctx context.Context, client view.Client, rules *activity.Rules) (*record.Recorder, error) {
	memory, err := embedded.New(time.Now)
	if err != nil {
		return nil, err
	}
	a := app.New(&app.Config{
		Calendar: board.NewCalendar(time.UTC), Rules: rules, Shards: 1, HotDays: 3, HotMonths: 2,
	}, client, app.Options{Table: memory, Clock: start.Time})
	_, err = a.Recorder.Compare(ctx, record.CompareOptions{})
	return a.Recorder, err
}
