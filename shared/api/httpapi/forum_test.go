package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

const (
	today = "/v1/boards/activity/day"
	like  = `{"action":"like","target":"a1"}`
)

// A forum is one that serves requests, and takes the steps of these tests.
type forum struct{ *harness.Forum }

type answer = harness.Answer

// open serves a forum of the built-in rules.
func open(tb testing.TB, change ...func(*httpapi.Options)) *forum {
	tb.Helper()
	return openWith(tb, harness.Setup{}, change...)
}

func openWith(tb testing.TB, s harness.Setup, change ...func(*httpapi.Options)) *forum {
	tb.Helper()
	return &forum{harness.NewForum(tb, s).Serve(change...)}
}

// list makes the body of a report; read reads a 200.
func list(activities ...string) string      { return harness.Report(activities...) }
func read[T any](tb testing.TB, a answer) T { tb.Helper(); return harness.JSON[T](tb, a) }

// strict opens a forum with the rules against farming, where ann has an account that is old enough.
func strict(t *testing.T) *forum {
	t.Helper()
	f := openWith(t, harness.Setup{Ledger: ledgerOf(harness.StrictRules(t))})
	f.Put("/v1/users/ann", f.Service(), `{"name":"Ann","since":"2024-01-01T00:00:00Z"}`)
	return f
}

// published publishes an article.
func (f *forum) published(id, author string) {
	f.TB.Helper()
	body := `{"id":"` + id + `","title":"T","author":{"id":"` + author + `"}}`
	if a := f.Do(http.MethodPost, "/v1/articles", f.Service(), body); a.Status >= 300 {
		f.TB.Fatal(a.Status, a.Body)
	}
}

// hooked is a forum that takes webhooks.
func hooked(tb testing.TB, options string, change ...func(*httpapi.Options)) *forum {
	tb.Helper()
	return openWith(tb, harness.Setup{Ledger: hookRules(tb, options)},
		append([]func(*httpapi.Options){func(o *httpapi.Options) { o.Hooks = hookSecrets() }}, change...)...)
}

// hook sends a webhook that is signed as a source does.
func (f *forum) hook(as, body string) answer {
	f.TB.Helper()
	source, _, _ := strings.Cut(as, " ")
	return f.Do(http.MethodPost, "/v1/hooks/"+source, "", body, signed(as, body, f.Now)...)
}
