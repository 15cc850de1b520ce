package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// memoryUsers are recorded to measure what one takes. Redis's hash tables have a power of two
// of places of 8 bytes: these fill theirs to 0.73, the mean of all numbers of users.
const memoryUsers = 3_000

// yearUsers are fewer, for a year; boards of days have more of them than fit in a listpack.
const yearUsers = 750

// The days and months that a board stays in Redis after its period, as deployed.
const hotDays, hotMonths = 3, 2

// kinds of keys, by how they begin behind the hash tag.
var kinds = []string{"pages", "board:activity:", "month"}

// memory measures what users take in an empty Redis, without names.
type memory struct {
	client *redis.Client
	store  *live.Store
	ledger *ledger.Ledger
	users  int
	random *rand.Rand
	visits bool // every third entry is one of a day
	before float64
}

// newMemory empties a Redis and records somebody, so that what Redis keeps once is there.
func newMemory(ctx context.Context, client *redis.Client, rules *activity.Rules, users int, now board.Moment) (
	*memory, error,
) {
	if err := client.Do(ctx, "FLUSHALL", "SYNC").Err(); err != nil {
		return nil, err
	}
	l := ledger.New(rules, board.NewCalendar(time.UTC))
	m := &memory{client: client, store: live.New(client, l, 1), ledger: l, users: users}
	m.random = rand.New(rand.NewPCG(1, 2))
	err := record(ctx, m.store, now, []activity.Activity{{User: "somebody", Action: "comment", Target: "1", At: now}})
	if err == nil {
		m.before, err = usedMemory(ctx, client)
	}
	return m, err
}

// recordAll records so many entries of everybody, with ids of 8 digits, at random moments.
func (m *memory) recordAll(ctx context.Context, from, to board.Moment, entries int) error {
	id := func() string { return strconv.Itoa(10_000_000 + m.random.IntN(90_000_000)) }
	var acts []activity.Activity
	for i := range m.users {
		for n := range entries {
			at := from + board.Moment(m.random.Int64N(int64(to-from)))
			acts = append(acts, activity.Activity{User: userID(i), Action: "comment", Target: id(), Ref: id(), At: at})
			if last := &acts[len(acts)-1]; m.visits && n%3 == 0 {
				last.Action, last.Ref = "visit", ""
			}
		}
		if len(acts) < 500 && i < m.users-1 {
			continue
		}
		if err := record(ctx, m.store, to, acts); err != nil {
			return err
		}
		acts = acts[:0]
	}
	return nil
}

// night removes what is due, as the archive does.
func (m *memory) night(ctx context.Context, today board.Date) error {
	periods, err := m.store.Periods(ctx)
	if err != nil {
		return err
	}
	months, err := m.store.Months(ctx)
	if err != nil {
		return err
	}
	due := func(p board.Period) bool { return board.Due(p, today, hotDays, hotMonths) }
	for _, p := range periods {
		if !due(p.Period) {
			continue
		}
		if err := m.store.ClosePeriod(ctx, p.Board, p.Period); err != nil {
			return err
		}
		if p.Period.Window() == board.Day {
			if err := m.store.RemoveDayPages(ctx, p.Period.First(), p.Board); err != nil {
				return err
			}
		}
		if err := m.store.RemoveBoard(ctx, p.Board, p.Period); err != nil {
			return err
		}
	}
	for _, month := range months {
		if !due(board.PeriodOf(board.Month, month.First())) {
			continue
		}
		if err := errors.Join(m.store.CloseMonth(ctx, month), m.store.RemovePages(ctx, month)); err != nil {
			return err
		}
	}
	return nil
}

// taken is what a user takes in Redis in bytes: of all, which is right for many users, and of
// keys, by kinds.
type taken struct {
	all, keys float64
	byKind    map[string]float64
}

func (t taken) String() string {
	text := []string{fmt.Sprintf("%.0f bytes, keys %.0f", t.all, t.keys)}
	for _, kind := range kinds {
		text = append(text, fmt.Sprintf("%s %.0f", strings.Trim(kind, ":"), t.byKind[kind]))
	}
	return strings.Join(text, ", ")
}

