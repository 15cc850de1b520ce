package localserver_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"laurel/shared/localserver"
)

// counting counts the writes to connections.
type counting struct {
	net.Listener
	writes *atomic.Int64
}

func (l counting) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err //nolint:wrapcheck // net/http looks at it
	}
	return countingConn{c.(*net.TCPConn), l.writes}, nil //nolint:forcetypeassert // it listens on TCP
}

type countingConn struct {
	*net.TCPConn
	writes *atomic.Int64
}

func (c countingConn) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.TCPConn.Write(p)
}

// An answer is written at once, and arrives also when it fills the buffers of net/http to the
// last byte; one that is very long, or is flushed, arrives as well.
func TestAnswersAreWrittenWhole(t *testing.T) {
	t.Parallel()
	tcp, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed below
	if err != nil {
		t.Fatal(err)
	}
	var writes atomic.Int64
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n, _ := strconv.Atoi(r.FormValue("n"))
			if r.FormValue("stream") == "" {
				w.Header().Set("Content-Length", r.FormValue("n"))
			}
			_, _ = w.Write(bytes.Repeat([]byte("x"), n))
			if r.FormValue("stream") != "" {
				_ = http.NewResponseController(w).Flush()
				_, _ = io.WriteString(w, "end")
			}
		}),
	}
	go func() { _ = server.Serve(localserver.Whole(counting{tcp, &writes})) }()
	defer func() { _ = server.Close() }()
	client := &http.Client{Timeout: time.Minute}
	get := func(query string) int {
		answer, err := client.Get("http://" + tcp.Addr().String() + "/?" + query) //nolint:noctx // it has a timeout
		if err != nil {
			t.Fatal(query, err)
		}
		defer func() { _ = answer.Body.Close() }()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(query, err)
		}
		return len(body)
	}
	for n := 3_700; n <= 4_100; n++ { // with their headers, some are of 4,096 bytes
		for _, n := range []int{n, n + 4_096} {
			before := writes.Load()
			if got := get("n=" + strconv.Itoa(n)); got != n || writes.Load() != before+1 {
				t.Fatalf("%d bytes of %d by %d writes", got, n, writes.Load()-before)
			}
		}
	}
	for _, n := range []int{0, 100, 32 << 10, 100_000, 1 << 20} {
		if got := get("n=" + strconv.Itoa(n)); got != n {
			t.Errorf("%d bytes of %d", got, n)
		}
		if got := get("stream=1&n=" + strconv.Itoa(n)); got != n+len("end") {
			t.Errorf("%d bytes of %d with an end", got, n)
		}
	}
}
