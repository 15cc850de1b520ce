package live

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"laurel/shared/activity"
	"laurel/shared/article"
)

// maxCast is how many votes one run of vote.lua takes.
const maxCast = 1_000

// ballots are the votes among the activities of a batch. They are recorded beside
// the users' pages, in the same two round trips: the articles are read with the
// pages, the votes counted with the commits. Neither waits for the other's
// success; a vote that failed makes its activity's result an error, so that it is
// sent again, and both take that well.
//
// A user who is excluded while a vote is under way may have voted before.
type ballots struct {
	articles *Articles
	all      []*ballot
	read     *redis.SliceCmd // the pages of their articles, in their order
	open     bool            // some are not counted yet
}

// ballot is the votes for one article.
type ballot struct {
	id       string
	cast     []cast
	page     article.Page
	call     *call
	attempts int
	done     bool
	err      error
}

// cast is an activity that may be a vote, and its result.
type cast struct {
	act    activity.Activity
	result *Result
}

// counts says whether what came of the activity lets it be a vote.
func (c cast) counts() bool { return c.result.Err == nil && article.Votes(c.result.Status) }

// ballots gathers what may be votes by article.
func (s *Articles) ballots(tasks []*task) *ballots {
	b := &ballots{articles: s}
	last := map[string]*ballot{}
	for _, t := range tasks {
		for i, act := range t.activities {
			if !article.IsVote(act) {
				continue
			}
			one := last[act.Target]
			if one == nil || len(one.cast) == maxCast {
				one = &ballot{id: act.Target}
				last[act.Target] = one
				b.all = append(b.all, one)
			}
			one.cast = append(one.cast, cast{act, t.results[i]})
		}
	}
	b.open = len(b.all) > 0
	return b
}

// readIn adds the reading of the articles to a pipeline.
func (b *ballots) readIn(ctx context.Context, pipe redis.Pipeliner) {
	if !b.open {
		return
	}
	ids := make([]string, len(b.all))
	for i, one := range b.all {
		ids[i] = one.id
	}
	b.read = pipe.HMGet(ctx, articlePages, ids...)
}

// take takes in what was read. What is no article, or takes no votes, is done.
func (b *ballots) take() {
	if b.read == nil {
		return
	}
	for i, one := range b.all {
		if err := b.read.Err(); err != nil {
			one.end(unavailable("read articles", err))
			continue
		}
		page, _ := b.read.Val()[i].(string)
		one.take(page)
	}
	b.read = nil
}

func (b *ballot) take(page string) {
	if page == "" {
		b.end(nil)
		return
	}
	var err error
	if b.page, err = article.DecodePage(b.id, page); err != nil {
		b.end(fmt.Errorf("%w: %w", ErrStored, err))
		return
	}
	b.done = b.page.State != article.Voting
}

func (b *ballot) end(err error) { b.done, b.err = true, err }

// calls returns the votes to be counted next, by what the activities' receipts say.
func (b *ballots) calls() []*call {
	b.take()
	var calls []*call
	for _, one := range b.all {
		if one.done {
			continue
		}
		if one.call = b.articles.voteCall(one); one.call == nil {
			one.end(nil)
			continue
		}
		calls = append(calls, one.call)
	}
	return calls
}

// voteCall lays the keys and arguments of vote.lua out, nil when there is no vote.
func (s *Articles) voteCall(b *ballot) *call {
	var votes []any
	for _, c := range b.cast {
		if v, ok := s.rules.Vote(b.page.Article, c.act); ok && c.counts() {
			votes = append(votes, c.act.User, number(int64(v)))
		}
	}
	if len(votes) == 0 {
		return nil
	}
	return s.voteCallOf(b.page, votes)
}

func (s *Articles) voteCallOf(p article.Page, votes []any) *call {
	return &call{
		script: s.scripts.vote,
		keys:   append([]string{articlePages, articleVotes, votersKey(p.ID)}, hotLists(p)...),
		args:   append([]any{p.ID, p.Version, p.Member(), number(p.Seconds()), number(s.rules.VoteSeconds())}, votes...),
	}
}

// counted looks at the answers. What met a change of its article is tried again.
func (b *ballots) counted() {
	b.open = false
	for _, one := range b.all {
		if one.done {
			continue
		}
		reply, err := one.call.cmd.Result()
		page, _ := reply.(string)
		switch {
		case err != nil:
			one.end(unavailable("vote", err))
		case reply == scriptDone:
			one.end(nil)
		default:
			if one.attempts++; one.attempts == maxAttempts {
				one.end(fmt.Errorf("%w: article %q: %d attempts", ErrBusy, one.id, maxAttempts))
				continue
			}
			one.take(page)
		}
		b.open = b.open || !one.done
	}
}

// close makes errors of the results of votes that failed.
func (b *ballots) close() {
	for _, one := range b.all {
		for _, c := range one.cast {
			if one.err != nil && c.counts() {
				*c.result = Result{Err: one.err}
			}
		}
	}
}
