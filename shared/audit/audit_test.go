package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/pages"
)

var history = ledger.Arrival{Now: board.Latest - 1, AnyAge: true}

// scene is a store with something in it.
type scene struct {
	client *redis.Client
	ledger *ledger.Ledger
	shards int
	kept   *kept // nil: there is no table
}

// kept is the evidence of a table: rows by user.
type kept struct {
	rows  map[string][]ledger.Row
	store *live.Store
}

// Begin keeps the rows of a request.
func (k *kept) Begin() func(context.Context, []ledger.Row) error {
	return func(_ context.Context, rows []ledger.Row) error {
		for _, r := range rows {
			k.rows[r.User] = append(k.rows[r.User], r)
		}
		return nil
	}
}

// Mend merges all rows.
func (k *kept) Mend(ctx context.Context, _ []string) error {
	for user, rows := range k.rows {
		if _, _, err := k.store.MergeSound(ctx, []pages.UserRows{{User: user, Rows: rows}}, true); err != nil {
			return err
		}
	}
	return nil
}

// Rows calls each with the rows of users.
func (k *kept) Rows(_ context.Context, asked func(string) bool, each func(string, []ledger.Row) error) error {
	for user, rows := range k.rows {
		if asked(user) {
			if err := each(user, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// Status knows of nobody hidden.
func (*kept) Status(string) string { return "" }

// Erased says that gus was.
func (*kept) Erased(user string) bool { return user == "gus" }

func (s scene) store() *live.Store {
	store := live.New(s.client, s.ledger, s.shards)
	if s.kept != nil {
		store.Keep(s.kept)
		s.kept.store = store
	}
	return store
}

func (s scene) record(t *testing.T, activities []activity.Activity) {
	t.Helper()
	for _, r := range s.store().Record(t.Context(), activities, history) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
}

// run does an audit, in slices of a step each, and returns what it has found, a line each.
func (s scene) run(t *testing.T, repair bool) (lines []string, totals audit.Totals) {
	t.Helper()
	lines, totals, err := s.try(t.Context(), repair)
	if err != nil {
		t.Fatal(err)
	}
	return lines, totals
}

func (s scene) try(ctx context.Context, repair bool) (lines []string, totals audit.Totals, err error) {
	var cursor []byte
	for n := 0; ; n++ {
		steps := 0
		a := &audit.Auditor{
			Store: audit.NewInspector(s.store().Redis()), Ledger: s.ledger, Apply: repair, Cursor: &audit.Cursor{},
			Report: func(f audit.Finding) { lines = append(lines, f.String()) },
			Pause:  func() bool { steps++; return steps > 1 },
		}
		if s.kept != nil {
			a.Evidence = s.kept
		}
		if cursor != nil {
			if err := json.Unmarshal(cursor, a.Cursor); err != nil {
				return lines, totals, err
			}
		}
		if totals, err = a.Run(ctx); !errors.Is(err, audit.ErrPaused) || n > 1_000 {
			return lines, totals, err
		}
		if cursor, err = json.Marshal(a.Cursor); err != nil {
			return lines, totals, err
		}
	}
}

// change gives a user another status, or another follow list.
func (s scene) change(t *testing.T, rng *rand.Rand, user string) {
	t.Helper()
	var err error
	switch rng.IntN(6) {
	case 5:
		err = s.store().Shadow(t.Context(), user)
	case 0, 1:
		err = s.store().SetHidden(t.Context(), user, rng.IntN(2) == 0)
	case 2:
		err = s.store().SetExclusion(t.Context(), user, rng.IntN(3) == 0)
	case 3:
		_, err = s.store().EraseUser(t.Context(), user)
	default:
		err = s.store().ReplaceFollowing(t.Context(), user, []string{"ada's", "zoe"}, board.MomentOf(time.Now()))
	}
	if err != nil && !errors.Is(err, ledger.ErrExcluded) {
		t.Fatal(err)
	}
}

func (s scene) clean(t *testing.T) {
	t.Helper()
	if lines, _ := s.run(t, false); len(lines) > 0 {
		t.Errorf("the audit is not clean:\n%s", strings.Join(lines, "\n"))
	}
}

// Whatever is recorded, of any shape, in any number of shards, an audit of it is
// clean.
func TestWhatIsRecordedIsClean(t *testing.T) {
	t.Parallel()
	for i := range 12 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(i), 5))
			forum, err := stream.NewForum(rng)
			if err != nil {
				t.Fatal(err)
			}
			s := scene{testserver.Redis(t), ledger.New(forum.Rules, forum.Calendar), 1 + i%3, nil}
			users := []string{"ada", "bob", "-1", "9007199254740993", "é", "a:b", "{x}", "g h"}
			for n, batch := range stream.Deliver(rng, forum.Activities(rng, 2000, users), 80) {
				if s.record(t, batch); n%3 == 0 {
					s.change(t, rng, users[rng.IntN(len(users))])
				}
			}
			if i%4 == 0 { // closed periods are not checked, and do not disturb
				name, day := forum.Rules.Boards()[0], board.PeriodOf(board.Day, forum.From+3)
				if err := s.store().ClosePeriod(t.Context(), name, day); err != nil {
					t.Fatal(err)
				}
			}
			s.clean(t)
			if _, totals := s.run(t, false); totals.Users == 0 || totals.Users > int64(len(users)) || totals.Boards == 0 ||
				totals.Members == 0 {
				t.Errorf("looked at %+v", totals)
			}
		})
	}
}

