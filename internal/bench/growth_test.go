package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/internal/viewtest"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
	"laurel/shared/forum/catchup"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// Requests of a view in the process with 10,000 members and with a thousand times as many in a long run (else ten), by
// turns: processor time of the handler without a network, and the median of the ratios of rounds. Ten thousand of the
// members have ledgers, and report.
func BenchmarkGrowth(b *testing.B) {
	sides := []*grown{}
	for _, members := range []int{growthLedgers, testserver.Times(10, 1_000) * growthLedgers} {
		sides = append(sides, newGrown(b, members))
	}
	random := rand.New(rand.NewPCG(5, 6))
	for _, request := range []string{"report", "standing", "page", "around", "ids of 100", "page of 100"} {
		b.Run(request, func(b *testing.B) {
			const each = 200
			spent := make([][]time.Duration, len(sides))
			for round := 0; b.Loop(); round++ {
				for i := range sides {
					side := (i + round) % len(sides)
					calls := sides[side].calls(request, each, random)
					began := processorTime(b)
					for _, r := range calls {
						sides[side].answer(r)
					}
					spent[side] = append(spent[side], processorTime(b)-began)
				}
			}
			for i, s := range sides {
				b.ReportMetric(float64(median(spent[i]).Nanoseconds())/1_000/each, fmt.Sprintf("us-%d", s.members))
			}
			b.ReportMetric(medianRatio(spent[1], spent[0]), "ratio")
		})
	}
}

const growthLedgers = 10_000

// A grown is a forum's handler, with a view in the process that has members.
type grown struct {
	testing.TB
	members, targets int
	handler          http.Handler
}

func newGrown(b *testing.B, members int) *grown {
	b.Helper()
	l, now := harness.UTC(), board.MomentOf(harness.Noon)
	fill := newFiller(b, l)
	a, head := appInMemory(l, fill.store.Table()), fill.head
	face := func(i int) profile.Profile {
		return profile.Profile{Name: "User " + userID(i), Avatar: "https://forum.example/avatars/" + userID(i) + ".png"}
	}
	for i := range growthLedgers {
		key := head.KeyOf(userID(i))
		named := items.NextPerson(key, items.Row[*items.Person]{}, &items.Person{ID: userID(i), Profile: face(i)})
		harness.OK(b, a.Items.Write(b.Context(), named)[0].Err)
		like := activity.Activity{User: userID(i), Action: "like", Target: "a", At: now - board.Moment(i)}
		fill.add(like.User, []activity.Activity{like}, l.Calendar().Date(now).Month())
	}
	fill.write()
	harness.Must(a.Catchup.Run(b.Context(), catchup.Request{}))(b)
	units := make([]view.Unit, 0, 1_000)
	for i := growthLedgers; i < members; i++ {
		score := int64(i) * 7_919
		places := viewtest.Place(viewtest.Month, 2+score%60_000, int64(i)%1_000_000)
		day := viewtest.Place(viewtest.Today, 2+score%100, int64(i)%1_000_000)
		shown := profile.Public{Name: face(i).Name, Avatar: face(i).Avatar}
		u := viewtest.Person(viewtest.Unit(userID(i), 1, 0, places, day), 1, shown.Text())
		u.Key = head.KeyOf(u.User)
		if units = append(units, u); len(units) == cap(units) || i == members-1 {
			showing := view.Showing{Table: head.Table, Life: head.Life.Number(), Units: units}
			showed := harness.Must(a.View.ShowAll(b.Context(), showing))(b)
			if slices.ContainsFunc(showed.Units, func(r view.ShowResult) bool { return r != view.ShowApplied }) {
				b.Fatal(showed.Units)
			}
			units = units[:0]
		}
	}
	api := httpapi.New(a.Requests(), httpapi.Record, httpapi.Query)
	return &grown{b, members, 0, httpapi.WithRequestID(harness.Callers(api))}
}

// calls are random ones of a kind.
func (g *grown) calls(kind string, n int, random *rand.Rand) []*http.Request {
	all := make([]*http.Request, n)
	for i := range all {
		month, user := "/v1/boards/activity/month", userID(random.IntN(g.members))
		switch kind {
		case "report":
			g.targets++
			body := harness.Report(fmt.Sprintf(`{"user":%q,"action":"like","target":"b%d"}`,
				userID(random.IntN(growthLedgers)), g.targets))
			all[i] = httptest.NewRequestWithContext(g.Context(), http.MethodPost, "/v1/activities", strings.NewReader(body))
			all[i].Header.Set("Content-Type", "application/json")
			all[i].Header.Set("Authorization", "Bearer "+new(harness.Forum).Service())
			continue
		case "standing":
			month += "/users/" + user
		case "around":
			month += "/users/" + user + "?around=15"
		case "ids of 100":
			first := random.IntN(g.members)
			month += "?users=" + userID(first)
			for n := range 99 { // all of them others
				month += "&users=" + userID((first+(1+n)*g.members/100)%g.members)
			}
		case "page of 100":
			month += fmt.Sprintf("?limit=100&offset=%d", random.IntN(g.members-100))
		default:
			month += fmt.Sprintf("?limit=30&offset=%d", random.IntN(g.members-30))
		}
		all[i] = httptest.NewRequestWithContext(g.Context(), http.MethodGet, month, nil)
	}
	return all
}

func (g *grown) answer(r *http.Request) {
	w := httptest.NewRecorder()
	if g.handler.ServeHTTP(w, r); w.Code != http.StatusOK {
		g.Fatal(r.URL, w.Code, w.Body)
	}
}

// processorTime is the time that the process has taken.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var own syscall.Rusage
	harness.OK(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &own))
	return time.Duration(own.Utime.Nano() + own.Stime.Nano())
}
