package audit

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// maxAsked is the maximum number of boards in one call of the script.
const maxAsked = 1_000

// A Holding is a user's pages and the closed-period set, read together.
type Holding struct {
	Owner
	Pages  ledger.Pages
	Others []string // fields that are no page
	Closed *board.Closed

	version string
	closed  *redisstore.ClosedSet
}

// Holdings reads all pages of users. The owners are in shards of the store.
func (in *Inspector) Holdings(ctx context.Context, owners []Owner) ([]Holding, error) {
	pipe := in.redis.Client().Pipeline()
	closed := map[int]*redis.StringCmd{}
	reads := make([]*redis.MapStringStringCmd, len(owners))
	for i, o := range owners {
		if closed[o.Shard] == nil {
			closed[o.Shard] = pipe.Get(ctx, redisstore.ClosedKey(o.Shard))
		}
		reads[i] = pipe.HGetAll(ctx, redisstore.PagesKey(o.Shard, o.User))
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, redisstore.Unavailable("read pages", err)
	}
	holdings := make([]Holding, len(owners))
	for i, o := range owners {
		fields, err := reads[i].Result()
		if err != nil {
			return nil, redisstore.Unavailable("read pages", err)
		}
		h := Holding{Owner: o, Pages: make(ledger.Pages, len(fields)), version: fields[redisstore.VersionField]}
		h.version = h.version[:min(redisstore.VersionLen, len(h.version))]
		value := closed[o.Shard].Val()
		state, err := in.redis.ReadClosed(o.Shard, value)
		if err != nil {
			return nil, err
		}
		h.Closed, h.closed = state.Periods, state
		for name, page := range fields {
			if key, ok := ledger.ParsePageKey(name); ok {
				h.Pages[key] = ledger.StoredPage(page, true)
			} else if name != redisstore.VersionField {
				h.Others = append(h.Others, name)
			}
		}
		holdings[i] = h
	}
	return holdings, nil
}

// A Question asks for a user's places on boards and in indexes.
type Question struct {
	Holding
	Months []board.MonthOf
	Boards []BoardAt // of the holding's shard
}

// An Answer has a user's places, read while the pages were those of the holding;
// otherwise Changed is true and the other fields mean nothing.
type Answer struct {
	Changed    bool
	Indexed    []bool   // by month
	Scores     []string // by board: the number in the sorted set, "" if the user is not on it
	Friends    []string // ids of the users whom the user follows
	Listed     bool     // in the index of users with a follow list
	Suppressed bool     // in the index of suppressed users
}

// Ask answers questions about users.
func (in *Inspector) Ask(ctx context.Context, questions []Question) ([]Answer, error) {
	var calls []*redisstore.Call
	parts := make([][]*redisstore.Call, len(questions))
	for i, q := range questions {
		for from := 0; from == 0 || from < len(q.Boards); from += maxAsked {
			c := in.askCall(q, q.Boards[from:min(from+maxAsked, len(q.Boards))])
			parts[i] = append(parts[i], c)
			calls = append(calls, c)
		}
	}
	in.redis.Run(ctx, calls...)
	answers := make([]Answer, len(questions))
	for i, q := range questions {
		for _, c := range parts[i] {
			if err := answers[i].take(q, c); err != nil {
				return nil, err
			}
		}
	}
	return answers, nil
}

func (in *Inspector) askCall(q Question, boards []BoardAt) *redisstore.Call {
	keys := []string{
		redisstore.PagesKey(q.Shard, q.User), redisstore.ClosedKey(q.Shard),
		redisstore.FriendsKey(q.Shard, q.User), redisstore.ListsKey(q.Shard), redisstore.SuppressedKey(q.Shard),
	}
	for _, m := range q.Months {
		keys = append(keys, redisstore.MonthKey(q.Shard, m))
	}
	for _, b := range boards {
		keys = append(keys, redisstore.BoardKey(q.Shard, b.Board, b.Period))
	}
	return &redisstore.Call{Script: in.inspectUser, Keys: keys, Args: []any{q.User, 2 + len(q.Months)}}
}

// take adds the reply of one call of the script.
func (a *Answer) take(q Question, c *redisstore.Call) error {
	reply, err := c.Cmd.Slice()
	if err != nil {
		return redisstore.Unavailable("inspect a user", err)
	}
	if len(reply) != 5 {
		return redisstore.Unreadable("the reply of inspect_user has not five parts")
	}
	indexed, _ := reply[2].([]any)
	scores, _ := reply[3].([]any)
	if reply[0] != q.version || reply[1] != q.closed.Version() {
		a.Changed = true
	}
	if len(indexed) != 2+len(q.Months) {
		return redisstore.Unreadable("the reply of inspect_user has another number of indexes")
	}
	a.Friends, a.Listed, a.Suppressed = redisstore.Texts(reply[4]), indexed[0] == int64(1), indexed[1] == int64(1)
	a.Indexed = make([]bool, len(q.Months))
	for i := range q.Months {
		a.Indexed[i] = indexed[2+i] == int64(1)
	}
	for i := range len(c.Keys) - 5 - len(q.Months) {
		score := ""
		if i < len(scores) {
			score, _ = scores[i].(string)
		}
		a.Scores = append(a.Scores, score)
	}
	return nil
}