// taken measures everything, and adds up the keys of each kind.
func (m *memory) taken(ctx context.Context) (t taken, err error) {
	after, err := usedMemory(ctx, m.client)
	if err != nil {
		return t, err
	}
	t.all, t.byKind = (after-m.before)/float64(m.users), map[string]float64{}
	keys, err := m.client.Keys(ctx, "laurel:*").Result()
	if err != nil {
		return t, err
	}
	for some := range slices.Chunk(keys, 500) {
		pipe := m.client.Pipeline()
		sizes := make([]*redis.IntCmd, len(some))
		for i, key := range some {
			sizes[i] = pipe.MemoryUsage(ctx, key, 0)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return t, err
		}
		for i, key := range some {
			_, rest, _ := strings.Cut(key, "}:")
			for _, kind := range kinds {
				if strings.HasPrefix(rest, kind) {
					t.byKind[kind] += float64(sizes[i].Val()) / float64(m.users)
					t.keys += float64(sizes[i].Val()) / float64(m.users)
				}
			}
		}
	}
	return t, nil
}

// usedMemory returns the bytes that a server uses, without those of its connections.
func usedMemory(ctx context.Context, client *redis.Client) (float64, error) {
	info := client.InfoMap(ctx, "memory")
	var used float64
	for name, sign := range map[string]float64{"used_memory": 1, "mem_clients_normal": -1} {
		n, err := strconv.ParseFloat(info.Item("Memory", name), 64)
		if err != nil {
			return 0, fmt.Errorf("memory of Redis: %w", errors.Join(info.Err(), err))
		}
		used += sign * n
	}
	return used, nil
}

// A someUser has so many entries at random moments of the last days, over one calendar day
// more if it is more than one, and is to take at most so many bytes.
type someUser struct {
	entries, days int
	most          float64
}

var someUsers = []someUser{{1, 1, 450}, {10, 3, 950}, {100, 3, 2_200}}

// memoryOf measures users with entries of the last days.
func memoryOf(ctx context.Context, client *redis.Client, u someUser, now board.Moment) (taken, error) {
	m, err := newMemory(ctx, client, activity.Default(), memoryUsers, now)
	if err != nil {
		return taken{}, err
	}
	from := now.Add(-time.Duration(u.days) * 24 * time.Hour)
	if u.days == 1 {
		from = now.Add(-time.Hour)
	}
	if err := m.recordAll(ctx, from, now, u.entries); err != nil {
		return taken{}, err
	}
	return m.taken(ctx)
}

// memoryOfYear measures users with so many entries in each month of a year, on boards of all
// windows: at the end of its first month and of its last, before the nights have removed what
// is due of the month, and after.
func memoryOfYear(ctx context.Context, client *redis.Client, entries int, tell func(string, taken)) error {
	source := strings.ReplaceAll(string(activity.Default().JSON()), `["day", "month"]`,
		`["day", "week", "month", "year", "all"]`)
	rules, err := activity.ParseRules([]byte(source))
	if err != nil {
		return err
	}
	calendar := board.NewCalendar(time.UTC)
	month := board.DateOf(2026, 1, 1).Month()
	m, err := newMemory(ctx, client, rules, yearUsers, calendar.Start(month.First()))
	if err != nil {
		return err
	}
	m.visits = true
	for n := 1; n <= 12; n, month = n+1, month+1 {
		end := calendar.Start((month + 1).First()) - 1
		if err := m.recordAll(ctx, calendar.Start(month.First()), end, entries); err != nil {
			return err
		}
		for _, when := range []string{"before", "after"} {
			if when == "after" {
				if err := m.night(ctx, calendar.Date(end)); err != nil {
					return err
				}
			}
			if n != 1 && n != 12 {
				continue
			}
			t, err := m.taken(ctx)
			if err != nil {
				return err
			}
			tell(fmt.Sprintf("%d entries a month, %s the nights of month %d", entries, when, n), t)
		}
	}
	return nil
}
