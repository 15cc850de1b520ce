package httpapi_test

import (
	"net/url"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/httpapi"
)

// noon is when these tests take place, unless they say otherwise.
var noon = harness.Noon

const (
	today   = "/v1/boards/activity/day"
	friends = "/v1/boards/activity/day/users/ann/friends"

	like  = `{"action":"like","target":"a1"}`
	likes = `{"action":"like","target":"a1","user":"ann"}` // as the service says it
)

// A forum is one that serves requests, and takes the steps of these tests.
type forum struct{ *harness.Forum }

type (
	answer  = harness.Answer
	problem = harness.Problem
)

// open serves a forum of the built-in rules.
func open(tb testing.TB, change ...func(*httpapi.Options)) *forum {
	tb.Helper()
	return openWith(tb, harness.Setup{}, change...)
}

func openWith(tb testing.TB, s harness.Setup, change ...func(*httpapi.Options)) *forum {
	tb.Helper()
	return &forum{harness.NewForum(tb, s).Serve(change...)}
}

// list makes the body of a report, quote a string of JSON; read reads a 200.
func list(activities ...string) string      { return harness.Report(activities...) }
func quote(text string) string              { return harness.Quote(text) }
func read[T any](tb testing.TB, a answer) T { tb.Helper(); return harness.JSON[T](tb, a) }

// of is the address of a user, and more after it.
func of(user, more string) string { return "/v1/users/" + url.PathEscape(user) + more }
