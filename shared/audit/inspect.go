package audit

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

//go:embed inspect_user.lua
var inspectUserSource string

// scanCount is the approximate number of members or keys of one step of a scan.
const scanCount = 500

// An Inspector reads and repairs everything in a store, for the audit. It trusts no
// index and takes as many round trips as it needs. It may be used beside writers.
type Inspector struct {
	redis       *redisstore.Store
	inspectUser *redisstore.Script
}

// NewInspector returns an inspector of the store.
func NewInspector(store *redisstore.Store) *Inspector {
	return &Inspector{redis: store, inspectUser: redisstore.NewScript(inspectUserSource)}
}

// An Owner is a user and the shard in which the pages were found.
type Owner struct {
	Shard int
	User  string
}

// A BoardAt is a shard's part of a board in a period.
type BoardAt struct {
	Shard  int          `json:"shard"`
	Board  string       `json:"board"`
	Period board.Period `json:"period"`
}

// A MonthAt is a shard's index of the users with a page of a month.
type MonthAt struct {
	Shard int           `json:"shard"`
	Month board.MonthOf `json:"month"`
}

// A Found is everything that a scan found beside users' pages.
type Found struct {
	Boards []BoardAt `json:"boards,omitempty"`
	Months []MonthAt `json:"months,omitempty"`
	Others []string  `json:"others,omitempty"` // keys of Laurel's that it would not have written
}

// Home returns the shard that a user belongs in.
func (in *Inspector) Home(user string) int { return in.redis.ShardOf(user) }

// Shards returns how many shards there are.
func (in *Inspector) Shards() int { return in.redis.Shards() }

// Size returns how many keys there are, Laurel's and others.
func (in *Inspector) Size(ctx context.Context) (int64, error) {
	n, err := in.redis.Client().DBSize(ctx).Result()
	if err != nil {
		return 0, redisstore.Unavailable("count keys", err)
	}
	return n, nil
}

// Scan goes over all keys and calls users with those who have pages, and followers
// with those who have a set of whom they follow, some at a time; one may be met
// twice. Users that come or go meanwhile may be met or not. It begins where at says, and
// moves that; when pause says so it stops there, with ErrPaused.
func (in *Inspector) Scan(ctx context.Context, at *Scanned, pause func() bool, users, followers func([]Owner) error,
) error {
	if at.Nodes == nil {
		at.Nodes = map[string]uint64{}
	}
	s := scan{Scanned: at, pause: pause, users: users, followers: followers}
	if cluster, ok := in.redis.Client().(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
			return s.node(ctx, node.Options().Addr, node)
		})
	}
	return s.node(ctx, "", in.redis.Client())
}

// Scanned is how far a scan is, and what it has found.
type Scanned struct {
	Nodes map[string]uint64 `json:"nodes,omitempty"` // cursors of Redis by address; 0: the end
	Found
}

// scan sorts keys by what they are; the nodes of a cluster are scanned at once.
type scan struct {
	*Scanned
	mu        sync.Mutex
	pause     func() bool // may be nil
	users     func([]Owner) error
	followers func([]Owner) error
}

// node scans one node to its end.
func (s *scan) node(ctx context.Context, address string, node redis.Cmdable) error {
	s.mu.Lock()
	cursor, begun := s.Nodes[address]
	s.mu.Unlock()
	for !begun || cursor != 0 {
		if s.pause != nil && s.pause() {
			return ErrPaused
		}
		keys, next, err := node.Scan(ctx, cursor, redisstore.KeyPrefix+"*", scanCount).Result()
		if err != nil {
			return redisstore.Unavailable("scan", err)
		}
		if err := s.take(keys, address, next); err != nil {
			return err
		}
		cursor, begun = next, true
	}
	return nil
}

// take takes the keys of one step of a node, whose next step is at a cursor.
func (s *scan) take(keys []string, address string, next uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var owners, followers []Owner
	for _, key := range keys {
		if articles.IsKey(key) { // no board follows from it
			continue
		}
		number, rest, _ := strings.Cut(strings.TrimPrefix(key, redisstore.KeyPrefix), "}:")
		shard, err := strconv.Atoi(number)
		kind, name, _ := strings.Cut(rest, ":")
		if err == nil && kind == "pages" {
			owners = append(owners, Owner{shard, name})
			continue
		}
		if err == nil && kind == "friends" {
			followers = append(followers, Owner{shard, name})
			continue
		}
		if err != nil || !s.sort(shard, kind, name) {
			s.Others = append(s.Others, key)
		}
	}
	if len(owners) > 0 {
		if err := s.users(owners); err != nil {
			return err
		}
	}
	if len(followers) > 0 {
		if err := s.followers(followers); err != nil {
			return err
		}
	}
	s.Nodes[address] = next
	return nil
}

func (s *scan) sort(shard int, kind, name string) bool {
	switch kind {
	case "board":
		boardName, p, ok := redisstore.ParsePeriodName(name)
		if at := (BoardAt{shard, boardName, p}); ok && !slices.Contains(s.Boards, at) {
			s.Boards = append(s.Boards, at)
		}
		return ok
	case "month":
		p, err := board.ParsePeriod(board.Month, name)
		if at := (MonthAt{shard, p.First().Month()}); err == nil && !slices.Contains(s.Months, at) {
			s.Months = append(s.Months, at)
		}
		return err == nil
	default:
		known := []string{"periods", "closed", "lists", "suppressed", "profiles", "voids", "run"}
		return name == "" && slices.Contains(known, kind)
	}
}

