package harness

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // the zones are the same wherever the tests run

	"github.com/redis/go-redis/v9"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// T is the part of testing.TB that most helpers need; rapid.T has it too.
type T interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// OK fails the test at an error.
func OK(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Must returns a function that returns a value, and fails the test if there is an error: Must(os.ReadFile(name))(t).
func Must[V any](value V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		OK(t, err)
		return value
	}
}

// UTC is the ledger of a forum in UTC with the default rules.
func UTC() *ledger.Ledger { return ledger.New(activity.Default(), board.NewCalendar(time.UTC)) }

// StrictRules are those of rules/strict.json, for tests of packages in shared.
func StrictRules(t T) *activity.Rules {
	t.Helper()
	source := Must(os.ReadFile("../../../rules/strict.json"))(t)
	return Must(activity.ParseRules(source))(t)
}

// At reads a moment of UTC, such as 2026-11-20T12:00.
func At(t T, s string) board.Moment {
	t.Helper()
	return Must(board.ParseMoment(s + ":00Z"))(t)
}

// Period reads a period of the window that its form tells, or autumn:2026-11-01..2026-11-30.
func Period(t T, s string) (p board.Period) {
	t.Helper()
	if err := p.UnmarshalText([]byte(s)); err != nil {
		t.Fatalf("%q is not a period", s)
	}
	return p
}

// Did is an activity: "ada like 7" or "ada comment 7 c1".
func Did(t T, text string, m board.Moment) activity.Activity {
	t.Helper()
	words := strings.Fields(text)
	if len(words) < 3 {
		t.Fatalf("%q is not an activity", text)
	}
	a := activity.Activity{User: words[0], Action: words[1], Target: words[2], At: m}
	for _, word := range words[3:] {
		if other, ok := strings.CutPrefix(word, "@"); ok {
			a.Other = other
		} else {
			a.Ref = word
		}
	}
	return a
}

// Everything returns the whole database: each key with its value.
func Everything(tb testing.TB, client redis.UniversalClient) map[string]any {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	keys := Must(keysOf(ctx, client))(tb)
	state := map[string]any{}
	for _, key := range keys {
		switch kind := client.Type(ctx, key).Val(); kind {
		case "hash":
			state[key] = client.HGetAll(ctx, key).Val()
		case "zset":
			state[key] = client.ZRangeWithScores(ctx, key, 0, -1).Val()
		case "set":
			state[key] = client.SMembersMap(ctx, key).Val()
		case "list":
			state[key] = client.LRange(ctx, key, 0, -1).Val()
		case "string":
			state[key] = client.Get(ctx, key).Val()
		default:
			tb.Fatalf("%s is a %s", key, kind)
		}
	}
	return state
}

// Grep returns the keys that have a text in their name or anywhere in their value:
// to see that something is gone.
func Grep(tb testing.TB, client redis.UniversalClient, text string) (keys []string) {
	tb.Helper()
	for key, value := range Everything(tb, client) {
		if strings.Contains(key+fmt.Sprint(value), text) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// keysOf returns all keys, of a cluster those of every node.
func keysOf(ctx context.Context, client redis.UniversalClient) ([]string, error) {
	cluster, ok := client.(*redis.ClusterClient)
	if !ok {
		return client.Keys(ctx, "*").Result()
	}
	var all []string
	var mu sync.Mutex
	err := cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		keys, err := node.Keys(ctx, "*").Result()
		mu.Lock()
		defer mu.Unlock()
		all = append(all, keys...)
		return err
	})
	return all, err
}