// small is a forum with two users: ann liked 1 and visited 2 on the 20th and
// walked; ben commented on the 20th and liked on the 1st of the month after.
func small(t *testing.T, shards int) scene {
	t.Helper()
	s := scene{
		testserver.Redis(t), ledger.New(activity.Default(), board.NewCalendar(time.UTC)), shards,
		&kept{rows: map[string][]ledger.Row{}},
	}
	at := func(text string) board.Moment {
		m, err := board.ParseMoment(text)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	s.record(t, []activity.Activity{
		{User: "ann", Action: "like", Target: "1", At: at("2026-11-20T10:00:00Z")},
		{User: "ann", Action: "visit", Target: "2", At: at("2026-11-20T11:00:00Z")},
		{User: "ann", Action: "steps", Value: new(int64(5000)), At: at("2026-11-20T12:00:00Z")},
		{User: "ben", Action: "comment", Target: "1", At: at("2026-11-20T10:00:00Z")},
		{User: "ben", Action: "like", Target: "1", At: at("2026-12-01T10:00:00Z")},
		{User: "ben", Action: "follow", Target: "ann", At: at("2026-12-01T10:00:00Z")},
	})
	return s
}

const (
	annPages = "laurel:{0}:pages:ann"
	benPages = "laurel:{0}:pages:ben"
	dayBoard = "laurel:{0}:board:activity:day:2026-11-20"
)

// Everything that is proved is found, told once and mended: then everything is as it was
// before the harm. A dry run writes nothing. Without a table nothing is removed.
func TestFoundAndRepaired(t *testing.T) {
	t.Parallel()
	// Those that say something themselves.
	others := []string{"a hidden user on boards", "missing in an index", "an excluded user not suppressed"}
	for _, test := range []struct {
		name string
		harm [][]any
		want []string // pieces of the lines found, in any order
	}{
		{"a score too high", [][]any{{"ZINCRBY", dayBoard, -(1 << 27), "ann"}}, []string{
			"score     user ann, board activity day 2026-11-20: 4 points, reached at tick 39600000, should be: 3 points, " +
				"reached at tick 39600000",
		}},
		{
			"reached later",
			[][]any{{"ZINCRBY", "laurel:{0}:board:activity:month:2026-12", 1, "ben"}},
			[]string{"board activity month 2026-12: 4 points"},
		},
		{"a score missing", [][]any{{"ZREM", dayBoard, "ann"}}, []string{"not on it, should be: 3 points"}},
		{
			"a whole board missing",
			[][]any{{"DEL", dayBoard}},
			[]string{
				"user ann, board activity day 2026-11-20: not on it",
				"user ben, board activity day 2026-11-20: not on it",
			},
		},
		{
			"a board and its period missing",
			[][]any{{"DEL", dayBoard}, {"SREM", "laurel:{0}:periods", "activity:day:2026-11-20"}},
			[]string{"user ann", "user ben"},
		},
		{
			"a score too many in a month with a page",
			[][]any{{"ZADD", "laurel:{0}:board:steps:day:2026-11-20", -(5 << 27), "ben"}},
			[]string{"user ben, board steps day 2026-11-20: 5 points, reached at tick 0, should be: not on it"},
		},
		{
			"a number that is no score",
			[][]any{{"ZADD", dayBoard, "1.5", "ann"}},
			[]string{"the number 1.5, which is no score, should be: 3 points"},
		},
		{"zero as a score", [][]any{{"ZADD", dayBoard, "0", "ann"}}, []string{"the number 0, which is no score"}},
		{
			"a month's page lost, its day's there",
			[][]any{{"HDEL", benPages, "2026-11"}},
			[]string{"page 2026-11: missing, should be: the summary of its entries"},
		},
		{"a month's page lost whole", [][]any{{"HDEL", benPages, "2026-12"}}, nil},
		{"all pages lost", [][]any{{"DEL", annPages}}, nil},
		{
			"missing in an index",
			[][]any{
				{"HSET", annPages, "status", ledger.UserStatus{Hidden: true}.Page()},
				{"SADD", "laurel:{0}:suppressed", "ann"},
				{"ZREM", dayBoard, "ann"},
				{"ZREM", "laurel:{0}:board:activity:month:2026-11", "ann"},
				{"ZREM", "laurel:{0}:board:steps:day:2026-11-20", "ann"},
				{"ZREM", "laurel:{0}:board:steps:month:2026-11", "ann"},
			},
			[]string{"user ann, users of 2026-11: not in it, should be: in it"},
		},
		{
			"a period missing in the index",
			[][]any{{"SREM", "laurel:{0}:periods", "activity:day:2026-11-20"}},
			[]string{"periods of shard 0: board activity day 2026-11-20 is not in it"},
		},
		{"a follower's pages lost", [][]any{{"DEL", benPages}}, nil},
		{
			"a damaged month",
			[][]any{{"HSET", annPages, "2026-11", "\x01rubbish"}},
			[]string{"damaged   user ann, page 2026-11: page 2026-11: damaged data"},
		},
		{
			"a damaged day and a month without a byte",
			[][]any{{"HSET", annPages, "2026-11-20", "x", "2026-11", ""}},
			[]string{"damaged   user ann, page 2026-11-20", "damaged   user ann, page 2026-11:"},
		},
		{
			"a damaged follow list and status",
			[][]any{{"HSET", benPages, "follows", "x"}},
			[]string{"damaged   user ben, page follows"},
		},
		{"a version too long", [][]any{{"HSET", benPages, "v", "123456789"}}, nil},
		{"a follow list lost", [][]any{{"DEL", "laurel:{0}:friends:ben"}}, []string{
			"user ben, follow list: 0 on it, should be: 1, whose ids are lost",
		}},
		{
			"missing among those who follow",
			[][]any{{"SREM", "laurel:{0}:lists", "ben"}},
			[]string{"user ben, users with a follow list: not in it, should be: in it"},
		},
		{
			"too many among those who follow",
			[][]any{{"SADD", "laurel:{0}:lists", "ann", "eve"}},
			[]string{"user ann, users with a follow list: in it", "user eve, users with a follow list: in it"},
		},
		{
			"users suppressed by mistake",
			[][]any{{"SADD", "laurel:{0}:suppressed", "ann", "eve"}},
			[]string{"user ann, suppressed users: in it, should be: not in it", "user eve, suppressed users: in it"},
		},
		{
			"a hidden user on boards",
			[][]any{
				{"HSET", annPages, "status", ledger.UserStatus{Hidden: true}.Page()},
				{"SADD", "laurel:{0}:suppressed", "ann"},
			},
			[]string{
				"activity day 2026-11-20: 3 points, reached at tick 39600000, should be: not on it", "activity month 2026-11",
				"steps day 2026-11-20", "steps month 2026-11", "users of 2026-11: not in it, should be: in it",
			},
		},
		{
			"an excluded user not suppressed",
			[][]any{{"HSET", "laurel:{0}:pages:eve", "v", "12345678", "status", ledger.UserStatus{Excluded: true}.Page()}},
			[]string{
				"user eve, suppressed users: not in it, should be: in it",
			},
		},
		{
			"nonsense in the index",
			[][]any{{"SADD", "laurel:{0}:periods", "activity:day:2026-11-31"}},
			[]string{"activity:day:2026-11-31 is not the period of a board"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := small(t, 1)
			s.clean(t)
			before := stateOf(t, s.client)
			for _, command := range test.harm {
				if err := s.client.Do(t.Context(), command...).Err(); err != nil {
					t.Fatal(err)
				}
			}
			harmed := dump(t, s.client)
			lines, totals := s.run(t, false)
			matches(t, lines, test.want)
			if totals.Found != len(test.want) || totals.Repaired != 0 {
				t.Errorf("totals %+v", totals)
			}
			for _, l := range lines {
				if !strings.HasSuffix(l, " (--apply repairs it)") && test.name != "a follow list lost" {
					t.Errorf("a dry run: %s", l)
				}
			}
			if diff := cmp.Diff(harmed, dump(t, s.client)); diff != "" {
				t.Error("a dry run has written")
			}
			if _, totals = s.run(t, true); totals.Unrepaired != 0 {
				t.Errorf("totals of the repair %+v", totals)
			}
			s.clean(t)
			if diff := cmp.Diff(before, stateOf(t, s.client)); diff != "" && !slices.Contains(others, test.name) {
				t.Errorf("not as it was (-before +after):\n%s", diff)
			}
		})
	}
}

// stateOf is the whole database without the versions of pages.
func stateOf(t *testing.T, client *redis.Client) map[string]any {
	t.Helper()
	state := harness.Everything(t, client)
	for _, value := range state {
		if fields, ok := value.(map[string]string); ok {
			delete(fields, "v")
		}
	}
	return state
}

// What nothing proves is told and kept, with a table and without.
func TestWhatNothingProvesIsKept(t *testing.T) {
	t.Parallel()
	const nobodys = " (kept: neither the pages nor what was accepted prove that it is wrong)"
	for name, test := range map[string]struct {
		harm  [][]any
		want  []string
		table bool // with a table, too
	}{
		"a score in a month without a page": {
			[][]any{
				{"ZADD", "laurel:{0}:board:activity:day:2026-10-01", -(5 << 27), "ann"},
				{"SADD", "laurel:{0}:periods", "activity:day:2026-10-01"},
			},
			[]string{"user ann, board activity day 2026-10-01: 5 points, reached at tick 0, should be: not on it" + nobodys},
			true,
		},
		"a member of a board without a page": {
			[][]any{{"ZADD", dayBoard, -(5 << 27), "eve x"}},
			[]string{`user "eve x", board activity day 2026-11-20: 5 points, reached at tick 0, should be: not on it` + nobodys},
			true,
		},
		"a board that the rules do not keep": {
			[][]any{
				{"ZADD", "laurel:{0}:board:chess:day:2026-11-20", -(5 << 27), "ann"},
				{"SADD", "laurel:{0}:periods", "chess:day:2026-11-20"},
			},
			[]string{"board chess day 2026-11-20: a board that the rules do not keep (kept: the night archives it)"},
			true,
		},
		"indexes with users without pages": {
			[][]any{{"SADD", "laurel:{0}:month:2026-11", "eve"}, {"SADD", "laurel:{0}:month:2025-01", "ann"}},
			[]string{
				"user eve, users of 2026-11: in it, should be: not in it: there is no page" + nobodys,
				"user ann, users of 2025-01: in it, should be: not in it: there is no page" + nobodys,
			},
			true,
		},
		"somebody unknown on a follow list": {
			[][]any{{"ZADD", "laurel:{0}:friends:ben", 0, "eve"}},
			[]string{"user ben, follow list: eve is on it, should be: not on it" + nobodys},
			true,
		},
		"a higher score": {
			[][]any{{"ZINCRBY", dayBoard, -(1 << 27), "ann"}},
			[]string{"4 points, reached at tick 39600000, should be: 3 points"},
			false,
		},
		"pages that are lost": {
			[][]any{{"DEL", annPages}},
			[]string{
				"activity day 2026-11-20: 3 points", "activity month 2026-11: 3 points",
				"steps day 2026-11-20", "steps month 2026-11",
			},
			false,
		},
		"somebody suppressed, whose status may be lost": {
			[][]any{{"SADD", "laurel:{0}:suppressed", "ann"}, {"ZREM", dayBoard, "ann"}},
			[]string{
				"suppressed users: in it, should be: not in it" + nobodys,
				"day 2026-11-20: not on it, should be: 3 points, reached at tick 39600000" + nobodys,
			},
			false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, table := range []bool{true, false} {
				s := small(t, 1)
				if !table {
					s.kept = nil
				}
				for _, command := range test.harm {
					if err := s.client.Do(t.Context(), command...).Err(); err != nil {
						t.Fatal(err)
					}
				}
				if table && !test.table {
					s.run(t, true)
					s.clean(t)
					continue
				}
				before := dump(t, s.client)
				for _, apply := range []bool{false, true, false} {
					lines, totals := s.run(t, apply)
					matches(t, lines, test.want)
					if totals.Unrepaired != len(test.want) {
						t.Errorf("totals %+v", totals)
					}
				}
				if !slices.Equal(before, dump(t, s.client)) {
					t.Error("something was written")
				}
			}
		})
	}
}

