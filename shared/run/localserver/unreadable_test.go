package localserver_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

// Bytes of which no request can be read are answered with a problem as everything else. It has
// none of these bytes, and the connection is closed. Earlier requests on it are answered.
func TestUnreadableRequestsAreProblems(t *testing.T) {
	t.Parallel()
	f := open(t)
	const host = "Host: a\r\n\r\n"
	for _, sent := range []string{
		"GET /v1/users/secret%zz HTTP/1.1\r\n" + host,
		"GET /v1/rules?secret HTTP/1.1 secret\r\n" + host,
		"secret\r\n\r\n",
		"GET /v1/rules HTTP/1.1\r\nsecret\r\n" + host,
		"GET /v1/rules HTTP/1.1\r\nse cret: 1\r\n" + host,
		"GET /v1/rules HTTP/1.1\r\n\r\n",
		"GET /v1/rules HTTP/1.1\r\nHost: sec/ret\r\n\r\n",
		"GET /v1/rules HTTP/3.0\r\n" + host,
		"POST /v1/activities HTTP/1.1\r\nTransfer-Encoding: secret\r\n" + host,
		"POST /v1/activities HTTP/1.1\r\nContent-Length: secret\r\n" + host,
		"GET /v1/rules HTTP/1.1\r\nX-Long: " + strings.Repeat("a", 2<<20) + "\r\n" + host,
	} {
		short := sent[:min(len(sent), 60)]
		c, err := net.Dial("tcp", strings.TrimPrefix(f.URL, "http://")) //nolint:noctx // it has a deadline
		harness.OK(t, err)
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		go func() { _, _ = io.WriteString(c, "GET /v1/health HTTP/1.1\r\n"+host+sent) }()
		reader := bufio.NewReader(c)
		before, err := http.ReadResponse(reader, nil)
		if err != nil || before.StatusCode != http.StatusOK {
			t.Fatalf("before %q: %v, %v", short, before, err)
		}
		_, _ = io.Copy(io.Discard, before.Body)
		_ = before.Body.Close()
		a, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatalf("%q: %v", short, err)
		}
		body, err := io.ReadAll(a.Body)
		_ = a.Body.Close()
		var p httpapi.Problem
		if json.Unmarshal(body, &p) != nil || err != nil || a.StatusCode != http.StatusBadRequest ||
			p.Status != a.StatusCode || p.Code != httpapi.CodeUnreadable || !a.Close ||
			a.Header.Get("Content-Type") != "application/problem+json" || p.Instance == "" ||
			a.Header.Get(httpapi.RequestIDHeader) != p.Instance || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%q: %d %v %s, %v", short, a.StatusCode, a.Header, body, err)
		}
		if strings.Contains(string(body), "secret") || strings.Contains(string(body), "sec/ret") {
			t.Errorf("%q: %s", short, body)
		}
		t.Logf("%q: %s", short, p.Detail)
		if more, err := reader.ReadByte(); err == nil {
			t.Errorf("%q: then %q", short, more)
		}
		_ = c.Close()
	}
}