// Periods reads a shard's index of periods; others are members that are no period.
func (in *Inspector) Periods(ctx context.Context, shard int) (periods []BoardAt, others []string, err error) {
	members, err := in.redis.Client().SMembers(ctx, redisstore.PeriodsKey(shard)).Result()
	if err != nil {
		return nil, nil, redisstore.Unavailable("read the periods", err)
	}
	for _, member := range members {
		if name, p, ok := redisstore.ParsePeriodName(member); ok {
			periods = append(periods, BoardAt{shard, name, p})
		} else {
			others = append(others, member)
		}
	}
	return periods, others, nil
}

// IndexPeriod adds a board's period to its shard's index or, if enter is false, removes a
// member that is no period.
func (in *Inspector) IndexPeriod(ctx context.Context, shard int, member string, enter bool) error {
	change := in.redis.Client().SRem
	if enter {
		change = in.redis.Client().SAdd
	}
	if err := change(ctx, redisstore.PeriodsKey(shard), member).Err(); err != nil {
		return redisstore.Unavailable("repair the periods", err)
	}
	return nil
}

// Name returns the board's period as in the index of periods.
func (b BoardAt) Name() string { return redisstore.PeriodName(b.Board, b.Period) }

// Closed reads a shard's closed-period set.
func (in *Inspector) Closed(ctx context.Context, shard int) (*board.Closed, error) {
	value, err := in.redis.Client().Get(ctx, redisstore.ClosedKey(shard)).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return nil, redisstore.Unavailable("read the closed-period set", err)
	}
	state, err := in.redis.ReadClosed(shard, value)
	if err != nil {
		return nil, err
	}
	return state.Periods, nil
}

// Voids reads the void targets of a shard, each with the moment until which it is void.
func (in *Inspector) Voids(ctx context.Context, shard int) (map[string]board.Moment, error) {
	fields, err := in.redis.Client().HGetAll(ctx, redisstore.VoidsKey(shard)).Result()
	if err != nil {
		return nil, redisstore.Unavailable("read the voids", err)
	}
	delete(fields, redisstore.VoidsVersionField)
	voids := map[string]board.Moment{}
	for target, text := range fields {
		until, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, redisstore.Unreadable("the void of " + strconv.Quote(target))
		}
		voids[target] = board.Moment(until)
	}
	return voids, nil
}

// ScanBoard calls members with the users on a board, some at a time; a user may come
// twice.
func (in *Inspector) ScanBoard(ctx context.Context, at BoardAt, members func(users []string) error) error {
	key := redisstore.BoardKey(at.Shard, at.Board, at.Period)
	return in.scanMembers(ctx, members, 2, func(ctx context.Context, cursor uint64) *redis.ScanCmd {
		return in.redis.Client().ZScan(ctx, key, cursor, "", scanCount)
	})
}

// ScanMonth calls members with the users in a month's index, some at a time; a user may
// come twice.
func (in *Inspector) ScanMonth(ctx context.Context, at MonthAt, members func(users []string) error) error {
	key := redisstore.MonthKey(at.Shard, at.Month)
	return in.scanMembers(ctx, members, 1, func(ctx context.Context, cursor uint64) *redis.ScanCmd {
		return in.redis.Client().SScan(ctx, key, cursor, "", scanCount)
	})
}

// ScanPeople calls members with the users in a shard's indexes of users with a
// follow list and of suppressed users, some at a time; a user may come twice.
func (in *Inspector) ScanPeople(ctx context.Context, shard int, members func(users []string) error) error {
	for _, key := range []string{redisstore.ListsKey(shard), redisstore.SuppressedKey(shard)} {
		err := in.scanMembers(ctx, members, 1, func(ctx context.Context, cursor uint64) *redis.ScanCmd {
			return in.redis.Client().SScan(ctx, key, cursor, "", scanCount)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// scanMembers scans to the end; every step-th string is a member.
func (in *Inspector) scanMembers(ctx context.Context, members func([]string) error, step int,
	scan func(context.Context, uint64) *redis.ScanCmd,
) error {
	for cursor := uint64(0); ; {
		flat, next, err := scan(ctx, cursor).Result()
		if err != nil {
			return redisstore.Unavailable("scan", err)
		}
		users := make([]string, 0, len(flat)/step)
		for i := 0; i < len(flat); i += step {
			users = append(users, flat[i])
		}
		if len(users) > 0 {
			if err := members(users); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

// Paged reports for each user of a shard whether there is a page of one of the months, or
// any page if no month is given.
func (in *Inspector) Paged(ctx context.Context, shard int, users []string, months ...board.MonthOf) ([]bool, error) {
	pipe := in.redis.Client().Pipeline()
	asked := make([][]*redis.BoolCmd, len(users))
	held := make([]*redis.IntCmd, len(users))
	for i, user := range users {
		key := redisstore.PagesKey(shard, user)
		held[i] = pipe.Exists(ctx, key)
		for _, m := range months {
			asked[i] = append(asked[i], pipe.HExists(ctx, key, ledger.MonthPage(m).String()))
		}
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, redisstore.Unavailable("look for pages", err)
	}
	paged := make([]bool, len(users))
	for i := range users {
		paged[i] = len(months) == 0 && held[i].Val() > 0
		for _, has := range asked[i] {
			paged[i] = paged[i] || has.Val()
		}
	}
	return paged, nil
}
