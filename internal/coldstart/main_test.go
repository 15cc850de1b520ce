package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel/internal/testserver"
)

// Two starts of each function give a table with a figure for all of them, and
// leave nothing behind.
func TestTableHasEveryFigure(t *testing.T) {
	t.Chdir("../..") // where make finds the Makefile
	url := testserver.RedisURL(t)
	t.Setenv(redisVariable, url)
	var out strings.Builder
	if err := run(t.Context(), &out, 2); err != nil {
		t.Fatal(err)
	}
	for _, name := range functions {
		rows := regexp.MustCompile(`(?m)^  `+name+`( +\d+\.\d\d){2}`).FindAllString(out.String(), -1)
		if len(rows) != 3 || strings.Contains(strings.Join(rows, ""), " 0.00") {
			t.Errorf("%s has no figures in\n%s", name, out.String())
		}
	}
	if clean, err := emptyRedis(t.Context(), url); err != nil {
		t.Error(err)
	} else if err := clean(); err != nil {
		t.Error(err)
	}
}

func TestRedisWithSomethingInItIsRefused(t *testing.T) {
	t.Parallel()
	url := testserver.RedisURL(t)
	if _, err := emptyRedis(t.Context(), ""); err == nil || !strings.Contains(err.Error(), redisVariable) {
		t.Errorf("without a Redis: %v", err)
	}
	clean, err := emptyRedis(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	if err := clean(); err != nil {
		t.Error(err)
	}
}

// The bars are held against the median, and the sizes of both processors.
func TestTable(t *testing.T) {
	t.Parallel()
	timings := func(ms ...int) (all []timing) {
		for _, n := range ms {
			all = append(all, timing{startup: time.Duration(n) * time.Millisecond, first: time.Duration(10*n) * time.Millisecond})
		}
		return all
	}
	var out strings.Builder
	err := writeTable(&out,
		map[string][]timing{"record": timings(9, 1, 8, 7, 20), "query": timings(9, 9, 1, 9, 20), "archive": timings(30)},
		map[string]map[string]int64{"arm64": {"record": 14_000_000, "query": 1, "archive": 2}, "amd64": {"record": 15_000_001, "query": 1, "archive": 2}},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := `exec to first poll, ms  p10     median  p90    bar
  record                1.00    8.00    20.00  at most 8 ms: met
  query                 1.00    9.00    20.00  at most 8 ms: MISSED
  archive               30.00   30.00   30.00
first event, ms         p10     median  p90
  record                10.00   80.00   200.00
  query                 10.00   90.00   200.00
  archive               300.00  300.00  300.00
size, MB                arm64   amd64     bar
  record                14.00   15.00     at most 14 and 15 MB: MISSED
  query                 0.00    0.00
  archive               0.00    0.00
`
	if out.String() != want {
		t.Errorf("the table is\n%s", out.String())
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	for answer, right := range map[string]bool{
		`{"statusCode":200,"body":"{}"}`: true, `{"today":"2026-11-20","moved":[]}`: true,
		`{"statusCode":503}`: false, `{}`: false, ``: false,
	} {
		if err := answered([]byte(answer)); (err == nil) != right {
			t.Errorf("%s: %v", answer, err)
		}
	}
}
