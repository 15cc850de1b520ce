package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

func TestCaching(t *testing.T) {
	t.Parallel()
	f := open(t)
	read[httpapi.Receipts](t, f.post(f.service(), list(likes)))
	for path, want := range map[string]string{
		"/v1/boards/activity/day":           "public, max-age=0, s-maxage=2",
		"/v1/boards/activity/day/users/ann": "public, max-age=0, s-maxage=2",
		"/v1/boards/activity/day/periods":   "public, max-age=0, s-maxage=2",
		"/v1/rules":                         "public, max-age=60",
		"/openapi.json":                     "public, max-age=60",
	} {
		a := f.get(path, "")
		etag := a.header.Get("ETag")
		if a.status != http.StatusOK || a.header.Get("Cache-Control") != want || !strings.HasPrefix(etag, `W/"`) {
			t.Errorf("%s: %d %v", path, a.status, a.header)
		}
		if again := f.get(path, f.service()); again.header.Get("ETag") != etag || again.body != a.body {
			t.Errorf("%s: a token changes the answer", path)
		}
		strong := strings.TrimPrefix(etag, "W/")
		for _, headers := range [][]string{{etag}, {strong}, {"*"}, {`"x", ` + etag}, {`"x"`, etag}, {"  " + etag + "  ,"}} {
			var list []string
			for _, h := range headers {
				list = append(list, "If-None-Match", h)
			}
			b := f.get(path, "", list...)
			if b.status != http.StatusNotModified || b.body != "" || b.header.Get("ETag") != etag || b.header.Get("Cache-Control") != want || b.header.Get("Content-Type") != "" {
				t.Errorf("%s with %q: %d %v %q", path, headers, b.status, b.header, b.body)
			}
		}
		if b := f.get(path, "", "If-None-Match", `"x", W/"y", `+strings.Trim(strong, `"`)); b.status != http.StatusOK {
			t.Errorf("%s: another tag gives %d", path, b.status)
		}
		head := f.do(http.MethodHead, path, "", "")
		if head.status != http.StatusOK || head.body != "" || head.header.Get("ETag") != etag || head.header.Get("Content-Type") == "" {
			t.Errorf("HEAD %s: %d %v %q", path, head.status, head.header, head.body)
		}
	}
	// Later, with nothing new, the tag is the same; with something new it is not.
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	store := live.New(f.client, l, 1)
	later := openOn(t, store, l, noon.Add(time.Hour))
	was := f.get("/v1/boards/activity/day", "")
	now := later.get("/v1/boards/activity/day", "", "If-None-Match", was.header.Get("ETag"))
	if now.status != http.StatusNotModified {
		t.Errorf("an hour later: %d", now.status)
	}
	read[httpapi.Receipts](t, f.post(f.user("bob"), list(like)))
	if a := f.get("/v1/boards/activity/day", "", "If-None-Match", was.header.Get("ETag")); a.status != http.StatusOK {
		t.Errorf("after a change: %d", a.status)
	}
}
