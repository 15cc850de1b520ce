package events_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
	"laurel/shared/store/items"
)

// The board is sent, signed, in order; then nothing waits.
func TestSends(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	r := f.receiver(takes(0, nil))
	f.person("ann", func(p *items.Person) { p.Profile = profile.Profile{Name: "Ann & Bo", Link: "https://f.example/ann"} })
	f.person("bob", nobody)
	second := f.event("badges", day.Next(), activity.EventPeriodFinal, "bob")
	first := f.event("badges", day, activity.EventPeriodEnded, "ann", "bob")
	got := f.run(f.sender(f.Store, eventAddress("badges", r.URL)))
	if got.Sent != 2 || got.Failed+got.GivenUp+got.Dropped != 0 {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff([]string{first, second}, r.ids()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := `{"type":"period.ended","timestamp":"2026-11-21T00:00:00Z","data":{"board":"activity","window":"day",` +
		`"period":"2026-11-20","timezone":"UTC","startsAt":"2026-11-20T00:00:00Z","endsAt":"2026-11-21T00:00:00Z",` +
		`"final":false,"total":2,"entries":[` +
		`{"rank":1,"score":10,"reachedAt":"2026-11-20T00:00:05.000Z",` +
		`"user":{"id":"ann","name":"Ann & Bo","link":"https://f.example/ann"}},` +
		`{"rank":2,"score":9,"reachedAt":"2026-11-20T00:00:05.000Z","user":{"id":"bob"}}]}}`
	if diff := cmp.Diff(want, r.bodies[first]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if b := r.body(second); !b.Data.Final || b.Data.Period != "2026-11-21" {
		t.Errorf("%+v", b)
	}
	if rows := f.waiting("badges"); len(rows) != 0 {
		t.Errorf("%d wait", len(rows))
	}
}

// An event of a board of teams has the teams, with the labels of the rules; its people are not looked for.
func TestTeamsAreSent(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	r := f.receiver(takes(0, nil))
	harness.OK(t, f.WriteUnlessChanged(t.Context(), items.Change{Event: &items.Event{
		EventKey: items.EventKey{Address: "badges", ID: "evt_1", At: board.MomentOf(f.Real())},
		Type:     activity.EventPeriodFinal, Board: "houses", Period: day, Total: 3, Since: board.MomentOf(f.Real()),
		OfTeams: true,
		Teams:   board.RankTeams([]board.Team{{Group: "blue", Sum: 7}, {Group: "red", Sum: 1 << 40, Members: 2}}),
	}}))
	s := f.sender(f.Store, eventAddress("badges", r.URL))
	s.Rules = harness.Must(activity.ParseRules([]byte(strings.Replace(string(activity.Default().JSON()), `"boards": {`,
		`"boards": {"houses": {"counts": "activity", "windows": ["day"], "teams": {"red": "Red house"}},`, 1))))(t)
	s.Guests = s.Rules.Guests()
	if got := f.run(s); got.Sent != 1 {
		t.Errorf("%+v", got)
	}
	want := `"final":true,"of":"teams","total":3,"entries":[` +
		`{"rank":1,"score":1099511627776,"team":{"id":"red","label":"Red house","members":2}},` +
		`{"rank":2,"score":7,"team":{"id":"blue","members":0}}]}}`
	if _, got, _ := strings.Cut(r.bodies["evt_1"], `"endsAt":"2026-11-21T00:00:00Z",`); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// An event of a board for members is sent to a private address alone, even if it was written for another one.
func TestMembersBoardsAreSentToPrivateAddresses(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	r := f.receiver(takes(0, nil))
	f.person("ann", nobody)
	for _, address := range []string{"badges", "staff"} {
		harness.OK(t, f.WriteUnlessChanged(t.Context(), items.Change{Event: &items.Event{
			EventKey: items.EventKey{Address: address, ID: "evt_" + address, At: board.MomentOf(f.Real())},
			Type:     activity.EventPeriodEnded, Board: "members", Period: day, Total: 1, Since: board.MomentOf(f.Real()),
		}}))
	}
	private := eventAddress("staff", r.URL)
	private.Private = true
	got := f.run(f.sender(f.Store, eventAddress("badges", r.URL), private))
	if diff := cmp.Diff([]string{"evt_staff"}, r.ids()); diff != "" || got.Dropped != 1 || len(f.waiting("badges")) > 0 {
		t.Errorf("%+v (-want +got):\n%s", got, diff)
	}
}

// A user who is erased, hidden or excluded by the time of sending is not named, nor is one who came back since.
func TestGoneUserIsNotNamed(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	r := f.receiver(takes(0, nil))
	end := board.NewCalendar(time.UTC).Start(day.Last() + 1)
	users := []string{"ann", "bob", "cid", "dan", "eve", "fay", "gil"}
	id := f.event("badges", day, activity.EventPeriodFinal, users...)
	f.person("ann", nobody)
	f.person("bob", func(p *items.Person) { p.Status.Hidden = true })
	f.person("cid", func(p *items.Person) { p.Status.Excluded = true })
	f.person("dan", func(p *items.Person) { p.Erased, p.Erasing = end+1, true })
	f.person("eve", func(p *items.Person) { p.ID, p.Erased = "", end+1 })
	f.person("fay", func(p *items.Person) { p.Erased = end + 1 }) // another person by now
	f.run(f.sender(f.Store, eventAddress("badges", r.URL)))
	var named []string
	for _, e := range r.body(id).Data.Entries {
		if e.User.ID != nil {
			named = append(named, *e.User.ID)
		}
	}
	if diff := cmp.Diff([]string{"ann"}, named); diff != "" || len(r.body(id).Data.Entries) != len(users) {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(r.bodies[id], `"user":{"id":null}`) {
		t.Error(r.bodies[id])
	}
}

// A failed event is tried again later, and nothing of its address is sent before it.
func TestFailuresKeepTheOrder(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(http.ResponseWriter, *http.Request) int{
		"hangs":  hangs,
		"killed": func(w http.ResponseWriter, _ *http.Request) int { return garbage(w, "") },
		"too much": func(w http.ResponseWriter, _ *http.Request) int {
			return garbage(w, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 200_000))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newForum(t)
			r := f.receiver(takes(3, answer))
			want := f.days("badges", 3)
			s := f.sender(f.Store, eventAddress("badges", r.URL))
			for n := range 3 {
				if got := f.run(s); got.Failed != 1 || got.Sent != 0 {
					t.Fatalf("%+v", got)
				}
				if got := f.run(s); got.Failed+got.Sent != 0 { // it is not its time yet
					t.Fatalf("%+v", got)
				}
				first := f.waiting("badges")[0].Value
				if first.Attempts != n+1 || first.Trouble == "" || first.ID != want[0] {
					t.Fatalf("%+v", first)
				}
				f.Clock.Pass(time.Minute)
			}
			if got := f.run(s); got.Sent != 3 {
				t.Fatalf("%+v", got)
			}
			if diff := cmp.Diff(want, r.ids()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// garbage answers with a text in place of HTTP, and ends the connection.
func garbage(w http.ResponseWriter, text string) int {
	if conn, out, err := w.(http.Hijacker).Hijack(); err == nil {
		_, _ = out.WriteString(text)
		_ = out.Flush()
		_ = conn.Close()
	}
	return 0
}

// A dead address keeps no other waiting: not for the time of one request.
func TestDeadAddressDelaysNoOther(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	good, dead, refused := f.receiver(takes(0, nil)), f.receiver(takes(9, hangs)), f.receiver(takes(0, nil))
	refused.Close()
	for _, name := range []string{"dead", "good", "refused"} {
		f.days(name, 20)
	}
	s := f.sender(f.Store, eventAddress("dead", dead.URL), eventAddress("refused", refused.URL),
		eventAddress("good", good.URL))
	begun := time.Now()
	got := f.run(s)
	if got.Sent != 20 || got.Failed != 2 || time.Since(begun) > 5*time.Second || len(good.ids()) != 20 {
		t.Errorf("%+v in %v", got, time.Since(begun))
	}
}

// After three days an event is given up, with a line for the alarm, and the next one is tried.
func TestGivenUpAfterThreeDays(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	r := f.receiver(takes(9, answers(http.StatusBadGateway)))
	f.event("badges", day, activity.EventPeriodFinal, "ann")
	s := f.sender(f.Store, eventAddress("badges", r.URL))
	f.run(s)
	f.Clock.Pass(71 * time.Hour)
	later := f.event("badges", day.Next(), activity.EventPeriodFinal, "ann")
	if got := f.run(s); got.Failed != 1 || got.GivenUp != 0 {
		t.Fatalf("%+v", got)
	}
	f.Clock.Pass(7 * time.Hour)
	if got := f.run(s); got.GivenUp != 1 || got.Failed != 1 {
		t.Fatalf("%+v", got)
	}
	if rows := f.waiting("badges"); len(rows) != 1 || rows[0].Value.ID != later {
		t.Error(rows)
	}
	if f.logged(`"level":"ERROR","msg":"an event is given up"`) != 1 {
		t.Error(f.log)
	}
}

// An event that a receiver or the rules no longer want is dropped, and a damaged item given up; neither keeps the
// others of its address waiting.
func TestDroppedAndDamaged(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	gone, r := f.receiver(takes(9, answers(http.StatusGone))), f.receiver(takes(0, nil))
	f.event("gone", day, activity.EventPeriodFinal, "ann")
	damaged := f.event("badges", day, activity.EventPeriodFinal, "ann")
	f.event("badges", day.Next(), activity.EventPeriodEnded, "ann")
	id := f.event("badges", day.Next(), activity.EventPeriodFinal, "ann")
	rowsToo := harness.Must(f.table.Ascend(t.Context(), "EVENTS#badges", "", "~", 1))(t)
	harness.Damage(t, f.table, rowsToo[0].Key, []byte("rubbish"))
	finals := eventAddress("badges", r.URL)
	finals.Types = []string{activity.EventPeriodFinal}
	got := f.run(f.sender(f.Store, eventAddress("gone", gone.URL), finals))
	if got.Dropped != 2 || got.GivenUp != 1 || got.Sent != 1 || !slices.Equal(r.ids(), []string{id}) {
		t.Errorf("%+v, %v without %s", got, r.ids(), damaged)
	}
}

// Two senders, and more, send each event, and nothing of an address out of order.
func TestSendersBesideEachOther(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	r := f.receiver(func(_ http.ResponseWriter, _ *http.Request, n int) int {
		if n%5 == 3 {
			return http.StatusServiceUnavailable
		}
		return http.StatusNoContent
	})
	want := f.days("badges", 30)
	for range 100 {
		var all sync.WaitGroup
		for range 3 {
			s := f.sender(f.Store, eventAddress("badges", r.URL))
			all.Go(func() {
				if _, err := s.Run(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		f.Clock.Pass(time.Hour)
		if len(f.waiting("badges")) == 0 {
			break
		}
	}
	if diff := cmp.Diff(want, r.got); diff != "" { // none twice either, as nobody was killed
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A sender that is killed at any of its calls loses nothing, keeps the order, and repeats an event under
// its own id alone.
func TestKilledAtEachCall(t *testing.T) {
	t.Parallel()
	for _, how := range []harness.Fate{harness.DiesBefore, harness.DiesWithin, harness.DiesAfter, harness.LosesAnswer} {
		met, repeated := 1, 0
		for n := 1; met > 0; n++ {
			f := newForum(t)
			r := f.receiver(func(_ http.ResponseWriter, _ *http.Request, n int) int {
				if n == 2 {
					return http.StatusInternalServerError
				}
				return http.StatusNoContent
			})
			want := f.days("badges", 3)
			killed := &harness.Table{Table: f.table.Table}
			killed.DieAt(int64(n), how)
			s := f.sender(items.New(killed, "UTC", f.Now), eventAddress("badges", r.URL))
			_, err := s.Run(t.Context())
			if met = 0; err != nil {
				met = 1
			}
			for range 3 {
				f.Clock.Pass(time.Hour)
				f.run(f.sender(f.Store, eventAddress("badges", r.URL)))
			}
			if diff := cmp.Diff(want, r.ids()); diff != "" {
				t.Fatalf("%s at %d (-want +got):\n%s", how, n, diff)
			}
			if repeated += len(r.got) - len(want); len(f.waiting("badges")) != 0 {
				t.Fatalf("%s at %d: something waits", how, n)
			}
			if n > 100 {
				t.Fatal("it is killed without end")
			}
		}
		if how == harness.DiesBefore && repeated == 0 {
			t.Error(fmt.Errorf("%s: no event was ever repeated", how))
		}
	}
}

// A run begins nothing that could not end before its context does.
func TestNothingBeginsTooLate(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	r := f.receiver(takes(0, nil))
	f.days("badges", 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if got, err := f.sender(f.Store, eventAddress("badges", r.URL)).Run(ctx); err != nil || got.Sent != 0 || r.asked != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
