// Command bench measures Laurel:
//
//	go run ./internal/bench http      two versions, by what a request costs
//	go run ./internal/bench memory    what users take in Redis and in the table
//	go run ./internal/bench simulate  the front page on days of a busy site (docs/articles.md)
//	go run ./internal/bench cost      what a forum costs in AWS in a month (docs/costs.md)
//
// All but cost need redis-server, all but memory and simulate the root of the repository.
//
// http compares an old commit and the working tree: a server (laurel dev), over HTTP, and
// the functions record and query, behind a local runtime API. Each version is built, gets a
// Redis of its own, and is filled through its own import and PUT /v1/users, so stored
// formats may differ. Everybody has a name, an avatar and a link; most users have 1 entry
// this month, 5,000 have 30 and 500 have 300. Then the versions take turns and get the same
// requests. A turn's figures are CPU of the process and of its Redis, from the kernel's
// account of their threads; allocations, which a file that only these builds contain
// (probe.txt) reports; round trips to Redis, as the functions' own metrics count them; and
// latency.
//
// Ratios are of the two turns of a round; the table has their median, and the least and the
// greatest. They hold on a busy machine; absolute figures are this machine's at this moment.
// With -base HEAD and nothing changed one sees how far apart two equal versions come. It
// needs Linux, git and tar. Old versions keep no more than 1,048,576 copies of profiles: on
// larger boards the server reads the others from its table. The functions are measured where
// the tables are behind DynamoDB's API (-dynamodb): they share them with the server.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// mostCopies is how many copies of profiles old versions keep in Redis.
const mostCopies = 1 << 20

// options are the flags of http.
type options struct {
	base        string
	users       []int
	rounds      int
	requests    int
	connections int
	only        *regexp.Regexp
	dynamodb    time.Duration
}

func parse(flags invocation) (o options, err error) {
	flags.StringVar(&o.base, "base", "before-rooms", "the old version, a commit")
	users := flags.String("users", "10000,100000,1000000", "sizes of the boards, at least 10000")
	large := flags.Bool("large", false, "10,000,000 users, too: 12 GB of memory")
	flags.IntVar(&o.rounds, "rounds", 11, "rounds that count; one more comes first")
	flags.DurationVar(&o.dynamodb, "dynamodb", 0, "keep the tables behind DynamoDB's API, so long a call; 0: in memory")
	flags.IntVar(&o.requests, "requests", 1000,
		"requests of a turn; a batch counts as 20, an invocation as 2")
	flags.IntVar(&o.connections, "connections", 8, "connections of the HTTP client")
	only := flags.String("only", "", "what to measure, by a regular expression: 'lambda', 'http (top|around)'")
	if err := flags.parse(); err != nil {
		return o, err
	}
	for size := range strings.SplitSeq(*users, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 10_000 {
			return o, fmt.Errorf("-users: %q is not a number from 10000 on", size)
		}
		o.users = append(o.users, n)
	}
	if *large {
		o.users = append(o.users, 10_000_000)
	}
	if o.rounds < 1 || o.requests < 100 || o.connections < 1 {
		return o, errors.New("-rounds and -connections are at least 1, -requests 100")
	}
	o.only, err = regexp.Compile(*only)
	return o, err
}

func compareVersions(ctx context.Context, c invocation) error {
	o, err := parse(c)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	progress("build %s and the working tree", o.base)
	if err := build(ctx, o.base, dir); err != nil {
		return err
	}
	var rows []row
	for _, users := range o.users {
		measured, err := measure(ctx, o, dir, users)
		if err != nil {
			return fmt.Errorf("boards of %d users: %w", users, err)
		}
		rows = append(rows, measured...)
	}
	return writeTable(c.out, rows)
}

// measure compares the versions on boards of so many users.
func measure(ctx context.Context, o options, dir string, users int) ([]row, error) {
	ctx, stop := context.WithCancel(ctx)
	var sides [2]*side
	for i, name := range []string{"old", "new"} {
		sides[i] = &side{name: name, dir: filepath.Join(dir, name)}
	}
	defer func() {
		stop() // this kills the processes
		for _, s := range sides {
			s.running.Wait()
		}
	}()
	now := time.Now()
	if err := writeHistory(dir+"/history.csv", users, now); err != nil {
		return nil, err
	}
	progress("fill two stores with %d users", users)
	var filling sync.WaitGroup
	var failed [len(sides)]error
	for i, s := range sides {
		filling.Go(func() { failed[i] = s.start(ctx, o, dir+"/history.csv", users) })
	}
	filling.Wait()
	if err := errors.Join(failed[:]...); err != nil {
		return nil, err
	}
	var rows []row
	all := scenarios(users)
	for _, through := range []string{viaHTTP, viaLambda} { // the functions' empty table may take names out of Redis
		measured, err := measureThrough(ctx, o, sides, through, all)
		if err != nil {
			return nil, err
		}
		rows = append(rows, measured...)
	}
	return rows, nil
}

// measureThrough measures the scenarios through a server or the functions, by rounds.
func measureThrough(ctx context.Context, o options, sides [2]*side, through string, all []scenario) ([]row, error) {
	var rows []row
	for _, s := range all {
		if o.only.MatchString(through + " " + s.name) {
			rows = append(rows, row{scenario: s, through: through})
		}
	}
	progress("measure %d scenarios through %s", len(rows), through)
	for round := range o.rounds + 1 {
		for i := range rows {
			if err := rows[i].round(ctx, o, sides, round); err != nil {
				return nil, fmt.Errorf("%s %s: %w", through, rows[i].name, err)
			}
		}
	}
	return rows, nil
}

// round gives each side its turn, another one first in the next round. The first round is
// for warming up.
func (r *row) round(ctx context.Context, o options, sides [2]*side, round int) error {
	n := o.requests / r.cost
	if r.through == viaLambda {
		n /= 2
	}
	requests := r.requests(n)
	if r.through == viaLambda && r.users > mostCopies {
		for i := range requests {
			requests[i].want = "" // there may be no name
		}
	}
	for k := range sides {
		i := (k + round) % len(sides)
		turn, err := sides[i].turn(ctx, r.through, requests, o.connections)
		if err != nil {
			return fmt.Errorf("%s: %w", sides[i].name, err)
		}
		if round > 0 {
			r.turns[i] = append(r.turns[i], turn)
		}
	}
	return nil
}

func progress(format string, args ...any) {
	_, _ = fmt.Fprintf(os.Stderr, time.Now().Format(time.TimeOnly)+"  "+format+"\n", args...)
}
