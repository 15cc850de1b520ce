package endtoend_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/board"
)

// What a forum's days are: activities are reported, boards are read, the night
// comes, and yesterday is read from the archive.
func TestFromReportToArchive(t *testing.T) {
	t.Parallel()
	f := newForum(t, "HOT_DAYS=0")
	taking, asking := f.start(t, record), f.start(t, query)
	now, before := f.now, f.now.Add(-24*time.Hour)
	at, yesterday := before.Format(time.RFC3339), before.Format(time.DateOnly)

	for _, step := range []struct {
		who        caller
		activities []string
		want       []string
	}{
		{user("ann"), []string{`{"action":"like","target":"a1"}`, `{"action":"comment","target":"a1","ref":"c1"}`, `{"action":"like","target":"a1"}`}, []string{"counted 2", "counted 3", "duplicate 0"}},
		{service, []string{
			`{"user":"bob","action":"publish","target":"a1","at":"` + at + `"}`, `{"user":"ann","action":"like","target":"a2","at":"` + at + `"}`,
			`{"user":"cat","action":"like","target":"a2","at":"` + at + `"}`,
		}, []string{"counted 10", "counted 2", "counted 2"}},
		{service, []string{`{"user":"cat","action":"unlike","target":"a2","at":"` + at + `"}`}, []string{"revoked -2"}},
	} {
		if diff := cmp.Diff(step.want, report(t, taking, step.who, step.activities...)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", step.activities, diff)
		}
	}

	// The boards have it, and so do their readers' own pages.
	if b := boardOf(t, asking, "day?period="+yesterday+"&user=ann"); b.String() != "1 bob 10, 2 ann 2" || b.Final || b.Standing == nil || b.Standing.Rank == nil || *b.Standing.Rank != 2 {
		t.Errorf("yesterday: %s, %+v", b, b)
	}
	standings := ask(t, asking, http.MethodGet, "/v1/users/ann/standings", "", user("ann"))
	if standings.status != http.StatusOK || !strings.Contains(standings.body, `"user":"ann"`) || !strings.Contains(standings.body, `"score":5`) {
		t.Errorf("standings: %+v", standings)
	}
	f.audit(t)

	// By the default yesterday would stay for three days; this forum moves it tonight.
	night := `{"time":"` + now.Format(time.RFC3339) + `"}`
	if text, err := f.start(t, archive, "HOT_DAYS=3").Invoke(t.Context(), []byte(night)); err != nil || !strings.Contains(string(text), `"moved":[]`) {
		t.Errorf("moved too early: %s, %v", text, err)
	}
	moving := f.start(t, archive)
	text, err := moving.Invoke(t.Context(), []byte(night))
	if err != nil || !strings.Contains(string(text), `"moved":[{"board":"activity","window":"day","period":"`+yesterday+`","entries":2,`) {
		t.Errorf("the night: %s, %v", text, err)
	}
	if keys := f.keys(t, ":day:"+yesterday); len(keys) > 0 {
		t.Errorf("Redis still has %q", keys)
	}
	period, err := board.ParsePeriod(board.Day, yesterday)
	if err != nil {
		t.Fatal(err)
	}
	if manifest, err := f.table.Manifest(t.Context(), "activity", period); err != nil || manifest.Total != 2 {
		t.Errorf("the table: %+v, %v", manifest, err)
	}
	if b := boardOf(t, asking, "day?period="+yesterday); b.String() != "1 bob 10, 2 ann 2" || !b.Final {
		t.Errorf("yesterday, final: %s, %+v", b, b)
	}

	// What is final stays; a second night finds nothing; today goes on.
	late := report(t, taking, service, fmt.Sprintf(`{"user":"ann","action":"like","target":"a3","at":%q}`, at))
	if diff := cmp.Diff([]string{"too_late 0"}, late); diff != "" {
		t.Errorf("a late like: %s", diff)
	}
	if text, err := moving.Invoke(t.Context(), []byte(night)); err != nil || !strings.Contains(string(text), `"moved":[]`) {
		t.Errorf("the second night: %s, %v", text, err)
	}
	if b := boardOf(t, asking, "day?period="+now.Format(time.DateOnly)); b.String() != "1 ann 5" || b.Final {
		t.Errorf("today: %s, %+v", b, b)
	}
	f.audit(t)
}

// Whoever API Gateway has not checked is nobody, whatever the headers say.
func TestWithoutClaimsTheAnswerIs401(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	taking, asking := f.start(t, record), f.start(t, query)
	for _, r := range []response{
		ask(t, taking, http.MethodPost, "/v1/activities", reportOf(`{"action":"like","target":"a1"}`), nobody),
		ask(t, asking, http.MethodGet, "/v1/users/ann/standings", "", nobody),
		ask(t, asking, http.MethodGet, "/v1/users/ann/activity", "", nobody),
	} {
		if r.status != http.StatusUnauthorized || r.header.Get("WWW-Authenticate") == "" || !strings.Contains(r.header.Get("Cache-Control"), "no-store") {
			t.Errorf("%+v", r)
		}
	}
	if keys := f.keys(t, ""); len(keys) > 0 {
		t.Errorf("Redis has %q", keys)
	}
}
