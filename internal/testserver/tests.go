package testserver

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Times returns how often a test does what takes long: quick, or long when
// LAUREL_LONG is set, as make check-long does.
func Times(quick, long int) int {
	if os.Getenv("LAUREL_LONG") != "" {
		return long
	}
	return quick
}

// Rounds is Times for what is repeated with other random numbers. The race detector
// makes each round take many times as long, and sees in the first ones what it can see:
// there they are a quarter. make test runs these tests without it too.
func Rounds(quick, long int) int {
	if raced {
		return (quick + 3) / 4
	}
	return Times(quick, long)
}

// Step is what Rounds is to Times, for a test that does something at one call and at
// each that many calls later. It is odd with the race detector, so that even and odd
// calls come by.
func Step(quick, long int) int {
	if raced {
		return 4*quick + 1
	}
	return Times(quick, long)
}

// Soak is how many activities a random test takes: n, with the race detector a quarter
// as with Rounds, or what LAUREL_SOAK says.
func Soak(tb testing.TB, n int) int {
	tb.Helper()
	text := os.Getenv("LAUREL_SOAK")
	if text == "" {
		return Rounds(n, n)
	}
	n, err := strconv.Atoi(text)
	must(tb, err)
	return n
}

// Grep returns the keys that have a text in their name or anywhere in their value:
// to see that something is gone. It fails the test at a key of a type it cannot read.
func Grep(tb testing.TB, client redis.UniversalClient, text string) (keys []string) {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	all, err := client.Keys(ctx, "*").Result()
	if err != nil {
		tb.Fatal(err)
	}
	for _, key := range all {
		var held []string
		switch kind := client.Type(ctx, key).Val(); kind {
		case "string":
			held = []string{client.Get(ctx, key).Val()}
		case "hash":
			for field, value := range client.HGetAll(ctx, key).Val() {
				held = append(held, field, value)
			}
		case "set":
			held = client.SMembers(ctx, key).Val()
		case "zset":
			held = client.ZRange(ctx, key, 0, -1).Val()
		case "list":
			held = client.LRange(ctx, key, 0, -1).Val()
		default:
			tb.Fatalf("%s is a %s", key, kind)
		}
		if slices.ContainsFunc(append(held, key), func(s string) bool { return strings.Contains(s, text) }) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
