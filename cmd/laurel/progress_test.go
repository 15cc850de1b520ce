package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

func TestLinesEveryFewSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		began := time.Now()
		done := func() int64 { return int64(time.Since(began).Seconds()) * 10 }
		stop := watch(&out, work{
			Name: "x.csv", Unit: "rows", Total: 100, Done: done,
			Count: func() int64 { return 2 * done() },
		})
		time.Sleep(7 * time.Second)
		stop()
		stop()
		const want = "x.csv: 30%, 60 rows, 20 a second, 7s left\nx.csv: 60%, 120 rows, 20 a second, 4s left\n"
		if out.String() != want {
			t.Errorf("%q", out.String())
		}
	})
}

func TestQuickWorkSaysNothing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	nothing := func() int64 { return 0 }
	watch(&out, work{Name: "x", Done: nothing, Count: nothing})()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}
