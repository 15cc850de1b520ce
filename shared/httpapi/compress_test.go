package httpapi_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/klauspost/compress/gzip"

	"laurel/internal/harness"
	"laurel/shared/httpapi"
)

// serveBoth returns the API of a forum with a board of 30 people who have names, compressed and
// not.
func serveBoth(tb testing.TB) (plain, compressed http.Handler) {
	tb.Helper()
	f := harness.NewForum(tb, harness.Setup{}).Serve()
	var did, profiles []string
	for i := range 30 {
		did = append(did, fmt.Sprintf("user-%d publish %d", i, i))
		profiles = append(profiles, fmt.Sprintf(`{"id":"user-%d","name":"User %d of the forum",`+
			`"avatar":"https://forum.example/a/%d.png","link":"https://forum.example/u/%d"}`, i, i, i*7919, i))
	}
	f.Did(did...)
	f.Put("/v1/users", f.Service(), `{"users":[`+strings.Join(profiles, ",")+`]}`)
	plain = httpapi.New(f.Requests(), httpapi.Record, httpapi.Query)
	return plain, httpapi.Compressed(plain)
}

const top = "/v1/boards/activity/day"

// ask sends a request with some headers, name after value.
func askOf(h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func unzip(t *testing.T, body []byte) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// An answer is the same in both forms, and caches can tell them apart.
func TestAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	plain, compressed := serveBoth(t)
	etag := askOf(plain, http.MethodGet, top).Header().Get("ETag")
	if !strings.HasPrefix(etag, `W/"`) {
		t.Fatal(etag)
	}
	rules := askOf(plain, http.MethodGet, "/v1/rules").Header().Get("ETag")
	if !strings.HasPrefix(rules, `"`) {
		t.Fatal(rules)
	}
	problem := top + "?user=%00" + strings.Repeat("&users=%00", 40)
	for _, c := range []struct {
		method, path, accept, noneMatch string
		zipped                          bool
	}{
		{"GET", top, "gzip", "", true},
		{"GET", top, "br, zstd, gzip;q=0.5", `"other"`, true},
		{"GET", top, "", "", false},
		{"GET", top, "br", "", false},
		{"GET", top, "gzip;q=0", "", false},
		{"GET", top, "gzip", etag, false},
		{"HEAD", top, "gzip", "", false},
		{"OPTIONS", top, "gzip", "", false},
		{"DELETE", top, "gzip", "", false},
		{"GET", top + "?limit=1", "gzip", "", false},
		{"GET", problem, "gzip", "", true},
		{"GET", "/v1/rules", "gzip", "", true},
		{"GET", "/v1/rules", "gzip", rules, false},
		{"GET", "/v1/rules", "gzip", "W/" + rules, false},
		{"HEAD", "/v1/rules", "gzip", "", false},
		{"GET", "/v1/rules", "", "", false},
		{"GET", "/openapi.json", "gzip", "", true},
		{"GET", "/problems/index", "gzip", "", true},
		{"GET", "/v1/nothing", "gzip", "", false},
	} {
		headers := []string{"Accept-Encoding", c.accept, "If-None-Match", c.noneMatch}
		want, got := askOf(plain, c.method, c.path, headers...), askOf(compressed, c.method, c.path, headers...)
		body := got.Body.String()
		if coding := got.Header().Get("Content-Encoding"); coding == "gzip" != c.zipped {
			t.Errorf("%+v: coding %q of %d bytes", c, coding, got.Body.Len())
		} else if c.zipped {
			if got.Header().Get("Content-Length") != "" || got.Body.Len() >= want.Body.Len() {
				t.Errorf("%+v: %v, %d bytes", c, got.Header(), got.Body.Len())
			}
			body = unzip(t, got.Body.Bytes())
		}
		if got.Code != want.Code || body != want.Body.String() {
			t.Errorf("%+v: %d %s\nwant %d %s", c, got.Code, body, want.Code, want.Body)
		}
		reads := c.method == "GET" || c.method == "HEAD"
		if vary := got.Header().Get("Vary"); vary == "Accept-Encoding" != reads {
			t.Errorf("%+v: Vary %q", c, vary)
		}
		// A strong tag is of one form: who accepts the other gets a weak one.
		tag := want.Header().Get("ETag")
		if reads && strings.Contains(c.accept, "gzip") && strings.HasPrefix(tag, `"`) {
			want.Header().Set("ETag", "W/"+tag)
		}
		for _, name := range []string{"ETag", "Cache-Control", "Content-Type", "Allow"} {
			if got.Header().Get(name) != want.Header().Get(name) {
				t.Errorf("%+v: %s is %q, want %q", c, name, got.Header().Get(name), want.Header().Get(name))
			}
		}
	}
}

// API Gateway takes a compressed answer in base64.
func TestCompressedAnswersThroughTheGateway(t *testing.T) {
	t.Parallel()
	plain, compressed := serveBoth(t)
	headers := map[string]string{"accept-encoding": "gzip, deflate, br"}
	event := events.APIGatewayV2HTTPRequest{RawPath: top, Headers: headers}
	event.RequestContext.HTTP.Method = http.MethodGet
	answer, err := httpapi.Lambda(compressed)(t.Context(), event)
	if err != nil || !answer.IsBase64Encoded || answer.Headers["Content-Encoding"] != "gzip" ||
		answer.StatusCode != http.StatusOK || answer.Headers["Server-Timing"] != "" {
		t.Fatalf("%+v, %v", answer, err)
	}
	body, err := base64.StdEncoding.DecodeString(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := unzip(t, body), askOf(plain, http.MethodGet, top).Body.String(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// BenchmarkTop30 writes 30 entries with names, which cost what they cost in both forms, and
// says how many bytes are sent.
func BenchmarkTop30(b *testing.B) {
	api, _ := serveBoth(b)
	body := askOf(api, http.MethodGet, top).Body.Bytes()
	plain := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})
	for name, h := range map[string]http.Handler{"plain": plain, "gzip": httpapi.Compressed(plain)} {
		b.Run(name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = askOf(h, http.MethodGet, top, "Accept-Encoding", "gzip").Body.Len()
			}
			b.ReportMetric(float64(size), "B/answer")
		})
	}
}
