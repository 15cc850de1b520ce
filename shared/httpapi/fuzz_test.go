package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/articles"
	"laurel/shared/auth"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

// memory is a store with nothing in it that takes everything: fuzzing is about
// requests. It panics, which is a 500, when it is given what can't be recorded
// or read.
type memory struct {
	httpapi.VoidStore // none: there is no table

	httpapi.PeopleStore

	rules    *activity.Rules
	articles *articles.Store // of a real store, without any
}

// PagesOf returns no pages.
func (memory) PagesOf(context.Context, string) (ledger.Pages, error) { return ledger.Pages{}, nil }

func (m memory) Articles() *articles.Store { return m.articles }

func (m memory) Record(_ context.Context, acts []activity.Activity, _ ledger.Arrival) []pages.Result {
	for _, a := range acts {
		if found := m.rules.On(0).Violations(a); len(found) > 0 || !a.At.Valid() {
			panic(fmt.Sprintf("%+v has the violations %v", a, found))
		}
	}
	if len(acts) == 0 || len(acts) > 500 {
		panic(fmt.Sprintf("%d activities at once", len(acts)))
	}
	return make([]pages.Result, len(acts))
}

func (memory) Read(_ context.Context, v board.View) (boards.Page, error) {
	if v.Offset < 0 || v.Limit < 0 || v.Limit > 100 || v.Around < 0 || v.Around > 25 || v.Period == (board.Period{}) {
		panic(fmt.Sprintf("%+v", v))
	}
	return boards.Page{}, nil
}

func (memory) ReadAll(_ context.Context, views []board.View) ([]boards.Page, error) {
	read := make([]boards.Page, len(views))
	for i := range read {
		read[i].Standing = new(board.NewStanding(0, 0, 0, 0, 0))
	}
	return read, nil
}

func (m memory) DaysWithStatus(ctx context.Context, user string, from, to board.Date) (
	[]ledger.DayActivity, ledger.UserStatus, error,
) {
	days, err := m.Days(ctx, user, from, to)
	return days, ledger.UserStatus{DaysPublic: true}, err
}

func (memory) Days(_ context.Context, user string, from, to board.Date) ([]ledger.DayActivity, error) {
	if n := to - from + 1; n < 1 || n > 62 || !activity.ValidUserID(user) {
		panic(fmt.Sprintf("%d days of %q", n, user))
	}
	return nil, nil
}

func (m memory) PeriodsOf(_ context.Context, name string, w board.Window) ([]redisstore.LivePeriod, error) {
	if !slices.Contains(m.rules.Windows(name), w) {
		panic(fmt.Sprintf("periods of %q by %s", name, w))
	}
	return nil, nil
}

func (memory) Ping(context.Context) error { return nil }

func (memory) AddRecent(context.Context, string, []byte) error { return nil }

func (memory) Recent(context.Context, ...string) ([]string, error) { return nil, nil }

// CheckStamp finds nothing wrong.
func (memory) CheckStamp(context.Context) error { return nil }

// inMemory is a handler to be fuzzed; what panicked is logged by the test.
func inMemory(f *testing.F) http.Handler {
	f.Helper()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	return httpapi.New(httpapi.Options{
		Store: memory{rules: l.Rules(), articles: live.New(testserver.Redis(f), l, 1).Articles()}, Ledger: l,
		Now: func() time.Time { return noon }, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}, httpapi.Record, httpapi.Query)
}

// answerTo serves a request that comes from fuzzing, and fails when the answer
// is an error of ours, a redirect, or a fault without a problem.
func answerTo(t *testing.T, handler http.Handler, r *http.Request, caller auth.Caller) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), caller)))
	switch kind := w.Header().Get("Content-Type"); {
	case w.Code >= 500, w.Code >= 300 && w.Code < 400:
		t.Errorf("status %d: %s", w.Code, w.Body)
	case w.Code >= 400 && (kind != "application/problem+json" || !json.Valid(w.Body.Bytes())):
		t.Errorf("status %d as %q: %s", w.Code, kind, w.Body)
	}
	return w
}

func FuzzActivitiesBody(f *testing.F) {
	for _, group := range badBodies {
		for _, c := range group.cases {
			if len(c[1]) < 1000 {
				f.Add(c[1], strings.HasPrefix(group.at, "service"))
			}
		}
	}
	f.Add(list(like), false)
	f.Add(list(likes, at("2026-11-20T11:59:59.999+02:00")), true)
	handler := inMemory(f)
	f.Fuzz(func(t *testing.T, body string, service bool) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/activities", strings.NewReader(body))
		w := answerTo(t, handler, r, auth.Caller{User: "ann", Service: service})
		switch w.Code {
		case http.StatusOK, http.StatusBadRequest, http.StatusForbidden, http.StatusRequestEntityTooLarge,
			http.StatusUnprocessableEntity:
		default:
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	})
}

func FuzzQuery(f *testing.F) {
	for _, group := range badQueries {
		for _, c := range group.cases {
			path, query, _ := strings.Cut(c[1], "?")
			f.Add(path, query, true)
		}
	}
	f.Add("/v1/boards/activity/day/users/%F0%9F%98%80", "around=25&period=2026-11-20", false)
	f.Add("/v1/users/ann/activity", "days=62", true)
	f.Add("/v1/boards/activity/day/periods", "before=2026-11-20&limit=100", false)
	handler := inMemory(f)
	f.Fuzz(func(t *testing.T, path, query string, service bool) {
		u := &url.URL{Path: path, RawQuery: query}
		if decoded, err := url.PathUnescape(path); err == nil {
			u.Path, u.RawPath = decoded, path
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.URL = u
		answerTo(t, handler, r, auth.Caller{User: "ann", Service: service})
	})
}
