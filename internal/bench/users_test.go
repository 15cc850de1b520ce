package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// boardUsers are on the boards of this month and of the month before.
const boardUsers = 5_000

// BenchmarkStandings asks one program, by turns, for the standings of a hundred users and for a page of a hundred, at
// random, and tells the CPU of each and their ratio, on the embedded store and beside a Redis. Above 3 a stranger gets
// more work for a request of ids than for a page.
func BenchmarkStandings(b *testing.B) {
	history := filepath.Join(b.TempDir(), "history.csv")
	harness.OK(b, os.WriteFile(history, []byte(twoMonths(time.Now())), 0o600))
	program := []string{harness.Build(b)}
	for _, store := range []string{"embedded", "redis"} {
		b.Run(store, func(b *testing.B) {
			arguments, processes := []string{"--import", history}, []int(nil)
			if store == "redis" {
				server := testserver.OwnRedis(b)
				info := server.Client().InfoMap(b.Context(), "server")
				processes = append(processes, harness.Must(strconv.Atoi(info.Item("Server", "process_id")))(b))
				arguments = append(arguments, "--redis", server.URL())
			}
			laurel := harness.StartLaurel(b, program, "", append(os.Environ(), "LAUREL_THROTTLE=0"),
				append([]string{"dev"}, arguments...)...)
			s := &side{url: laurel.URL, processes: append(processes, laurel.Process.Pid)}
			var spent [2]time.Duration
			for n := 0; b.Loop(); n++ {
				for i, r := range []call{idsRead(), pageRead()} {
					began := s.cpu(b)
					s.ask(b, r)
					spent[i] += s.cpu(b) - began
				}
			}
			b.ReportMetric(float64(spent[0].Microseconds())/float64(b.N), "ids-us/op")
			b.ReportMetric(float64(spent[1].Microseconds())/float64(b.N), "page-us/op")
			b.ReportMetric(float64(spent[0])/float64(spent[1]), "ids/page")
		})
	}
}

// idsRead asks for the standings of a hundred users, and no page.
func idsRead() call {
	var ids []string
	for _, i := range rand.Perm(boardUsers)[:100] {
		ids = append(ids, userID(i))
	}
	return call{http.MethodGet, "/v1/boards/activity/month?users=" + strings.Join(ids, "&users="), "", `"previousRank":`}
}

// pageRead asks for a page of a hundred.
func pageRead() call {
	path := fmt.Sprintf("/v1/boards/activity/month?limit=100&offset=%d", rand.IntN(boardUsers-100))
	return call{http.MethodGet, path, "", `"rank":`}
}

// twoMonths is a history of two months in which everybody did something.
func twoMonths(now time.Time) string {
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	lines := []string{"at,user,action,target"}
	for _, start := range []time.Time{month.AddDate(0, -1, 0), month} {
		for i := range boardUsers {
			for n := range 1 + rand.IntN(3) {
				moment := start.Add(time.Duration(rand.Int64N(int64(now.Sub(month))))).UnixMilli()
				lines = append(lines, fmt.Sprintf("%d,%s,like,%d", moment, userID(i), n))
			}
		}
	}
	return strings.Join(slices.Concat(lines, []string{""}), "\n")
}
