package httpapi_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"laurel/shared/httpapi"
)

// embedded is a forum whose people have names that mean something to HTML and SVG.
func embedded(t *testing.T, change ...func(*httpapi.Options)) *forum {
	t.Helper()
	f := open(t, change...)
	f.Did("ann like 1", "bob publish 1", "cid comment 1")
	f.Put("/v1/users", f.Service(), `{"users":[{"id":"ann","name":"<script>alert(1)</script>\"'&"},`+
		`{"id":"bob","name":"陈晓明","avatar":"https://a.example/b.png?a=1&b=2","link":"https://a.example/u/b"}]}`)
	return f
}

// Each form is of its type, has a policy of its own, is kept as long as it may be, and escapes
// what users wrote.
func TestEmbeddedForms(t *testing.T) {
	t.Parallel()
	f := embedded(t)
	for path, want := range map[string]struct{ contentType, cache, policy, piece string }{
		"/embed/activity/day.html": {
			"text/html; charset=utf-8", "s-maxage=60", "frame-ancestors *",
			`<bdi>&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&amp;</bdi>`,
		},
		"/embed/activity/day":     {"text/html; charset=utf-8", "s-maxage=60", "'none'", `<template shadowrootmode="open">`},
		"/embed/activity/day.svg": {"image/svg+xml", "max-age=300", "sandbox", `&lt;script&gt;alert`},
		"/embed/activity/day.txt": {"text/plain; charset=utf-8", "max-age=300", "'none'", "<script>alert(1)</script>\"'&"},
		"/embed/activity/day.atom": {
			"application/atom+xml", "max-age=300", "'none'", "<id>urn:laurel:activity:day</id>",
		},
		"/embed/users/bob/activity/day.svg": {"image/svg+xml", "max-age=300", "sandbox", "#1 · 10 points"},
		"/embed/users/eve/activity/day.svg": {"image/svg+xml", "max-age=300", "sandbox", "Not on the board yet"},
		"/embed/laurel.js":                  {"text/javascript; charset=utf-8", "max-age=300", "", "laurel-"},
		"/embed/laurel.d.ts":                {"text/plain; charset=utf-8", "max-age=60", "", "LaurelBoard"},
		"/embed/custom-elements.json":       {"application/json", "max-age=60", "", "laurel-board"},
		"/embed":                            {"text/html; charset=utf-8", "max-age=60", "default-src 'self'", "sha384-"},
		"/embed/":                           {"text/html; charset=utf-8", "max-age=60", "default-src 'self'", "sha384-"},
		"/embed/page.css":                   {"text/css; charset=utf-8", "max-age=60", "", "form"},
		"/embed/page.js":                    {"text/javascript; charset=utf-8", "max-age=60", "", "integrity"},
	} {
		a := f.Get(path, "")
		if a.Status != http.StatusOK || a.Header.Get("Content-Type") != want.contentType ||
			!strings.Contains(a.Header.Get("Cache-Control"), want.cache) || !strings.Contains(a.Body, want.piece) ||
			!strings.Contains(a.Header.Get("Content-Security-Policy"), want.policy) ||
			a.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %v\n%s", path, a.Status, a.Header, a.Body)
		}
		if strings.Contains(a.Body, "<script>alert") && !strings.HasSuffix(path, ".txt") {
			t.Errorf("%s has a script of a user's:\n%s", path, a.Body)
		}
		if strings.HasSuffix(path, ".svg") || strings.HasSuffix(path, ".atom") {
			if err := xml.Unmarshal([]byte(a.Body), new(struct{})); err != nil {
				t.Errorf("%s is no XML: %v", path, err)
			}
		}
		again := f.Get(path, "", "If-None-Match", a.Header.Get("ETag"))
		if again.Status != http.StatusNotModified || again.Body != "" {
			t.Errorf("%s again: %d", path, again.Status)
		}
	}
}