// Whoever was erased, and is on a board again for nothing, leaves it.
func TestTheTombstoneProvesARemoval(t *testing.T) {
	t.Parallel()
	s := small(t, 1)
	s.client.ZAdd(t.Context(), dayBoard, harness.ZOf("gus", -(5<<27)))
	s.client.SAdd(t.Context(), "laurel:{0}:month:2026-11", "gus")
	if _, totals := s.run(t, true); totals.Repaired != 2 || totals.Unrepaired != 0 {
		t.Errorf("%+v", totals)
	}
	s.clean(t)
}

// matches checks that each piece is in a line of its own.
func matches(t *testing.T, lines, pieces []string) {
	t.Helper()
	left := slices.Clone(lines)
	for _, piece := range pieces {
		i := slices.IndexFunc(left, func(l string) bool { return strings.Contains(l, piece) })
		if i < 0 {
			t.Errorf("not found: %s", piece)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	if len(left) > 0 {
		t.Errorf("found too:\n%s", strings.Join(left, "\n"))
	}
}

// What cannot be mended is told, and a repair leaves it as it is.
func TestFoundAndLeftAlone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		harm []any
		want string
	}{
		{
			"a field that is no page",
			[]any{"HSET", annPages, "2026-13", "x"},
			"damaged   user ann, pages: the field 2026-13 is no page",
		},
		{
			"a key that is nothing",
			[]any{"SET", "laurel:{0}:board:activity", "x"},
			"damaged   key laurel:{0}:board:activity: not a key of Laurel",
		},
		{
			"a key of articles that is nothing",
			[]any{"SET", "laurel:{articles}:vote", "x"},
			"damaged   key laurel:{articles}:vote: not a key of Laurel",
		},
		{
			"an entry on a void target",
			[]any{"HSET", "laurel:{0}:voids", "\x00", "versions", "2", 1795176000000, "another", 1795176000000},
			"void      user ann, page 2026-11-20: visit of a target that is void until 2026-11-20T12:00:00Z",
		},
		{
			"a list of articles in no order",
			[]any{"SET", "laurel:{articles}:group:go:best", "x"},
			"damaged   key laurel:{articles}:group:go:best: not a key of Laurel",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := small(t, 1)
			if err := s.client.Do(t.Context(), test.harm...).Err(); err != nil {
				t.Fatal(err)
			}
			for _, repair := range []bool{false, true, false} {
				lines, totals := s.run(t, repair)
				matches(t, lines, []string{test.want})
				if totals.Unrepaired != 1 {
					t.Errorf("totals %+v", totals)
				}
			}
		})
	}
}

