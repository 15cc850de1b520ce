package articles

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// maxCast is how many votes one run of vote.lua takes.
const maxCast = 1_000

// Ballots are the votes among the activities of a batch. They are recorded beside
// the users' pages, in the same two round trips: the articles are read with the
// pages, the votes counted with the commits. Neither waits for the other's
// success; a vote that failed makes its activity's result an error, so that it is
// sent again, and both take that well. They are for one goroutine.
//
// A user who is excluded while a vote is under way may have voted before.
type Ballots struct {
	articles *Store
	all      []*ballot
	last     map[string]*ballot // by article: the one that takes more votes
	read     *redis.SliceCmd    // the pages of their articles, in their order
	open     bool               // some are not counted yet
}

// ballot is the votes for one article.
type ballot struct {
	id       string
	cast     []cast
	page     article.Page
	voters   *redis.SliceCmd // what those of cast have voted before, in their order
	call     *redisstore.Call
	attempts int
	done     bool
	err      error
}

// cast is an activity that may be a vote, with its result.
type cast struct {
	act     activity.Activity
	receipt *ledger.Receipt
	changed *ledger.Registers
	err     *error
}

// counts says whether what came of the activity lets it be a vote.
func (c cast) counts() bool { return *c.err == nil && article.Votes(c.receipt.Status) }

// Ballots returns the ballots of a batch, without any vote.
func (s *Store) Ballots() *Ballots { return &Ballots{articles: s, last: map[string]*ballot{}} }

// Add adds an activity if it may be a vote. Its result is at the pointers when Calls is
// called, which adds the vote to what it has changed; Close makes an error of the result
// if the vote failed.
//
//nolint:gocritic // the error is the caller's, to be read and set later
func (b *Ballots) Add(act activity.Activity, receipt *ledger.Receipt, changed *ledger.Registers, err *error) {
	if !article.IsVote(act) {
		return
	}
	one := b.last[act.Target]
	if one == nil || len(one.cast) == maxCast {
		one = &ballot{id: act.Target}
		b.last[act.Target] = one
		b.all = append(b.all, one)
	}
	one.cast = append(one.cast, cast{act, receipt, changed, err})
	b.open = true
}

// Open says whether some votes are not counted yet.
func (b *Ballots) Open() bool { return b.open }

// ReadIn adds the reading of the articles, and of the votes that there are, to a
// pipeline.
func (b *Ballots) ReadIn(ctx context.Context, pipe redis.Pipeliner) {
	if !b.open {
		return
	}
	ids := make([]string, len(b.all))
	for i, one := range b.all {
		ids[i] = one.id
		users := make([]string, len(one.cast))
		for i, c := range one.cast {
			users[i] = c.act.User
		}
		one.voters = pipe.HMGet(ctx, votersKey(one.id), users...)
	}
	b.read = pipe.HMGet(ctx, articlePages, withMark(ids)...)
}

// take takes in what was read. What is no article, or takes no votes, is done.
func (b *Ballots) take() {
	if b.read == nil {
		return
	}
	pages, err := b.read.Val(), b.read.Err()
	if err != nil {
		err = redisstore.Unavailable("read articles", err)
	} else {
		pages, err = b.articles.cutMark(pages)
	}
	for i, one := range b.all {
		switch failed := one.voters.Err(); {
		case err != nil:
			one.end(err)
			continue
		case failed != nil:
			one.end(redisstore.Unavailable("read votes", failed))
			continue
		}
		page, _ := pages[i].(string)
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
		b.end(fmt.Errorf("%w: %w: %w", redisstore.ErrStored, redisstore.ErrDamaged, err))
		return
	}
	b.done = b.page.State != article.Voting
}

func (b *ballot) end(err error) { b.done, b.err = true, err }

// Calls returns the votes to be counted next, by what the activities' receipts say.
func (b *Ballots) Calls() []*redisstore.Call {
	b.take()
	var calls []*redisstore.Call
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
func (s *Store) voteCall(b *ballot) *redisstore.Call {
	var votes []any
	for i, c := range b.cast {
		if v, ok := s.rules.Vote(b.page.Article, c.act); ok && c.counts() && v.And(b.before(i)) != b.before(i) {
			votes = append(votes, c.act.User, number(int64(v)), tombstoneOf(c.act.User))
			*c.changed |= ledger.Vote
		}
	}
	if len(votes) == 0 {
		return nil
	}
	return s.voteCallOf(b.page, votes)
}

// before returns what the user of a cast had voted when the votes were read. A vote only
// grows, but that its user is erased.
func (b *ballot) before(i int) article.Vote {
	text, _ := b.voters.Val()[i].(string)
	n, _ := strconv.ParseInt(text, 10, 64) // what is damaged is no vote
	return article.Vote(n)
}

func (s *Store) voteCallOf(p article.Page, votes []any) *redisstore.Call {
	return &redisstore.Call{
		Script: s.scripts.vote,
		Keys:   append([]string{articlePages, articleVotes, votersKey(p.ID), articleErased}, hotLists(p)...),
		Args:   append([]any{p.ID, p.Version, p.Member(), number(p.Seconds()), number(s.rules.VoteSeconds())}, votes...),
	}
}

// Counted looks at the answers. What met a change of its article is tried again.
func (b *Ballots) Counted() {
	b.open = false
	for _, one := range b.all {
		if one.done {
			continue
		}
		reply, err := one.call.Cmd.Result()
		page, _ := reply.(string)
		switch {
		case err != nil:
			one.end(redisstore.Unavailable("vote", err))
		case reply == redisstore.Done:
			one.end(nil)
		default:
			if one.attempts++; one.attempts == redisstore.MaxAttempts {
				one.end(fmt.Errorf("%w: article %q: %d attempts", redisstore.ErrBusy, one.id, redisstore.MaxAttempts))
				continue
			}
			one.take(page)
		}
		b.open = b.open || !one.done
	}
}

// Fail ends the votes that are not counted yet with an error.
func (b *Ballots) Fail(err error) {
	for _, one := range b.all {
		if !one.done {
			one.end(err)
		}
	}
	b.open = false
}

// Close makes errors of the results of votes that failed.
func (b *Ballots) Close() {
	for _, one := range b.all {
		for _, c := range one.cast {
			if one.err != nil && c.counts() {
				*c.receipt, *c.err = ledger.Receipt{}, one.err
			}
		}
	}
}