// What is wrong with an address is said, and no other address answers.
func TestEmbeddedBadInput(t *testing.T) {
	t.Parallel()
	f := embedded(t)
	for path, want := range map[string]string{
		"/embed/activity/day.html?limit=101":    "query.limit",
		"/embed/activity/day.svg?limit=21":      "query.limit",
		"/embed/activity/day.html?offset=-1":    "query.offset",
		"/embed/activity/day.html?period=2026":  "query.period",
		"/embed/activity/day.html?lang=%3Cb%3E": "query.lang",
		"/embed/activity/day.html?theme=blue":   "query.theme",
		"/embed/activity/day.html?user=%00":     "query.user",
		"/embed/activity/day.html?x=1":          "query.x",
		"/embed/activity/day.atom?limit=1":      "query.limit",
		"/embed/activity/day?lang=en&lang=zh":   "query.lang",
		"/embed/activity/day?%zz":               "query",
	} {
		a := f.Get(path, "")
		p := read2[problem](t, a)
		if a.Status != http.StatusUnprocessableEntity || len(p.Errors) != 1 || p.Errors[0].Location != want {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
	}
	for path, code := range map[string]string{
		"/embed/nothing/day.html": "unknown_board", "/embed/activity/year.svg": "unknown_window",
		"/embed/activity/day.pdf": "not_found", "/embed/activity": "not_found", "/embed/a/b/c": "not_found",
		"/embed/laurel.0000000000.js": "not_found", "/embed/users/ann/activity/day.html": "not_found",
		"/embed/users/%00/activity/day.svg": "not_found", "/embed/activity/": "not_found", "/embed//": "not_found",
	} {
		a := f.Get(path, "")
		if p := read2[problem](t, a); a.Status != http.StatusNotFound || p.Code != code {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
	}
}

// read2 reads an answer of any status.
func read2[T any](t *testing.T, a answer) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.Body), &v); err != nil {
		t.Fatalf("%d %s: %v", a.Status, a.Body, err)
	}
	return v
}

// The module has one address that never changes what it answers, which the page for owners
// names with its integrity.
func TestModuleByItsHash(t *testing.T) {
	t.Parallel()
	f := embedded(t)
	named := regexp.MustCompile(`data-hash="([0-9a-f]+)" data-integrity="sha384-`)
	hash := named.FindStringSubmatch(f.Get("/embed", "").Body)
	if hash == nil {
		t.Fatal("the page names no module")
	}
	a := f.Get("/embed/laurel."+hash[1]+".js", "")
	if a.Status != http.StatusOK || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%d %v", a.Status, a.Header)
	}
	zipped := f.Get("/embed/laurel.js", "", "Accept-Encoding", "gzip")
	if len(zipped.Body) > 9<<10 || zipped.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("%d bytes, %v", len(zipped.Body), zipped.Header)
	}
}

// Who may have a board in a frame is what the deployment says.
func TestEmbedOrigins(t *testing.T) {
	t.Parallel()
	f := embedded(t, func(o *httpapi.Options) { o.EmbedOrigins = []string{"https://a.example", "https://b.example"} })
	policy := f.Get("/embed/activity/day.html", "").Header.Get("Content-Security-Policy")
	if !strings.HasSuffix(policy, "; frame-ancestors https://a.example https://b.example") {
		t.Error(policy)
	}
}

// The winners of days that have ended are in the feed, live and final ones.
func TestFeedHasEndedPeriods(t *testing.T) {
	t.Parallel()
	f := embedded(t)
	f.Night(5)
	f.Did("cid publish 9")
	f.Night(1)
	feed := f.Get("/embed/activity/day.atom?lang=en", "").Body
	for _, piece := range []string{
		"November 20, 2026</title>", "1. 陈晓明: 10 points", "November 25, 2026</title>", "1. cid: 10 points",
		"/embed/activity/day.html?period=2026-11-20",
	} {
		if !strings.Contains(feed, piece) {
			t.Errorf("the feed lacks %s:\n%s", piece, feed)
		}
	}
}

// Without a script, ten rows are few bytes.
func TestEmbeddedSizes(t *testing.T) {
	t.Parallel()
	f := open(t)
	var did, profiles []string
	for i := range 10 {
		did = append(did, fmt.Sprintf("user-%d publish %d", i, i))
		profiles = append(profiles, fmt.Sprintf(`{"id":"user-%d","name":"User %d of the forum",`+
			`"avatar":"https://forum.example/a/%d.png","link":"https://forum.example/u/%d"}`, i, i, i*7919, i))
	}
	f.Did(did...)
	f.Put("/v1/users", f.Service(), `{"users":[`+strings.Join(profiles, ",")+`]}`)
	for path, most := range map[string]int{"/embed/activity/day.html": 1_229, "/embed/activity/day.svg": 1_536} {
		var packed bytes.Buffer
		w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		_, _ = w.Write([]byte(f.Get(path, "").Body))
		_ = w.Close()
		if t.Logf("%s: %d bytes of at most %d", path, packed.Len(), most); packed.Len() > most {
			t.Errorf("%s: %d bytes, at most %d", path, packed.Len(), most)
		}
	}
}
