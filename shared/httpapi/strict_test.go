package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

// strict opens a forum with the rules against farming, and counts its round trips to Redis.
func strict(t *testing.T) (*forum, *testserver.RoundTrips) {
	t.Helper()
	client, trips := testserver.CountedRedis(t)
	l := ledger.New(harness.StrictRules(t), board.NewCalendar(time.UTC))
	f := &forum{harness.NewForum(t, harness.Setup{Ledger: l, Redis: client}).Serve()}
	f.Put("/v1/users", f.Service(), `{"users":[{"id":"ann","name":"Ann","since":"2026-11-01T00:00:00Z"},`+
		`{"id":"new","name":"New","since":"2026-11-19T13:00:00+01:00"},{"id":"bob","name":"Bob"}]}`)
	return f, trips
}

// published publishes an article.
func (f *forum) published(id, author string) {
	f.TB.Helper()
	body := `{"id":"` + id + `","title":"T","author":{"id":"` + author + `"}}`
	if a := f.Do(http.MethodPost, "/v1/articles", f.Service(), body); a.Status >= 300 {
		f.TB.Fatal(a.Status, a.Body)
	}
}

// statuses returns the statuses of what a user's own token reports, each "action target".
func (f *forum) statuses(token string, did ...string) string {
	f.TB.Helper()
	var body, got []string
	for _, one := range did {
		action, target, _ := strings.Cut(one, " ")
		body = append(body, `{"action":"`+action+`","target":"`+target+`"}`)
	}
	answer := f.Post(token, `{"activities":[`+strings.Join(body, ",")+`]}`)
	for _, r := range read[httpapi.Receipts](f.TB, answer).Receipts {
		got = append(got, r.Status)
	}
	return strings.Join(got, " ")
}

// What a user's own token reports under the strict rules counts for published articles of
// others alone, of an account that is old enough; the forum is believed.
func TestStrictRules(t *testing.T) {
	t.Parallel()
	f, _ := strict(t)
	ann := f.User("ann")
	says := func(token, want string, did ...string) {
		t.Helper()
		if diff := cmp.Diff(want, f.statuses(token, did...)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", did, diff)
		}
	}
	for _, id := range []string{"a1", "a2"} {
		f.published(id, "bob")
	}
	f.published("mine", "ann")
	says(ann, "counted unknown_target self counted self",
		"like a1", "like invented", "like mine", "follow bob", "follow ann")
	says(ann, "unknown_target unknown_target", //nolint:dupword // one status each
		"visit https://x.example/1", "unlike invented")
	for user, want := range map[string]string{
		"new": "counted too_new too_new", "bob": "too_new too_new too_new", //nolint:dupword // one status each
		"zoe": "too_new too_new too_new", //nolint:dupword // one status each
	} {
		target := map[bool]string{true: "mine", false: "a1"}[user == "bob"]
		says(f.User(user), want, "visit "+target, "like "+target, "follow cid")
	}
	f.Says(f.Post(ann, `{"activities":[{"action":"steps","value":5}]}`), http.StatusForbidden, "")
	if got := f.Did("zoe like invented", "bob like a1"); got[0].Status != "counted" || got[1].Status != "counted" {
		t.Errorf("the forum's own report: %+v", got)
	}
	f.Delete("/v1/articles/a2", f.Service())
	says(ann, "unknown_target nothing_to_revoke", "like a2", "unlike a2")
	f.Night(10) // a1 has left Redis: the table knows it
	says(ann, "counted unknown_target", "bookmark a1", "bookmark a3")
}

// The moment of an account stays when a profile is replaced without it, and when Redis
// loses its copy; it is not public; erasing the user erases it.
func TestSinceOfProfiles(t *testing.T) {
	t.Parallel()
	f, _ := strict(t)
	f.published("a1", "bob")
	f.Put("/v1/users/ann", f.Service(), `{"name":"Ann Lee"}`)
	f.Says(f.Get("/v1/users/ann", ""), http.StatusOK, `{"id":"ann","name":"Ann Lee"}`)
	f.Says(f.Put("/v1/users/ann", f.Service(), `{"name":"Ann","since":"yesterday"}`), http.StatusUnprocessableEntity, "")
	if err := f.Redis.HDel(t.Context(), "laurel:{0}:profiles", "ann").Err(); err != nil {
		t.Fatal(err)
	}
	if got := f.statuses(f.User("ann"), "like a1"); got != "counted" {
		t.Errorf("after the copy is lost: %s", got)
	}
	f.Delete("/v1/users/ann", f.Service())
	f.Now = f.Now.Add(time.Minute)
	if got := f.statuses(f.User("ann"), "like a1"); got != "too_new" {
		t.Errorf("after an erasure: %s", got)
	}
}

// Rules that ask of articles and accounts take no more round trips than others.
func TestStrictRulesTakeTwoRoundTrips(t *testing.T) {
	t.Parallel()
	f, trips := strict(t)
	f.published("a1", "bob")
	f.statuses(f.User("ann"), "like a1", "visit a1") // scripts are known
	trips.Expect(t, "published articles", 2, func() { f.statuses(f.User("ann"), "bookmark a1", "follow bob") })
	trips.Expect(t, "invented ones", 1, func() { f.statuses(f.User("ann"), "like x", "like y") })
}
