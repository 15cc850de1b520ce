package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/stream"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/request"
)

// Promise 1, through HTTP: random activities of two days, reported by the
// service in any order, some more than once, by several at once, give the
// boards, standings and days of the reference.
func TestPromise1ThroughHTTP(t *testing.T) {
	t.Parallel()
	users := []string{"ada", "bob/bob", "-1", "9007199254740993", "é è", "eve%20"}
	admitted := 0
	for i := range 8 {
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		place, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		acts := place.Activities(rng, 12_000, users)
		// A moment of the stream is the middle of the two days, so that midnights,
		// and at times a month's end, are among them.
		now := acts[0].At + 24*3_600_000
		var those []activity.Activity
		for _, a := range acts {
			if now-a.At <= 48*3_600_000 && a.At-now <= 5*60_000 {
				those = append(those, a)
			}
		}
		admitted += len(those)
		ref := reference.New(place.Rules, place.Calendar)
		for _, a := range those {
			ref.Add(a)
		}
		f := openWith(t, ledger.New(place.Rules, place.Calendar), now.Time())
		points := f.deliver(stream.Deliver(rng, those, 500))
		for _, user := range users {
			if got, want := points[user], ref.MonthPoints(user); got != want {
				t.Errorf("receipts of %s add up to %d, the month scores to %d", user, got, want)
			}
			f.compareDays(place, ref, user, place.Calendar.Date(now))
		}
		f.compareBoards(place, ref)
		if t.Failed() {
			t.Fatalf("stream %d in %s at %s, %d activities", i, place.Calendar.Zone(), now, len(those))
		}
	}
	t.Logf("%d activities", admitted)
	if admitted < 5_000 {
		t.Error("too few activities were admitted to show anything")
	}
}

// deliver reports batches, four at a time, and returns what the receipts add up
// to by user.
func (f *forum) deliver(batches [][]activity.Activity) map[string]int64 {
	f.tb.Helper()
	points := map[string]int64{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	todo := make(chan []activity.Activity, len(batches))
	for _, b := range batches {
		todo <- b
	}
	close(todo)
	for range 4 {
		token := f.service()
		wg.Go(func() {
			for batch := range todo {
				a := f.post(token, body(batch))
				var got httpapi.Receipts
				if err := json.Unmarshal([]byte(a.body), &got); err != nil || len(got.Receipts) != len(batch) {
					f.tb.Errorf("status %d: %s", a.status, a.body)
					return
				}
				mu.Lock()
				for i, r := range got.Receipts {
					points[batch[i].User] += r.Points
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return points
}

// body writes a report as the service does.
func body(acts []activity.Activity) string {
	report := request.Report{}
	for _, a := range acts {
		report.Activities = append(report.Activities, request.ReportedActivity{
			Action: a.Action, Target: a.Target, Ref: a.Ref, Value: a.Value, User: a.User, At: a.At.String(),
		})
	}
	text, _ := json.Marshal(report) // of strings and numbers
	return string(text)
}

func (f *forum) compareBoards(place stream.Forum, ref *reference.Ledger) {
	f.tb.Helper()
	for _, name := range place.Rules.Boards() {
		for _, w := range place.Rules.Windows(name) {
			for _, p := range ref.Periods(name, w) {
				address := fmt.Sprintf("/v1/boards/%s/%s", name, w)
				var want, got []httpapi.Entry
				for i, e := range ref.Board(name, p) {
					want = append(want, httpapi.Entry{Rank: int64(i + 1), Score: e.Packed.Score(), User: httpapi.User{ID: httpapi.UserID(e.User)}})
				}
				for len(got) < len(want) {
					b := read[httpapi.Board](f.tb, f.get(fmt.Sprintf("%s?period=%s&limit=2&offset=%d", address, p, len(got)), ""))
					if len(b.Entries) == 0 || b.Total != int64(len(want)) {
						break
					}
					got = append(got, b.Entries...)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					f.tb.Errorf("%s %s (-reference +HTTP):\n%s", name, p, diff)
				}
				for i, e := range want {
					b := read[httpapi.Board](f.tb, f.get(fmt.Sprintf("%s/users/%s?period=%s&around=1", address, url.PathEscape(string(e.User.ID)), p), ""))
					if diff := cmp.Diff(standing(ref, name, p, string(e.User.ID)), b.Standing); diff != "" {
						f.tb.Errorf("standing on %s %s (-reference +HTTP):\n%s", name, p, diff)
					}
					if diff := cmp.Diff(want[max(0, i-1):min(len(want), i+2)], b.Entries); diff != "" {
						f.tb.Errorf("neighbours on %s %s (-reference +HTTP):\n%s", name, p, diff)
					}
				}
			}
		}
	}
}

func standing(ref *reference.Ledger, name string, p board.Period, user string) *httpapi.Standing {
	return &httpapi.Standing{User: user, Position: positionOf(ref.Standing(name, p, user))}
}

func (f *forum) compareDays(place stream.Forum, ref *reference.Ledger, user string, today board.Date) {
	f.tb.Helper()
	want := httpapi.Activity{User: user, Timezone: place.Calendar.Zone().String(), Totals: map[string]httpapi.Tally{}}
	for d := today; d > today-62; d-- {
		day := httpapi.Day{Day: d.String(), Scores: map[string]int64{}, Actions: map[string]httpapi.Tally{}}
		for _, name := range place.Rules.Boards() {
			day.Scores[name], _ = ref.Day(user, name, d)
		}
		for action, did := range ref.Actions(user, d) {
			day.Actions[action] = httpapi.Tally{Count: int64(did.Count), Points: did.Points}
			total := want.Totals[action]
			want.Totals[action] = httpapi.Tally{Count: total.Count + int64(did.Count), Points: total.Points + did.Points}
		}
		want.Days = append(want.Days, day)
	}
	got := read[httpapi.Activity](f.tb, f.get("/v1/users/"+url.PathEscape(user)+"/activity?days=62", f.user(user)))
	if diff := cmp.Diff(want, got); diff != "" {
		f.tb.Errorf("days of %s (-reference +HTTP):\n%s", user, diff)
	}
}
