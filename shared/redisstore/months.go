package redisstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/ledger"
)

// indexLen is about how many users of a board are put into the index of a month at once.
const indexLen = 500

// MonthBoards lists a shard's boards of a month, as the index of periods names them, by name.
func (s *Store) MonthBoards(ctx context.Context, shard int, month board.MonthOf) (names []string, err error) {
	pipe := s.client.Pipeline()
	index := pipe.SMembers(ctx, PeriodsKey(shard))
	if err := s.ExecMarked(ctx, pipe, "list the boards of a month", shard); err != nil {
		return nil, err
	}
	return monthBoards(index.Val(), month), nil
}

func monthBoards(periods []string, month board.MonthOf) (names []string) {
	for _, member := range periods {
		if name, p, ok := ParsePeriodName(member); ok && p == board.PeriodOf(board.Month, month.First()) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// MonthUsers lists some of the users of a shard who have a page of a month, about count, and
// returns where to go on: from is "" for the first, next after the last. It goes over the
// month's boards and then its index, which has those who are on none: who leaves a board
// meanwhile is met there. Some are met twice.
func (s *Store) MonthUsers(ctx context.Context, shard int, month board.MonthOf, from string, count int64) (
	users []string, next string, err error,
) {
	number, name, _ := strings.Cut(from, "/")
	cursor, _ := strconv.ParseUint(number, 10, 64) // 0 is the first
	if from == "" {
		boards, err := s.MonthBoards(ctx, shard, month)
		if err != nil {
			return nil, "", err
		}
		if len(boards) > 0 {
			name = boards[0]
		}
	}
	pipe := s.client.Pipeline()
	index := pipe.SMembers(ctx, PeriodsKey(shard))
	var scan *redis.ScanCmd
	if name == "" {
		scan = pipe.SScan(ctx, MonthKey(shard, month), cursor, "", count)
	} else {
		scan = pipe.ZScan(ctx, BoardKey(shard, name, board.PeriodOf(board.Month, month.First())), cursor, "", count)
	}
	if err := s.ExecMarked(ctx, pipe, "list the users of a month", shard); err != nil {
		return nil, "", err
	}
	users, cursor = scan.Val()
	if name != "" {
		users = membersOf(users)
	}
	if cursor == 0 && name == "" {
		return users, "", nil
	}
	if boards := monthBoards(index.Val(), month); cursor == 0 {
		i, _ := slices.BinarySearch(boards, name+"\x00")
		name = append(boards[i:], "")[0]
	}
	return users, strconv.FormatUint(cursor, 10) + "/" + name, nil
}

// membersOf returns the members of what ZSCAN answers.
func membersOf(pairs []string) []string {
	members := make([]string, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, pairs[i])
	}
	return members
}

// IndexMonth puts the users of a shard's board of a month who have a page of the month into
// its index, before the board is removed. The month is closed: nobody gets a page meanwhile,
// and who is erased is taken out by the erasure, or here. It may be done again.
func (s *Store) IndexMonth(ctx context.Context, shard int, name string, p board.Period) error {
	month := p.First().Month()
	index, page := MonthKey(shard, month), ledger.MonthPage(month).String()
	for cursor := uint64(0); ; {
		pairs, next, err := s.client.ZScan(ctx, BoardKey(shard, name, p), cursor, "", indexLen).Result()
		if err != nil {
			return Unavailable("list a board", err)
		}
		if users := membersOf(pairs); len(users) > 0 {
			if err := s.indexUsers(ctx, shard, index, page, users); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

// indexUsers puts users into an index, and takes those out of it who have no page then.
func (s *Store) indexUsers(ctx context.Context, shard int, index, page string, users []string) error {
	pipe := s.client.Pipeline()
	pipe.SAdd(ctx, index, anys(users)...)
	has := make([]*redis.BoolCmd, len(users))
	for i, user := range users {
		has[i] = pipe.HExists(ctx, PagesKey(shard, user), page)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return Unavailable("index the users of a month", err)
	}
	var none []any
	for i, user := range users {
		if !has[i].Val() {
			none = append(none, user)
		}
	}
	if len(none) == 0 {
		return nil
	}
	if err := s.client.SRem(ctx, index, none...).Err(); err != nil {
		return Unavailable("index the users of a month", err)
	}
	return nil
}

func anys(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}