// A repair by the wrong zone or with the wrong number of shards would break what
// is right: it is refused before anything is written.
func TestWrongForumIsNotRepaired(t *testing.T) {
	t.Parallel()
	s := small(t, 1)
	tokyo, err := board.LoadCalendar("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	s.record(t, []activity.Activity{{
		User: "cat", Action: "visit", Target: "1",
		At: board.MomentOf(time.Date(2026, 11, 20, 22, 0, 0, 0, time.UTC)),
	}})
	before := dump(t, s.client)
	for name, wrong := range map[string]scene{
		"zone":   {s.client, ledger.New(activity.Default(), tokyo), 1, s.kept},
		"shards": {s.client, s.ledger, 7, s.kept},
	} {
		if _, _, err := wrong.try(t.Context(), true); err == nil || !strings.Contains(err.Error(), "time zone") {
			t.Errorf("a repair with the wrong %s: %v", name, err)
		}
		if _, totals := wrong.run(t, false); totals.Misplaced == 0 {
			t.Errorf("the wrong %s is not told: %+v", name, totals)
		}
	}
	if after := dump(t, s.client); !slices.Equal(before, after) {
		t.Error("something was written")
	}
}

// dump lists every key with its bytes.
func dump(t *testing.T, client *redis.Client) []string {
	t.Helper()
	keys, err := client.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(keys)
	all := make([]string, len(keys))
	for i, key := range keys {
		value, err := client.Dump(t.Context(), key).Result()
		if err != nil {
			t.Fatal(err)
		}
		all[i] = key + " " + value
	}
	return all
}

