package doctor_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/signatures"
)

// discourseRules are the default rules, with the address of a Discourse.
func discourseRules(t *testing.T, instance string) *ledger.Ledger {
	t.Helper()
	source := strings.TrimSuffix(strings.TrimSpace(string(activity.Default().JSON())), "}") +
		`, "hooks": {"discourse": {"instance": "` + instance + `"}}}`
	return ledger.New(harness.Must(activity.ParseRules([]byte(source)))(t), board.NewCalendar(time.UTC))
}

// Laurel gets the categories that guests of a Discourse read, and only those: an answer without them changes nothing.
func TestPublicCategoriesAreFilled(t *testing.T) {
	t.Parallel()
	var site atomic.Value
	forum := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, body, _ := strings.Cut(site.Load().(string), " ")
		switch {
		case r.URL.Path != "/site.json" || r.Header.Get("Authorization") != "":
			t.Errorf("%s with %v", r.URL, r.Header)
		case status == "302":
			http.Redirect(w, r, "/login", http.StatusFound)
		case status == "403":
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = io.WriteString(w, body)
	}))
	defer forum.Close()
	s := serve(t, harness.Setup{Ledger: discourseRules(t, forum.URL)})
	service, long := signed(t, "", serviceSecret).Text, strings.Repeat(" ", 2<<20)
	for _, c := range []struct{ site, want, kept string }{
		{"200 <html>", "warning: not known yet: topics count without titles; the forum: ", `[],"filledAt":null`},
		{"302 ", "warning: not known yet: topics count without titles; the forum: /site.json: 302", `[],"filledAt":null`},
		{
			`200 {"categories":[{"id":7},{"id":4,"read_restricted":false},{"id":5,"read_restricted":true}]` + long + `}`,
			"ok: 2, which guests read", `[4,7],"filledAt":"`,
		},
		{"200 {\"error\":\"maintenance\"}", "warning: 2, as of 2", `[4,7],"filledAt":"`},
		{"403 ", "warning: guests read none", `[],"filledAt":"`},
	} {
		site.Store(c.site)
		lines, well := results(t, options(t, s.URL))
		expect(t, c.site[:4], lines, map[string]string{"public categories": c.want})
		kept := s.Get("/v1/hooks/discourse/categories", service).Body
		if !well || !strings.Contains(kept, c.kept) {
			t.Errorf("%.20s: well %t, kept %s", c.site, well, kept)
		}
	}
	member := options(t, s.URL)
	member.Tokens = member.Tokens[:1]
	lines, _ := results(t, member)
	expect(t, "a member's token", lines, map[string]string{"public categories": "skipped: "})
}

// A line tells if the rules do not name the forum and a Discourse sends; other forums have no such line.
func TestPublicCategoriesOfAnUnknownForum(t *testing.T) {
	t.Parallel()
	o := options(t, serve(t, harness.Setup{}).URL)
	lines, _ := results(t, o)
	expect(t, "", lines, map[string]string{"public categories": "warning: not known yet: topics count without titles"})
	o.Hooks = signatures.Secrets{"standard": {hookSecret}}
	lines, _ = results(t, o)
	if l, found := lines["public categories"]; found {
		t.Errorf("without a Discourse: %+v", l)
	}
}
