package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/board"
)

// ecpuFile has the cache's part in requests: make bench-ecpu ARGS=-update.
const ecpuFile = "ecpu.json"

// microsecondsOfUnit are the processor time of a unit (ECPU) by AWS's own estimator (serverless_estimator.py in
// aws/agent-toolkit-for-aws): a command that is not as simple as GET takes the larger of its time by INFO COMMANDSTATS
// and the kilobytes that it moves. AWS has published no other rule.
const microsecondsOfUnit = 3.0

// A cacheWork is the cache's part in a request. Commands are the same on every machine, and bytes to a tenth.
type cacheWork struct {
	Commands     int     `json:"commands"`     // with those that scripts call
	Bytes        int     `json:"bytes"`        // that are moved, in both directions, to 50
	Microseconds float64 `json:"microseconds"` // of scripts
	Units        float64 `json:"units"`
}

// cacheKinds are the kinds of requests that are measured, in this order.
var cacheKinds = []string{"board", "hundred", "report", "standing"}

// A measuredCache is a forum whose users have 30 entries each, with a server of its own.
type measuredCache struct {
	testing.TB
	client *redis.Client
	kinds  map[string]func()
}

func newMeasuredCache(tb testing.TB, users int) measuredCache {
	tb.Helper()
	client := testserver.OwnRedis(tb).Client()
	now := board.MomentOf(harness.Noon)
	f := harness.NewForum(tb, harness.Setup{Redis: client, Now: harness.Noon})
	for _, r := range f.Recorder.Import(tb.Context(), entries(users, 30, 19, now), now) {
		harness.OK(tb, r.Err)
	}
	f.Fill()
	handler := harness.Callers(httpapi.New(f.Requests(), httpapi.Record, httpapi.Query))
	do := func(method, path, token, body string) {
		r := httptest.NewRequestWithContext(tb.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if handler.ServeHTTP(w, r); w.Code != http.StatusOK {
			tb.Fatalf("%s %s: status %d: %s", method, path, w.Code, w.Body)
		}
	}
	n := 0
	report := func(size int) func() {
		return func() {
			all := make([]string, size)
			for i := range all {
				n++
				all[i] = fmt.Sprintf(`{"user":%q,"action":"like","target":"n%d"}`, userID(n%users), n)
			}
			do(http.MethodPost, "/v1/activities", f.Service(), harness.Report(all...))
		}
	}
	return measuredCache{tb, client, map[string]func(){
		"board": func() { do(http.MethodGet, month+"?limit=10", "", "") },
		"standing": func() {
			n++
			do(http.MethodGet, month+"/users/"+userID(n%users), "", "")
		},
		"report":  report(1),
		"hundred": report(100),
	}}
}

// measure does a request of a kind some times, and returns the mean of one.
func (m measuredCache) measure(kind string, times int) (w cacheWork) {
	m.Helper()
	m.kinds[kind]() // scripts are loaded
	harness.OK(m, m.client.ConfigResetStat(m.Context()).Err())
	for range times {
		m.kinds[kind]()
	}
	stats := harness.Must(m.client.InfoMap(m.Context(), "stats", "commandstats").Result())(m)
	for _, direction := range []string{"total_net_input_bytes", "total_net_output_bytes"} {
		w.Bytes += harness.Must(strconv.Atoi(stats["Stats"][direction]))(m) / times
	}
	w.Bytes = (w.Bytes + 25) / 50 * 50
	for command, text := range stats["Commandstats"] {
		var calls, micros int
		harness.Must(fmt.Sscanf(text, "calls=%d,usec=%d", &calls, &micros))(m)
		switch {
		case strings.HasPrefix(command, "cmdstat_evalsha"):
			w.Microseconds += float64(micros) / float64(times)
		case strings.HasPrefix(command, "cmdstat_config") || strings.HasPrefix(command, "cmdstat_info"):
			continue
		}
		w.Commands += calls
	}
	w.Commands = (w.Commands + times/2) / times
	return w
}

// counted measures commands and bytes, which are the same on every machine, in a small forum.
func counted(tb testing.TB) map[string]cacheWork {
	tb.Helper()
	m, all := newMeasuredCache(tb, 200), map[string]cacheWork{}
	for _, kind := range cacheKinds {
		w := m.measure(kind, 20)
		all[kind] = cacheWork{Commands: w.Commands, Bytes: w.Bytes}
	}
	return all
}

// rounds are how often BenchmarkECPU repeats each kind. The least time of all counts: other work of the machine only
// adds to it.
const rounds = 15

// BenchmarkECPU measures the units of requests on Valkey: make bench-ecpu.
func BenchmarkECPU(b *testing.B) {
	m := newMeasuredCache(b, 5_000)
	if server := m.client.InfoMap(b.Context(), "server").Item("Server", "server_name"); server != "valkey" {
		b.Fatalf("the cache of a stack is Valkey, and this is %q: LAUREL_TEST_SERVER=valkey", server)
	}
	all := counted(b)
	for b.Loop() {
		for range rounds {
			for _, kind := range cacheKinds {
				times := 2_000
				if kind == "hundred" {
					times = 50
				}
				w, took := all[kind], m.measure(kind, times).Microseconds
				if w.Microseconds == 0 || took < w.Microseconds {
					w.Microseconds = math.Round(took*10) / 10
				}
				w.Units = math.Ceil(max(1, float64(w.Bytes)/kb, w.Microseconds/microsecondsOfUnit))
				all[kind] = w
			}
		}
	}
	b.Logf("%+v", all)
	if *harness.Update {
		text := harness.Must(json.MarshalIndent(all, "", "  "))(b)
		harness.OK(b, os.WriteFile(ecpuFile, append(text, '\n'), 0o600))
	}
}

// Requests send the cache as many commands and bytes as when their units were measured, and the bill has these units.
func TestUnitsOfTheCache(t *testing.T) {
	t.Parallel()
	var all map[string]cacheWork
	harness.OK(t, json.Unmarshal(harness.Must(os.ReadFile(ecpuFile))(t), &all))
	for kind, got := range counted(t) {
		want := all[kind]
		if got.Commands != want.Commands || math.Abs(float64(got.Bytes)/float64(want.Bytes)-1) > 0.1 { // ids differ
			t.Errorf("%s takes %d commands and %d bytes, and when it was measured %d and %d: make bench-ecpu ARGS=-update",
				kind, got.Commands, got.Bytes, want.Commands, want.Bytes)
		}
	}
	read := max(all["board"].Units, all["standing"].Units)
	each := math.Ceil(all["hundred"].Units / maxBatch)
	got, bill := []float64{read, all["report"].Units, each}, []float64{queryUnits, recordUnits, recordEachECU}
	if !slices.Equal(got, bill) {
		t.Errorf("units are %v, and the bill has %v", got, bill)
	}
}