// Audits and repairs beside writers say nothing untrue and write nothing wrong.
func TestBesideWriters(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 9))
	forum, err := stream.NewForum(rng)
	if err != nil {
		t.Fatal(err)
	}
	s := scene{testserver.Redis(t), ledger.New(forum.Rules, forum.Calendar), 1, nil}
	users := []string{"a", "b", "c", "d", "e", "f"}
	batches := stream.Deliver(rng, forum.Activities(rng, 2000, users), 20)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for repair := false; ctx.Err() == nil; repair = !repair {
			lines, _, err := s.try(ctx, repair)
			if err != nil && ctx.Err() == nil {
				t.Error(err)
			}
			for _, l := range lines {
				if !strings.HasPrefix(l, string(audit.Unsettled)) {
					t.Errorf("beside writers: %s", l)
				}
			}
		}
	}()
	for _, batch := range batches {
		s.record(t, batch)
	}
	stop()
	<-done
	s.clean(t)
}

// The page of a day leaves when the day is final, and without a table it does not come back:
// the summary is the truth, and no repair takes points off because the page is missing.
func TestADayWithoutItsPageIsItsSummary(t *testing.T) {
	t.Parallel()
	s := small(t, 1)
	s.kept = nil
	if n := s.client.HDel(t.Context(), annPages, "2026-11-20").Val(); n != 1 {
		t.Fatal("ann has no page of the day")
	}
	s.clean(t)
	before := harness.Everything(t, s.client)
	if lines, totals := s.run(t, true); totals.Found != 0 {
		t.Errorf("%+v: %q", totals, lines)
	}
	if diff := cmp.Diff(before, harness.Everything(t, s.client)); diff != "" {
		t.Errorf("something was repaired (-before +after):\n%s", diff)
	}
}
